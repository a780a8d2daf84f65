"""After each answer: whether the cache held what it should, and if not, why and at which price (P5)."""

import asyncio
from dataclasses import replace

from app.agent.execution import Execution
from app.cache.breaks import Asked, break_of, missed_tokens
from app.context.changes import first_change
from app.context.conversation import Conversation
from app.context.ports import Outcome, Store
from app.core.records import CacheBreak, RequestRecord


async def judge(conversation: Conversation, execution: Execution, store: Store) -> CacheBreak | None:
    """Find the break of the newest request, and keep it with its record; None: there is none.

    What was sent stands where the last request still begins the context, which takes no time to see: a provider
    that keeps nothing breaks each turn. Else both requests are read again, in a thread, as long as the chat is.
    """
    told = [record for record in conversation.requests[-_LOOKED_AT:] if record.usage]
    if len(told) < 2 or told[-1] is not conversation.requests[-1] or told[-1].cache_break:
        return None
    before, now = told[-2:]
    assert before.usage
    assert now.usage
    terms = execution.terms(now.usage.prompt_tokens)
    if now.model != execution.model or not missed_tokens(before.usage, now.usage, terms):
        return None
    was = Asked(
        model=before.model,
        prelude=await store.prelude(before.prelude_hash),
        usage=before.usage,
        effort=before.effort,
    )
    became = Asked(
        model=now.model, prelude=await store.prelude(now.prelude_hash), usage=now.usage, effort=now.effort
    )
    changed = None
    if not _stands(conversation, execution, before):
        path = conversation.transcript.path
        changed = await asyncio.to_thread(
            first_change,
            (before, path(before.head)),
            (now, path(now.head)),
            tuple(conversation.folds),
            tuple(conversation.deletions),
        )
    idle_s = (now.created_at - before.created_at).total_seconds()
    found = break_of(was, became, terms, changed=changed, idle_s=idle_s)
    if found:
        await store.mark_request(now.id, Outcome(state=now.state, cache_break=found))
        _keep(conversation.requests, replace(now, cache_break=found))
    return found


def _stands(conversation: Conversation, execution: Execution, before: RequestRecord) -> bool:
    """Whether a request with the same model and prelude begins what would be sent now."""
    model, prelude = execution.model, execution.prelude
    if not conversation.is_quick(model=model, prelude=prelude):
        return False
    return conversation.context(model=model, prelude=prelude).holds_prefix(before.n_blocks, before.chain_tip)


_LOOKED_AT = 20
"""Newest requests, among which two have told what they used."""


def _keep(requests: list[RequestRecord], record: RequestRecord) -> None:
    at = next(at for at in reversed(range(len(requests))) if requests[at].id == record.id)
    requests[at] = record
