"""The card of what is left out of requests: sums of what is stored, one signal, one word (U5)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.budget import Health
from app.core.entries import Origin
from app.core.parts import Blob, TextPart, ToolCallPart, ToolResultPart
from app.core.records import BreakCause
from app.health.log import HealthLog, Stored
from app.health.pruning import BackOff, Deferral, PruningCard, Signal
from tests.app.context.histories import Said
from tests.app.context.steps.compressing import tokens
from tests.app.health.test_cache import record
from tests.app.health.test_compaction import LONG, _fold, _made, _path, _reads
from tests.app.health.test_log import MOMENT, exact

# A test may look inside.
# pyright: reportPrivateUsage=false


def _card(said: tuple[Said, ...], **more: object) -> PruningCard:
    path = _path(*said)
    fold = _fold(path[2])
    stored = Stored(path=path, folds=(fold,), compactions=(_made(fold),), requests=())
    return HealthLog().read(replace(stored, **more), MOMENT, exact).pruning  # pyright: ignore[reportArgumentType]


def test_what_is_hidden_is_an_artifact_and_what_it_spares_is_told() -> None:
    card = _card(())

    path = _path()
    hidden, shown = path[2].parts[0], _fold(path[2]).replacement[0]
    assert (card.n_artifacts, card.n_bytes, card.n_shortened) == (1, len(LONG), 1)
    assert card.saved_tokens == tokens(hidden) - tokens(shown)
    assert card.signal is Signal.SHORTENED
    assert card.health is Health.HEALTHY


def test_texts_in_the_vault_are_counted_once_and_what_came_again_as_reused() -> None:
    blob = Blob(sha256="a" * 64, n_bytes=90_000, mime="text/plain", name="log.txt")
    said = tuple((Origin.USER, (TextPart(text=blob),)) for _ in range(3))

    card = _card(said)

    assert (card.n_written, card.n_reused, card.n_artifacts, card.n_bytes) == (1, 2, 2, 90_000 + len(LONG))


def test_a_text_that_the_vault_did_not_take_is_critical() -> None:
    card = _card(((Origin.USER, (TextPart(text="x" * 70_000),)),))

    assert (card.n_failed, card.signal, card.health) == (1, Signal.FAILED, Health.CRITICAL)


def test_a_refused_reading_is_told_before_all_but_a_failure() -> None:
    call = ToolCallPart(call_id="r", name="file_read", arguments='{"paths": ["vault://0123456789ab/a.txt"]}')
    result = ToolResultPart(call_id="r", name="file_read", text="Nothing", is_error=True)
    card = _card(((Origin.ASSISTANT, (call,)), (Origin.TOOL, (result,))))

    assert (card.n_asked, card.n_allowed, card.n_refused) == (1, 0, 1)
    assert card.signal is Signal.REFUSED
    assert card.read_share == 1.0


def test_what_was_read_again_is_a_cost_and_half_of_it_a_warning() -> None:
    card = _card(_reads("c2", "a.py", LONG))

    assert card.restored_tokens == tokens(_path()[2].parts[0])
    assert card.net_tokens < 0
    assert (card.signal, card.health) == (Signal.COSTLY, Health.WARNING)


def test_the_return_counts_what_a_compression_had_written_anew_at_the_price_of_writing() -> None:
    broken = record(1, cause=BreakCause.COMPACTION)
    other = record(2, cause=BreakCause.MODEL)
    path = _path()
    fold = _fold(path[2])
    stored = Stored(path=path, folds=(fold,), compactions=(_made(fold),), requests=(broken, other))
    card = HealthLog().read(stored, replace(MOMENT, write_share=1.25), exact).pruning

    assert card.rewritten_tokens == 5_000
    assert card.gain == card.saved_tokens / (5_000 * 1.25)


_RANK = list(Signal)


@given(
    st.builds(
        PruningCard,
        n_failed=st.integers(0, 1),
        n_refused=st.integers(0, 1),
        n_shortened=st.integers(0, 1),
        saved_tokens=st.integers(0, 100),
        restored_tokens=st.integers(0, 100),
        backs_off=st.sampled_from([(), (BackOff.READ_AGAIN,)]),
        is_cold=st.booleans(),
        is_held=st.booleans(),
        is_watching=st.booleans(),
        deferred=st.sampled_from([{}, {Deferral.TAIL: 2}, {Deferral.HOT: 0}]),
    )
)
def test_the_signal_is_the_first_of_its_order_and_no_worse_fact_is_hidden_by_it(card: PruningCard) -> None:
    cost = card.restored_tokens >= 0.5 * card.saved_tokens > 0
    so = [
        card.n_failed,
        card.n_refused,
        card.backs_off,
        cost,
        card.is_cold,
        card.is_held,
        card.deferred.get(Deferral.TAIL),
        card.n_shortened,
        card.is_watching,
        True,
    ]

    assert card.signal is _RANK[next(at for at, is_so in enumerate(so) if is_so)]
    assert (card.health is Health.CRITICAL) == (card.n_failed > 0)


@pytest.mark.parametrize(("saved", "restored", "gain"), [(900, 100, 9.0), (900, 0, None)])
def test_what_has_cost_nothing_has_no_return(saved: int, restored: int, gain: float | None) -> None:
    assert PruningCard(saved_tokens=saved, restored_tokens=restored).gain == gain
