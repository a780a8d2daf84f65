"""Hooks hear of what happens in a turn, are heard by the next request, and are never in its way (A16)."""

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from app.agent.hooks import hear
from app.core.entries import Origin
from app.core.events import CallFinished, HookFailed, TurnCompleted, TurnStopped
from app.core.ids import ChatId
from app.settings import Hook, HookEvent, Settings
from app.store.store import Store
from tests.app.agent.test_toolbox import Working, calling, working
from tests.fakes import answer, until


def hook(event: HookEvent, command: str, **more: JsonValue) -> dict[str, JsonValue]:
    return {"event": event, "command": command, "enabled": True} | more


async def with_hooks(store: Store, folder: Path, *hooks: dict[str, JsonValue]) -> Working:
    return await working(store, folder, settings={"hooks": list(hooks)})


def notes(here: Working) -> list[str]:
    path = here.chat.session.conversation.path
    return [entry.text for entry in path if entry.origin is Origin.NOTE]


def test_no_hook_runs_that_was_not_turned_on() -> None:
    settings = Settings.model_validate({"hooks": [{"event": "before_send", "command": "true"}]})

    assert not settings.hooks[0].enabled
    assert Settings().hooks == ()


async def test_a_hook_that_is_turned_off_is_left_alone(store: Store, tmp_path: Path) -> None:
    here = await with_hooks(store, tmp_path, hook("before_send", "touch ran; echo it rains", enabled=False))

    await here.chat.ask("Shall I go out?")

    assert notes(here) == []
    assert not (here.folder / "ran").exists()
    await here.chat.session.aclose()


async def test_what_a_hook_says_before_a_message_is_sent_stands_before_the_message(
    store: Store, tmp_path: Path
) -> None:
    """It is told the message as JSON, and what it says is stored, so that the same is sent again (C8, C12)."""
    here = await with_hooks(store, tmp_path, hook("before_send", "cat > told.json; echo it rains"))

    end = await here.chat.ask("Shall I go out? 🌧")
    await here.chat.ask("And now?")

    assert isinstance(end, TurnCompleted)
    told = json.loads((here.folder / "told.json").read_text())
    assert told == {"event": "before_send", "chat": "chat", "text": "And now?"}
    first, second = here.chat.gateway.requests
    assert [getattr(part, "text", "") for part in first.messages[0].parts] == [
        "it rains",
        "Shall I go out? 🌧",
    ]
    assert second.messages[: len(first.messages)] == first.messages
    assert notes(here) == ["it rains", "it rains"]
    await here.chat.session.aclose()


async def test_a_hook_before_a_tool_can_refuse_a_call_and_others_go_on(store: Store, tmp_path: Path) -> None:
    """Exit code 2; what it says is told to the model, and the person is not even asked."""
    here = await with_hooks(
        store,
        tmp_path,
        hook("before_tool", """grep -q '"file_write"' && { echo no writing on Fridays; exit 2; }; true"""),
        hook("after_tool", """python3 -c 'import json, sys; print("after", json.load(sys.stdin)["tool"])'"""),
    )
    write: dict[str, JsonValue] = {"path": "a.txt", "text": "x"}
    here.chat.gateway.say(calling(("file_write", write), ("list_files", {})), answer("So."))

    end = await here.chat.ask("Write it.")

    assert isinstance(end, TurnCompleted)
    assert here.questions == []
    assert ("[error] A hook of the person's refuses this call. no writing on Fridays", True) in here.results()
    assert not (here.folder / "a.txt").exists()
    assert notes(here) == ["after list_files"]
    assert here.chat.model_saw()[-1] == "user: after list_files"
    await here.chat.session.aclose()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("echo begun; echo broken; exit 3", (3, "broken")),
        ("exit 2", (2, "")),
        ("sleep 20", (None, "")),
    ],
)
async def test_a_hook_that_fails_is_told_and_the_turn_goes_on(
    store: Store, tmp_path: Path, command: str, told: tuple[int | None, str]
) -> None:
    here = await with_hooks(store, tmp_path, hook("before_send", command, timeout_s=0.2))

    end = await here.chat.ask("Hello.")

    assert isinstance(end, TurnCompleted)
    (failed,) = (event for event in here.chat.events if isinstance(event, HookFailed))
    assert (failed.command, failed.timeout_s, failed.event) == (command, 0.2, "before_send")
    assert (failed.code, failed.text) == told
    assert notes(here) == []
    await here.chat.session.aclose()


async def test_stop_ends_the_hook_that_runs(store: Store, tmp_path: Path) -> None:
    here = await with_hooks(store, tmp_path, hook("before_send", "touch begun; sleep 30; touch ended"))

    await here.chat.session.send("Hello.")
    await until(lambda: (here.folder / "begun").exists())
    here.chat.session.stop()
    end = await here.chat.end()

    assert isinstance(end, TurnStopped)
    assert not (here.folder / "ended").exists()
    assert here.chat.gateway.requests == []
    await here.chat.session.aclose()


async def test_of_a_long_text_the_ends_come_in_and_its_address_leads_to_the_whole(
    store: Store, tmp_path: Path
) -> None:
    """C28 L6."""
    here = await with_hooks(store, tmp_path, hook("before_send", "seq 1 4000"))
    await here.chat.ask("Hello.")

    (told,) = notes(here)
    at = told.index("vault://")
    address = told[at:].split(",")[0]
    here.chat.gateway.say(
        calling(("file_read", {"paths": [address], "line_range": "2000:2001"})), answer("Read.")
    )
    await here.chat.ask("Read it.")

    assert len(told) < 3_500
    assert told.startswith("1\n2\n")
    assert "4000\n[" in told
    read = next(event.result for event in here.chat.events if isinstance(event, CallFinished)).results[0]
    assert "2000" in str(read.text)
    assert not read.is_error
    await here.chat.session.aclose()


async def test_a_hook_hears_of_the_answer_that_ends_a_turn_once(store: Store, tmp_path: Path) -> None:
    here = await with_hooks(store, tmp_path, hook("after_answer", "cat >> log.txt; echo >> log.txt"))
    here.chat.gateway.say(calling(("list_files", {})), answer("Nothing here."))

    await here.chat.ask("What is here?")

    lines = (here.folder / "log.txt").read_text().splitlines()
    assert [json.loads(line)["text"] for line in lines] == ["Nothing here."]
    await here.chat.session.aclose()


async def test_no_secret_of_the_environment_reaches_a_hook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A4."""
    monkeypatch.setenv("SOME_API_KEY", "s3cret")
    printing = Hook(event="before_send", command="env", enabled=True)

    heard = await hear((printing,), "before_send", ChatId("c"), {}, cwd=tmp_path)

    assert "NO_COLOR=1" in heard.texts[0]
    assert "s3cret" not in heard.texts[0]


async def test_a_hook_that_reads_nothing_of_a_long_message_holds_nothing_up(tmp_path: Path) -> None:
    deaf = Hook(event="after_answer", command="echo done", enabled=True)

    heard = await hear((deaf,), "after_answer", ChatId("c"), {"text": "x" * 1_000_000}, cwd=tmp_path)

    assert heard.texts == ("done",)
