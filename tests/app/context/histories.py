"""Histories of any kind: tool groups, notes, system entries, blank texts, folds and deletions."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from hypothesis import strategies as st

from app.context.context import Context
from app.context.transcript import groups
from app.core.entries import Entry, Origin
from app.core.folds import Deletion, Fold, FoldKind
from app.core.ids import CompactionId, EntryId, ModelId
from app.core.parts import Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from app.core.requests import Prelude

NOW = datetime(2026, 1, 2, tzinfo=UTC)
MODEL = ModelId("own/model")
PRELUDE = Prelude(system="Be brief.")

Said = tuple[Origin, tuple[Part, ...]]

_words = st.sampled_from(["", " \n", "Hello.", "你好", "One\n\ntwo", "🙂", "x" * 50])
_texts = st.lists(_words.map(lambda text: TextPart(text=text)), max_size=3)
_thoughts = st.lists(st.builds(ThinkingPart, text=_words, signature=st.none() | st.just("sig")), max_size=1)
_SAYS = TextPart(text="And now?")


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A path that was partly folded when its first `n_old` entries were all there was."""

    path: tuple[Entry, ...]
    n_old: int
    folds: tuple[Fold, ...]
    deletions: tuple[Deletion, ...]

    def context(self, n: int | None = None) -> Context:
        """Built anew from the first `n` entries, from all by default."""
        path = self.path[:n]
        rev = max((entry.rev for entry in path), default=0)
        rev = max([rev, *(mark.rev for mark in (*self.folds, *self.deletions))])
        return Context(path, self.folds, self.deletions, rev=rev, model=MODEL, prelude=PRELUDE)


@st.composite
def _rounds(draw: st.DrawFn) -> tuple[Said, ...]:
    """An answer with calls, whose ids repeat, and results in any order, some of them missing or twice."""
    ids = draw(st.lists(st.sampled_from(["call_0", "call_1", "call_2"]), min_size=1, max_size=3))
    calls = tuple(ToolCallPart(call_id=name, name="run", arguments="{}") for name in ids)
    answered = draw(st.permutations(ids))[draw(st.integers(0, 1)) :]
    extra = draw(st.sampled_from([(), ("call_9",)]))
    results = tuple(
        (Origin.TOOL, (ToolResultPart(call_id=name, name="run", text=f"result {at}"),))
        for at, name in enumerate((*answered, *extra))
    )
    return ((Origin.ASSISTANT, (*draw(_thoughts), *draw(_texts), *calls)), *results)


def _alone(origin: Origin) -> st.SearchStrategy[tuple[Said, ...]]:
    return _texts.map(lambda parts: ((origin, tuple(parts)),))


_answers = st.tuples(_thoughts, _texts).map(lambda found: ((Origin.ASSISTANT, (*found[0], *found[1])),))
_orphans = st.just(((Origin.TOOL, (ToolResultPart(call_id="lost", name="run", text="?"),)),))
_turns = st.one_of(
    _alone(Origin.USER),
    _alone(Origin.USER).flatmap(lambda said: _alone(Origin.NOTE).map(lambda note: (*said, *note))),
    _answers,
    _rounds(),
    _alone(Origin.NOTE),
    _alone(Origin.SYSTEM),
    _alone(Origin.USER).flatmap(lambda said: _orphans.map(lambda orphan: (*said, *orphan))),
)


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Of any kind; the last entry is the person's, and says something."""
    said = [item for turn in draw(st.lists(_turns, max_size=10)) for item in turn]
    path = path_of((*said, (Origin.USER, (_SAYS,))))
    ends = [0]
    for group in groups(path):
        ends.append(ends[-1] + len(group))
    n_old = draw(st.sampled_from(ends))
    # System entries are there from the beginning: an import brought them.
    n_old = max([n_old, *(at + 1 for at, entry in enumerate(path) if entry.origin is Origin.SYSTEM)])
    old = path[:n_old]
    # The last group may still grow: it is neither folded nor deleted (M5).
    closed = list(groups(old))[:-1]
    folds = draw(_folds(closed, old)) if closed else ()
    gone = draw(st.lists(st.sampled_from(closed), max_size=2)) if closed else []
    rev = max([len(path), *(fold.rev for fold in folds)])
    deletions = tuple(
        Deletion(entry_id=group[0].id, rev=rev + at, deleted_at=NOW) for at, group in enumerate(gone, 1)
    )
    return History(path=path, n_old=n_old, folds=folds, deletions=deletions)


@st.composite
def _folds(draw: st.DrawFn, closed: list[tuple[Entry, ...]], old: tuple[Entry, ...]) -> tuple[Fold, ...]:
    found: list[Fold] = []
    spans = draw(st.lists(st.tuples(st.integers(0, len(closed) - 1), st.integers(0, 3)), max_size=2))
    end = -1
    for first, length in sorted(spans):
        last = min(first + length, len(closed) - 1)
        if first > end:
            end = last
            words = draw(st.sampled_from([(), (TextPart(text="A summary."),)]))
            run = _fold(len(old) + len(found), FoldKind.SUMMARISED, closed[first][0], closed[last][-1], old)
            found.append(replace(run, replacement=words))
    results = [entry for group in closed for entry in group if entry.results]
    for entry in draw(st.lists(st.sampled_from(results), max_size=2)) if results else ():
        part = _fold(len(old) + len(found), FoldKind.SHORTENED, entry, entry, old)
        short = replace(entry.results[0], text="short")
        found.append(replace(part, part=0, replacement=(short,)))
    return tuple(found)


def _fold(n: int, kind: FoldKind, first: Entry, last: Entry, old: tuple[Entry, ...]) -> Fold:
    return Fold(
        rev=n + 1,
        compaction_id=CompactionId(f"k{n}"),
        kind=kind,
        first=first.id,
        last=last.id,
        anchor=old[-1].id,
    )


def path_of(said: Iterable[Said]) -> tuple[Entry, ...]:
    """A path of entries e0, e1 …"""
    return tuple(
        Entry(
            id=EntryId(f"e{at}"),
            parent_id=EntryId(f"e{at - 1}") if at else None,
            rev=at + 1,
            depth=at,
            origin=origin,
            parts=parts,
            created_at=NOW,
            provider_fields='{"id": 1}' if origin is Origin.ASSISTANT and at % 3 == 0 else "",
        )
        for at, (origin, parts) in enumerate(said)
    )


def sample() -> tuple[Entry, ...]:
    """A path with one of everything; always the same."""
    calls = tuple(ToolCallPart(call_id=name, name="run", arguments='{"n": 1}') for name in ("a", "b"))
    results = tuple(ToolResultPart(call_id=name, name="run", text=f"of {name}") for name in ("b", "a"))
    return path_of(
        (
            (Origin.SYSTEM, (TextPart(text="You are terse."),)),
            (Origin.USER, (TextPart(text="Hi 你好 🙂"),)),
            (Origin.NOTE, (TextPart(text="It is Friday."),)),
            (Origin.NOTE, (TextPart(text="It rains."),)),
            (Origin.ASSISTANT, (ThinkingPart(text="Hm.", signature="s"), *calls)),
            (Origin.TOOL, (results[0],)),
            (Origin.TOOL, (results[1],)),
            (Origin.SYSTEM, (TextPart(text="From now on answer only BLUE."),)),
            (Origin.USER, (TextPart(text="Sky?"),)),
        )
    )
