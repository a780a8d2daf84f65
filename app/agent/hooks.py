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
_LINE_CHARS = 200
_MOST_CHARS = 1_000_000
"""Of a text that a hook is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one run of a hook ended."""

    hook: Hook
    code: int | None
    """None: it took too long, and was ended; -1: it could not be started."""
    text: str
    """What it wrote; of one that was not started why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What the hooks of one event said."""

    texts: tuple[str, ...] = ()
    refusal: str | None = None
    failures: tuple[Outcome, ...] = ()
    """Of those that failed; the turn goes on."""

    def told(self, turn: TurnId) -> Iterable[HookFailed]:
        return (
            HookFailed(
                turn=turn,
                event=failed.hook.event,
                command=failed.hook.command,
                code=failed.code,
                timeout_s=failed.hook.timeout_s,
                text=failed.text.rsplit("\n", 1)[-1][:_LINE_CHARS],
            )
            for failed in self.failures
        )


EXAMPLES: Mapping[HookEvent, Mapping[str, JsonValue]] = {
    "before_send": {"text": "A message of the person's."},
    "after_answer": {"text": "An answer of the model's."},
    "before_tool": {"tool": "shell", "arguments": {"command": "git status"}},
    "after_tool": {
        "tool": "shell",
        "arguments": {"command": "git status"},
        "result": "nothing to commit",
        "is_error": False,
    },
    "after_compaction": {"tokens_before": 100_000, "tokens_after": 45_000, "reason": "An example."},
}
"""What a hook of each event is told when it is tried."""


async def tried(hook: Hook, *, cwd: Path | None = None) -> Outcome:
    """Run a hook once with the example of its event, whether it is turned on or not.

    Args:
        cwd: Where it runs; None: at home, as hooks of a chat without a folder do.
    """
    return await _run(hook, _message(hook.event, ChatId("example"), EXAMPLES[hook.event]), cwd or Path.home())


async def hear(
    hooks: Sequence[Hook], event: HookEvent, chat_id: ChatId, told: Mapping[str, JsonValue], *, cwd: Path
) -> Heard:
    """Run the hooks of an event, one after another; cancelled, the one that runs is ended.

    Args:
        hooks: All that are set.
        told: What they get on stdin as JSON, beside the event and the chat.
    """
    texts: list[str] = []
    failures: list[Outcome] = []
    for hook in hooks:
        if not hook.enabled or hook.event != event:
            continue
        done = await _run(hook, _message(event, chat_id, told), cwd)
        if done.code == REFUSES and event == "before_tool":
            return Heard(texts=tuple(texts), refusal=done.text, failures=tuple(failures))
        if done.code != 0:
            failures.append(done)
            log.info("The hook %r ended with %s", hook.command[:80], done.code)
        elif done.text:
            texts.append(done.text)
    return Heard(texts=tuple(texts), failures=tuple(failures))


def _message(event: HookEvent, chat_id: ChatId, told: Mapping[str, JsonValue]) -> str:
    return json.dumps({"event": event, "chat": chat_id, **told}, ensure_ascii=False)


async def _run(hook: Hook, message: str, cwd: Path) -> Outcome:
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
        return Outcome(hook=hook, code=-1, text=error.message)
    finally:
        stdin.close()
    return Outcome(hook=hook, code=code, text=clean_text(text).strip())


def _holding(message: str) -> IO[bytes]:
    """A file, not a pipe: a hook that doesn't read must not hold up who writes."""
    file = tempfile.TemporaryFile()  # noqa: SIM115  # closed by who runs the hook
    file.write(clean_text(message).encode())
    file.seek(0)
    return file


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
