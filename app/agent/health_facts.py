"""Gathers what the health panel shows of an open chat; sums are made in a thread, of what is new since the last time."""

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from app.agent.cache_card import paid_for, terms_known
from app.agent.desk import Desk
from app.agent.execution import Execution
from app.agent.warmth import WarmthPorts
from app.cache.warmth import Warmth
from app.context.breaker import BreakerState
from app.context.budget import Stage, growth_of
from app.context.conversation import Conversation
from app.health.cache import TermsOf
from app.health.pruning import Deferral

if TYPE_CHECKING:
    from app.health.information import Information
    from app.health.log import HealthFacts, HealthLog, Moment

_WANTED = (Stage.LIGHT, Stage.FULL, Stage.EMERGENCY)
"""Stages in which room is wanted, so that what is whole is whole for a reason."""


class HealthReader:
    """Of one open chat."""

    def __init__(
        self, conversation: Conversation, desk: Desk, ports: WarmthPorts, noise: Callable[[], re.Pattern[str]]
    ) -> None:
        self._conversation, self._desk, self._ports, self._noise = conversation, desk, ports, noise
        self._log: HealthLog | None = None
        self._reading = asyncio.Lock()

    async def read(self, *, wants_shares: bool = False) -> "HealthFacts | None":
        """None: what the next turn runs on is not known yet.

        Args:
            wants_shares: Also what takes half a second in a full window (A18).
        """
        from app.health.log import HealthLog, Stored  # no start waits for its patterns

        here, execution = self._conversation, self._ports.executions.last(self._conversation.id)
        if execution is None:
            return None
        async with self._reading:
            await self._desk.follow(execution)
            paid = await paid_for(here, self._ports.asides.store)
            known = await terms_known({item.model for item in paid}, self._ports)
            moment = await self._moment(execution, known, wants_shares=wants_shares)
            stored = Stored(
                path=tuple(here.path),
                folds=tuple(here.folds),
                compactions=tuple(here.compactions),
                requests=tuple(here.requests),
                paid=paid,
            )
            self._log = self._log or HealthLog()
            return await asyncio.to_thread(self._log.read, stored, moment, self._desk.count_of(execution))

    async def _moment(self, execution: Execution, known: TermsOf, *, wants_shares: bool) -> "Moment":
        from app.health.information import Information
        from app.health.log import Moment

        fill, (terms, held) = self._desk.measured(execution), self._desk.held(execution)
        projection, window_tokens = fill.projection, fill.window.tokens
        is_warm = held.warmth is Warmth.WARM
        return Moment(
            terms_of=known,
            growth=growth_of(
                self._conversation.requests, execution.model, projection.projected_tokens, window_tokens
            ),
            write_share=terms.write,
            used_tokens=projection.projected_upper_tokens,
            window_tokens=window_tokens,
            deferred=await self._deferred(execution, is_warm=is_warm) if fill.stage in _WANTED else {},
            is_breaker_open=BreakerState.OPEN in self._desk.breakers.values(),
            is_held=fill.stage is Stage.LIGHT and is_warm,
            is_watching=fill.stage is not Stage.INACTIVE,
            information=await self._information(execution) if wants_shares else Information(),
        )

    async def _information(self, execution: Execution) -> "Information":
        from app.agent.information import information

        return await information(self._conversation, execution, await asyncio.to_thread(self._noise))

    async def _deferred(self, execution: Execution, *, is_warm: bool) -> Mapping[Deferral, int]:
        from app.health.deferral import deferred

        standing = await self._desk.standing(execution)
        proposal, facts, cover = await self._desk.cover(standing)
        last = standing.sealed_by
        n_sealed = self._conversation.n_until(last.head) if last and is_warm else 0
        return await asyncio.to_thread(deferred, proposal, facts, cover, n_sealed=n_sealed)
