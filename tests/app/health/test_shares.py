"""How much of what a request says is new, repeats, or is stale (A18)."""

import pytest

from app.core.entries import Origin
from app.core.parts import TextPart, ToolResultPart
from app.health.shares import shares_of
from tests.app.context.histories import Said, path_of
from tests.app.context.steps.compressing import tokens
from tests.app.health.test_log import exact

LINES = "\n".join(f"line {n} of the file says that value {n * 7} was found at place {n}" for n in range(20))


def _shares(*said: Said) -> tuple[float | None, float | None, float | None]:
    return shares_of(((entry, entry.parts) for entry in path_of(said)), exact)


def _result(text: str) -> Said:
    return (Origin.TOOL, (ToolResultPart(call_id="c", name="run", text=text),))


def test_what_comes_a_second_time_is_not_new_and_repeats() -> None:
    new, repeated, _ = _shares(_result(LINES), _result(LINES))

    assert new == pytest.approx(0.5)
    assert repeated == pytest.approx(0.5)


def test_what_is_old_and_named_no_more_is_stale() -> None:
    old = (Origin.USER, (TextPart(text="Look at src/billing.py please"),))
    turns = tuple((Origin.USER, (TextPart(text="And now something else"),)) for _ in range(21))
    named = (Origin.USER, (TextPart(text="Once more src/billing.py"),))

    forgotten, remembered = _shares(old, *turns)[2], _shares(old, *turns, named)[2]

    whole = tokens(old[1][0]) + 21 * tokens(turns[0][1][0])
    assert forgotten == pytest.approx(tokens(old[1][0]) / whole)
    assert remembered is not None
    assert remembered < tokens(old[1][0]) / whole


def test_an_empty_chat_has_no_shares() -> None:
    assert _shares() == (None, None, None)
