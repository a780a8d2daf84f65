"""The summary without a model: by rule, always the same, from what was said."""

import pytest
from hypothesis import given

from app.context.ledger import updated
from app.context.summary.extractive import extracted
from app.context.summary.fields import Summary
from tests.app.context.counts import conversation
from tests.app.context.histories import History, histories, path_of
from tests.app.context.summary.making import assistant, case_path, user


def test_words_fill_the_fields_by_cue() -> None:
    """C18."""
    path = path_of(
        [
            user("Please speed up the import. We go with SQLite."),
            assistant("I've added an index. The cause was a missing index. Next, I will run the bench."),
            user("How long does it take now?"),
            assistant("It takes 12 s. I am blocked: waiting for the data."),
            user("Use the small set."),
        ]
    )

    summary = extracted(path, ledger=updated((), path))

    assert summary.user_goal == "Please speed up the import."
    assert summary.active_task == "Use the small set."
    assert "We go with SQLite." in [item.what for item in summary.key_decisions]
    assert summary.completed_actions == ("I've added an index.",)
    assert summary.key_findings == ("The cause was a missing index.",)
    assert summary.resolved_questions == ("How long does it take now? → It takes 12 s.",)
    assert summary.active_state == "It takes 12 s."
    assert summary.blocked_items == ("I am blocked: waiting for the data.",)


def test_a_ban_is_among_the_constraints_however_many_there_are() -> None:
    """Case B37."""
    rules = [user(f"Always check part {at} with tool {at * 7}.") for at in range(9)]
    path = path_of([user("Do NOT push."), *rules])

    summary = extracted(path, ledger=updated((), path))

    assert "Do NOT push." in summary.constraints_and_preferences


def test_it_is_in_the_language_of_what_was_said() -> None:
    """Case B41."""
    summary = extracted(case_path("B41"))

    assert summary.user_goal == "请始终用中文回答。"
    assert summary.active_task == "继续"


@given(histories())
def test_any_history_has_one_and_always_the_same(history: History) -> None:
    once = extracted(history.path)

    assert extracted(history.path) == once
    assert Summary.model_validate_json(once.model_dump_json()) == once


@pytest.mark.parametrize("name", ["memorybank-zh", "tau-airline-14-sessions"])
def test_a_real_chat_has_a_goal_and_a_state(name: str) -> None:
    summary = extracted(conversation(name))

    assert summary.user_goal
    assert summary.active_state
    assert summary.active_task
