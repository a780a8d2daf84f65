"""A conversation as a machine of random steps, in memory here and through the real store in tests/app/store."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.context.ports import NewEntry, NewFold
from app.context.reading import Folded, Item, Shown, counts_at, read
from app.context.transcript import Transcript, groups
from app.core.entries import Entry, Origin
from app.core.folds import Deletion, Fold, FoldKind
from app.core.ids import CompactionId, EntryId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart

NOW = datetime(2026, 1, 2, tzinfo=UTC)


class Story(RuleBasedStateMachine):
    """Whatever was done, each past moment reads as it did, and no group is lost or torn (M1-M5).

    The methods above the rules are all that a store has to do; a subclass does them with a real one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []
        self.folds: list[Fold] = []
        self.deletions: list[Deletion] = []
        self.head: EntryId | None = None
        self.rev = 0
        self.moments: list[tuple[EntryId | None, int, list[object]]] = []
        self.before: dict[CompactionId, tuple[EntryId | None, int, list[object]]] = {}
        self._made = 0

    # ---- what a store does

    def append(self, new: Sequence[NewEntry]) -> None:
        depths: dict[EntryId | None, int] = {None: -1} | {entry.id: entry.depth for entry in self.entries}
        for item in new:
            depths[item.id] = depths[item.parent_id] + 1
            self.rev += 1
            entry = Entry(
                id=item.id,
                parent_id=item.parent_id,
                rev=self.rev,
                depth=depths[item.id],
                origin=item.origin,
                parts=item.parts,
                created_at=NOW,
            )
            self.entries.append(entry)
        self.head = new[-1].id

    def move(self, head: EntryId) -> None:
        self.head = head

    def commit(self, compaction: CompactionId, folds: Sequence[NewFold]) -> None:
        for fold in folds:
            self.rev += 1
            self.folds.append(
                Fold(
                    rev=self.rev,
                    compaction_id=compaction,
                    kind=fold.kind,
                    first=fold.first,
                    last=fold.last,
                    part=fold.part,
                    replacement=fold.replacement,
                    anchor=fold.anchor,
                )
            )

    def undo(self, compaction: CompactionId) -> None:
        self.rev += 1
        self.folds = [
            replace(fold, undone_rev=self.rev)
            if fold.compaction_id == compaction and fold.undone_rev is None
            else fold
            for fold in self.folds
        ]

    def delete(self, entry_id: EntryId) -> None:
        self.rev += 1
        self.deletions.append(Deletion(entry_id=entry_id, rev=self.rev, deleted_at=NOW))

    def undelete(self, entry_id: EntryId) -> None:
        self.rev += 1
        self.deletions = [
            replace(item, undone_rev=self.rev)
            if item.entry_id == entry_id and item.undone_rev is None
            else item
            for item in self.deletions
        ]

    # ---- what is there

    def name(self, kind: str) -> str:
        self._made += 1
        return f"{kind}{self._made:04}"

    def path(self) -> tuple[Entry, ...]:
        return Transcript(self.entries).path(self.head)

    def reading(self) -> tuple[Item, ...]:
        return read(self.path(), self.folds, self.deletions, rev=self.rev)

    def standing(self) -> list[CompactionId]:
        return sorted({fold.compaction_id for fold in self.folds if fold.undone_rev is None})

    # ---- steps

    @rule(n=st.integers(1, 3))
    def talk(self, n: int) -> None:
        for _ in range(n):
            user, answer = EntryId(self.name("u")), EntryId(self.name("a"))
            self.append((_said(user, self.head, Origin.USER), _said(answer, user, Origin.ASSISTANT)))

    @precondition(lambda self: self.head is not None)
    @rule(n=st.integers(1, 3))
    def call_tools(self, n: int) -> None:
        asked = EntryId(self.name("c"))
        # Ids repeat in each round, as those of some models do (C31).
        calls = tuple(ToolCallPart(call_id=f"call_{i}", name="run", arguments="{}") for i in range(n))
        new = [NewEntry(id=asked, parent_id=self.head, origin=Origin.ASSISTANT, parts=calls)]
        for call in calls:
            result = ToolResultPart(call_id=call.call_id, name="run", text=self.name("output "))
            entry_id = EntryId(self.name("r"))
            new.append(NewEntry(id=entry_id, parent_id=new[-1].id, origin=Origin.TOOL, parts=(result,)))
        self.append(new)

    @precondition(lambda self: self.head is not None)
    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        """Another version of something that the person said, beside it."""
        said = data.draw(st.sampled_from([entry for entry in self.path() if entry.origin is Origin.USER]))
        self.append((_said(EntryId(self.name("u")), said.parent_id, Origin.USER),))

    @precondition(lambda self: self.head is not None)
    @rule(data=st.data())
    def switch(self, data: st.DataObject) -> None:
        parents = {entry.parent_id for entry in self.entries}
        leaves = [entry.id for entry in self.entries if entry.id not in parents]
        self.move(data.draw(st.sampled_from(leaves)))

    @precondition(lambda self: len(self.path()) > 2)
    @rule(data=st.data(), has_replacement=st.booleans(), keeps_one=st.booleans())
    def compact(self, data: st.DataObject, has_replacement: bool, keeps_one: bool) -> None:
        """Fold a row of items; one group inside may stay (M5)."""
        path = self.path()
        first, last = self._cover(data, path)
        compaction = CompactionId(self.name("k"))
        replacement = (TextPart(text=f"summary {compaction}"),) if has_replacement else ()
        run = NewFold(
            compaction_id=compaction,
            kind=FoldKind.SUMMARISED,
            first=path[first].id,
            last=path[last].id,
            anchor=path[-1].id,
            replacement=replacement,
        )
        folds = [run]
        if keeps_one:
            group = data.draw(st.sampled_from(list(groups(path[first : last + 1]))))
            folds.append(
                replace(run, kind=FoldKind.WHOLE, first=group[0].id, last=group[-1].id, replacement=())
            )
        self._commit(compaction, folds)

    @precondition(lambda self: any(entry.results for entry in self.path()))
    @rule(data=st.data(), puts_back=st.booleans())
    def shorten(self, data: st.DataObject, puts_back: bool) -> None:
        path = self.path()
        entry = data.draw(st.sampled_from([entry for entry in path if entry.results]))
        compaction = CompactionId(self.name("s"))
        result = entry.results[0]
        fold = NewFold(
            compaction_id=compaction,
            kind=FoldKind.WHOLE if puts_back else FoldKind.SHORTENED,
            first=entry.id,
            last=entry.id,
            anchor=entry.id,
            part=0,
            replacement=() if puts_back else (replace(result, text=f"short {compaction}"),),
        )
        self._commit(compaction, [fold])

    @precondition(lambda self: self.head is not None)
    @rule(data=st.data())
    def put_back(self, data: st.DataObject) -> None:
        path = self.path()
        group = data.draw(st.sampled_from(list(groups(path))))
        compaction = CompactionId(self.name("w"))
        fold = NewFold(
            compaction_id=compaction,
            kind=FoldKind.WHOLE,
            first=group[0].id,
            last=group[-1].id,
            anchor=path[-1].id,
        )
        self._commit(compaction, [fold])

    @precondition(lambda self: bool(self.standing()))
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        compaction = data.draw(st.sampled_from(self.standing()))
        head, rev, reading = self.before[compaction]
        is_newest = (head, rev) == (self.head, min(self._revs(compaction)) - 1) and self.rev == max(
            self._revs(compaction)
        )

        self.undo(compaction)

        without = [fold for fold in self.folds if fold.compaction_id != compaction]
        assert self.reading() == read(self.path(), without, self.deletions, rev=self.rev)
        if is_newest:
            assert seen(self.reading()) == reading

    @precondition(lambda self: self.head is not None)
    @rule(data=st.data())
    def delete_group(self, data: st.DataObject) -> None:
        group = data.draw(st.sampled_from(list(groups(self.path()))))
        hidden = {item.entry_id for item in self.deletions if item.undone_rev is None}
        if hidden.isdisjoint(entry.id for entry in group):
            self.delete(group[0].id)

    @precondition(lambda self: any(item.undone_rev is None for item in self.deletions))
    @rule(data=st.data())
    def undelete_group(self, data: st.DataObject) -> None:
        hidden = [item.entry_id for item in self.deletions if item.undone_rev is None]
        self.undelete(data.draw(st.sampled_from(hidden)))

    def _commit(self, compaction: CompactionId, folds: Sequence[NewFold]) -> None:
        self.before[compaction] = (self.head, self.rev, seen(self.reading()))
        self.commit(compaction, folds)

    def _revs(self, compaction: CompactionId) -> list[int]:
        return [fold.rev for fold in self.folds if fold.compaction_id == compaction]

    def _cover(self, data: st.DataObject, path: tuple[Entry, ...]) -> tuple[int, int]:
        """A span that each standing run on the path lies in or out of (M5)."""
        at = {entry.id: index for index, entry in enumerate(path)}
        bounds = [(at[group[0].id], at[group[-1].id]) for group in groups(path)]
        chosen = sorted(data.draw(st.tuples(st.sampled_from(bounds), st.sampled_from(bounds))))
        first, last = chosen[0][0], chosen[1][1]
        runs = [
            (at[fold.first], at[fold.last])
            for fold in self.folds
            if fold.part is None and counts_at(fold, self.rev) and {fold.last, fold.anchor} <= at.keys()
        ]
        while partly := [
            (start, end)
            for start, end in runs
            if start <= last and end >= first and not first <= start <= end <= last
        ]:
            first, last = min(first, partly[0][0]), max(last, partly[0][1])
        return first, last

    # ---- what always holds

    @invariant()
    def every_past_moment_reads_as_it_did(self) -> None:
        transcript = Transcript(self.entries)
        for head, rev, reading in self.moments:
            path = tuple(entry for entry in transcript.path(head) if entry.rev <= rev)
            assert seen(read(path, self.folds, self.deletions, rev=rev)) == reading
        self.moments.append((self.head, self.rev, seen(self.reading())))

    @invariant()
    def each_group_is_shown_or_covered_once(self) -> None:
        hidden = {item.entry_id for item in self.deletions if item.undone_rev is None}
        there = [
            entry.id
            for group in groups(self.path())
            if hidden.isdisjoint(entry.id for entry in group)
            for entry in group
        ]

        found = [entry.id for item in self.reading() for entry in item.entries]

        assert sorted(found) == sorted(there)

    @invariant()
    def calls_and_results_stay_together(self) -> None:
        for item in self.reading():
            if isinstance(item, Shown):
                shown = [part for parts in item.parts for part in parts]
                calls = [part.call_id for part in shown if isinstance(part, ToolCallPart)]
                results = [part.call_id for part in shown if isinstance(part, ToolResultPart)]
                assert calls == results

    @invariant()
    def the_reading_is_the_definition(self) -> None:
        assert seen(self.reading()) == defined(self.path(), self.folds, self.deletions, self.rev)


