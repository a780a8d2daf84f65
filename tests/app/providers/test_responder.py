"""The responder that is no model (Q1, A3)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from app.agent.ports import Target
from app.core.events import Accepted, Finished, GatewayEvent, ToolCallArrived, UsageReported
from app.core.parts import ToolCallPart, ToolResultPart
from app.core.requests import Request, ToolSpec
from app.providers import responder
from app.providers.gateway import LiteLLMGateway
from app.providers.templates import BUILTIN
from tests.app.providers.asking import Keys, Originals, asking, assistant, events_of, text_of, tool


async def answer(request: Request) -> list[GatewayEvent]:
    return [event async for event in responder.stream(request, {})]


TALK = (
    "We meet in Oslo on 3 May. The budget is 19,999 euro. Anna brings the projector.",
    assistant("Noted. The train leaves at 8.15 from platform 4."),
    tool(ToolResultPart(call_id="c", name="f", text="weather_oslo: rain\nhumidity: 81%")),
)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How large is the budget?", "The budget is 19,999 euro."),
        ("When does the train leave from the platform?", "The train leaves at 8.15 from platform 4."),
        ("What was the humidity?", "humidity: 81%"),
    ],
)
async def test_it_quotes_the_sentence_that_answers(question: str, sentence: str) -> None:
    events = await answer(asking(*TALK, question))

    assert f"- {sentence}" in text_of(events).splitlines()


async def test_it_answers_a_chinese_question_in_chinese_from_chinese_text() -> None:
    events = await answer(asking("会议在五月三日举行。预算是一万元。", "预算是多少？"))

    text = text_of(events)
    assert "- 预算是一万元。" in text
    assert "不是语言模型" in text


async def test_it_says_that_it_is_no_model_whatever_is_asked() -> None:
    events = await answer(asking("Who are you?"))

    assert text_of(events).startswith("I am the built-in responder, not a language model")


async def test_it_does_not_quote_itself() -> None:
    first = text_of(await answer(asking(*TALK, "budget?")))

    second = text_of(await answer(asking(*TALK, "budget?", assistant(first), "budget and projector?")))

    assert second.count("built-in responder") == 1
    assert second.count("The budget is 19,999 euro.") == 1


@given(st.lists(st.text(max_size=60), min_size=1, max_size=6))
async def test_the_same_conversation_gets_the_same_answer(texts: list[str]) -> None:
    request = asking(*texts)

    first = await answer(request)

    assert first == await answer(request)
    assert first[0] == Accepted()
    assert isinstance(first[-2], UsageReported)
    assert isinstance(first[-1], Finished)


async def test_it_answers_through_the_gateway_without_key_or_worker() -> None:
    """A3."""
    gateway = LiteLLMGateway(Keys(None), Originals())

    events = await events_of(gateway, asking(*TALK, "budget?"), Target(endpoint=BUILTIN, name="extractive"))
    await gateway.aclose()

    assert "19,999" in text_of(events)
    assert not gateway.is_ready


READ = ToolSpec(name="file_read", description="Read.", schema="{}")
SEARCH = ToolSpec(name="search_files", description="Search.", schema="{}")
FOLDED = "[3 messages were folded; whole: vault://0123456789ab/history.md]"


def call_of(events: list[GatewayEvent]) -> tuple[str, dict[str, JsonValue]] | None:
    found = next((event for event in events if isinstance(event, ToolCallArrived)), None)
    return (found.name, json.loads(found.arguments)) if found else None


async def test_it_reads_what_was_folded_before_it_answers() -> None:
    """Q1: it answers from the vault, with one reading."""
    events = await answer(asking(FOLDED, "How large is the budget?", tools=(READ, SEARCH)))

    assert call_of(events) == (
        "file_read", {"paths": ["vault://0123456789ab/history.md"], "pattern": "large|budget"}
    )  # fmt: skip


async def test_it_searches_the_workspace_where_nothing_is_folded() -> None:
    events = await answer(asking("Where is the parser?", tools=(READ, SEARCH)))

    assert call_of(events) == ("search_files", {"pattern": "parser", "ignore_case": True})


async def test_it_looks_once_and_answers_from_what_it_found() -> None:
    found = ToolResultPart(call_id="call_2", name="file_read", text="12: The budget is 19,999 euro.")
    call = assistant(ToolCallPart(call_id="call_2", name="file_read", arguments="{}"))
    events = await answer(asking(FOLDED, "How large is the budget?", call, tool(found), tools=(READ,)))

    assert call_of(events) is None
    assert "19,999" in text_of(events)


async def test_without_tools_it_calls_for_nothing() -> None:
    assert call_of(await answer(asking(FOLDED, "How large is the budget?"))) is None
