"""Gathers what the card of an open chat's prompt cache is made of."""

import asyncio
from collections.abc import Sequence

from app.agent.desk import Desk
from app.agent.execution import NoModel
from app.agent.warmth import KeepAlive, WarmthPorts
from app.cache.terms import Terms, terms_of
from app.context.conversation import Conversation
from app.context.ports import Store
from app.core.entries import Entry
from app.core.ids import EntryId, ModelId
from app.core.records import RequestRecord
from app.health.cache import CacheCard, Policy, TermsOf, cache_card, day_began
from app.models.families import Family, family_of
from app.models.registry import ModelFacts
from app.settings import Settings


async def card_of(
    conversation: Conversation, desk: Desk, ports: WarmthPorts, keep_alive: KeepAlive
) -> CacheCard | None:
    """None: what the next turn runs on is not known yet. Sums over all of a chat are made in a thread."""
    execution = ports.executions.last(conversation.id)
    if execution is None:
        return None
    await conversation.build(model=execution.model, prelude=execution.prelude)
    terms, held = desk.held(execution)
    at, made = ports.asides.clock.now(), tuple(conversation.requests)
    today = await ports.asides.store.requests_since(day_began(at))
    paid = await paid_for(conversation, ports.asides.store)
    known = await terms_known({item.model for item in (*paid, *today)}, ports)
    return await asyncio.to_thread(
        cache_card,
        made,
        paid=paid,
        today=today,
        terms=terms,
        held=held,
        terms_of=known,
        at=at,
        next_probe_at=keep_alive.next_at,
        policy=Policy(
            family=execution.family.id,
            mode=ports.settings().cache_mode,
            is_own=_is_own(ports.settings()),
            has_met_limit=keep_alive.has_met_limit and ports.settings().cache_mode == "always",
        ),
    )


def _is_own(settings: Settings) -> bool:
    return settings.cache_mode != Settings().cache_mode


async def paid_for(conversation: Conversation, store: Store) -> tuple[RequestRecord, ...]:
    """Requests of every kind that a chat made, and those of its sub-agents (A14)."""
    found = list(await store.requests(conversation.id))
    callers = await asyncio.to_thread(_with_calls, tuple(conversation.transcript))
    for chat in await store.called_by(callers):
        found += await store.requests(chat.id)
    return tuple(found)


def _with_calls(entries: Sequence[Entry]) -> list[EntryId]:
    """In a long chat it takes longer than a frame has."""
    return [entry.id for entry in entries if entry.calls]


async def terms_known(models: set[ModelId], ports: WarmthPorts) -> TermsOf:
    """Of `models` as they are set up now."""
    settings, executions = ports.settings(), ports.executions
    found: dict[ModelId, tuple[Family, str, ModelFacts]] = {}
    for model in models:
        try:
            target = executions.target(model, settings)
        except NoModel:  # removed since: its prices are not known any more
            continue
        facts, _ = await executions.known(target, settings)
        found[model] = (family_of(target.endpoint.kind, target.name), target.name, facts)

    def of(record: RequestRecord) -> Terms | None:
        if record.model not in found:
            return None
        family, name, facts = found[record.model]
        return terms_of(family, name, facts, prompt_tokens=record.usage.prompt_tokens if record.usage else 0)

    return of