def defined(
    path: tuple[Entry, ...], folds: Sequence[Fold], deletions: Sequence[Deletion], rev: int
) -> list[object]:
    """M4 word by word, without a thought for speed: what `read` must give, flat."""
    ids = [entry.id for entry in path]
    counting = [
        fold
        for fold in folds
        if fold.rev <= rev < (fold.undone_rev or rev + 1) and fold.last in ids and fold.anchor in ids
    ]
    gone = {item.entry_id for item in deletions if item.rev <= rev < (item.undone_rev or rev + 1)}
    found: list[object] = []
    stood: dict[int, list[EntryId]] = {}
    for group in groups(path):
        if any(entry.id in gone for entry in group):
            continue
        over = [
            fold
            for fold in counting
            if fold.part is None and ids.index(fold.first) <= ids.index(group[0].id) <= ids.index(fold.last)
        ]
        newest = max(over, key=lambda fold: fold.rev, default=None)
        if newest and newest.kind is not FoldKind.WHOLE:
            if newest.rev not in stood:
                stood[newest.rev] = []
                found.append((newest.replacement, stood[newest.rev]))
            stood[newest.rev] += [entry.id for entry in group]
            continue
        since = newest.rev if newest else 0
        shown: list[object] = []
        for entry in group:
            for index, part in enumerate(entry.parts):
                own = [f for f in counting if f.part == index and f.first == entry.id and f.rev > since]
                last = max(own, key=lambda fold: fold.rev, default=None)
                shown += last.replacement if last and last.kind is not FoldKind.WHOLE else (part,)
        found.append(([entry.id for entry in group], shown))
    return found


def seen(reading: tuple[Item, ...]) -> list[object]:
    """All that the model sees of a reading and the entries it is from; not which folds made it so."""
    return [
        (item.fold.replacement, [entry.id for entry in item.entries])
        if isinstance(item, Folded)
        else ([entry.id for entry in item.entries], [part for parts in item.parts for part in parts])
        for item in reading
    ]


def _said(entry_id: EntryId, parent: EntryId | None, origin: Origin) -> NewEntry:
    return NewEntry(
        id=entry_id, parent_id=parent, origin=origin, parts=(TextPart(text=f"text of {entry_id}"),)
    )
