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
from app.settings import Settings
from tests.e2e.conftest import MODELS, talk
from tests.simulator import Fault, Simulator, ToolCall, Turn
from tests.simulator.wire import Body, mapping, mappings, string

pytestmark = pytest.mark.asyncio(loop_scope="session")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Settings of the application, and what the next message's last request must show of them."""

    values: dict[str, JsonValue]
    holds: Callable[[Body], bool]
    does: tuple[ToolCall, ...] = ()
    """What the model calls for first, so that something can be seen."""


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


def newest(words: str) -> Callable[[Body], bool]:
    """Whether they stand in what came last: the person's message with its notes, or what a call gave."""
    return lambda body: words in json.dumps(mappings(body.get("messages"))[-1], ensure_ascii=False)


def call(name: str, **arguments: object) -> tuple[ToolCall, ...]:
    return (ToolCall(name=name, arguments=json.dumps(arguments)),)


def changes(folder: Path) -> list[Change]:
    """Each of another setting, or of the same one back again; every one can be told from the one before."""
    given, made = folder / "given", folder / "made"
    for place in (folder / "work", given, made):
        place.mkdir()
    (given / "a.csv").write_text("figures")
    hook: JsonValue = {"event": "before_send", "command": "echo the moon is full", "enabled": True}
    return [
        Change(values={"temperature": 0.1}, holds=sent("temperature", 0.1)),
        Change(values={"temperature": None}, holds=lambda body: "temperature" not in body),
        Change(values={"max_tokens": 111}, holds=sent("max_tokens", 111)),
        Change(values={"max_tokens": None}, holds=lambda body: body.get("max_tokens") != 111),
        Change(values={"instructions": "Answer in rhymes."}, holds=said("Answer in rhymes.")),
        Change(values={"instructions": ""}, holds=lambda body: "user_instructions" not in system(body)),
        Change(values={"prompt_mode": "full"}, holds=said("<ruleset>")),
        Change(values={"prompt_mode": "lean"}, holds=lambda body: "<ruleset>" not in system(body)),
        Change(values={"prompt_mode": "search"}, holds=said("answer questions from sources")),
        Change(values={"prompt_mode": "naked"}, holds=said("assistant in Palimpsest")),
        Change(values={"uses_tools": False}, holds=lambda body: not tools(body)),
        Change(values={"uses_tools": True}, holds=has("file_read")),
        Change(values={"workspace": str(folder / "work")}, holds=has("file_edit", "shell", "delegate")),
        Change(
            values={"input_folders": [str(given)]},
            does=call("file_read", paths=[str(given / "a.csv")]),
            holds=newest("figures"),
        ),
        Change(
            values={"input_folders": []},
            does=call("file_read", paths=[str(given / "a.csv")]),
            holds=newest("outside the folders"),
        ),
        Change(
            values={"access": {"write": "refuse"}},
            does=call("file_write", path="a.txt", text="x"),
            holds=newest("do not allow this"),
        ),
        Change(
            values={"access": {"write": "allow"}},
            does=call("file_write", path="a.txt", text="x"),
            holds=lambda body: (folder / "work" / "a.txt").exists(),
        ),
        Change(
            values={"output_folders": [str(made)]},
            does=call("file_write", path=str(made / "b.txt"), text="x"),
            holds=lambda body: (made / "b.txt").exists(),
        ),
        Change(
            values={"allowed_always": ["shell:git commit"]},
            does=call("shell", command="git commit --no-such-option"),
            holds=newest("fatal:"),
        ),
        Change(values={"hooks": [hook]}, holds=newest("the moon is full")),
        Change(values={"hooks": []}, holds=lambda body: not newest("the moon is full")(body)),
        Change(values={"web_tools": True}, holds=has("web_fetch")),
        Change(
            values={"search_engine": "searxng", "search_url": "http://127.0.0.1:9"}, holds=has("web_search")
        ),
        Change(values={"tools_off": ["shell"]}, holds=lacks("shell")),
        Change(values={"workspace": ""}, holds=lacks("file_edit")),
        Change(values={"model": "o/gpt-4o-mini"}, holds=sent("model", "gpt-4o-mini")),
        Change(
            values={"model": "o/o3-mini", "reasoning_effort": "high"}, holds=sent("reasoning_effort", "high")
        ),
        Change(values={"reasoning_effort": "low"}, holds=sent("reasoning_effort", "low")),
        Change(
            values={"fallback_models": ["o/gpt-4.1"], "reasoning_effort": ""},
            holds=sent("model", "gpt-4.1"),
        ),
        Change(values={"model": "o/gpt-4o", "prompt_language": "zh"}, holds=said("Palimpsest 里的助手")),
    ]


def fine(body: Body) -> Turn:
    return Turn(text="Fine.")


async def test_thirty_settings_changed_one_by_one_each_hold_from_the_next_message(
    application: Application, simulator: Simulator, tmp_path: Path
) -> None:
    """A7, A8. The same message before the change shows that it is the change that does it."""
    chat = await talk(application, simulator, ModelId(""))
    simulator.script.otherwise = fine
    await application.change(model="o/gpt-4o")
    wanted = changes(tmp_path)
    assert len(wanted) == 30
    assert len({name for change in wanted for name in change.values}) >= 18
    prints: list[str] = []

    for n, change in enumerate(wanted):
        assert not n or not change.holds(simulator.chats[-1].body), (n, change.values)
        await application.change(**change.values)
        if "prompt_language" in change.values:  # else fixed with the chat's first message
            await application.store.save_chat_setting(
                chat.id, "prompt_language", change.values["prompt_language"]
            )
        simulator.script.say(*(Turn(tool_calls=(one,)) for one in change.does))
        if change.values.get("fallback_models"):
            simulator.faults.push(Fault(status=500, times=4))  # its own model is asked four times
        end = await chat.ask(f"Message {n}.")
        assert isinstance(end, TurnCompleted), (n, end)
        assert change.holds(simulator.chats[-1].body), (
            n,
            change.values,
            mappings(simulator.chats[-1].body.get("messages"))[-1],
        )
        prints.append((await application.store.requests(chat.id))[-1].fingerprint)

    assert all(one != other for one, other in pairwise(prints))


async def test_none_of_them_reaches_a_turn_that_runs(
    application: Application, simulator: Simulator, tmp_path: Path
) -> None:
    """A8: each is changed between two requests of one turn, which differ in their messages alone."""
    chat = await talk(application, simulator, MODELS["openai"])
    await application.store.save_chat_setting(chat.id, "workspace", str(tmp_path))
    wanted = [change for change in changes(tmp_path) if "workspace" not in change.values]
    await application.change(access={"network": "allow"})
    looked = call("list_files")[0]

    def changed(change: Change) -> Callable[[Body], Turn]:
        def then(body: Body) -> Turn:
            values = application.settings.model_dump() | change.values
            application.settings = Settings.model_validate(values)
            return Turn(tool_calls=(looked,))

        return then

    for n, change in enumerate(wanted):
        simulator.script.say(Turn(tool_calls=(looked,)), changed(change), Turn(text=f"Done {n}."))
        await chat.ask(f"Message {n}.")

        first, *later = (_without_messages(item.body) for item in simulator.chats[-3:])
        assert later == [first, first], (n, change.values)


def _without_messages(body: Body) -> dict[str, object]:
    return {name: value for name, value in body.items() if name != "messages"} | {"system": system(body)}


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
