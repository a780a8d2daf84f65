"""How an open chat goes: what its requests say, and what its context is worth, as the panel shows them (A18)."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.agent.cache_card import paid_for
from app.agent.execution import Execution
from app.context.conversation import Conversation
from app.context.ports import Store
from app.core.ids import EntryId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.core.requests import Message, Role
from app.health.information import Information, Said, information_of
from app.health.metrics import Metrics, metrics_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    metrics: Metrics
    information: Information


async def course_of(
    conversation: Conversation, execution: Execution, store: Store, noise: re.Pattern[str]
) -> Course:
    """Read off all of a chat, in a thread. Args: `noise`: see `information_of`."""
    await conversation.build(model=execution.model, prelude=execution.prelude)
    context = conversation.context(model=execution.model, prelude=execution.prelude)
    messages, requests = tuple(context.messages), tuple(conversation.requests)
    pins = frozenset(pin.entry_id for pin in conversation.pins if pin.undone_rev is None)
    paid = await paid_for(conversation, store)
    return Course(
        metrics=await asyncio.to_thread(
            metrics_of, requests, paid=paid, window_tokens=execution.window.tokens
        ),
        information=await asyncio.to_thread(lambda: information_of(tuple(_said(messages, pins)), noise)),
    )


def _said(messages: Sequence[Message], pins: frozenset[EntryId]) -> list[Said]:
    """Texts in their order; what lies in the vault is not sent as a text of its own, so it is not looked at."""
    found: list[Said] = []
    turn, before = 0, Role.TOOL
    for message in messages:
        turn += (message.role is Role.USER and before is not Role.TOOL) or not turn
        before = message.role
        is_pinned = not pins.isdisjoint(message.sources)
        for part in message.parts:
            match part:
                case TextPart(text=str(text)) | ToolResultPart(text=str(text)):
                    is_result = isinstance(part, ToolResultPart)
                    found.append(Said(text=text, turn=turn, is_result=is_result, is_pinned=is_pinned))
                case ToolCallPart(arguments=str(text)):
                    found.append(Said(text=text, turn=turn, is_pinned=is_pinned))
                case _:
                    pass
    return found
