"""S6: room without a model, in order of rising cost: what stands twice, what can be shorter, what can go.

Trigger: stage light, full or emergency, or asked for. Bounds: `cover.py`; user entries are never touched.
Effect: part folds (same bytes again, shortened results and arguments), then run folds of whole call groups
and of assistant words between them; each names the address of what it hides.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pydantic import JsonValue

from app.context.budget import Stage
from app.context.cover import Cover, cover_of
from app.context.facts import Trigger, TurnFacts
from app.context.originals import part_address, run_address
from app.context.ports import NewFold, StepPorts
from app.context.proposal import Proposal, item_tokens
from app.context.reading import Item, Shown
from app.context.step import StepResult
from app.core.entries import Entry, Origin
from app.core.folds import FoldKind
from app.core.parts import Blob, Part, TextPart, ToolCallPart, ToolResultPart, body_of
from app.filters.extract import extract

_SHORTEST = 60
"""Tokens below which a text is not worth shortening."""
_KEPT_SHARE = 0.25
_CHARS_PER_TOKEN = 3.6
_SAME_FROM_CHARS = 200
_READS = ("read", "view", "cat", "open", "get", "fetch", "list", "ls", "search", "grep", "find")
_STUB_CHARS = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """One part of one shown entry that could be folded."""

    item: int
    entry: Entry
    index: int
    part: Part
    """As it is shown now."""
    rank: int
    tokens: int


async def compress(context: Proposal, turn: TurnFacts, ports: StepPorts) -> StepResult:
    """Fold until the request has `turn.target_tokens`, and no more than that."""
    cover = cover_of(context, turn)
    room = _Room(left=context.tokens(turn.tokens) + turn.fixed_tokens - turn.target_tokens)
    places = _places(context.items, cover, turn)
    folds: dict[tuple[str, int], NewFold] = {}
    if room.left > 0:
        _dedup(places, folds, room, turn, context)
    if room.left > 0:
        _shorten(places, folds, room, turn, context)
    found = list(folds.values())
    if room.left > 0 and (turn.stage in (Stage.FULL, Stage.EMERGENCY) or turn.trigger is Trigger.MANUAL):
        found.extend(_remove(context.with_folds(found), cover, room, turn))
    return StepResult(folds=tuple(found), candidates=len(places), why=room.why)


@dataclass(slots=True)
class _Room:
    left: int
    why: str = ""


def _places(items: Sequence[Item], cover: Cover, turn: TurnFacts) -> list[_Place]:
    """What could be folded: standard before important, old before new, large before small."""
    found: list[_Place] = []
    for at, item in enumerate(items):
        rank = cover.rank(at)
        if rank is None or not isinstance(item, Shown):
            continue
        for entry, parts, decided in zip(item.entries, item.parts, item.folds, strict=True):
            if entry.origin is Origin.USER or len(parts) != len(entry.parts):
                continue
            found.extend(
                _Place(item=at, entry=entry, index=i, part=part, rank=rank, tokens=turn.tokens(part))
                for i, part in enumerate(parts)
                if i not in decided and isinstance(part, ToolResultPart | ToolCallPart | TextPart)
            )
    fourth = max(1, len(items) // 4)
    return sorted(found, key=lambda place: (place.rank, place.item // fourth, -place.tokens, place.item))


# ---- the same again


def _dedup(
    places: Sequence[_Place],
    folds: dict[tuple[str, int], NewFold],
    room: _Room,
    turn: TurnFacts,
    proposal: Proposal,
) -> None:
    newest: dict[object, str] = {}
    for key, entry in _keys(proposal):
        newest[key] = entry.id
    for place in places:
        if room.left <= 0:
            return
        part = place.part
        if not isinstance(part, ToolResultPart) or isinstance(part.text, Blob) or part.is_error:
            continue
        call = _call_of(proposal.items[place.item], part)
        same = newest.get(part.text) if len(part.text) >= _SAME_FROM_CHARS else None
        again = newest.get(_read_key(call)) if call else None
        if place.entry.id not in (same, None):
            text = f"[The same output stands again below. {part_address(part)}]"
        elif call and again not in (place.entry.id, None):
            text = f"[{call.name} was called with the same arguments again below. {part_address(part)}]"
        else:
            continue
        _fold_part(place, replace(part, text=text), FoldKind.MERGED, folds, room, turn, proposal)


def _keys(proposal: Proposal) -> Iterator[tuple[object, Entry]]:
    for item in proposal.items:
        if isinstance(item, Shown):
            for entry in item.entries:
                for part in entry.results:
                    yield part.text, entry
                    if (call := _call_of(item, part)) and not part.is_error:
                        yield _read_key(call), entry


def _call_of(item: Item, part: ToolResultPart) -> ToolCallPart | None:
    calls = item.entries[0].calls if isinstance(item, Shown) else ()
    return next((call for call in calls if call.call_id == part.call_id), None)


def _read_key(call: ToolCallPart) -> object:
    is_read = any(word in call.name.lower() for word in _READS)
    return ("call", call.name, call.arguments) if is_read else ("call", id(call))


# ---- the same, shorter


def _shorten(
    places: Sequence[_Place],
    folds: dict[tuple[str, int], NewFold],
    room: _Room,
    turn: TurnFacts,
    proposal: Proposal,
) -> None:
    terms = (*turn.intent.files, *turn.intent.modules, turn.intent.topic)
    for place in places:
        if room.left <= 0:
            return
        if (place.entry.id, place.index) in folds or place.tokens < 2 * _SHORTEST:
            continue
        body = body_of(place.part)
        if isinstance(body, Blob):
            continue
        limit = int(max(_SHORTEST, _KEPT_SHARE * place.tokens) * _CHARS_PER_TOKEN)
        shorter = _shorter(place.part, body, limit, terms)
        if shorter is not None:
            _fold_part(place, shorter, FoldKind.SHORTENED, folds, room, turn, proposal)


def _shorter(part: Part, body: str, limit_chars: int, terms: Sequence[str]) -> Part | None:
    where = str(part_address(part))
    match part:
        case ToolResultPart():
            return replace(
                part, text=f"{extract(body, limit_chars, terms=terms)}\n[shortened; whole: {where}]"
            )
        case TextPart():
            return TextPart(text=f"{extract(body, limit_chars, terms=terms)}\n[shortened; whole: {where}]")
        case ToolCallPart():
            arguments = shorter_arguments(body, limit_chars, where)
            return replace(part, arguments=arguments) if arguments else None
        case _:
            return None


def shorter_arguments(arguments: str, limit_chars: int, where: str) -> str | None:
    """`arguments` with its long strings cut, still a JSON object; None: it is none, or nothing is long (case B06)."""
    try:
        value: JsonValue = json.loads(arguments)
    except ValueError:
        return None
    if not isinstance(value, dict):
        return None
    longest = max(80, limit_chars // max(len(value), 1))

    def cut(leaf: JsonValue) -> JsonValue:
        match leaf:
            case str() if len(leaf) > longest:
                return f"{leaf[: longest * 2 // 3]} ⋯ {leaf[-longest // 4 :]} [shortened; whole: {where}]"
            case dict():
                return {key: cut(item) for key, item in leaf.items()}
            case list():
                return [cut(item) for item in leaf]
            case _:
                return leaf

    found = json.dumps(cut(value), ensure_ascii=False)
    return found if len(found) < len(arguments) else None


def _fold_part(
    place: _Place,
    part: Part,
    kind: FoldKind,
    folds: dict[tuple[str, int], NewFold],
    room: _Room,
    turn: TurnFacts,
    proposal: Proposal,
) -> None:
    saved = place.tokens - turn.tokens(part)
    if saved <= 0:  # the result is smaller, or nothing is made (M5)
        return
    room.left -= saved
    room.why = "Tool output that stands twice or says little was shortened."
    folds[place.entry.id, place.index] = NewFold(
        compaction_id=turn.compaction_id,
        kind=kind,
        first=place.entry.id,
        last=place.entry.id,
        part=place.index,
        replacement=(part,),
        anchor=proposal.anchor,
    )


# ---- whole groups


def _remove(proposal: Proposal, cover: Cover, room: _Room, turn: TurnFacts) -> Iterator[NewFold]:
    """Runs of call groups to one stub, the oldest first; then the assistant's words between them."""
    for wanted in (_is_call_group, _is_words):
        for rank in (0, 1, 2):
            for run in _runs(proposal.items, lambda at, item: cover.rank(at) == rank and wanted(item)):  # noqa: B023  # used up before the loop goes on
                if room.left <= 0:
                    return
                fold = _removed(run, turn, proposal)
                saved = sum(item_tokens(item, turn.tokens) for item in run) - sum(
                    map(turn.tokens, fold.replacement)
                )
                if saved > 0:
                    room.left -= saved
                    room.why = "Finished tool calls were replaced by a line each."
                    yield fold


