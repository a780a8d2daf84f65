"""The card of compressions: sums of what is stored, and the word for how it stands (U5)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.context.budget import Count, Growth, Health
from app.context.fact_check import Checked, Probe, Receipt
from app.context.originals import part_address
from app.core.entries import Entry, Origin
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId, ModelId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.core.records import PUT_BACK, Compaction
from app.health.compaction import CompactionCard
from app.health.log import HealthLog, Moment, Stored
from tests.app.context.histories import Said, path_of
from tests.app.context.steps.compressing import tokens
from tests.app.context.test_plan import saved

NO_GROWTH = Growth(tokens_per_turn=0.0, acceleration=0.0, turns_left=None)
LONG = "a line of a long file\n" * 100


def _reads(call_id: str, path: str, text: str) -> tuple[Said, Said]:
    call = ToolCallPart(call_id=call_id, name="file_read", arguments=f'{{"paths": ["{path}"]}}')
    return (Origin.ASSISTANT, (call,)), (
        Origin.TOOL,
        (ToolResultPart(call_id=call_id, name="file_read", text=text),),
    )


def _path(*then: Said) -> tuple[Entry, ...]:
    """A file is read, and whatever comes then."""
    return path_of([(Origin.USER, (TextPart(text="Go."),)), *_reads("c1", "a.py", LONG), *then])


def _fold(
    entry: Entry, *, name: str = "k1", kind: FoldKind = FoldKind.SHORTENED, undone: int | None = None
) -> Fold:
    (part,) = entry.results
    stub = replace(part, text=f"[{part_address(part)}]")
    return Fold(
        rev=entry.rev, compaction_id=CompactionId(name), kind=kind, first=entry.id, last=entry.id, part=0,
        replacement=(stub,), anchor=entry.id, undone_rev=undone,
    )  # fmt: skip


def _made(fold: Fold, before: int = 10_000, after: int = 4_000, receipt: Receipt | None = None) -> Compaction:
    return replace(
        saved(before, after),
        id=fold.compaction_id,
        rev=fold.rev,
        elapsed_ms=40.0,
        fact_check=receipt.model_dump_json() if receipt else "",
    )


def _card(
    path: Sequence[Entry], folds: Sequence[Fold], made: Sequence[Compaction], *, is_breaker_open: bool = False
) -> CompactionCard:
    stored = Stored(path=tuple(path), folds=tuple(folds), compactions=tuple(made), requests=())
    moment = Moment(terms_of=lambda _: None, growth=NO_GROWTH, is_breaker_open=is_breaker_open)
    return HealthLog().read(stored, moment, lambda part: Count(tokens=tokens(part))).compaction


def test_a_chat_that_was_never_compressed_has_nothing_to_judge() -> None:
    card = _card(_path(), (), ())

    assert card == CompactionCard()
    assert card.health is Health.UNKNOWN


def test_what_was_saved_is_told_with_what_is_left_in_its_place() -> None:
    path = _path()
    fold = _fold(path[2])
    card = _card(path, [fold], [_made(fold)])

    left = tokens(fold.replacement[0])
    assert (card.n_runs, card.saved_tokens, card.left_tokens, card.n_folded) == (1, 6_000, left, 1)
    assert card.efficiency == 6_000 / (6_000 + left)
    assert card.health is Health.HEALTHY


def test_an_undone_compression_counts_for_nothing() -> None:
    path = _path()
    fold = _fold(path[2], undone=99)
    card = _card(path, [fold], [_made(fold)])

    assert (card.n_runs, card.n_undone, card.saved_tokens, card.last) == (0, 1, 0, None)


def test_what_the_model_read_again_is_taken_off_and_told_as_a_share() -> None:
    """One of one: critical from half of what was folded on."""
    first = _path()
    fold = _fold(first[2])
    where = str(part_address(first[2].parts[0]))
    path = _path(*_reads("c2", where, LONG), *_reads("c3", where, LONG))
    card = _card(path, [fold], [_made(fold)])

    assert (card.n_reads, card.n_read_again) == (2, 1)
    assert card.read_again_tokens == 2 * tokens(path[4].parts[0])
    assert card.net_saved_tokens == card.saved_tokens - card.read_again_tokens
    assert card.health is Health.CRITICAL


def test_what_stood_twice_is_told_as_dedup_gain() -> None:
    path = _path(*_reads("c2", "a.py", LONG))
    fold = _fold(path[2], kind=FoldKind.MERGED)
    card = _card(path, [fold], [_made(fold)])

    assert card.dedup_tokens == tokens(path[2].parts[0]) - tokens(fold.replacement[0])


@pytest.mark.parametrize(
    ("is_direct", "address", "health"),
    [(True, "", "healthy"), (False, "vault://0/x", "healthy"), (False, "", "critical")],
)
def test_a_fact_that_can_t_be_reached_is_critical(*, is_direct: bool, address: str, health: str) -> None:
    path = _path()
    fold = _fold(path[2])
    receipt = Receipt(
        checked=(Checked(probe=Probe(kind="id", text="x"), is_direct=is_direct, address=address),)
    )
    card = _card(path, [fold], [_made(fold, receipt=receipt)])

    assert card.receipt == receipt
    assert card.health == health


def test_a_compression_that_saved_hardly_anything_is_a_warning_and_so_is_a_writer_left_alone() -> None:
    path = _path()
    fold = _fold(path[2])

    assert _card(path, [fold], [_made(fold, 10_000, 10_000)]).health is Health.WARNING
    assert _card(path, [fold], [_made(fold)], is_breaker_open=True).health is Health.WARNING


def test_what_a_writer_took_is_summed_and_an_unknown_price_is_no_zero() -> None:
    path = _path()
    fold = _fold(path[2])
    made = _made(fold)
    known = replace(made, model=ModelId("a/b"), cost_usd=0.02, summary="{}")
    unknown = replace(made, model=ModelId("a/c"), cost_usd=None)
    card = _card(path, [fold], [known, unknown])

    assert (card.spent_usd, card.n_unpriced, card.n_summaries, card.mean_ms) == (0.02, 1, 1, 40.0)


def test_putting_back_is_no_run_and_is_taken_off_what_was_saved() -> None:
    path = _path()
    fold = _fold(path[2])
    back = replace(
        fold, rev=9, compaction_id=CompactionId("k2"), kind=FoldKind.WHOLE, part=None, replacement=()
    )
    put_back = replace(_made(back), trigger=PUT_BACK)
    card = _card(path, [fold, back], [_made(fold), put_back])

    assert (card.n_runs, card.n_undone) == (1, 0)
    assert card.put_back_tokens == tokens(path[2].parts[0])
    assert card.net_saved_tokens == 6_000 - card.put_back_tokens


def test_calls_folded_with_their_results_are_told_as_guarded() -> None:
    path = _path(*_reads("c2", "b.py", LONG))
    run = replace(_fold(path[2], kind=FoldKind.REMOVED), first=path[1].id, last=path[4].id, part=None)

    assert _card(path, [run], [_made(run)]).n_calls_kept == 2
