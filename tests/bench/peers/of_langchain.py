"""LangChain's `trim_messages` and `SummarizationMiddleware`."""

import importlib
from collections.abc import Iterable
from typing import Any

from tests.bench.peers.pipe import Asked, Counting, Made, Wire
from tests.bench.peers.stub import facts

# Untyped and not installed where the project is checked.
_messages: Any = importlib.import_module("langchain_core.messages")
_models: Any = importlib.import_module("langchain_core.language_models")
_middleware: Any = importlib.import_module("langchain.agents.middleware")


def trim_messages(asked: Asked, counting: Counting) -> Made:
    kept = _messages.trim_messages(
        _messages.convert_to_messages(asked.messages),
        max_tokens=asked.budget_tokens,
        token_counter=counter(counting),
        strategy="last",
        start_on="human",
        include_system=True,
        allow_partial=False,
    )
    return Made(messages=wire(kept))


def summarization(asked: Asked, counting: Counting) -> Made:
    return _summarized(asked, counting)


def summarization_of_all(asked: Asked, counting: Counting) -> Made:
    """With the limit taken off that keeps most of the conversation from the summariser."""
    return _summarized(asked, counting, trim_tokens_to_summarize=None)


def _summarized(asked: Asked, counting: Counting, **settings: object) -> Made:
    room = asked.budget_tokens - counting.of(asked.system)
    middleware = _middleware.SummarizationMiddleware(
        model=_models.FakeListChatModel(responses=["-"]),
        summarizer=writer(asked, counting),
        trigger=("tokens", max(1, room)),
        keep=("tokens", max(1, room - asked.summary_tokens)),
        token_counter=counter(counting),
        **settings,
    )
    messages = _messages.convert_to_messages(asked.spoken)
    update = middleware.before_model({"messages": messages}, None)
    left = update["messages"][1:] if update else messages  # the first removes all that was there
    return Made(messages=[*asked.system, *wire(left)])


def writer(asked: Asked, counting: Counting) -> Any:
    def write(messages: list[Any]) -> str:
        shown = _messages.get_buffer_string(messages)
        return "\n".join(facts(shown, cap_tokens=asked.summary_tokens, count=counting)) or "None."

    return write


def counter(counting: Counting) -> Any:
    """Each message is turned into the wire's form once."""
    known: dict[int, tuple[Any, int]] = {}

    def tokens(message: Any) -> int:
        if (found := known.get(id(message))) is None:
            found = known[id(message)] = message, counting.of(wire([message]))
        return found[1]

    def all_tokens(messages: Iterable[Any]) -> int:
        return sum(map(tokens, messages))

    return all_tokens


def wire(messages: Iterable[Any]) -> list[Wire]:
    return _messages.convert_to_openai_messages(list(messages))