def _is_call_group(item: Shown) -> bool:
    return bool(item.entries[0].calls)


def _is_words(item: Shown) -> bool:
    return item.entries[0].origin is Origin.ASSISTANT and not item.entries[0].calls


def _runs(items: Sequence[Item], is_wanted: Callable[[int, Shown], bool]) -> Iterator[list[Shown]]:
    marked = ((isinstance(item, Shown) and is_wanted(at, item), item) for at, item in enumerate(items))
    for wanted, run in groupby(marked, key=lambda pair: pair[0]):
        if wanted:
            yield [item for _, item in run if isinstance(item, Shown)]


def _removed(run: Sequence[Shown], turn: TurnFacts, proposal: Proposal) -> NewFold:
    entries = [entry for item in run for entry in item.entries]
    lines = [f"[Folded: {run_address(entries)}]", *(_stub(item) for item in run)]
    return NewFold(
        compaction_id=turn.compaction_id,
        kind=FoldKind.REMOVED,
        first=entries[0].id,
        last=entries[-1].id,
        replacement=(TextPart(text="\n".join(lines)),),
        anchor=proposal.anchor,
    )


def _stub(item: Shown) -> str:
    """One line: the calls as they were made, and the most telling line of what came back."""
    said = [
        body
        for part in item.entries[0].parts
        if isinstance(part, TextPart) and isinstance(body := part.text, str)
    ]
    calls = [f"{call.name}({_inline(call.arguments)[:80]})" for call in item.entries[0].calls]
    results = [_inline(part.text) for entry in item.entries[1:] for part in entry.results]
    text = " ".join(filter(None, ["; ".join(calls) or extract(" ".join(said), _STUB_CHARS), *results[:1]]))
    return f"- {extract(text, 2 * _STUB_CHARS)[: 2 * _STUB_CHARS]}".replace("\n", " ")


def _inline(body: str | Blob) -> str:
    return "" if isinstance(body, Blob) else " ".join(body.split())
