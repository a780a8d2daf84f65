"""What goes between the bench and a library's process, a line of JSON each way; runs where nothing of the project is installed."""

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.tokens.exact import Vocabularies, vocabulary_folder

Wire = dict[str, Any]
"""A message of OpenAI's chat completions."""

IMAGE_TOKENS = 765
"""The picture of these conversations is 800 × 600."""
_MESSAGE_TOKENS = 4


class Counting:
    """The one counter, which all who take one are given: each text is counted once, and how long that took is noted."""

    def __init__(self, vocabularies: Vocabularies | None = None) -> None:
        self.vocabularies = vocabularies or Vocabularies(vocabulary_folder() or Path())
        self.s = 0.0
        self._known: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        if (found := self._known.get(text)) is None:
            began = time.process_time()
            found = self._known[text] = self.vocabularies.count(text, "o200k")
            self.s += time.process_time() - began
        return found

    def of(self, messages: Iterable[Wire]) -> int:
        return sum(map(self._of_message, messages))

    def _of_message(self, message: Wire) -> int:
        texts, n_images = said(message)
        return _MESSAGE_TOKENS + IMAGE_TOKENS * n_images + sum(map(self, texts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    messages: list[Wire]
    budget_tokens: int
    summary_tokens: int
    """Most that the model's stand-in says (see `stub.py`)."""

    @property
    def system(self) -> list[Wire]:
        return [message for message in self.messages[:1] if message["role"] == "system"]

    @property
    def spoken(self) -> list[Wire]:
        """Without the leading system message, which some libraries are handed apart."""
        return self.messages[len(self.system) :]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    messages: list[Wire]
    behind: Callable[[], str] = str
    """Everything that a handle in `messages` leads to, where the library has a tool that opens it."""


Way = Callable[[Asked, Counting], Made]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One answer of a library's process."""

    messages: list[Wire]
    behind: str = ""
    ms: float = 0.0
    """Of work on all threads, so that another's load on the machine is not told as the library's."""
    counting_ms: float = 0.0
    """Of `ms`: in `Counting`."""
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """Its first line."""

    version: str = ""
    failed: str = ""


def said(message: Wire) -> tuple[list[str], int]:
    """Its texts and calls, and how many pictures it shows."""
    content: Any = message.get("content") or ""
    parts: list[Any] = [content] if isinstance(content, str) else content
    texts = [part if isinstance(part, str) else str(part.get("text", "")) for part in parts]
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    texts.extend(f"{call['name']} {call['arguments']}" for call in calls)
    n_images = sum(not isinstance(part, str) and part.get("type") == "image_url" for part in parts)
    return [text for text in texts if text], n_images


def text_of(messages: Iterable[Wire]) -> str:
    return "\n".join(text for message in messages for text in said(message)[0])


def line(value: Asked | Told | Ready) -> str:
    return json.dumps(asdict(value))
