"""What the simulated model says: scripted turns, a function of the request, or an answer of its own."""

from __future__ import annotations

import hashlib
import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from tests.simulator.wire import Body, dumps, integer, mapping, mappings, sequence, string

_PIECE = re.compile(r"\s*(?:[⺀-鿿가-힯]{1,2}|[^\s⺀-鿿가-힯]{1,6}|\s)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call that the model makes.

    `arguments` is the raw text, so that it may also be no JSON (the Anthropic form streams it as it is).
    `id` None gives a fresh one; `index` None numbers the calls, equal ones put several at one index.
    """

    name: str
    arguments: str = "{}"
    id: str | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One answer. `finish_reason` None means the natural one; else it is sent as it stands here.

    `redacted` (Anthropic) sends the reasoning as a sealed block; `output_tokens` overrides the count.
    """

    text: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    redacted: bool = False
    output_tokens: int | None = None


Reply: TypeAlias = "Turn | Callable[[Body], Turn]"


class Script:
    """Turns in order; when they are used up, `otherwise` answers (by default `own_answer`)."""

    def __init__(self, otherwise: Callable[[Body], Turn] | None = None) -> None:
        self.otherwise = otherwise or own_answer
        self._queue: deque[Reply] = deque()

    def say(self, *replies: Reply) -> None:
        """Queue answers for the next requests that aren't refused."""
        self._queue.extend(replies)

    def next(self, body: Body) -> Turn:
        reply = self._queue.popleft() if self._queue else self.otherwise
        return reply if isinstance(reply, Turn) else reply(body)

    def clear(self) -> None:
        self._queue.clear()

    def __len__(self) -> int:
        return len(self._queue)


def own_answer(body: Body) -> Turn:
    """Markdown that depends on the last user message only, so that equal questions get equal answers."""
    question = last_user_text(body)
    mark = hashlib.sha256(question.encode(errors="replace")).hexdigest()
    title = " ".join(question.split())[:60] or "Nothing was asked"
    text = (
        f"## {title}\n\nYou sent **{len(question)} characters**; their mark is `{mark[:12]}`.\n\n"
        f"1. First point: `{mark[12:20]}`\n2. Second point: _{mark[20:28]}_\n3. 第三点：{int(mark[28:32], 16)}\n\n"
        f"```python\nanswer = {int(mark[32:40], 16)}\n```\n\n| part | value |\n|---|---|\n| head | {mark[40:48]} |\n"
    )
    return Turn(text=text, reasoning=f"The question has the mark {mark[:12]}.")


def last_user_text(body: Body) -> str:
    """The text of the newest user message, in either wire form."""
    for message in reversed(mappings(body.get("messages"))):
        content = message.get("content")
        text = string(content) or "\n".join(string(part.get("text")) for part in mappings(content)).strip()
        if message.get("role") == "user" and text:
            return text
    return ""


def pieces(text: str) -> list[str]:
    """`text` in the bits in which it is streamed, each about a token."""
    found = _PIECE.findall(text)
    rest = text[sum(map(len, found)) :]
    return [*found, rest] if rest else found


def turns_from_json(value: object) -> list[Reply]:
    """The form that `POST /_script` takes: a list of objects with the fields of `Turn`."""
    return [_turn(item) for item in mappings(value)]


def _turn(item: Body) -> Turn:
    calls: Iterable[Body] = map(mapping, sequence(item.get("tool_calls")))
    return Turn(
        text=string(item.get("text")),
        reasoning=string(item.get("reasoning")),
        tool_calls=tuple(
            ToolCall(
                name=string(call.get("name")),
                arguments=string(call.get("arguments")) or dumps(mapping(call.get("arguments"))),
                id=string(call.get("id")) or None,
                index=integer(call.get("index")),
            )
            for call in calls
        ),
        finish_reason=string(item.get("finish_reason")) or None,
        redacted=item.get("redacted") is True,
        output_tokens=integer(item.get("output_tokens")),
    )
