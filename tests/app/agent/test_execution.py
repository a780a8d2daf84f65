"""What a turn runs on, and the name that tells when it is another one (A8)."""

from collections.abc import Mapping

import pytest
from pydantic import JsonValue

from app.agent.execution import ChatAgentExecutionCache, NoModel, compute_execution_fingerprint
from app.agent.ports import Target
from app.agent.tools.offered import ALWAYS, IN_A_WORKSPACE
from app.agent.tools.skills import Skill
from app.core.entries import Chat
from app.core.ids import ModelId
from app.models.registry import ModelFacts
from app.models.window import Window, WindowSource
from app.settings import Endpoint, Settings
from app.store.store import Store
from tests.app.agent.opening import CHAT, HERE, execution_ports, opened
from tests.app.store.making import NOW
from tests.fakes import answer

SETTINGS = Settings(endpoints=(HERE,), model="here/m")
TARGET = Target(endpoint=HERE, name="m")
WINDOW = Window(tokens=100_000, source=WindowSource.REGISTRY)


def fingerprint(
    settings: Settings = SETTINGS,
    target: Target = TARGET,
    window: Window = WINDOW,
    language: str = "en",
) -> str:
    return compute_execution_fingerprint(settings, target, window=window, language=language)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lite_model", "here/n"),
        ("fallback_models", ("here/n",)),
        ("model_overrides", {"here/m": {"window_tokens": 4096}}),
        ("max_tokens", 100),
        ("temperature", 0.0),
        ("reasoning_effort", "high"),
        ("prompt_mode", "lean"),
        ("instructions", "Answer in rhymes."),
        ("uses_tools", False),
        ("tools_off", ("shell",)),
        ("workspace", "/work"),
        ("input_folders", ("/in",)),
        ("output_folders", ("/out",)),
        ("shell_network", False),
        ("access", {"write": "allow"}),
        ("allowed_always", ("write:/work",)),
        ("allowed_here", ("write:/work",)),
        ("mcp_servers", ({"id": "time", "name": "Time", "command": "time-server"},)),
        ("most_requests", 7),
        ("cache_mode", "off"),
    ],
)
def test_every_setting_that_a_request_depends_on_changes_the_fingerprint(name: str, value: object) -> None:
    other = Settings.model_validate(SETTINGS.model_dump() | {name: value})

    assert fingerprint(other) != fingerprint()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "openai"),
        ("name", "There"),
        ("base_url", "http://there.example"),
        ("headers", {"X-Team": "a"}),
        ("needs_key", False),
        ("proxy", "direct"),
        ("ca_file", "/etc/ca.pem"),
    ],
)
def test_every_property_of_the_endpoint_changes_the_fingerprint(name: str, value: object) -> None:
    other = Endpoint.model_validate(HERE.model_dump() | {name: value})

    assert fingerprint(target=Target(endpoint=other, name="m")) != fingerprint()


def test_model_window_and_language_change_the_fingerprint() -> None:
    others = {
        fingerprint(target=Target(endpoint=HERE, name="n")),
        fingerprint(window=Window(tokens=8192, source=WindowSource.REGISTRY)),
        fingerprint(language="zh"),
    }

    assert len(others - {fingerprint()}) == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "dark"),
        ("zoom_percent", 150),
        ("reduce_motion", True),
        ("enter_sends", False),
        ("language", "zh_CN"),
        ("confirmed_hosts", ("example.com",)),
        ("window_layout", {"width": 900}),
        ("has_started", True),
        ("last_chat", "c1"),
        ("write_titles", False),
    ],
)
def test_no_setting_of_the_window_changes_the_fingerprint(name: str, value: object) -> None:
    other = Settings.model_validate(SETTINGS.model_dump() | {name: value})

    assert fingerprint(other) == fingerprint()


def test_a_new_list_of_models_is_no_other_execution() -> None:
    listed = HERE.model_copy(update={"models": ("m", "n", "o")})

    assert fingerprint(target=Target(endpoint=listed, name="m")) == fingerprint()


# ---- the cache

A_CHAT = Chat(id=CHAT, title="", created_at=NOW, updated_at=NOW, rev=0, head=None)


async def cache_of(
    store: Store, held: list[Settings], chat_settings: Mapping[str, JsonValue] | None = None
) -> ChatAgentExecutionCache:
    await store.create_chat(A_CHAT)
    for name, value in (chat_settings or {}).items():
        await store.save_chat_setting(CHAT, name, value)
    return ChatAgentExecutionCache(execution_ports(store, held))


