"""Filtering in the text worker: the operation that runs there, and the client that asks for it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from pydantic import JsonValue, TypeAdapter

from app.filters.filtered import Filtered, Focus, Hint

if TYPE_CHECKING:
    from app.filters.rules import Rules

_FILTERED = TypeAdapter(Filtered)
_HINT = TypeAdapter(Hint)
_FOCUS = TypeAdapter(Focus)


def filter_operation(
    read: Callable[[], Mapping[str, str]], count: Callable[[str, str], int]
) -> Callable[[Mapping[str, JsonValue], bytes], JsonValue]:
    """The text worker's `filter`: the payload, filtered; rules are read and compiled at the first question.

    Args:
        read: Texts of `resources/filters/` by file name.
        count: Tokens of a text by a tokenizer.
    """
    from app.filters.commands import command_rules  # the client's process needs none of it: 0.1 s of a start
    from app.filters.filter import filter_text

    shipped: list[Mapping[str, str]] = []
    compiled: dict[str, Rules] = {}

    def answer(message: Mapping[str, JsonValue], payload: bytes) -> JsonValue:
        own, tokenizer, limit = str(message["own"]), str(message["tokenizer"]), message["limit_tokens"]
        assert isinstance(limit, int)
        if not shipped:
            shipped.append(read())
        if own not in compiled:
            compiled.clear()  # the person changed them
            compiled[own] = command_rules(shipped[0], own)
        found = filter_text(
            payload.decode(),
            limit_tokens=limit,
            count=lambda text: count(text, tokenizer),
            rules=compiled[own],
            hint=_HINT.validate_python(message["hint"]),
            focus=_FOCUS.validate_python(message["focus"]),
        )
        return _FILTERED.dump_python(found, mode="json")

    return answer


def readable_operation(message: Mapping[str, JsonValue], payload: bytes) -> JsonValue:
    """The text worker's `readable`: an HTML page as what a reader would read."""
    from app.filters.structural.html_text import readable_text

    return readable_text(payload.decode())


async def readable(
    call: Callable[[str, Mapping[str, JsonValue], bytes], Awaitable[JsonValue]], page: str
) -> str:
    """The readable text of an HTML page. Args: `call`: `TextWorker.call`."""
    found = await call("readable", {}, page.encode())
    assert isinstance(found, str)
    return found


class FilterWork:
    """The client.

    Args:
        call: `TextWorker.call`.
    """

    def __init__(self, call: Callable[[str, Mapping[str, JsonValue], bytes], Awaitable[JsonValue]]) -> None:
        self._call = call

    async def filter(
        self,
        text: str,
        *,
        limit_tokens: int,
        tokenizer: str,
        hint: Hint = Hint(),  # noqa: B008  # a frozen value
        focus: Focus = Focus(),  # noqa: B008
        own: str = "",
    ) -> Filtered:
        """As `filter_text`, with exact counts; lone surrogates become question marks.

        Args:
            own: The person's rules, as YAML.
        Raises:
            WorkerDied: the process ends again and again.
        """
        question: dict[str, JsonValue] = {
            "limit_tokens": limit_tokens,
            "tokenizer": tokenizer,
            "hint": _HINT.dump_python(hint, mode="json"),
            "focus": _FOCUS.dump_python(focus, mode="json"),
            "own": own,
        }
        return _FILTERED.validate_python(await self._call("filter", question, text.encode(errors="replace")))
