"""An open chat with a Claude behind the simulator, whose clock and the program's are moved at once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from app.agent.tools.tool import Tool
from app.core.events import TurnCompleted
from app.core.records import RequestKind, RequestRecord
from app.models.registry import ModelFacts, Prices
from app.providers.gateway import LiteLLMGateway
from app.settings import Endpoint, Paths, Settings
from app.store.store import Store
from tests.app.agent.opening import Opened, opened
from tests.app.providers.conftest import _simulator, gateway, simulator  # pyright: ignore[reportPrivateUsage]
from tests.fakes import until
from tests.simulator import Simulator, Turn

__all__ = ["_simulator", "gateway", "simulator"]

CLAUDE = ModelFacts(
    window_tokens=200_000,
    prices=Prices(
        input_usd=3e-6, output_usd=15e-6, cached_usd=3e-7, cache_write_usd=3.75e-6, cache_write_1h_usd=6e-6
    ),
)
PROSE = " ".join(f"word{n}" for n in range(1500))
TTL_S = 300


class Warm:
    """An open chat with a Claude behind the simulator, and time that passes for both."""

    def __init__(self, chat: Opened, simulator: Simulator, offers: list[Tool]) -> None:
        self.chat = chat
        self.offers = offers
        self.simulator = simulator

    @property
    def probes(self) -> list[RequestRecord]:
        return [item for item in self.chat.session.conversation.requests if item.kind is RequestKind.PROBE]

    @property
    def last(self) -> RequestRecord:
        return self.chat.session.conversation.requests[-1]

    async def ask(self, text: str) -> RequestRecord:
        """Its record, when all that follows an answer is done."""
        assert isinstance(await self.chat.ask(text), TurnCompleted)
        await self.rest()
        answers = (
            item for item in self.chat.session.conversation.requests if item.kind is RequestKind.ANSWER
        )
        return list(answers)[-1]

    async def talk(self) -> None:
        """Five questions with long answers."""
        for n in range(5):
            self.simulator.script.say(Turn(text=f"{n} {PROSE}"))
            await self.ask(f"Question {n}?")

    async def rest(self) -> None:
        """Until nobody works any more, but for those who sleep."""
        session, clock = self.chat.session, self.chat.clock
        await session._scope.wait("count")  # pyright: ignore[reportPrivateUsage]  # what follows an answer
        await asyncio.sleep(0.02)
        await until(lambda: session.keep_alive.next_at is None or session.keep_alive.next_at > clock.now())

    async def sleep(self, seconds: float) -> None:
        """The machine falls asleep, wakes, and is awake for half a minute."""
        self.simulator.clock.advance(seconds + 30)
        self.chat.clock.fall_asleep(seconds)
        self.chat.clock.advance(30)
        await self.rest()

    async def advance(self, seconds: float) -> None:
        """Let time pass in steps, so that whoever wakes can act in time."""
        while seconds > 0:
            step = min(seconds, 20)
            self.simulator.clock.advance(step)
            self.chat.clock.advance(step)
            seconds -= step
            await self.rest()


@pytest_asyncio.fixture(loop_scope="session")
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(Paths(data=tmp_path))
    yield store
    await store.aclose()


@pytest_asyncio.fixture(loop_scope="session")
async def warm(store: Store, gateway: LiteLLMGateway, simulator: Simulator) -> AsyncIterator[Warm]:
    endpoint = Endpoint(id="e", kind="anthropic", name="Simulated", base_url=simulator.base_url)
    settings = Settings(endpoints=(endpoint,), model="e/claude-sonnet-4-5", write_titles=False)
    offers: list[Tool] = []
    chat = await opened(store, settings=settings, wire=gateway, facts=CLAUDE, offers=offers)
    yield Warm(chat, simulator, offers)
    await chat.session.aclose()
    assert chat.errors == []


def replace_settings(warm: Warm, **values: object) -> Settings:
    return Settings.model_validate(warm.chat.settings[-1].model_dump() | values)
