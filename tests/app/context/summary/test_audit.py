"""Whether a summary may stand for its run is judged by rule."""

from app.context.facts import FileTouch
from app.context.summary.audit import audit, mended
from app.context.summary.fields import Summary
from app.core.ids import EntryId
from tests.app.context.histories import path_of
from tests.app.context.summary.making import FILLER, assistant, call, user

_NAMES = [f"src/part{at}.py" for at in range(10)]
_RUN = path_of(
    [
        user("Please tidy src/part0.py."),
        *(
            said
            for name in _NAMES
            for said in (assistant(f"I looked at {name}. {FILLER * 8}"), user("Go on."))
        ),
    ]
)
_GOOD = Summary(user_goal="Tidy", active_state="busy", key_findings=(" ".join(_NAMES[:4]),))


def test_a_summary_that_keeps_a_third_of_the_names_passes() -> None:
    """C13."""
    result = audit(_GOOD, _RUN)

    assert result.n_entities == 10
    assert result.retained == 0.4
    assert result.passes


def test_one_that_lost_the_names_is_asked_for_them() -> None:
    result = audit(Summary(user_goal="Tidy", active_state="busy"), _RUN)

    assert not result.passes
    assert set(result.demands) == set(_NAMES)


def test_names_that_stand_elsewhere_need_not_be_told_again() -> None:
    result = audit(Summary(user_goal="Tidy", active_state="busy"), _RUN, elsewhere=" ".join(_NAMES))

    assert result.passes


def test_required_fields_follow_the_kind_of_chat() -> None:
    tools = path_of([user("Go"), *(s for _ in range(4) for s in call("run", '{"cmd": "x"}', FILLER * 20))])

    assert audit(Summary(), tools).missing_fields == (
        "user_goal",
        "active_state",
        "completed_actions",
        "last_action",
    )
    assert audit(Summary(), _RUN).missing_fields == ("user_goal", "active_state")
    assert audit(Summary(user_goal="x"), path_of([user("Go"), assistant("ok")])).passes


def test_one_that_says_the_same_again_and_again_does_not_pass() -> None:
    same = "It is tidy"
    summary = _GOOD.model_copy(
        update={"next_steps": (same,) * 5, "blocked_items": (same,) * 3, "resolved_questions": (same,) * 5}
    )

    assert not audit(summary, _RUN).passes


def test_files_are_as_the_tools_touched_them() -> None:
    """C13: unproven claims out, missing files in."""
    touches = (
        FileTouch(path="a.py", entry_id=EntryId("e1"), is_write=True),
        FileTouch(path="b.py", entry_id=EntryId("e2"), is_write=False),
    )

    assert mended(Summary(files_modified=("invented.py",)), touches).files_modified == ("a.py",)
    assert mended(Summary(files_modified=("said.py",)), ()).files_modified == ("said.py",)
