"""A change in the settings holds from the very next message, seen on what the provider received (A7, A8)."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from pydantic import JsonValue

from app.bootstrap.application import Application
from app.core.events import TurnCompleted
from app.core.ids import ModelId
from tests.e2e.conftest import MODELS, talk
from tests.simulator import Simulator, ToolCall, Turn
from tests.simulator.wire import Body, mapping, mappings, string

pytestmark = pytest.mark.asyncio(loop_scope="session")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Settings of the application, and what the next request must show of them."""

    values: dict[str, JsonValue]
    holds: Callable[[Body], bool]


def system(body: Body) -> str:
    return next((string(item.get("content")) for item in mappings(body.get("messages"))), "")


def tools(body: Body) -> set[str]:
    return {string(mapping(item.get("function")).get("name")) for item in mappings(body.get("tools"))}


def sent(name: str, value: object) -> Callable[[Body], bool]:
    return lambda body: body.get(name) == value


def said(words: str) -> Callable[[Body], bool]:
    return lambda body: words in system(body)


def has(*names: str) -> Callable[[Body], bool]:
    return lambda body: set(names) <= tools(body)


def lacks(*names: str) -> Callable[[Body], bool]:
    return lambda body: not set(names) & tools(body)


def changes(folder: str) -> list[Change]:
    return [
        Change(values={"temperature": 0.1}, holds=sent("temperature", 0.1)),
        Change(values={"temperature": 0.9}, holds=sent("temperature", 0.9)),
        Change(values={"temperature": None}, holds=lambda body: "temperature" not in body),
        Change(values={"max_tokens": 111}, holds=sent("max_tokens", 111)),
        Change(values={"max_tokens": 222}, holds=sent("max_tokens", 222)),
        Change(values={"max_tokens": None}, holds=lambda body: body.get("max_tokens") not in (111, 222)),
        Change(values={"instructions": "Answer in rhymes."}, holds=said("Answer in rhymes.")),
        Change(values={"instructions": "Answer in prose."}, holds=said("Answer in prose.")),
        Change(values={"instructions": ""}, holds=lambda body: "user_instructions" not in system(body)),
        Change(values={"prompt_mode": "full"}, holds=said("<ruleset>")),
        Change(values={"prompt_mode": "lean"}, holds=lambda body: "<ruleset>" not in system(body)),
        Change(values={"prompt_mode": "search"}, holds=said("answer questions from sources")),
        Change(values={"prompt_mode": "naked"}, holds=said("assistant in Palimpsest")),
        Change(values={"prompt_mode": "auto"}, holds=lambda body: "<ruleset>" not in system(body)),
        Change(values={"uses_tools": False}, holds=lambda body: not tools(body)),
        Change(values={"uses_tools": True}, holds=has("file_read")),
        Change(values={"workspace": folder}, holds=has("file_read", "file_edit", "shell", "delegate")),
        Change(values={"tools_off": ["shell"]}, holds=lacks("shell")),
        Change(
            values={"tools_off": ["delegate"]},
            holds=lambda body: has("shell")(body) and lacks("delegate")(body),
        ),
        Change(values={"tools_off": []}, holds=has("shell", "delegate")),
        Change(values={"workspace": ""}, holds=lacks("shell", "file_edit")),
        Change(values={"model": "o/gpt-4o-mini"}, holds=sent("model", "gpt-4o-mini")),
        Change(values={"model": "o/gpt-4.1"}, holds=sent("model", "gpt-4.1")),
        Change(values={"model": "o/gpt-4o"}, holds=sent("model", "gpt-4o")),
        Change(
            values={"model": "o/o3-mini", "reasoning_effort": "high"}, holds=sent("reasoning_effort", "high")
        ),
        Change(values={"reasoning_effort": "low"}, holds=sent("reasoning_effort", "low")),
        Change(values={"reasoning_effort": ""}, holds=lambda body: not body.get("reasoning_effort")),
        Change(values={"model": "o/gpt-4o", "prompt_language": "zh"}, holds=said("Palimpsest 里的助手")),
        Change(values={"prompt_language": "en"}, holds=said("assistant in Palimpsest")),
        Change(
            values={"temperature": 0.5, "max_tokens": 99},
            holds=lambda body: sent("temperature", 0.5)(body) and sent("max_tokens", 99)(body),
        ),
    ]


def fine(body: Body) -> Turn:
    return Turn(text="Fine.")


async def test_thirty_settings_changed_one_by_one_each_hold_from_the_next_message(
    application: Application, simulator: Simulator, tmp_path: Path
) -> None:
    chat = await talk(application, simulator, ModelId(""))
    simulator.script.otherwise = fine
    await application.change(model="o/gpt-4o")
    wanted = changes(str(tmp_path))
    assert len(wanted) == 30
    prints: list[str] = []

    for n, change in enumerate(wanted):
        await application.change(**change.values)
        if "prompt_language" in change.values:  # else fixed with the chat's first message
            await application.store.save_chat_setting(
                chat.id, "prompt_language", change.values["prompt_language"]
            )
        end = await chat.ask(f"Message {n}.")
        assert isinstance(end, TurnCompleted), (n, end)
        assert change.holds(simulator.chats[-1].body), (
            n,
            change.values,
            json.dumps(simulator.chats[-1].body)[:2000],
        )
        prints.append((await application.store.requests(chat.id))[-1].fingerprint)

    assert all(one != other for one, other in pairwise(prints))


async def test_what_changes_while_a_turn_runs_waits_for_the_next_but_what_is_forbidden_holds_at_once(
    application: Application, simulator: Simulator, tmp_path: Path
) -> None:
    """A8: tightening acts at once, loosening with the next turn."""
    chat = await talk(application, simulator, MODELS["openai"])
    await application.store.save_chat_setting(chat.id, "workspace", str(tmp_path))
    await application.change(temperature=0.5, access={"write": "allow"})
    write = ToolCall(name="file_write", arguments=json.dumps({"path": "a.txt", "text": "x"}))
    again = ToolCall(name="file_write", arguments=json.dumps({"path": "b.txt", "text": "x"}))

    def then(body: Body) -> Turn:
        application.settings = application.settings.model_copy(
            update={"temperature": 0.9, "access": {"write": "refuse"}}
        )
        return Turn(tool_calls=(again,))

    simulator.script.say(Turn(tool_calls=(write,)), then, Turn(text="I see."), Turn(text="Later."))
    await chat.ask("Write two files.")
    await chat.ask("And now?")

    results = [part for entry in chat.session.conversation.path for part in entry.results]
    assert [part.is_error for part in results] == [False, True]
    assert [body.get("temperature") for body in (item.body for item in simulator.chats[-4:])] == [
        0.5,
        0.5,
        0.5,
        0.9,
    ]
