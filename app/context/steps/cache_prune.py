"""S4: while the provider's cache is cold, old tool results are trimmed at no cost: the prefix is written anew.

Trigger: a cache that was written and is cold by its family's time, and use ≥ 0.30; a chat that no cache ever held
is left to S6, which keeps the best lines of all. Effect: results before the last three assistant
messages are trimmed from 0.30, and replaced by their address from 0.50. Bounds: `cover.py`, and the chat's
return on pruning, which raises both shares when it does not pay.
"""

from dataclasses import replace

from app.context.cover import cover_of
from app.context.facts import TurnFacts
from app.context.originals import part_address
from app.context.ports import NewFold
from app.context.proposal import Proposal
from app.context.reading import Shown
from app.context.step import StepResult, pure
from app.core.entries import Origin
from app.core.folds import FoldKind
from app.core.parts import Blob, ToolResultPart
from app.filters.extract import extract

TRIM_FROM, VAULT_FROM = 0.30, 0.50
_LAST_ASSISTANTS = 3
_TRIM_CHARS = 3_000
_SMALLEST_CHARS = 4_000


@pure
def prune_expired_cache(context: Proposal, turn: TurnFacts) -> StepResult:
    """Trim what nobody pays for; only a plan that rewrites anyway comes here with a target."""
    total = turn.request_tokens(context)
    use = total / turn.window_tokens if turn.window_tokens else 0.0
    start = TRIM_FROM + turn.cache.backed_off
    has_expired = turn.cache.has_expired
    if not has_expired or not turn.target_tokens or use < start:
        return StepResult()
    cover = cover_of(context, turn)
    speakers = [
        at
        for at, item in enumerate(context.items)
        if isinstance(item, Shown) and item.entries[0].origin is Origin.ASSISTANT
    ]
    before = speakers[-_LAST_ASSISTANTS] if len(speakers) >= _LAST_ASSISTANTS else 0
    is_vaulting = use >= VAULT_FROM + turn.cache.backed_off
    found: list[NewFold] = []
    left = total - turn.target_tokens
    n = 0
    for at, item in enumerate(context.items[:before]):
        if cover.rank(at) != 0 or not isinstance(item, Shown):
            continue
        for entry, parts, decided in zip(item.entries, item.parts, item.folds, strict=True):
            for index, part in enumerate(parts):
                if index in decided or not isinstance(part, ToolResultPart) or isinstance(part.text, Blob):
                    continue
                if len(part.text) < _SMALLEST_CHARS * (2 if turn.cache.backed_off else 1):
                    continue
                n += 1
                if left <= 0:
                    continue
                smaller = replace(part, text=_smaller(part, part.text, is_vaulting=is_vaulting))
                left -= turn.tokens(part) - turn.tokens(smaller)
                found.append(
                    NewFold(
                        compaction_id=turn.compaction_id,
                        kind=FoldKind.VAULTED if is_vaulting else FoldKind.SHORTENED,
                        first=entry.id,
                        last=entry.id,
                        part=index,
                        replacement=(smaller,),
                        anchor=context.anchor,
                    )
                )
    why = "The prompt cache had expired, so trimming old tool output cost nothing." if found else ""
    return StepResult(folds=tuple(found), candidates=n, why=why)


def _smaller(part: ToolResultPart, text: str, *, is_vaulting: bool) -> str:
    where = part_address(part)
    if is_vaulting:
        return f"{extract(text, 300)}\n[in the vault: {where}]"
    return f"{extract(text, _TRIM_CHARS)}\n[shortened; whole: {where}]"
