"""S3: a large tool result is cut once, before the model first sees it; the whole stays where its address leads.

Trigger: at production time, one result > max(3 % of N, min(5,000, N/8)) tokens, or one round > max(10 % of N,
min(15,000, 3N/8)), the largest first. Effect: a part fold with the filtered text, its address and ready-made
ranges, anchored at its own entry (M6). Bounds: nothing else cuts a fresh result; file reads and edits stay
whole up to 25 % of N, since a read that is cut is read again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.context.facts import TurnFacts
from app.context.layers import (
    Limit,
    Way,
    limit_of,
    result_limit,
    round_limit,
    server_of,
    source_of,
    with_ends,
)
from app.context.originals import part_address
from app.context.ports import NewFold, StepPorts
from app.context.proposal import Proposal, shown
from app.context.reading import Shown
from app.context.step import StepResult
from app.context.touches import is_file_tool
from app.core.entries import Entry
from app.core.errors import StoreError
from app.core.folds import FoldKind
from app.core.parts import Blob, ToolCallPart, ToolResultPart
from app.filters.filtered import Filtered, Focus, Hint

_EXEMPT_SHARE = 0.25
_ADDRESS_TOKENS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fresh:
    entry: Entry
    index: int
    part: ToolResultPart
    call: ToolCallPart | None
    tokens: int

    @property
    def n_chars(self) -> int:
        """Of the text; of one in the vault its bytes, which are no fewer."""
        body = self.part.text
        return body.n_bytes if isinstance(body, Blob) else len(body)

    def is_over(self, limit: Limit) -> bool:
        return 0 < limit.most_chars < self.n_chars

    @property
    def is_exempt(self) -> bool:
        return self.call is not None and is_file_tool(self.call.name)


async def filter_tool_output(context: Proposal, turn: TurnFacts, ports: StepPorts) -> StepResult:
    """Cut what the next request would send for the first time."""
    if not turn.unsent_results:
        return StepResult()
    folds: list[NewFold] = []
    n = 0
    for item in shown(context.items):
        fresh = list(_fresh(item, turn))
        n += len(fresh)
        for place, limit in _to_cut(fresh, turn):
            try:
                found = await _filtered(place, limit, turn, ports)
            except StoreError:
                continue  # what can't be read here is not cut (C24)
            text = with_address(found, str(part_address(place.part)))
            if turn.tokens(replace(place.part, text=text)) < place.tokens:
                folds.append(
                    NewFold(
                        compaction_id=turn.compaction_id,
                        kind=FoldKind.FILTERED,
                        first=place.entry.id,
                        last=place.entry.id,
                        part=place.index,
                        replacement=(replace(place.part, text=text),),
                        anchor=place.entry.id,
                    )
                )
    why = "A large tool output was filtered before its first use." if folds else ""
    return StepResult(folds=tuple(folds), candidates=n, why=why)


def with_address(found: Filtered, where: str) -> str:
    """The filtered text with what was done to it, ranges that are worth asking for, and where the whole is."""
    ranges = "".join(f"; {item}" for item in found.ranges)
    return f"{found.text}\n[{found.kind}{ranges}; whole: {where}]"


def _fresh(item: Shown, turn: TurnFacts) -> Iterator[_Fresh]:
    for entry, parts, decided in zip(item.entries, item.parts, item.folds, strict=True):
        if entry.id not in turn.unsent_results:
            continue
        for index, part in enumerate(parts):
            if index in decided or not isinstance(part, ToolResultPart):
                continue
            call = next((call for call in item.entries[0].calls if call.call_id == part.call_id), None)
            yield _Fresh(entry=entry, index=index, part=part, call=call, tokens=turn.tokens(part))


def _own_limit(place: _Fresh, turn: TurnFacts) -> Limit:
    """Of whoever made the text."""
    name = place.part.name
    return limit_of(source_of(name), max_output_chars=turn.server_chars.get(server_of(name), 0))


def _to_cut(fresh: Sequence[_Fresh], turn: TurnFacts) -> Iterator[tuple[_Fresh, int]]:
    """Results over their own limit, then the largest ones of a round that is over its own."""
    window_tokens = turn.window_tokens
    limit = result_limit(window_tokens)
    exempt = round(_EXEMPT_SHARE * window_tokens) if window_tokens else limit
    by_source = {item: _own_limit(item, turn) for item in fresh}
    over = sum(item.tokens for item in fresh) - round_limit(window_tokens)
    for item in sorted(fresh, key=lambda item: -item.tokens):
        own = exempt if item.is_exempt else limit
        if item.is_over(by_source[item]):  # L1, L2
            own = min(own, item.tokens * by_source[item].most_chars // item.n_chars)
        if item.tokens > own:
            over -= item.tokens - own
            yield item, own
        elif over > 0 and not item.is_exempt:
            kept = max(item.tokens - over, limit // 4)
            over -= item.tokens - kept
            yield item, kept


async def _filtered(place: _Fresh, limit: int, turn: TurnFacts, ports: StepPorts) -> Filtered:
    call, body = place.call, place.part.text
    text = (await ports.vault.get(body)).decode(errors="replace") if isinstance(body, Blob) else body
    source = _own_limit(place, turn)
    if place.is_over(source) and source.ways[0] is Way.ENDS:
        where = str(part_address(place.part))
        why = "Its beginning and end stay; the rest is one reading away."
        return Filtered(text=with_ends(source, text, where), kind="beginning and end", why=why)
    arguments = call.arguments if call and isinstance(call.arguments, str) else ""
    return await ports.filters.filter(
        text,
        limit_tokens=max(limit - _ADDRESS_TOKENS, 40),
        tokenizer=turn.family.tokenizer,
        hint=Hint(tool=place.part.name, command=arguments[:400]),
        focus=Focus(
            terms=(*turn.intent.files, *turn.intent.modules), topic=turn.intent.topic or turn.intent.goal
        ),
    )
