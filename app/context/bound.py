"""Thinking that is bound to what stood before it: sent back only while that still reads as it did (S1, P2).

The newest Claude models refuse a thinking block once the system text, a tool or a message before it differs from what
they were asked with, or once a block between others is gone. We fold what was said, so we leave such blocks out:
what came before a change stays, and so does what was thought after it.
Source: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
"""

from collections.abc import Sequence
from dataclasses import replace

from app.context.context import Context
from app.core.parts import ThinkingPart
from app.core.records import RequestRecord
from app.core.requests import Message, Role


def still_bound(
    messages: Sequence[Message], context: Context, made: Sequence[RequestRecord]
) -> tuple[Message, ...]:
    """`messages` without the thinking of answers whose request is no beginning of `context` any more.

    Args:
        made: The requests of the chat; thinking that none of them gave, as after an import or a fork, is left out.
    """
    by_answer = {record.answer_id: record for record in made}

    def is_bound(message: Message) -> bool:
        records = [by_answer.get(entry_id) for entry_id in message.sources]
        return all(item and context.holds_prefix(item.n_blocks, item.chain_tip) for item in records)

    return tuple(
        message if message.role is not Role.ASSISTANT or is_bound(message) else _unthought(message)
        for message in messages
    )


def _unthought(message: Message) -> Message:
    parts = tuple(part for part in message.parts if not isinstance(part, ThinkingPart))
    return message if len(parts) == len(message.parts) else replace(message, parts=parts)
