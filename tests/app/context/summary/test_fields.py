"""Fourteen fields with limits: whatever a model sends."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.summary.fields import Decision, KeptSummary, Summary, changes, parse

_texts = st.text(max_size=60)
_lists = st.lists(_texts, max_size=14)
_pairs = st.lists(st.one_of(_texts, st.fixed_dictionaries({"what": _texts, "why": _texts})), max_size=12)
_fixes = st.lists(st.one_of(_texts, st.fixed_dictionaries({"error": _texts, "fix": _texts})), max_size=12)
_lines = ("user_goal", "active_task", "active_state", "last_action")
answers = st.fixed_dictionaries(
    {
        **{name: st.one_of(_texts, st.none(), st.integers()) for name in _lines},
        "key_decisions": _pairs,
        "errors_and_fixes": _fixes,
        **{
            name: st.one_of(_lists, _texts)
            for name in Summary.model_fields
            if name not in (*_lines, "key_decisions", "errors_and_fixes")
        },
    }
)
summaries = answers.map(Summary.model_validate)
_LIMITS = {
    "constraints_and_preferences": 5,
    "key_decisions": 8,
    "completed_actions": 10,
    "key_findings": 5,
    "errors_and_fixes": 8,
    "resolved_questions": 5,
    "pending_user_asks": 5,
    "blocked_items": 3,
    "next_steps": 5,
}


def test_there_are_fourteen_fields() -> None:
    """C11."""
    assert len(Summary.model_fields) == 14


@given(answers)
def test_limits_hold_whatever_a_model_sends(sent: dict[str, object]) -> None:
    """C11: limits hold in code."""
    summary = Summary.model_validate(sent)

    assert all(len(getattr(summary, name)) <= most for name, most in _LIMITS.items())
    assert "\n" not in "".join(map(str, dict(summary).values()))
    assert len(summary.user_goal) <= 400


@given(summaries)
def test_a_summary_reads_back_from_its_json(summary: Summary) -> None:
    """C12: one schema for prompt, parser and editor."""
    found = parse(f"Here it is:\n```json\n{summary.model_dump_json()}\n```\nAnything else {{?}}")

    assert found == (None if summary.is_empty else summary)


def test_the_newest_actions_stay_when_there_are_too_many() -> None:
    summary = Summary.model_validate({"completed_actions": [f"step {at}" for at in range(30)]})

    assert summary.completed_actions == tuple(f"step {at}" for at in range(20, 30))


def test_a_decision_without_a_reason_may_be_a_plain_text() -> None:
    summary = Summary.model_validate({"key_decisions": ["Use SQLite", {"what": "Use Qt", "why": "native"}]})

    assert summary.key_decisions == (Decision(what="Use SQLite"), Decision(what="Use Qt", why="native"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "I'm sorry, I can't help with that.",
        "## Goal\nfix the",
        "Error: service unavailable",
        '{"error": {"code": 429, "message": "rate limit"}}',
        '{"user_goal": "Tidy", "active_task": "co',
        json.dumps({"user_goal": "", "active_task": "", "next_steps": []}),
        '{"user_goal": "Tidy"}',
        "[1, 2, 3]",
        "{" * 3_000,
    ],
)
def test_what_is_no_summary_is_none(text: str) -> None:
    """C21, case B35: nothing of this may replace history."""
    assert parse(text) is None


def test_a_kept_summary_holds_what_code_sets_beside_the_fields() -> None:
    kept = KeptSummary(user_goal="x", history="vault://aaaaaaaaaaaa/history.md", is_offline=True)

    assert KeptSummary.model_validate_json(kept.model_dump_json()) == kept


def test_two_summaries_differ_by_field_and_line() -> None:
    """U8: a diff as data."""
    old = Summary(user_goal="Tidy", next_steps=("a", "b"), key_decisions=(Decision(what="SQLite"),))
    new = Summary(
        user_goal="Tidy up", next_steps=("b", "c"), key_decisions=(Decision(what="SQLite", why="one file"),)
    )

    assert changes(old, new) == (
        ("user_goal", ("Tidy",), ("Tidy up",)),
        ("key_decisions", ("SQLite",), ("SQLite | one file",)),
        ("next_steps", ("a",), ("c",)),
    )


@given(summaries, summaries)
def test_equal_summaries_differ_in_nothing_and_the_way_back_is_the_way_there(
    first: Summary, second: Summary
) -> None:
    there, back = changes(first, second), changes(second, first)

    assert changes(first, first) == ()
    assert [(one.field, one.new, one.gone) for one in back] == [tuple(one) for one in there]
