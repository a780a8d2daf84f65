"""The panel's figures: the same whether a chat was followed or has just been opened (U5)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.budget import Count, Growth
from app.core.entries import Entry
from app.core.parts import Part
from app.core.records import Compaction, RequestRecord
from app.health.log import HealthLog, Moment, Stored
from tests.app.chats.reading import CONVERSATIONS
from tests.app.context.folding import Folding
from tests.app.context.histories import NOW, History, histories
from tests.app.context.steps.compressing import real, tokens
from tests.app.context.test_plan import saved
from tests.app.health.test_cache import CLAUDE, record

MOMENT = Moment(
    terms_of=lambda _: CLAUDE, growth=Growth(tokens_per_turn=0.0, acceleration=0.0, turns_left=None)
)


def exact(part: Part) -> Count:
    return Count(tokens=tokens(part))


def rough(part: Part) -> Count:
    """Before the text worker has counted."""
    return Count(tokens=2 * tokens(part), is_exact=False)


def _requests(path: Sequence[Entry]) -> tuple[RequestRecord, ...]:
    return tuple(
        replace(record(at, 1_000 * at), head=entry.id, answer_id=entry.id) for at, entry in enumerate(path, 1)
    )


def _stored(history: History, n: int) -> Stored:
    path = history.path[:n]
    folds = tuple(fold for fold in history.folds if n >= history.n_old)
    made = tuple(_made(fold.compaction_id, fold.rev) for fold in folds)
    return Stored(path=path, folds=folds, compactions=made, requests=_requests(path))


def _made(name: object, rev: int) -> Compaction:
    return replace(saved(9_000, 4_000), id=name, rev=rev, created_at=NOW)  # pyright: ignore[reportArgumentType]  # a fold's own


@given(histories(), st.data())
def test_a_chat_that_was_followed_and_one_just_opened_say_the_same(
    history: History, data: st.DataObject
) -> None:
    """Counts that were estimates meanwhile, and branches that were looked at, change nothing either."""
    log = HealthLog()
    for _ in range(data.draw(st.integers(0, 3))):
        n = data.draw(st.integers(0, len(history.path)))
        log.read(_stored(history, n), MOMENT, data.draw(st.sampled_from([exact, rough])))
    now = _stored(history, len(history.path))

    assert log.read(now, MOMENT, exact) == HealthLog().read(now, MOMENT, exact)


@pytest.mark.parametrize("seed", range(4))
def test_folds_made_and_undone_along_the_way_leave_no_trace_but_their_own(seed: int) -> None:
    folding = Folding(real(CONVERSATIONS[seed].stem), seed)
    log = HealthLog()
    for _ in range(8):
        folding.step()
        folds = tuple(folding.folds)
        made = tuple(_made(fold.compaction_id, fold.rev) for fold in folds)
        now = Stored(path=folding.path, folds=folds, compactions=made, requests=_requests(folding.path))

        assert log.read(now, MOMENT, exact) == HealthLog().read(now, MOMENT, exact)


def test_what_a_later_fold_covers_is_not_counted_twice() -> None:
    folding = Folding(real(CONVERSATIONS[0].stem), 1)
    for _ in range(20):
        folding.step()
    folds = tuple(folding.folds)
    now = Stored(path=folding.path, folds=folds, compactions=(), requests=())

    pruned = HealthLog().read(now, MOMENT, exact).pruning

    assert pruned.saved_tokens <= sum(tokens(part) for entry in folding.path for part in entry.parts)
