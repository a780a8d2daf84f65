"""S6: room without a model: what stands twice goes first, then whatever says least, wherever it stands.

Trigger: stage light, full or emergency, or asked for; not where a summary is wanted anyway. Bounds: `cover.py`; user entries are never touched.
Effect: one budget over the lines of all candidates (`app/context/digest.py`). A part most of which is worth
keeping stays whole, another keeps its telling lines; groups that keep little become one stub for their run
(at stage light only while the cache has expired, from half of the window on: S4). Standard before important and old before new are weights of that choice. Each fold names
the address of what it hides.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from app.context.again import superseded
from app.context.budget import Stage
from app.context.cover import Cover, cover_of
from app.context.digest import Choice, Passage, Telling, age_factor, between, text_of
from app.context.facts import Trigger, TurnFacts
from app.context.laid_down import can_be_lost, lost, told_again
from app.context.originals import part_address, ways_back
from app.context.ports import NewFold
from app.context.proposal import Proposal, crossing
from app.context.reach import LIGHT_SHARE, PART_TOKENS
from app.context.reading import Item, Shown
from app.context.step import StepResult, part_fold, pure
from app.core.entries import Entry, Origin
from app.core.folds import FoldKind
from app.core.parts import Part, TextPart, ToolCallPart, ToolResultPart, body_of
from app.filters.telling import GAP, units_of

_FACTORS = (1.0, 1.3, 2.0)
"""By rank: what the last calls and the intent are about is given up last."""
_WHOLE_FROM = 0.85
"""A part of which so much is kept stays as it is."""
_GROUP_SHARE = 0.5
"""A group that keeps at least as much stays a group; below it becomes a stub."""
_LEAST_SHARE = 0.15
"""What the other stages leave of them; where that is too much for the target, a summary says it better."""
_REMOVES_FROM = 0.5
"""Of the window, while the cache has expired: a rewrite is as dear as none, so that it is one that lasts."""
_ATTEMPTS = 8
_NEAR = 0.98
_FIRST_GUESS, _LAST_GUESS = 0.9, 1.3
"""Of the room, for the lines themselves: the rest is for who said them and where the whole is. A line takes only
about so many tokens, so that there may be room for more."""


@dataclass(slots=True)
class _Group:
    """A candidate: a whole group with its parts that can be cut."""

    at: int
    item: Shown
    tokens: int
    first: int
    last: int = 0
    """Its units, as of a passage."""
    passages: list[Passage] = field(default_factory=list[Passage])


@pure
def compress(context: Proposal, turn: TurnFacts) -> StepResult:
    """Fold until the request has `turn.target_tokens`, and no more than that."""
    over = turn.request_tokens(context) - turn.target_tokens
    if over <= 0 or turn.target_tokens <= 0 or turn.wants_summary:
        return StepResult()
    cover = cover_of(context, turn)
    same = tuple(superseded(context, cover, turn, over=over))
    context = context.with_folds(same)
    over = turn.request_tokens(context) - turn.target_tokens
    plan = _Plan(context, cover, turn)
    chosen = _with_ledger(context, turn, plan, over) if over > 0 else ()
    why: list[str] = []
    if same:
        why.append("What stood twice is shown once.")
    if any(fold.part is not None for fold in chosen):
        why.append("Long texts keep the lines that say most.")
    if any(fold.part is None for fold in chosen):
        why.append("Finished tool calls are told in a few lines each.")
    return StepResult(folds=(*same, *chosen), candidates=len(plan.groups), why=" ".join(why))


def _with_ledger(context: Proposal, turn: TurnFacts, plan: "_Plan", over: int) -> tuple[NewFold, ...]:
    """The folds that free `over` tokens; the first stub tells what the ledger holds and nothing else says (C38)."""
    lines = can_be_lost(context, turn) if plan.removes else ()
    room = turn.tokens(TextPart(text=told_again(lines, turn.language))) if lines else 0
    chosen = plan.fold(over + room)
    stub = next((fold for fold in chosen if fold.part is None), None)
    untold = lost(context.with_folds(chosen), lines) if lines and stub else ()
    if not stub or not untold:
        return chosen
    (part,) = stub.replacement
    told = TextPart(text=f"{body_of(part)}\n{told_again(untold, turn.language)}")
    also = replace(stub, replacement=(told,))
    return tuple(also if fold is stub else fold for fold in chosen)


# ---- one budget over all lines


class _Plan:
    """The candidates, their units in the order in which they are worth keeping, and what is kept of them."""

    def __init__(self, context: Proposal, cover: Cover, turn: TurnFacts) -> None:
        self._context = context
        self._turn = turn
        self._telling = Telling(turn.gleaned.said)
        self._addresses: dict[object, str] = {}
        self._stubs: dict[tuple[int, int, bytes], tuple[NewFold, int]] = {}
        self._cuts: dict[tuple[int, bytes], tuple[NewFold, int] | None] = {}
        """What was made for another room that kept the same of the same units."""
        self._order: list[int] = []
        self._order_tokens = 0.0
        self._rest: Iterator[int] | None = None
        """What comes after `_order`."""
        self._runs = context.runs()
        self._place = {entry.id: index for index, entry in enumerate(context.path)}
        self.removes = turn.stage in (Stage.FULL, Stage.EMERGENCY) or turn.trigger is Trigger.MANUAL
        if turn.cache.has_expired and turn.window_tokens:
            self.removes |= turn.request_tokens(context) >= _REMOVES_FROM * turn.window_tokens
        self._running_from = next(
            (at for at, item in enumerate(context.items) if item.entries[0].id == turn.answering),
            len(context.items),
        )
        """Items after it are the running tool loop."""
        self.groups: list[_Group] = []
        for at, item in enumerate(context.items):
            rank = cover.rank(at)
            if rank is None or not isinstance(item, Shown) or item.entries[0].origin is Origin.USER:
                self._cover(item)
            else:
                self._add(at, item, rank)

    def _cover(self, item: Item) -> None:
        parts = (p for ps in item.parts for p in ps) if isinstance(item, Shown) else item.fold.replacement
        for part in parts:
            self._telling.cover(part)

    def _add(self, at: int, item: Shown, rank: int) -> None:
        tokens = self._turn.item_tokens(item, is_past=at < self._running_from)
        group = _Group(at=at, item=item, tokens=tokens, first=len(self._telling.units))
        factor = _FACTORS[rank] * age_factor(at, len(self._context.items))
        for entry, parts, decided in zip(item.entries, item.parts, item.folds, strict=True):
            is_whole = len(parts) == len(entry.parts)
            for index, part in enumerate(parts):
                if is_whole and index not in decided and text_of(part):
                    tokens = self._turn.tokens(part)
                    passage = self._telling.add(at, entry, index, part, tokens=tokens, factor=factor)
                    group.passages.append(passage)
                else:
                    self._telling.cover(part)
        group.last = len(self._telling.units)
        self.groups.append(group)

    def _rank(self, room: float) -> None:
        """Order the units, as far as `room` tokens of them may be kept; what is ordered stays so for any room."""
        if self._rest is None:
            intent = self._turn.intent
            self._rest = self._telling.ranked({*intent.files, *intent.modules, intent.topic})
        while self._order_tokens <= room and (at := next(self._rest, None)) is not None:
            self._order.append(at)
            self._order_tokens += self._telling.tokens[at]

    def fold(self, over: int) -> tuple[NewFold, ...]:
        """The folds that free `over` tokens or a little more; as many as can be where there is not enough."""
        all_tokens = sum(passage.tokens for passage in self._telling.passages)
        low = (_LEAST_SHARE if self.removes else LIGHT_SHARE) * all_tokens
        goal = sum(group.tokens for group in self.groups) - over
        high = max(_LAST_GUESS * goal, low) + 1
        spare = (1 - _NEAR) * self._turn.target_tokens
        best: list[tuple[NewFold, int]] | None = None
        room, least = max(_FIRST_GUESS * goal, low), low
        for _ in range(_ATTEMPTS):
            found = self._at(room)
            left = _freed(found) - over
            if left >= 0:
                best, low = found, room
                if left <= spare:
                    break
            elif room <= least:
                return tuple(fold for fold, _ in found)
            else:
                high = room
            room = between(low, high, room + left - spare / 3)
        if best is None:
            best = self._at(least)
        return tuple(_needed(best, over))

    def _at(self, room: float) -> list[tuple[NewFold, int]]:
        """The folds when the best `room` tokens of all units are kept, with what each frees."""
        self._rank(room)
        choice = self._telling.best(self._order, room)
        folds: list[tuple[NewFold, int]] = []
        run: list[_Group] = []
        for group in (*self.groups, None):
            is_stub = group is not None and self._is_stub(group, choice)
            if run and not (is_stub and group and self._goes_with(group, run)):
                key = run[0].at, run[-1].at, choice.mark(run[0].first, run[-1].last)
                folds.append(self._stubs.get(key) or self._stubs.setdefault(key, self._stub(run, choice)))
                run = []
            if group and is_stub:
                run.append(group)
            elif group:
                folds.extend(self._excerpts(group, choice))
        return [(fold, saved) for fold, saved in folds if saved > 0]  # smaller, or nothing is made (M5)

    def _goes_with(self, group: _Group, run: Sequence[_Group]) -> bool:
        """Whether one stub can stand for both: nothing is shown or folded between, and no older run is cut by it."""
        last, low, high = run[-1], run[0].item.entries[0].id, group.item.entries[-1].id
        is_next = self._place[last.item.entries[-1].id] + 1 == self._place[group.item.entries[0].id]
        spans = self._place[low], self._place[high]
        return last.at + 1 == group.at and is_next and not crossing(self._runs, *spans)

    def _is_stub(self, group: _Group, choice: Choice) -> bool:
        return self.removes and choice.tokens(group.passages) < _GROUP_SHARE * group.tokens

    def _stub(self, run: Sequence[_Group], choice: Choice) -> tuple[NewFold, int]:
        entries = [entry for group in run for entry in group.item.entries]
        names = dict.fromkeys(call.name for entry in entries for call in entry.calls)
        key = (entries[0].id, entries[-1].id)
        where = self._addresses.get(key) or _ways_back(entries)
        self._addresses[key] = where
        lines = choice.story(passage for group in run for passage in group.passages)
        part = TextPart(text="\n".join((f"[folded: {', '.join((*names, where))}]", *lines)))
        fold = NewFold(
            compaction_id=self._turn.compaction_id,
            kind=FoldKind.REMOVED,
            first=entries[0].id,
            last=entries[-1].id,
            replacement=(part,),
            anchor=self._context.anchor,
        )
        own = self._turn.tokens(part) + self._turn.family.message_tokens
        return fold, sum(group.tokens for group in run) - own

    def _excerpts(self, group: _Group, choice: Choice) -> Iterator[tuple[NewFold, int]]:
        for passage in group.passages:
            if passage.tokens < PART_TOKENS or choice.tokens((passage,)) >= _WHOLE_FROM * passage.tokens:
                continue
            if passage.item > self._running_from and passage.entry.origin is Origin.ASSISTANT:
                continue  # signed thinking stands beside it, which its provider wants back as it was (S1)
            key = passage.owner, choice.mark(passage.first, passage.last)
            if key not in self._cuts:
                self._cuts[key] = self._excerpt(passage, choice)
            if cut := self._cuts[key]:
                yield cut

    def _excerpt(self, passage: Passage, choice: Choice) -> tuple[NewFold, int] | None:
        where = self._addresses.get(passage.owner) or str(part_address(passage.part))
        self._addresses[passage.owner] = where
        part = _shorter(passage, choice, f"[excerpt; whole: {where}]")
        if part is None:
            return None
        fold = part_fold(self._context, self._turn, FoldKind.SHORTENED, passage.entry, passage.index, part)
        return fold, passage.tokens - self._turn.tokens(part)


def _freed(folds: Iterable[tuple[NewFold, int]]) -> int:
    return sum(saved for _, saved in folds)


def _needed(folds: Sequence[tuple[NewFold, int]], over: int) -> Iterator[NewFold]:
    """Without those that free little and needn't be: what they cover stays whole."""
    spare = _freed(folds) - over
    unneeded: set[int] = set()
    for at in sorted(range(len(folds)), key=lambda at: folds[at][1]):
        if folds[at][1] <= spare:
            spare -= folds[at][1]
            unneeded.add(at)
    return (fold for at, (fold, _) in enumerate(folds) if at not in unneeded)


