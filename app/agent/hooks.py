"""Hooks: the person's own commands on what happens in a turn; told in JSON, heard as text, never in its way (A16)."""

import asyncio
import json
import logging
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pydantic import JsonValue

from app.agent.tools.failing import ToolFailed
from app.agent.tools.running import clean_environment, output_of
from app.context.conversation import Conversation
from app.context.layers import Source, limit_of, over, with_ends
from app.context.originals import part_address
from app.context.ports import NewEntry, Store
from app.core.entries import Origin
from app.core.events import HookFailed
from app.core.ids import ChatId, EntryId, TurnId, new_id
from app.core.parts import TextPart, clean_text
from app.settings import Hook, HookEvent
from app.tokens.estimate import estimate

log = logging.getLogger(__name__)

REFUSES = 2
"""The exit code by which a hook before a tool keeps the call from being carried out; its text is why."""
_MOST_CHARS = 1_000_000
"""Of a text that a hook is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What the hooks of one event said."""

    texts: tuple[str, ...] = ()
    refusal: str | None = None
    failures: tuple[str, ...] = ()
    """A sentence for each that failed; the turn goes on."""

    def told(self, turn: TurnId, event: HookEvent) -> Iterable[HookFailed]:
        return (HookFailed(turn=turn, event=event, text=text) for text in self.failures)


async def hear(
    hooks: Sequence[Hook], event: HookEvent, chat_id: ChatId, told: Mapping[str, JsonValue], *, cwd: Path
) -> Heard:
    """Run the hooks of an event, one after another; cancelled, the one that runs is ended.

    Args:
        hooks: All that are set.
        told: What they get on stdin as JSON, beside the event and the chat.
    """
    texts: list[str] = []
    failures: list[str] = []
    for hook in hooks:
        if not hook.enabled or hook.event != event:
            continue
        message = json.dumps({"event": event, "chat": chat_id, **told}, ensure_ascii=False)
        code, text = await _run(hook, message, cwd)
        if code == REFUSES and event == "before_tool":
            return Heard(texts=tuple(texts), refusal=text, failures=tuple(failures))
        if code != 0:
            failures.append(_failure(hook, code, text))
            log.info("%s", failures[-1])
        elif text:
            texts.append(text)
    return Heard(texts=tuple(texts), failures=tuple(failures))


async def _run(hook: Hook, message: str, cwd: Path) -> tuple[int | None, str]:
    stdin = await asyncio.to_thread(_holding, message)
    try:
        code, text = await output_of(
            ["sh", "-c", hook.command],
            cwd=cwd,
            timeout_s=hook.timeout_s,
            env=clean_environment(os.environ),
            stdin=stdin,
        )
    except ToolFailed as error:
        return -1, error.message
    finally:
        stdin.close()
    return code, clean_text(text).strip()


def _holding(message: str) -> IO[bytes]:
    """A file, not a pipe: a hook that doesn't read must not hold up who writes."""
    file = tempfile.TemporaryFile()  # noqa: SIM115  # closed by who runs the hook
    file.write(clean_text(message).encode())
    file.seek(0)
    return file


def _failure(hook: Hook, code: int | None, text: str) -> str:
    what = f"had not ended after {hook.timeout_s:g} s" if code is None else f"ended with exit code {code}"
    last = text.rsplit("\n", 1)[-1][:200]
    return f"The hook {hook.command[:80]!r} {what}{': ' if last else ''}{last}"


def cut(text: str) -> str:
    """A text as a hook is told it."""
    return text if len(text) <= _MOST_CHARS else text[:_MOST_CHARS]


async def note(
    conversation: Conversation, store: Store, texts: Sequence[str], *, is_whole: bool = False
) -> None:
    """Have the next request hear what hooks said, as a note at the head of the chat.

    Of a text over the limit of L6 its beginning and end come in; the whole is stored beside the path before, so
    that its address leads to it.

    Args:
        is_whole: They are none of a hook's, and have a limit of their own.
    """
    new: list[NewEntry] = []
    parent = conversation.chat.head
    limit = limit_of(Source.HOOK)
    for text in texts:
        part = TextPart(text=text)
        if not is_whole and over(limit, text, estimate):
            new.append(_note(part, parent))
            part = TextPart(text=with_ends(limit, text, str(part_address(part, name="hook.txt"))))
        new.append(_note(part, parent))
        parent = new[-1].id
    for entry in await store.append(conversation.id, new) if new else ():
        conversation.add(entry)


def _note(part: TextPart, parent: EntryId | None) -> NewEntry:
    return NewEntry(id=EntryId(new_id("e")), parent_id=parent, origin=Origin.NOTE, parts=(part,))
