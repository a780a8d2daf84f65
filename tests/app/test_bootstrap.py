"""The application without its window: opened on any folder, changed, and closed in the middle of anything."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from app.bootstrap.application import Application
from app.context.breaker import BreakerState
from app.core.entries import Finish
from app.core.errors import ProviderError, StoreError
from app.core.events import Accepted, TextArrived, TurnCompleted, TurnEvent, TurnFailed
from app.core.ids import ChatId, ModelId
from app.core.records import Changes, Draft, Fact
from app.settings import Endpoint, Paths, Settings
from tests.app.agent.opening import CountsByLength
from tests.app.context.summary.making import answer as fields
from tests.app.store.conftest import empty_database, paths
from tests.app.store.making import sql
from tests.fakes import ScriptedGateway, answer, until

__all__ = ["empty_database", "paths"]

# Everything is known of models of this kind without asking the text worker.
HERE = Endpoint(id="here", kind="embedded", name="Here", base_url="http://here.example", models=("m", "n"))


class NoWorker(CountsByLength):
    async def aclose(self) -> None:
        pass


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    import keyring.core

    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setattr(keyring.core, "_keyring_backend", None)


def scripted(application: Application) -> ScriptedGateway:
    gateway = ScriptedGateway()
    application.gateway = gateway  # pyright: ignore[reportAttributeAccessIssue]  # as far as a turn needs it
    application.text = NoWorker()  # pyright: ignore[reportAttributeAccessIssue]  # same
    return gateway


@pytest.fixture
async def application(paths: Paths) -> AsyncIterator[Application]:
    opened = await Application.open(paths)
    scripted(opened)
    await opened.endpoints.add(HERE)
    await opened.change(model="here/m")
    yield opened
    await opened.aclose()


async def a_chat(application: Application, title: str = "Given") -> ChatId:
    return (await application.library.new_chat(title=title))[0]


async def test_with_no_key_and_no_network_a_new_folder_answers(tmp_path: Path) -> None:
    """Q1, A3: with the built-in responder, which is always there."""
    application = await Application.open(Paths(data=tmp_path / "new" / "folder"))
    session = await application.session(await a_chat(application))
    events: list[TurnEvent] = []
    session.watch(events.append)

    await application.choose_model(session.conversation.id, ModelId("builtin/extractive"))
    await session.send("Hello?")
    await session.settled()
    await application.aclose()

    assert isinstance(events[-1], TurnCompleted)
    assert "not a language model" in events[-1].answer.text


async def test_a_model_can_be_chosen_where_nothing_is_set_up(paths: Paths) -> None:
    application = await Application.open(paths)

    endpoints = application.endpoints.built_in()
    await application.aclose()

    assert endpoints[-1].id == "builtin"
    assert not any(endpoint.needs_key for endpoint in endpoints)


async def test_a_chat_is_open_once(application: Application) -> None:
    chat_id = await a_chat(application)

    first, second = await asyncio.gather(application.session(chat_id), application.session(chat_id))

    assert first is second is await application.session(chat_id)


async def test_a_chat_that_is_not_there_is_told(application: Application) -> None:
    with pytest.raises(StoreError):
        await application.session(ChatId("nobody"))


async def test_a_change_is_stored_told_and_there_after_a_restart(
    application: Application, paths: Paths
) -> None:
    """A7."""
    heard: list[Changes] = []
    stop_hearing = application.watch(heard.append)

    await application.change(temperature=0.5, theme="dark")
    stop_hearing()
    await application.change(zoom_percent=120)
    again = await Application.open(paths)
    await again.aclose()

    assert heard == [Changes(facts=frozenset({Fact.SETTINGS}))]
    assert again.settings == application.settings
    assert (again.settings.temperature, again.settings.theme, again.settings.zoom_percent) == (
        0.5,
        "dark",
        120,
    )


async def test_a_value_that_a_field_does_not_take_changes_nothing(application: Application) -> None:
    before = application.settings

    with pytest.raises(ValidationError):
        await application.change(temperature=5, theme="dark")

    assert application.settings == await application.store.settings() == before


async def test_settings_of_the_first_screen_hold_until_those_of_the_store_are_read(paths: Paths) -> None:
    application = Application(paths, Settings(theme="dark"))
    before = application.settings.theme

    await application.prepare()
    await application.aclose()

    assert (before, application.settings.theme) == ("dark", "system")


async def test_a_provider_is_set_up_changed_and_removed_with_its_key(
    application: Application, paths: Paths
) -> None:
    """A4: the key is no setting and lies in no file."""
    there = Endpoint(id="there", kind="openai", name="There")

    await application.endpoints.add(there, "sk-CANARY-1")
    await application.endpoints.add(there.model_copy(update={"name": "Elsewhere"}))
    names = [endpoint.name for endpoint in application.settings.endpoints]
    key = await application.secrets.get("there")
    await application.endpoints.remove("there")

    assert (names, key) == (["Here", "Elsewhere"], "sk-CANARY-1")
    assert [endpoint.id for endpoint in application.settings.endpoints] == ["here"]
    assert await application.secrets.get("there") is None
    assert b"CANARY" not in b"".join(path.read_bytes() for path in paths.data.glob("*") if path.is_file())


async def test_a_chosen_model_is_the_chats_and_that_of_new_chats(application: Application) -> None:
    gateway = scripted(application)
    session = await application.session(await a_chat(application))

    await application.choose_model(session.conversation.id, ModelId("here/n"))
    await session.send("Hello.")
    await session.settled()
    other = await application.session(await a_chat(application))
    await other.send("Hello.")
    await other.settled()

    asked = [target.name for target in gateway.targets if target.name]
    assert asked[0] == asked[-1] == "n"
    assert (await application.store.chat(session.conversation.id)).model == "here/n"


async def test_what_was_removed_is_told_at_the_next_message_and_the_message_is_kept(
    application: Application,
) -> None:
    session = await application.session(await a_chat(application))
    events: list[TurnEvent] = []
    session.watch(events.append)

    await application.endpoints.remove("here")
    await session.send("Hello.")
    await session.settled()

    assert isinstance(events[-1], TurnFailed)
    assert events[-1].error.code == "no_model"
    assert [entry.text for entry in session.conversation.path] == ["Hello."]


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({}, ["m", "m"]),
        ({"lite_model": "here/n"}, ["m", "n"]),
        ({"write_titles": False}, ["m"]),
    ],
)
async def test_titles_are_asked_of_the_lite_model_else_of_the_same_and_only_where_wanted(
    application: Application, settings: dict[str, str | bool], names: list[str]
) -> None:
    """A5."""
    gateway = scripted(application)
    await application.change(**settings)
    session = await application.session(await a_chat(application, title=""))
    gateway.say(answer("So."), answer("Sorting lists"))

    await session.send("How do I sort a list?")
    await session.settled()
    title = "Sorting lists" if len(names) == 2 else "How do I sort a list?"
    await until(lambda: session.conversation.chat.title == title and gateway.n_open == 0)

    assert [target.name for target in gateway.targets] == names


async def test_closing_in_the_middle_of_answers_keeps_them_and_leaves_no_task(paths: Paths) -> None:
    application = await Application.open(paths)
    gateway = scripted(application)
    await application.endpoints.add(HERE)
    await application.change(model="here/m")
    half = (Accepted(), TextArrived(text="Half"), asyncio.Event())
    gateway.say(half, half)
    sessions = [await application.session(await a_chat(application)) for _ in range(2)]
    heard: list[TurnEvent] = []
    for session in sessions:
        session.watch(heard.append)
        await session.send("Go.")
        await session.save_draft(Draft(text="Next"))
    await until(lambda: sum(type(event).__name__ == "TextDelta" for event in heard) == 2)

    await application.aclose()

    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert sql(paths, "SELECT finish, count(*) FROM entries WHERE origin = 'assistant' GROUP BY 1") == [
        (Finish.STOPPED, 2)
    ]
    assert sql(paths, "SELECT count(*) FROM partials") == [(0,)]
    assert sql(paths, "SELECT text FROM drafts") == [("Next",)] * 2


async def test_what_a_sudden_end_left_is_put_right_when_it_opens(paths: Paths) -> None:
    """M8."""
    application = await Application.open(paths)
    gateway = scripted(application)
    await application.endpoints.add(HERE)
    await application.change(model="here/m")
    gateway.say((Accepted(), TextArrived(text="Half"), asyncio.Event()))
    session = await application.session(await a_chat(application))
    await session.send("Go.")
    await until(lambda: sql(paths, "SELECT json_array_length(parts) FROM partials") == [(1,)])

    again = await Application.open(paths)  # the first one is as good as dead
    contents = await again.store.load(session.conversation.id)
    await again.aclose()

    assert [(entry.text, entry.finish) for entry in contents.entries] == [
        ("Go.", None),
        ("Half", Finish.INTERRUPTED),
    ]
    await application.aclose()


async def test_a_writer_that_was_refused_is_left_alone_until_its_provider_is_set_up_anew(
    application: Application, paths: Paths
) -> None:
    """C20: through a restart, too."""
    refused = ProviderError("The key was refused.")
    refused.code = "key_wrong"
    await application.breakers.fail(ModelId("here/m"), refused)
    again = await Application.open(paths)

    left_alone = dict(again.breakers.states)
    await again.endpoints.add(HERE)

    assert left_alone == {"here/m": BreakerState.OPEN}
    assert again.breakers.states == {}
    await again.aclose()


async def test_compressing_asks_the_chats_own_model_for_the_summary(
    application: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C17: with the prompts that are shipped."""
    gateway = scripted(application)
    monkeypatch.setattr("app.agent.writer.BUILT_IN", frozenset({"builtin"}))  # here, `embedded` is asked
    await application.change(write_titles=False, model_overrides={"here/m": {"window_tokens": 100_000}})
    session = await application.session(await a_chat(application))
    gateway.say(*(answer("word " * 2_000, usage=None) for _ in range(6)))
    for n in range(6):
        await session.send(f"Question {n}: {'why ' * 900}")
        await session.settled()

    good = answer(fields(user_goal="Know why"), usage=None)
    gateway.say(good, good)
    made = await (await application.uses.folding(session.conversation.id)).compress(target_tokens=2_000)

    assert made.model == "here/m"
    assert "Know why" in made.summary