def _shorter(passage: Passage, choice: Choice, where: str) -> Part | None:
    part = passage.part
    match part:
        case ToolResultPart() | TextPart():
            return replace(part, text=f"{choice.excerpt(passage)}\n{where}")
        case ToolCallPart() if isinstance(part.arguments, str):
            arguments = shorter_arguments(part.arguments, set(choice.lines(passage)), where)
            return replace(part, arguments=arguments) if arguments else None
        case _:
            return None


def shorter_arguments(arguments: str, kept: Collection[str], where: str) -> str | None:
    """`arguments` with only the `kept` lines of its long strings, still a JSON object (case B06).

    None: it is none, or nothing in it is long.
    """
    try:
        value: JsonValue = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    is_cut = False

    def cut(leaf: JsonValue, key: str) -> JsonValue:
        nonlocal is_cut
        match leaf:
            case str() if len(leaf) > _LONG_CHARS:
                text, dropped = _cut_string(leaf, key, kept)
                note = "" if is_cut else f"\n{where}"
                is_cut = is_cut or dropped
                return f"{text}{note}" if dropped else leaf
            case dict():
                return {name: cut(item, name) for name, item in leaf.items()}
            case list():
                return [cut(item, key) for item in leaf]
            case _:
                return leaf

    found = json.dumps(cut(value, ""), ensure_ascii=False)
    return found if is_cut else None


_LONG_CHARS = 140


def _cut_string(text: str, key: str, kept: Collection[str]) -> tuple[str, bool]:
    pieces: list[str] = []
    dropped = False
    for at, piece in enumerate(units_of(text)):
        if piece in kept or (not at and f"{key}: {piece}" in kept):
            pieces.append(piece)
        else:
            if not pieces or pieces[-1] != GAP:
                pieces.append(GAP)
            dropped = True
    return "\n".join(pieces), dropped


def _ways_back(entries: Sequence[Entry]) -> str:
    """The run by its hash alone, which is shorter; a large text in it by its address."""
    run, *large = ways_back(entries)
    return ", ".join((f"vault://{run.hash}", *map(str, large)))
