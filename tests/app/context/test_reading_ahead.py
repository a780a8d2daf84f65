"""What is read ahead saves work, and changes nothing (Q5, C8)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.gleaned import Gleaned
from app.context.reading_ahead import read_ahead
from app.context.steps.compress import compress
from app.core.entries import Entry
from tests.app.context.histories import History, histories
from tests.app.context.steps.compressing import NO_PORTS, Turn, proposal, real

_TURN = Turn(target=6_000, window=40_000)


def _ahead(path: tuple[Entry, ...], gleaned: Gleaned) -> None:
    read_ahead(gleaned, (), path, proposal(path).items)


@pytest.mark.parametrize("name", ["tau-airline-14-sessions", "glaive-toolcall-zh-150"])
async def test_a_compaction_gives_the_same_whatever_was_read_ahead_and_hardly_reads(name: str) -> None:
    path = real(name)[:300]
    gleaned = Gleaned()
    _ahead(path[:200], gleaned)
    _ahead(path, gleaned)
    assert gleaned.said
    n_read = len(gleaned.said.words)

    plain = await compress(proposal(path), _TURN.facts(path), NO_PORTS)
    found = await compress(proposal(path), replace(_TURN.facts(path), gleaned=gleaned), NO_PORTS)

    assert found == plain
    assert found.folds
    assert len(gleaned.said.words) < 1.05 * n_read


@given(histories(), st.data())
async def test_a_chat_of_any_kind_is_read_ahead(history: History, data: st.DataObject) -> None:
    gleaned = Gleaned()
    for n in data.draw(st.lists(st.integers(0, len(history.path)), max_size=3)):
        _ahead(history.path[:n], gleaned)
    facts = replace(Turn(target=20).facts(history.path), gleaned=gleaned)

    found = await compress(proposal(history.path), facts, NO_PORTS)

    assert found == await compress(proposal(history.path), replace(facts, gleaned=Gleaned()), NO_PORTS)


def test_what_stands_no_longer_is_forgotten() -> None:
    path = real("tau-airline-14-sessions")[:400]
    gleaned = Gleaned()
    _ahead(path, gleaned)
    assert gleaned.said
    n_read = len(gleaned.said.words)

    _ahead(path[:40], gleaned)

    assert len(gleaned.said.words) < n_read / 4