async def test_the_same_settings_give_the_same_execution(store: Store) -> None:
    held = [SETTINGS]
    cache = await cache_of(store, held)

    first = await cache.of(A_CHAT)
    held.append(SETTINGS.model_copy(update={"theme": "dark"}))
    second = await cache.of(A_CHAT)
    held.append(SETTINGS.model_copy(update={"instructions": "Rhyme."}))
    third = await cache.of(A_CHAT)

    assert first is second is not third
    assert (first.model, first.prelude.system, first.window.tokens) == ("here/m", "Be brief.", 100_000)
    assert third.prelude.system == "Be brief.\n\n<user_instructions>\nRhyme.\n</user_instructions>"
    assert cache.last(CHAT) is third


async def test_a_chats_own_settings_go_before_those_of_the_app(store: Store) -> None:
    """A7: defaults < app < chat."""
    cache = await cache_of(store, [SETTINGS], {"temperature": 0.25, "prompt_mode": "lean"})

    found = await cache.of(A_CHAT)

    assert (found.sampling.temperature, found.prelude.system) == (0.25, "Be lean.")


async def test_the_model_of_the_turn_goes_before_the_chats_and_that_before_the_default(store: Store) -> None:
    cache = await cache_of(store, [SETTINGS])
    chat = Chat(id=CHAT, title="", created_at=NOW, updated_at=NOW, rev=0, head=None, model=ModelId("here/n"))

    models = [
        (await cache.of(A_CHAT)).model,
        (await cache.of(chat)).model,
        (await cache.of(chat, ModelId("builtin/extractive"))).model,
    ]

    assert models == ["here/m", "here/n", "builtin/extractive"]


async def test_with_nothing_chosen_a_model_that_needs_no_set_up_answers(store: Store) -> None:
    """A3."""
    cache = await cache_of(store, [Settings()])

    assert (await cache.of(A_CHAT)).model == "builtin/extractive"


async def test_a_model_that_is_not_set_up_any_more_is_told_by_name(store: Store) -> None:
    cache = await cache_of(store, [Settings(model="gone/m")])

    with pytest.raises(NoModel, match="'gone/m'"):
        await cache.of(A_CHAT)


async def test_a_window_that_the_person_gave_goes_before_any_registry(store: Store) -> None:
    held = [
        Settings.model_validate(
            SETTINGS.model_dump() | {"model_overrides": {"here/m": {"window_tokens": 4096}}}
        )
    ]
    cache = await cache_of(store, held)

    assert (await cache.of(A_CHAT)).window.tokens == 4096


async def test_a_fallback_that_is_not_set_up_any_more_is_passed_over(store: Store) -> None:
    """A6: it would end the turn with its own failure, and hide the first model's."""
    listed = SETTINGS.model_copy(update={"fallback_models": ("gone/m", "here/m", "here/n")})
    there = HERE.model_copy(update={"id": "gone"})
    held = [listed]
    cache = await cache_of(store, held)

    without = await cache.of(A_CHAT)
    held.append(listed.model_copy(update={"endpoints": (HERE, there)}))
    again = await cache.of(A_CHAT)

    assert without.fallbacks == ("here/n",)
    assert again.fallbacks == ("gone/m", "here/n")


async def test_hooks_of_a_chat_s_own_are_none(store: Store) -> None:
    """A16: a chat may come from elsewhere, and what it says must run nothing."""
    own: dict[str, JsonValue] = {"hooks": [{"event": "before_send", "command": "touch ran", "enabled": True}]}
    cache = await cache_of(store, [SETTINGS], own)

    assert (await cache.of(A_CHAT)).hooks == ()


async def test_a_model_that_can_use_only_some_tools_is_offered_those_and_no_skill(store: Store) -> None:
    """Q1: the embedded model chooses a file, and can do no more."""
    chat = await opened(
        store,
        offers=(*ALWAYS, *IN_A_WORKSPACE),
        skills=[Skill(name="brief", description="", text="Be brief.")],
        facts=ModelFacts(window_tokens=8_192, only_tools=("file_read",)),
    )
    chat.gateway.say(answer("Hello."))

    await chat.ask("Hi.")
    await chat.session.aclose()

    assert [tool.name for tool in chat.gateway.requests[0].prelude.tools] == ["file_read"]
