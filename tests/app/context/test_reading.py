"""Tests of the one reading (M4), against its definition and against the readings that fail."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.context.reading import Folded, Shown, amended, read
from app.context.steps.compress import compress
from app.context.transcript import groups
from app.core.entries import Entry, Origin
from app.core.folds import Deletion, Fold, FoldKind
from app.core.ids import CompactionId, EntryId
from app.core.parts import Part, TextPart, ToolCallPart, ToolResultPart
from tests.app.context.histories import NOW
from tests.app.context.steps.compressing import NO_PORTS, Turn, proposal, real
from tests.story import Story

RANDOM = settings(max_examples=40, stateful_step_count=25)


class TestStory(Story.TestCase):
    """M1-M5 in random order: compact, shorten, put back, undo, edit, switch, delete."""

    settings = RANDOM


@pytest.mark.slow
@pytest.mark.timeout(1_800)
class TestThreeThousandStories(Story.TestCase):
    settings = settings(RANDOM, max_examples=3_000, stateful_step_count=30)


def test_a_fold_that_ends_inside_a_group_takes_the_whole_group() -> None:
    """The natural reading "a fold decides entry by entry" leaves an orphan result."""
    path = _path("u", "c", "r", "a")
    run = _run(1, path, first=0, last=1)

    reading = read(path, [run], rev=9)

    assert _ids(_entry_by_entry(path, [run])) == ["r1", "r", "a"]  # a result without its call
    assert [_ids(item.entries) for item in reading] == [["u", "c", "r"], ["a"]]
    assert isinstance(reading[0], Folded)


def test_a_result_put_back_inside_a_folded_group_stays_folded() -> None:
    """The natural reading "the last fold wins per part" leaves an orphan result."""
    path = _path("u", "c", "r", "a")
    run = _run(1, path, first=0, last=2)
    back = _part(2, path, at=2, kind=FoldKind.WHOLE)

    reading = read(path, [run, back], rev=9)

    assert _ids(_last_wins_per_part(path, [run, back])) == ["r1", "r", "a"]
    assert [_ids(item.entries) for item in reading] == [["u", "c", "r"], ["a"]]


def test_runs_that_partly_overlap_lose_nothing_after_an_undo() -> None:
    """The natural reading "a run stands where its first entry is" loses what only the older run covers."""
    path = _path("a1", "a2", "a3", "a4", "a5", "a6")
    newest = _run(3, path, first=0, last=5, undone_rev=4)
    runs = [_run(1, path, first=2, last=5), _run(2, path, first=0, last=3), newest]

    reading = read(path, runs, rev=4)

    assert _ids(_stands_at_its_first(path, runs[:2])) == ["r2"]  # a5 and a6 are nowhere
    assert [_ids(item.entries) for item in reading] == [["a1", "a2", "a3", "a4"], ["a5", "a6"]]


def test_a_put_back_newer_than_a_run_shows_the_group_and_the_rest_stays_folded_once() -> None:
    path = _path("a1", "a2", "a3")
    run = _run(1, path, first=0, last=2)
    back = _run(2, path, first=1, last=1, kind=FoldKind.WHOLE)

    first, shown = read(path, [run, back], rev=9)

    assert isinstance(first, Folded)
    assert isinstance(shown, Shown)
    assert (_ids(first.entries), _ids(shown.entries)) == (["a1", "a3"], ["a2"])


def test_a_part_fold_older_than_the_put_back_of_its_group_counts_no_more() -> None:
    path = _path("u", "c", "r")
    short = _part(1, path, at=2, kind=FoldKind.SHORTENED)
    back = _run(2, path, first=1, last=2, kind=FoldKind.WHOLE)
    again = _part(3, path, at=2, kind=FoldKind.SHORTENED)

    def shown(*folds: Fold) -> Part:
        item = read(path, folds, rev=9)[1]
        assert isinstance(item, Shown)
        return item.parts[1][0]

    assert shown(short) == short.replacement[0]
    assert shown(short, back) == path[2].parts[0]
    assert shown(short, back, again) == again.replacement[0]


def test_a_fold_counts_only_where_its_last_and_its_anchor_lie_on_the_path() -> None:
    """M4: an edit hides what came later, so what was folded from there is not folded here."""
    path = _path("a1", "a2", "a3", "a4")
    run = _run(1, path, first=0, last=1)

    assert len(read(path, [run], rev=9)) == 3
    assert len(read(path[:3], [run], rev=9)) == 3  # its anchor is a4
    assert len(read(path, [run], rev=0)) == 4


# ---- the readings that fail


@st.composite
def _newer(draw: st.DrawFn, path: tuple[Entry, ...], rev: int) -> tuple[Fold, ...]:
    """Folds of every kind, one after another, that may cut, hide and put back each other."""
    found: list[Fold] = []
    kinds = st.sampled_from([FoldKind.REMOVED, FoldKind.REMOVED, FoldKind.WHOLE])
    for at in range(draw(st.integers(0, 4))):
        first = draw(st.integers(0, len(path) - 1))
        if draw(st.booleans()):
            found.append(_part(rev + at, path, at=first, kind=draw(kinds)))
        else:
            last = draw(st.integers(first, len(path) - 1))
            found.append(_run(rev + at, path, first=first, last=last, kind=draw(kinds)))
    return tuple(found)


@given(st.data())
def test_newer_folds_taken_into_a_reading_give_what_all_of_them_give_read_anew(data: st.DataObject) -> None:
    """Q5: a compaction in steps read a chat of 2,000 messages seven times."""
    path = _path("u", "a", "c", "r", "b", "d", "e", "f")
    at = {entry.id: index for index, entry in enumerate(path)}
    old, new = data.draw(_newer(path, 10)), data.draw(_newer(path, 20))
    gone = data.draw(st.sampled_from([(), (Deletion(entry_id=EntryId("b"), rev=1, deleted_at=NOW),)]))
    before = read(path, old, gone, rev=19)

    found = amended(before, at, new)

    anew = read(path, (*old, *new), gone, rev=29)
    assert found in (None, anew)
    assert found is not None or any(fold.part is None for fold in new)


def test_what_a_compaction_folds_is_taken_in_without_reading_the_chat_anew() -> None:
    context = proposal(real("tau-airline-14-sessions")[:300])
    facts = Turn(target=6_000, window=40_000).facts(context.path)
    made = context.with_folds(asyncio.run(compress(context, facts, NO_PORTS)).folds)
    new = made.folds[len(context.folds) :]

    found = amended(context.items, context.at, new)

    assert any(fold.part is None for fold in new)
    assert found == read(made.path, made.folds, rev=made.rev)


def _entry_by_entry(path: tuple[Entry, ...], folds: Sequence[Fold]) -> list[str]:
    shown: list[str] = []
    for index, entry in enumerate(path):
        over = [fold for fold in folds if _at(path, fold.first) <= index <= _at(path, fold.last)]
        stand_in = f"r{over[-1].rev}" if over else entry.id
        if stand_in not in shown:
            shown.append(stand_in)
    return shown


def _last_wins_per_part(path: tuple[Entry, ...], folds: Sequence[Fold]) -> list[str]:
    shown: list[str] = []
    for index, entry in enumerate(path):
        newest = [fold for fold in folds if _at(path, fold.first) <= index <= _at(path, fold.last)]
        is_whole = not newest or newest[-1].kind is FoldKind.WHOLE
        stand_in = entry.id if is_whole else f"r{newest[-1].rev}"
        if stand_in not in shown:
            shown.append(stand_in)
    return shown


def _stands_at_its_first(path: tuple[Entry, ...], folds: Sequence[Fold]) -> list[str]:
    shown: list[str] = []
    for index, entry in enumerate(path):
        over = [fold for fold in folds if _at(path, fold.first) <= index <= _at(path, fold.last)]
        starts = [fold for fold in over if fold.first == entry.id and fold is over[-1]]
        shown += [f"r{fold.rev}" for fold in starts] if over else [entry.id]
    return shown


# ---- makers


def _path(*names: str) -> tuple[Entry, ...]:
    """`c` calls a tool, `r` is its result, `u` is the person, others are answers."""
    found: list[Entry] = []
    for index, name in enumerate(names):
        part: Part = TextPart(text=f"text of {name}")
        origin = Origin.USER if name == "u" else Origin.ASSISTANT
        if name == "c":
            part = ToolCallPart(call_id="1", name="run", arguments="{}")
        elif name == "r":
            part, origin = ToolResultPart(call_id="1", name="run", text="long output"), Origin.TOOL
        found.append(
            Entry(
                id=EntryId(name),
                parent_id=found[-1].id if found else None,
                rev=0,
                depth=index,
                origin=origin,
                parts=(part,),
                created_at=datetime(2026, 1, 1, tzinfo=UTC),
            )
        )
    path = tuple(found)
    assert tuple(entry for group in groups(path) for entry in group) == path
    return path


def _run(
    rev: int,
    path: tuple[Entry, ...],
    *,
    first: int,
    last: int,
    kind: FoldKind = FoldKind.SUMMARISED,
    undone_rev: int | None = None,
) -> Fold:
    return Fold(
        rev=rev,
        compaction_id=CompactionId(f"k{rev}"),
        kind=kind,
        first=path[first].id,
        last=path[last].id,
        replacement=(TextPart(text=f"summary {rev}"),),
        anchor=path[-1].id,
        undone_rev=undone_rev,
    )


def _part(rev: int, path: tuple[Entry, ...], *, at: int, kind: FoldKind) -> Fold:
    return Fold(
        rev=rev,
        compaction_id=CompactionId(f"k{rev}"),
        kind=kind,
        first=path[at].id,
        last=path[at].id,
        part=0,
        replacement=(ToolResultPart(call_id="1", name="run", text=f"short {rev}"),),
        anchor=path[at].id,
    )


def _at(path: tuple[Entry, ...], entry_id: EntryId) -> int:
    return [entry.id for entry in path].index(entry_id)


def _ids(found: Sequence[Entry] | Sequence[str]) -> list[str]:
    return [item if isinstance(item, str) else item.id for item in found]
