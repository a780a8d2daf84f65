"""Random folds over a real conversation, of every kind that steps and people make: parts, runs, whole, undo."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace

from pydantic import JsonValue

from app.context.originals import part_address, run_address
from app.context.proposal import shown
from app.context.reading import Folded, Item, Shown, read
from app.context.steps.media import placeholder
from app.context.transcript import groups
from app.core.entries import Entry, Origin
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId, EntryId
from app.core.parts import (
    Blob,
    MediaPart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)


class Folding:
    """A path and the folds made on it one after another; equal seeds give equal folds."""

    def __init__(self, path: Sequence[Entry], seed: int) -> None:
        self._random = random.Random(seed)
        self.path = self._cut(tuple(path))
        self.folds: list[Fold] = []
        self.rev = self.path[-1].rev

    def step(self) -> None:
        """One fold more, of a kind that chance chooses; none where there is nothing to fold."""
        kinds = [self._shorten, self._shorten, self._fold_run, self._put_back, self._undo]
        self._random.choice(kinds)()

    def items(self) -> tuple[Item, ...]:
        return read(self.path, self.folds, rev=self.rev)

    def _cut(self, path: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Up to some place from which a request is made: the person spoke, or a round is complete."""
        ends: list[int] = []
        at = 0
        for group in groups(path):
            at += len(group)
            if group[0].origin is Origin.USER or group[0].calls:
                ends.append(at)
        return path[: self._random.choice(ends)]

    def _shorten(self) -> None:
        places = [
            (entry, index, part)
            for item in shown(self.items())
            for entry, parts in zip(item.entries, item.parts, strict=True)
            for index, part in enumerate(entry.parts)
            if len(parts) == len(entry.parts)
        ]
        if places:
            entry, index, part = self._random.choice(places)
            replacement = _shorter(part)
            if replacement is not None:
                self._add(FoldKind.SHORTENED, entry.id, entry.id, replacement, part=index)

    def _fold_run(self) -> None:
        """Whole items of the present reading, neither the first user entry nor the last item (M5)."""
        items = self.items()
        first_user = next((i for i, item in enumerate(items) if _origin(item) is Origin.USER), -1)
        allowed = [i for i in range(len(items) - 1) if i != first_user]
        if not allowed:
            return
        first = self._random.choice(allowed)
        last = first
        while last + 1 in allowed and self._random.random() < 0.8:
            last += 1
        entries = self._span(items[first].entries[0].id, items[last].entries[-1].id)
        stub = (TextPart(text=f"[Folded: {run_address(entries)}]\n- {len(entries)} entries"),)
        kind = self._random.choice([FoldKind.REMOVED, FoldKind.SUMMARISED])
        self._add(kind, entries[0].id, entries[-1].id, self._random.choice([stub, stub, ()]))

    def _span(self, first: EntryId, last: EntryId) -> tuple[Entry, ...]:
        """From `first` to `last`, and as far as standing runs reach that lie partly in it."""
        at = {entry.id: index for index, entry in enumerate(self.path)}
        low, high = at[first], at[last]
        runs = [
            (at[fold.first], at[fold.last])
            for fold in self.folds
            if fold.part is None and fold.undone_rev is None
        ]
        while partly := [
            (start, end)
            for start, end in runs
            if start <= high
            and end >= low
            and not low <= start <= end <= high
            and not start <= low <= high <= end
        ]:
            low, high = min(low, partly[0][0]), max(high, partly[0][1])
        return self.path[low : high + 1]

    def _put_back(self) -> None:
        folded = [item for item in self.items() if isinstance(item, Folded)]
        if folded:
            group = self._random.choice(list(groups(self._random.choice(folded).entries)))
            self._add(FoldKind.WHOLE, group[0].id, group[-1].id, ())

    def _undo(self) -> None:
        standing = [fold for fold in self.folds if fold.undone_rev is None]
        if standing:
            self.rev += 1
            undone = self._random.choice(standing)
            self.folds[self.folds.index(undone)] = replace(undone, undone_rev=self.rev)

    def _add(
        self,
        kind: FoldKind,
        first: EntryId,
        last: EntryId,
        replacement: tuple[Part, ...],
        *,
        part: int | None = None,
    ) -> None:
        self.rev += 1
        self.folds.append(
            Fold(
                rev=self.rev,
                compaction_id=CompactionId(f"k{self.rev}"),
                kind=kind,
                first=first,
                last=last,
                part=part,
                replacement=replacement,
                anchor=self.path[-1].id,
            )
        )


def _origin(item: Item) -> Origin | None:
    return item.entries[0].origin if isinstance(item, Shown) else None


def _shorter(part: Part) -> tuple[Part, ...] | None:
    match part:
        case ToolResultPart(text=text):
            head = "" if isinstance(text, Blob) else text[:40]
            return (replace(part, text=f"{head}\n[whole: {part_address(part)}]"),)
        case ToolCallPart(arguments=str(arguments)):
            found = _shorter_object(arguments, str(part_address(part)))
            return (replace(part, arguments=found),) if found else None
        case MediaPart():
            return (TextPart(text=placeholder(part)),)
        case ThinkingPart():
            return ()
        case _:
            return None


def _shorter_object(arguments: str, where: str) -> str:
    """Its texts cut, still an object; empty: it is none."""
    try:
        value: JsonValue = json.loads(arguments)
    except ValueError:
        return ""
    if not isinstance(value, dict):
        return ""
    cut = {
        key: f"{item[:20]} [whole: {where}]" if isinstance(item, str) else item for key, item in value.items()
    }
    return json.dumps(cut, ensure_ascii=False)
