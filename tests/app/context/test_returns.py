"""S4's return: what an expired cache's rewriting hid and the model read again."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.context.facts import Trigger
from app.context.originals import part_address
from app.context.returns import LATER_BY, PRUNING, backed_off
from app.core.entries import Entry, Origin
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.core.records import Compaction, StepReport
from tests.app.context.histories import Said, path_of
from tests.app.context.steps.compressing import tokens
from tests.app.context.test_plan import saved

CHARS = 4_000


def _reads(at: int, arguments: str, text: str) -> tuple[Said, ...]:
    call = ToolCallPart(call_id=f"c{at}", name="read", arguments=arguments)
    return (Origin.ASSISTANT, (call,)), (
        Origin.TOOL,
        (ToolResultPart(call_id=f"c{at}", name="read", text=text),),
    )


def _text(at: int) -> str:
    return (f"file {at} " * CHARS)[:CHARS]


def _off(again: Sequence[bool], *, by_address: bool = False, trigger: Trigger = Trigger.IDLE) -> float:
    """A chat that read a file, lost it to an expired cache, and read it again where `again` says so; time after time."""
    said: list[Said] = [(Origin.USER, (TextPart(text="Go."),))]
    for at, is_read in enumerate(again):
        said += _reads(2 * at, f'{{"path": "f{at}"}}', _text(at))
        hidden = ToolResultPart(call_id=f"c{2 * at}", name="read", text=_text(at))
        where = str(part_address(hidden)) if by_address else f"f{at}"
        other = _text(at)[: CHARS - 1] if by_address else _text(at)
        said += _reads(2 * at + 1, f'{{"path": "{where}"}}', other if is_read else "no such file")
    path = path_of(said)
    results = [entry for entry in path if entry.results]
    folds = [_hides(entry, at) for at, entry in enumerate(results[::2])]
    made = [_pruning(fold, trigger) for fold in folds]
    return backed_off(path, folds, made, tokens)


def _hides(entry: Entry, at: int) -> Fold:
    (part,) = entry.results
    return Fold(
        rev=entry.rev,  # after it, before the next
        compaction_id=CompactionId(f"k{at}"),
        kind=FoldKind.SHORTENED,
        first=entry.id,
        last=entry.id,
        part=0,
        replacement=(replace(part, text=f"[{part_address(part)}]"),),
        anchor=entry.id,
    )


def _pruning(fold: Fold, trigger: Trigger) -> Compaction:
    report = StepReport(step=PRUNING, candidates=1, folded=0, tokens_saved=0, ms=0, why="")
    return replace(
        saved(10_000, 9_000), id=fold.compaction_id, rev=fold.rev, steps=(report,), trigger=trigger
    )


def test_what_was_read_again_lets_the_next_one_wait_ten_points_longer() -> None:
    assert _off([False]) == 0
    assert _off([True]) == LATER_BY
    assert _off([True], by_address=True) == LATER_BY


def test_three_in_a_row_that_paid_end_it_and_two_do_not() -> None:
    assert _off([True, True, False, False]) == LATER_BY
    assert _off([True, True, False, False, False]) == 0


def test_one_of_several_that_was_read_again_is_no_reason() -> None:
    assert _off([False, False, True]) == 0


def test_only_what_an_expired_cache_let_go_by_itself_counts() -> None:
    """What a person asked for, or an emergency, says nothing of when to prune."""
    assert _off([True], trigger=Trigger.MANUAL) == 0


@given(st.lists(st.booleans(), max_size=12))
def test_it_is_off_or_on_and_never_off_after_three_that_paid(again: list[bool]) -> None:
    found = _off(again)

    assert found in (0, LATER_BY)
    if again[-3:] in ([], [False] * 3):
        assert found == 0
