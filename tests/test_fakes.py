"""The fakes keep the promises of what they stand in for."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from app.agent.ports import Gateway, Target
from app.context.ports import Clock
from app.core.errors import ProviderError
from app.core.events import Accepted, Finished, GatewayEvent, UsageReported
from app.core.ids import ModelId
from app.core.parts import TextPart
from app.core.requests import Message, Prelude, Request, Role
from app.providers.gateway import LiteLLMGateway
from app.providers.templates import BUILTIN
from app.settings import Endpoint, Paths
from app.store.secrets import Secrets
from app.tasks import SystemClock
from app.vault.vault import Vault
from tests.fakes import FakeClock, ScriptedGateway, answer

REQUEST = Request(
    model=ModelId("builtin/extractive"),
    prelude=Prelude(system=""),
    messages=(Message(role=Role.USER, parts=(TextPart(text="Hello?"),)),),
)
ANSWERS = Target(endpoint=BUILTIN, name="extractive")
REFUSES = Target(endpoint=Endpoint(id="x", kind="unknown", name="Nobody", needs_key=True), name="m")


@pytest.fixture(params=["scripted", "real"])
async def gateway(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Gateway, None]:
    if request.param == "scripted":
        scripted = ScriptedGateway()
        yield scripted
    else:
        paths = Paths(data=tmp_path)
        real = LiteLLMGateway(_NoKeys(paths), Vault(paths.vault))
        yield real
        await real.aclose()


class _NoKeys(Secrets):
    async def get(self, name: str) -> str | None:
        return None


async def test_an_answer_begins_accepted_ends_finished_and_reports_usage_once(gateway: Gateway) -> None:
    events = [event async for event in gateway.stream(REQUEST, ANSWERS)]

    assert isinstance(events[0], Accepted)
    assert isinstance(events[-1], Finished)
    assert sum(isinstance(event, UsageReported) for event in events) == 1


async def test_an_answer_that_is_closed_early_tells_nothing_more(gateway: Gateway) -> None:
    stream = gateway.stream(REQUEST, ANSWERS)
    first: list[GatewayEvent] = [await anext(stream)]

    await stream.aclose()

    assert [event async for event in stream] == []
    assert first == [Accepted()]


async def test_a_refusal_is_raised_in_words(gateway: Gateway) -> None:
    if isinstance(gateway, ScriptedGateway):
        gateway.say((ProviderError("Nobody needs a key."),))

    with pytest.raises(ProviderError, match="Nobody"):
        [event async for event in gateway.stream(REQUEST, REFUSES)]


async def test_a_scripted_gateway_keeps_what_the_model_saw() -> None:
    gateway = ScriptedGateway()
    gateway.say(answer("One."), answer("Two."))

    told = [[event async for event in gateway.stream(REQUEST, ANSWERS)] for _ in range(2)]

    assert [tuple(events) for events in told] == [answer("One."), answer("Two.")]
    assert (gateway.requests, gateway.targets, gateway.n_open) == ([REQUEST] * 2, [ANSWERS] * 2, 0)


@pytest.mark.parametrize("kind", [SystemClock, FakeClock])
async def test_who_sleeps_wakes_when_the_time_has_passed(kind: Callable[[], Clock]) -> None:
    clock = kind()
    began, began_s = clock.now(), clock.monotonic()
    woken: list[str] = []

    async def sleep(name: str, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append(name)

    async with asyncio.TaskGroup() as group:
        group.create_task(sleep("long", 0.02))
        group.create_task(sleep("short", 0.01))
        await asyncio.sleep(0)
        if isinstance(clock, FakeClock):
            assert woken == []
            clock.advance(0.02)

    assert woken == ["short", "long"]
    assert clock.monotonic() - began_s >= 0.02
    assert clock.now() - began >= timedelta(seconds=0.019)
    assert clock.now().utcoffset() == timedelta(0)
