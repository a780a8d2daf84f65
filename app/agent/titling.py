"""Names an open chat: by its first words at once, and by a model once it was answered (A17)."""

import logging
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace

from app.agent.asides import Aside, AsidePorts, record_beside, told
from app.agent.execution import Execution
from app.agent.ports import Target
from app.agent.titles import as_title, title_request
from app.context.conversation import Conversation
from app.core.entries import Origin
from app.core.errors import AppError
from app.core.events import TextArrived
from app.core.records import Changes, RequestKind, RequestState
from app.models.registry import ModelFacts

log = logging.getLogger(__name__)

TitleTarget = Callable[[Execution], Awaitable[tuple[Target, ModelFacts] | None]]
"""Who writes titles, and what is known of that model; None: they are made here."""


class Titling:
    def __init__(
        self,
        conversation: Conversation,
        target: TitleTarget,
        asides: AsidePorts,
        *,
        publish: Callable[[Changes], None],
    ) -> None:
        self._conversation = conversation
        self._target = target
        self._asides = asides
        self._publish = publish

    async def name(self, title: str) -> None:
        """
        Raises:
            StoreError: the chat is called what it was.
        """
        changes = await self._asides.store.update_chat(self._conversation.id, title=title)
        self._conversation.chat = replace(self._conversation.chat, title=title)
        self._publish(changes)

    async def write(self, execution: Execution) -> None:
        """Ask a model for a better title than the first words, once, behind the person's own requests."""
        here = self._conversation
        first = next((entry for entry in here.path if entry.origin is Origin.USER), None)
        n_answered = sum(
            item.kind is RequestKind.ANSWER and item.state is RequestState.FINISHED for item in here.requests
        )
        is_due = n_answered == 1 and not here.chat.is_title_manual
        found = await self._target(execution) if first and is_due else None
        request = title_request(found[0].model, first.text) if first and found else None
        if request is None or found is None:
            return
        target, facts = found
        record = record_beside(RequestKind.TITLE, here.id, request, self._asides.clock)
        aside = Aside(record=record, request=request, target=target, facts=facts)
        said: list[str] = []
        try:
            async with aclosing(told(aside, self._asides)) as events:
                async for event in events:
                    if isinstance(event, TextArrived):
                        said.append(event.text)
        except AppError as error:
            log.info("No title was written: %s", error)
            return
        title = as_title("".join(said))
        if title and not here.chat.is_title_manual:  # the person may have given one meanwhile
            await self.name(title)
