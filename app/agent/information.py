"""What an open chat's context is worth, read off the messages that its model would see (A18)."""

import asyncio
import re
from collections.abc import Sequence

from app.agent.execution import Execution
from app.context.conversation import Conversation
from app.core.ids import EntryId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.core.requests import Message, Role
from app.health.information import Information, Said, information_of


async def information(
    conversation: Conversation, execution: Execution, noise: re.Pattern[str]
) -> Information:
    """What the context of a chat's next request is worth, read in a thread: half a second in a full window.

    Args:
        noise: See `information_of`.
    """
    await conversation.build(model=execution.model, prelude=execution.prelude)
    messages = tuple(conversation.context(model=execution.model, prelude=execution.prelude).messages)
    pins = frozenset(pin.entry_id for pin in conversation.pins if pin.undone_rev is None)
    return await asyncio.to_thread(lambda: information_of(_said(messages, pins), noise))


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
