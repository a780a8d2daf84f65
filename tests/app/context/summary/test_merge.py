"""A summary is carried on, and no open item is lost on the way."""

from hypothesis import given

from app.context.summary.fields import KeptSummary, Summary
from app.context.summary.merge import carried_on, is_alike, merged
from tests.app.context.summary.test_fields import summaries

_FORMER = KeptSummary(
    user_goal="Ship the release",
    key_findings=("The build takes 12 minutes",),
    pending_user_asks=("What does the licence say?",),
    blocked_items=("The signing key is missing",),
    next_steps=("Write the changelog", "Tag the commit"),
)


def test_what_is_done_or_solved_leaves() -> None:
    """C14."""
    newer = Summary.model_validate(
        {
            "completed_actions": ["Wrote the changelog: write the changelog is done"],
            "resolved_questions": ["What does the licence say? → MIT"],
            "errors_and_fixes": [{"error": "The signing key is missing", "fix": "found it in the vault"}],
        }
    )

    found = carried_on(_FORMER, newer)

    assert found.open_items == ("Tag the commit",)
    assert found.dropped == ()


def test_what_was_forgotten_comes_back() -> None:
    found = carried_on(_FORMER, Summary(next_steps=("Publish the page",)))

    assert found.next_steps == ("Publish the page", "Write the changelog", "Tag the commit")
    assert found.blocked_items == _FORMER.blocked_items
    assert found.pending_user_asks == _FORMER.pending_user_asks


def test_what_has_no_room_is_listed_as_dropped() -> None:
    newer = Summary(next_steps=("alpha one", "beta two", "gamma three", "delta four", "epsilon five"))

    found = carried_on(_FORMER, newer)

    assert found.next_steps == newer.next_steps
    assert found.dropped == ("Write the changelog", "Tag the commit")


def test_a_dropped_item_that_was_done_since_is_dropped_no_longer() -> None:
    former = KeptSummary(dropped=("Tag the commit", "Sing a song"))

    found = carried_on(former, Summary(completed_actions=("tagged: Tag the commit v1",)))

    assert found.dropped == ("Sing a song",)


@given(summaries, summaries)
def test_every_former_open_item_is_present_resolved_or_dropped(old: Summary, new: Summary) -> None:
    """C14: by code."""
    former = KeptSummary.model_validate(dict(old))

    found = carried_on(former, new)

    told = "\n".join(map(str, dict(found).values()))
    for item in former.open_items:
        alike = any(is_alike(item, line) for line in (*_all_lines(found), new.active_task))
        assert item in told or repr(item)[1:-1] in told or alike


@given(summaries, summaries)
def test_a_merged_summary_keeps_to_the_limits(old: Summary, new: Summary) -> None:
    found = merged(KeptSummary.model_validate(dict(old)), new)

    assert KeptSummary.model_validate_json(found.model_dump_json()) == found
    assert len(found.key_findings) <= 5


def test_merging_keeps_what_still_holds() -> None:
    found = merged(_FORMER, Summary(key_findings=("It fails on Windows",), active_state="testing"))

    assert found.user_goal == "Ship the release"
    assert found.key_findings == ("The build takes 12 minutes", "It fails on Windows")
    assert found.active_state == "testing"


def _all_lines(summary: KeptSummary) -> list[str]:
    done = [f"{item.error} {item.fix}" for item in summary.errors_and_fixes]
    return [
        *summary.open_items,
        *summary.completed_actions,
        *summary.resolved_questions,
        *done,
        *summary.dropped,
    ]