async def test_what_was_deleted_thirty_days_ago_goes_for_good_at_the_next_start(paths: Paths) -> None:
    """M10: and nothing that was deleted later, or not at all."""
    first = await Application.open(paths)
    old, young, kept = [await a_chat(first, title) for title in ("Old", "Young", "Kept")]
    for chat in (old, young):
        await first.library.trash(chat)
    await first.aclose()
    sql(paths, f"UPDATE chats SET deleted_at = deleted_at - {31 * 86_400_000_000} WHERE id = '{old}'")

    again = await Application.open(paths)
    scripted(again)
    heard: list[Changes] = []
    again.watch(heard.append)
    again._tasks.start("upkeep", again._keep_up())  # pyright: ignore[reportPrivateUsage]  # as `start` does, without its workers
    await again._tasks.wait("upkeep")  # pyright: ignore[reportPrivateUsage]

    assert [chat.id for chat in await again.library.chats(trash=True)] == [young]
    assert [chat.id for chat in await again.library.chats()] == [kept]
    assert any(old in changes.chats for changes in heard)
    assert sql(paths, "SELECT id FROM tombstones") == [(old,)]
    await again.aclose()


async def test_a_chat_that_is_answering_is_stopped_before_it_is_deleted_for_good(
    application: Application,
) -> None:
    gateway = application.gateway
    assert isinstance(gateway, ScriptedGateway)
    gateway.say((Accepted(), TextArrived(text="Half"), asyncio.Event()))
    chat = await a_chat(application)
    session = await application.session(chat)
    await session.send("Hello?")
    await until(lambda: gateway.n_open == 1)
    application.publish(await application.library.trash(chat))

    await application.delete_for_good(chat)

    assert gateway.n_open == 0
    assert await application.library.chats(trash=True) == ()
    with pytest.raises(StoreError, match="does not exist any more"):
        await application.session(chat)
