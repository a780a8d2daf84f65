"""C37: a request that is still too long after all that is made to fit, without a model and whatever it takes.

Trigger: stage emergency, and the request is longer than the window without the room for the answer. Effect, in
this order and no further than needed: texts over a quarter of the window keep their ends, whoever wrote them; the
ledger keeps its cap; of what came before the last turn only the first message stays; results of the last turn
become addresses; then what was put back or pinned goes the same way (M12), and texts become shorter still.
Bounds: signed thinking, the system's text and tools; all that is cut is read again by its address.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from app.context.budget import Stage, room_for_answer
from app.context.facts import TurnFacts
from app.context.layers import Limit, with_ends
from app.context.originals import part_address, ways_back
from app.context.ports import NewFold, StepPorts
from app.context.proposal import Proposal, crossing, place, shown
from app.context.reading import Shown
from app.context.step import StepResult
from app.context.summary.composing import LEDGER_HEADINGS
from app.context.summary.run import proposed_summary
from app.core.entries import Entry, Origin
from app.core.errors import StoreError
from app.core.folds import FoldKind
from app.core.ids import EntryId
from app.core.parts import (
    Blob,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    body_of,
)

_SHARE = 0.25
_HEAD_SHARE = 0.6
_LEDGER_TOKENS, _LEDGER_SHARE = 2_000, 0.04
_FURTHER = (0.12, 0.06, 0.03, 0.015)
"""Of the window: how long one text may be where all else did not do."""
_SPARE_TOKENS = 32
"""What a request may have beside its items: the note before an assistant that spoke first."""
_CHARS = 24
"""Texts get no shorter."""
_SHRINK = 0.7
_ATTEMPTS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    entry: Entry
    index: int
    part: Part
    """As it is shown."""
    tokens: int


async def last_measures(context: Proposal, turn: TurnFacts, ports: StepPorts) -> StepResult:
    """One measure after another, until the request fits."""
    limit = _limit(turn)
    if turn.stage is not Stage.EMERGENCY or not turn.target_tokens or turn.request_tokens(context) <= limit:
        return StepResult()
    found: list[NewFold] = []
    why: list[str] = []
    for words, measure in _measures(turn, ports):
        await asyncio.sleep(0)
        if turn.request_tokens(context) <= limit:
            break
        new = [fold async for fold in measure(context)]
        proposed = context.with_folds(new)
        if turn.request_tokens(proposed) >= turn.request_tokens(context):
            continue
        context = proposed
        found = [*(fold for fold in found if place(fold) not in set(map(place, new))), *new]
        why.append(words)
    return StepResult(folds=tuple(found), candidates=len(context.items), why=" ".join(dict.fromkeys(why)))


def _limit(turn: TurnFacts) -> int:
    """What the request may have, by our count."""
    window = turn.window_tokens
    return (window - room_for_answer(window, None) if window else turn.target_tokens) - _SPARE_TOKENS


_Measure = Callable[[Proposal], AsyncIterator[NewFold]]


def _measures(turn: TurnFacts, ports: StepPorts) -> Iterator[tuple[str, _Measure]]:
    """What is done, in words, and how; what a person put back or pinned goes last."""
    spared = turn.put_back | turn.pins
    window = turn.window_tokens or turn.target_tokens

    def cut(share: float, *, spares: bool) -> _Measure:
        return lambda context: _cut(
            context, turn, ports, round(share * window), spared if spares else frozenset()
        )

    long = "Texts over a quarter of the window keep their beginning and end."
    yield long, cut(_SHARE, spares=True)
    yield "The ledger keeps the newest lines that its cap allows.", lambda context: _cap_ledger(context, turn)
    yield (
        "Of what came before the last turn only the first message and the addresses stay.",
        lambda context: _fold_tail(context, turn, spared),
    )
    yield "Results of the last turn stand by their addresses.", lambda context: _vault(context, turn, spared)
    yield "What was put back or pinned was cut, too.", cut(_SHARE, spares=False)
    yield "What was put back was folded again.", lambda context: _fold_tail(context, turn, turn.pins)
    for share in _FURTHER:
        yield "What was left was cut further, the longest first.", cut(share, spares=False)


# ---- texts to their ends


async def _cut(
    context: Proposal, turn: TurnFacts, ports: StepPorts, most: int, spared: frozenset[EntryId]
) -> AsyncIterator[NewFold]:
    over = turn.request_tokens(context) - _limit(turn)
    for there in sorted(_places(context, turn, spared), key=lambda there: -there.tokens):
        if there.tokens <= most or over <= 0:
            return
        body = body_of(there.part)
        try:
            text = (await ports.vault.get(body)).decode(errors="replace") if isinstance(body, Blob) else body
        except StoreError:
            continue  # what can't be read here is not cut (C24)
        part = await asyncio.to_thread(_shorter, there, text, most, turn)
        if part is not None and (saved := there.tokens - turn.tokens(part)) > 0:
            over -= saved
            yield _part_fold(context, turn, FoldKind.SHORTENED, there, part)


def _places(context: Proposal, turn: TurnFacts, spared: frozenset[EntryId]) -> Iterator[_Place]:
    """Texts that may be cut, as they are shown now."""
    for item in shown(context.items):
        if item.entries[0].origin is Origin.SYSTEM or any(entry.id in spared for entry in item.entries):
            continue
        for entry, decided in zip(item.entries, item.folds, strict=True):
            for index, original in enumerate(entry.parts):
                now = decided[index].replacement if index in decided else (original,)
                if len(now) == 1 and not isinstance(now[0], MediaPart | OpaquePart | ThinkingPart):
                    yield _Place(entry=entry, index=index, part=now[0], tokens=turn.tokens(now[0]))


def _shorter(there: _Place, text: str, most: int, turn: TurnFacts) -> Part | None:
    """With so few characters of its ends that it has at most `most` tokens; None: it is too short for that."""
    where = str(part_address(there.entry.parts[there.index]))
    chars = max(_CHARS, len(text) * most // max(there.tokens, 1))
    best: Part | None = None
    for _ in range(_ATTEMPTS):
        part = _with_text(there.part, text, chars, where)
        if part is None:
            return best
        best = part
        if turn.tokens(part) <= most or chars == _CHARS:
            break
        chars = max(_CHARS, round(_SHRINK * chars))
    return best


def _with_text(part: Part, text: str, chars: int, where: str) -> Part | None:
    match part:
        case TextPart() | ToolResultPart():
            return replace(part, text=_ends(text, chars, where))
        case ToolCallPart():
            return replace(part, arguments=_ends_of_arguments(text, chars, where))
        case _:
            return None


def _ends(text: str, chars: int, where: str) -> str:
    head = round(_HEAD_SHARE * chars)
    return with_ends(Limit(layer="C37", ways=(), head_chars=head, tail_chars=chars - head), text, where)


def _ends_of_arguments(arguments: str, chars: int, where: str) -> str:
    """Still an object: its longest text cut as far as the rest allows, or all of it as one text (C32)."""
    try:
        value: JsonValue = json.loads(arguments)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        texts = {key: item for key, item in value.items() if isinstance(item, str)}
        longest = max(texts, key=lambda key: len(texts[key]), default="")
        room = chars - (len(arguments) - len(texts.get(longest, "")))
        if longest in texts and room >= _CHARS:
            cut = {**value, longest: _ends(texts[longest], room, where)}
            return json.dumps(cut, ensure_ascii=False)
    return json.dumps({"_raw": _ends(arguments, chars, where)}, ensure_ascii=False)


# ---- the ledger, the tail, the last turn's results


async def _cap_ledger(context: Proposal, turn: TurnFacts) -> AsyncIterator[NewFold]:
    """Its newest lines; beside a summary bans stand whole otherwise."""
    fold = proposed_summary(context)
    part = fold.replacement[0] if fold else None
    if fold is None or not isinstance(part, TextPart) or not isinstance(part.text, str):
        return
    room = (
        min(_LEDGER_TOKENS, round(_LEDGER_SHARE * turn.window_tokens))
        if turn.window_tokens
        else _LEDGER_TOKENS
    )
    lines = part.text.split("\n")
    start = next(
        (at for at, line in enumerate(lines) if line.removeprefix("## ") in LEDGER_HEADINGS), len(lines)
    )
    end = next((at for at in range(start + 1, len(lines)) if not lines[at].startswith("- ")), len(lines))
    for at in range(end - 1, start, -1):
        room -= turn.tokens(TextPart(text=lines[at]))
        if room < 0:
            text = "\n".join((*lines[: start + 1], *lines[at + 1 :]))
            yield replace(fold, replacement=(replace(part, text=text), *fold.replacement[1:]))
            at_fold = context.proposed.index(fold)
            for later in context.proposed[at_fold + 1 :]:
                yield later
            return


async def _fold_tail(
    context: Proposal, turn: TurnFacts, spared: frozenset[EntryId]
) -> AsyncIterator[NewFold]:
    """Stubs for all that is shown between the first message and the last turn."""
    at = {entry.id: index for index, entry in enumerate(context.path)}
    spans = context.runs()
    users = [at for at, item in enumerate(context.items) if _origin(item) is Origin.USER]
    run: list[Entry] = []
    for index in range(users[0] + 1, users[-1]) if len(users) > 1 else ():
        item = context.items[index]
        if _origin(item) in (None, Origin.SYSTEM) or any(entry.id in spared for entry in item.entries):
            continue
        if run and (
            at[run[-1].id] + 1 != at[item.entries[0].id]
            or crossing(spans, at[run[0].id], at[item.entries[-1].id])
        ):
            yield _stub(context, turn, run)
            run = []
        run.extend(item.entries)
    if run:
        yield _stub(context, turn, run)


def _stub(context: Proposal, turn: TurnFacts, run: Sequence[Entry]) -> NewFold:
    names = dict.fromkeys(call.name for entry in run for call in entry.calls)
    return NewFold(
        compaction_id=turn.compaction_id,
        kind=FoldKind.REMOVED,
        first=run[0].id,
        last=run[-1].id,
        replacement=(TextPart(text=f"[folded: {', '.join((*names, *map(str, ways_back(run))))}]"),),
        anchor=context.anchor,
    )


async def _vault(context: Proposal, turn: TurnFacts, spared: frozenset[EntryId]) -> AsyncIterator[NewFold]:
    """Results after the person's last words, the oldest first."""
    over = turn.request_tokens(context) - _limit(turn)
    users = [at for at, item in enumerate(context.items) if _origin(item) is Origin.USER]
    rest = replace(context, items=context.items[users[-1] :] if users else context.items)
    for there in _places(rest, turn, spared):
        if over > 0 and isinstance(there.part, ToolResultPart):
            where = part_address(there.entry.parts[there.index])
            part = replace(there.part, text=f"[in the vault: {where}]")
            if (saved := there.tokens - turn.tokens(part)) > 0:
                over -= saved
                yield _part_fold(context, turn, FoldKind.VAULTED, there, part)


def _origin(item: object) -> Origin | None:
    return item.entries[0].origin if isinstance(item, Shown) else None


def _part_fold(context: Proposal, turn: TurnFacts, kind: FoldKind, there: _Place, part: Part) -> NewFold:
    return NewFold(
        compaction_id=turn.compaction_id,
        kind=kind,
        first=there.entry.id,
        last=there.entry.id,
        part=there.index,
        replacement=(part,),
        anchor=context.anchor,
    )
