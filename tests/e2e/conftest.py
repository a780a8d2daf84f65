"""The whole application without its window, against the simulator in both wire forms; one worker for all tests."""

# pyright: reportPrivateUsage=false

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

import pytest
import pytest_asyncio

from app.agent.session import ChatSession
from app.bootstrap.application import Application
from app.core.entries import Origin
from app.core.events import TurnCompleted, TurnEvent, TurnFailed, TurnStopped
from app.core.ids import ChatId, EntryId, ModelId
from app.settings import Endpoint, Paths
from app.tasks import SystemClock
from tests.simulator import Simulator
from tests.simulator.counting import Counter
from tests.simulator.script import own_answer

KEY = "sk-CANARY-123456"
MODELS = {"openai": ModelId("o/gpt-4o"), "anthropic": ModelId("a/claude-sonnet-4-5")}
_ENDS = (TurnCompleted, TurnFailed, TurnStopped)


class HurriedClock(SystemClock):
    """Waits are short here: what is waited for is tested with a clock of its own."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(min(seconds, 0.02))


@dataclass(slots=True, kw_only=True)
class Talk:
    """A new chat with one model, and all that it told."""

    application: Application
    simulator: Simulator
    session: ChatSession
    events: list[TurnEvent] = field(default_factory=list[TurnEvent])

    @property
    def id(self) -> ChatId:
        return self.session.conversation.id

    def last(self, origin: Origin) -> EntryId:
        path = self.session.conversation.path
        return next(entry.id for entry in reversed(path) if entry.origin is origin)

    async def ask(self, text: str) -> TurnEvent:
        await self.session.send(text)
        return await self.end()

    async def retry(self) -> TurnEvent:
        await self.session.retry(self.last(Origin.USER))
        return await self.end()

    async def end(self) -> TurnEvent:
        await self.session.settled()
        return next(event for event in reversed(self.events) if isinstance(event, _ENDS))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _simulator() -> AsyncIterator[Simulator]:
    async with Simulator() as running:
        yield running


@pytest.fixture
def simulator(_simulator: Simulator) -> Iterator[Simulator]:
    _simulator.reset()
    yield _simulator
    _simulator.reset()
    _simulator.tokens_per_s = None
    _simulator.counter = Counter()
    _simulator.script.otherwise = own_answer


@pytest_asyncio.fixture(loop_scope="session")
async def application(_application: Application) -> AsyncIterator[Application]:
    """With the settings that it had, whatever a test makes of them, and without its chats: they keep their caches
    warm for minutes, by requests that the next test would take for its own."""
    before, others = _application.settings, set(_application._sessions)
    yield _application
    for chat_id in set(_application._sessions) - others:
        await _application._sessions.pop(chat_id).aclose()
    kept = before.model_dump(mode="json")
    changed = {
        name: value
        for name, value in kept.items()
        if value != _application.settings.model_dump(mode="json")[name]
    }
    if changed:
        await _application.change(**changed)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _application(
    _simulator: Simulator, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Application]:
    import keyring.core

    with pytest.MonkeyPatch.context() as patch:  # keys for this session only: no real keyring is touched
        patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
        patch.setattr(keyring.core, "_keyring_backend", None)
        running = Application(Paths(data=tmp_path_factory.mktemp("e2e") / "data"), on_error=pytest.fail)  # pyright: ignore[reportArgumentType]  # never returns
        running.clock = HurriedClock()
        await running.prepare()
        await running.start()
        for endpoint in (
            Endpoint(id="o", kind="compatible", name="OpenAI's form", base_url=_simulator.openai_url),
            Endpoint(id="a", kind="anthropic", name="Anthropic's form", base_url=_simulator.base_url),
        ):
            await running.endpoints.add(endpoint, KEY)
        await running.change(write_titles=False)
        await running.text.count(("Are you there?",), "o200k")  # it comes up when it is asked
        yield running
        await running.aclose()


async def talk(application: Application, simulator: Simulator, model: ModelId) -> Talk:
    chat_id, _ = await application.library.new_chat(title="A talk", model=model)
    session = await application.session(chat_id)
    found = Talk(application=application, simulator=simulator, session=session)
    session.watch(found.events.append)
    return found
