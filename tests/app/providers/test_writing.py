"""A summary written by a model over the wire: through the real worker, from the simulator (C17, C19, C21)."""

import pytest

from app.agent.asides import AsidePorts
from app.agent.breakers import Breakers
from app.agent.ports import Target
from app.agent.writer import ModelWriter, WriterPorts
from app.context.breaker import BreakerState
from app.context.summary.writer import Asking, Written, write_summary
from app.core.ids import ChatId, ModelId
from app.models.registry import ModelFacts, Prices
from app.models.window import Window
from app.providers.gateway import LiteLLMGateway
from app.store.store import Store
from app.tasks import SystemClock, TaskScope
from tests.app.context.summary.making import PROMPTS, answer
from tests.app.providers.asking import target_at, until
from tests.app.store.conftest import empty_database, paths, store
from tests.simulator import Fault, Kind, Simulator, Turn

__all__ = ["empty_database", "paths", "store"]

pytestmark = pytest.mark.asyncio(loop_scope="session")
FACTS = ModelFacts(prices=Prices(input_usd=0.001, output_usd=0.002))
ASKING = Asking(prompt=PROMPTS["summary.en"], language="en", language_name="English")
TALK = [f"Person: order #{n} goes to Lyon." for n in range(400)]


class Writing:
    """A writer and its breakers, behind the real worker."""

    def __init__(self, gateway: LiteLLMGateway, simulator: Simulator, store: Store) -> None:
        self.breakers = Breakers(store, SystemClock(), changed=lambda: None)
        ports = WriterPorts(
            asides=AsidePorts(store=store, gateway=gateway, clock=SystemClock()),
            breakers=self.breakers,
            lite=_nobody,
            known=_unknown,
        )
        self.writer = ModelWriter(
            target_at(simulator), FACTS, Window(tokens=128_000), ports, chat_id=ChatId("gone")
        )

    async def summary(self) -> Written:
        return await write_summary(
            TALK, ASKING, writer=self.writer, clock=SystemClock(), count=lambda text: len(text) // 4
        )


@pytest.fixture
def writing(gateway: LiteLLMGateway, simulator: Simulator, store: Store) -> Writing:
    return Writing(gateway, simulator, store)


async def test_a_summary_comes_over_the_wire_with_its_usage(writing: Writing, simulator: Simulator) -> None:
    simulator.script.say(Turn(text=answer(user_goal="Send 400 orders to Lyon")))

    reply = await writing.writer.write("Sum up.", "A talk.", max_tokens=500, on_progress=lambda: None)

    assert "Send 400 orders to Lyon" in reply.text
    assert reply.usage
    assert reply.usage.prompt_tokens > 0
    assert reply.cost_usd == pytest.approx(
        0.001 * reply.usage.prompt_tokens + 0.002 * reply.usage.completion_tokens
    )


async def test_the_whole_talk_is_summed_up_in_one_request(writing: Writing, simulator: Simulator) -> None:
    simulator.script.say(Turn(text=answer(user_goal="Send 400 orders to Lyon")))

    written = await writing.summary()

    assert written.is_whole
    assert written.summary
    assert written.summary.user_goal == "Send 400 orders to Lyon"
    assert "order #399" in str(simulator.requests[-1].body)


@pytest.mark.parametrize(
    "turn",
    [Turn(text="I'm sorry, I can't help with that."), Turn(text='{"user_goal": "', finish_reason="length")],
)
async def test_what_is_no_summary_is_none(writing: Writing, simulator: Simulator, turn: Turn) -> None:
    """Case B35."""
    simulator.script.say(turn)

    written = await writing.summary()

    assert written.summary is None
    assert written.why


async def test_a_provider_that_refuses_the_key_is_left_alone(writing: Writing, simulator: Simulator) -> None:
    """C20: at once."""
    simulator.faults.push(Fault(status=401))

    written = await writing.summary()

    assert written.summary is None
    assert writing.breakers.states == {ModelId("e/gpt-4o"): BreakerState.OPEN}


async def test_cancel_closes_the_connection(writing: Writing, simulator: Simulator) -> None:
    """C34."""
    simulator.faults.push(Fault(kind=Kind.SLOW_HEADERS, seconds=30))

    async def write() -> None:
        await writing.summary()

    async with TaskScope() as tasks:
        tasks.start("write", write())
        await until(lambda: bool(simulator.requests))

    await until(lambda: simulator.requests[-1].client_disconnected)
    assert writing.breakers.states == {}


async def _nobody(_execution: object) -> Target | None:
    return None


async def _unknown(_target: Target) -> tuple[ModelFacts, Window]:
    return FACTS, Window()
