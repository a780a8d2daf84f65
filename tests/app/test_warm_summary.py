"""Who writes a summary, as it arrives at a provider that caches: on the warm prefix where that costs less (C17)."""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from app.bootstrap.application import Application
from app.context.ports import NewEntry
from app.core.entries import Origin
from app.core.ids import ChatId, EntryId, ModelId
from app.core.parts import TextPart
from app.core.records import Compaction, RequestKind, RequestRecord
from app.settings import Endpoint, Paths
from tests.app.context.summary.making import FILLER
from tests.app.context.summary.making import answer as fields
from tests.app.store.conftest import empty_database
from tests.app.test_bootstrap import no_keyring, paths
from tests.simulator import Simulator, ToolCall, Turn
from tests.simulator.fixtures import simulator
from tests.simulator.script import last_user_text
from tests.simulator.wire import Body, mappings, string

__all__ = ("empty_database", "no_keyring", "paths", "simulator")

_N_PAIRS = 30
_GOAL = "Tidy src/file_3.py"


@dataclass
class Talk:
    """A long chat at the simulator, whose last request its cache holds."""

    application: Application
    simulator: Simulator
    chat_id: ChatId

    async def ask(self, text: str) -> None:
        session = await self.application.session(self.chat_id)
        await session.send(text)
        await session.settled()

    async def compress(self) -> tuple[Compaction, list[Body], list[RequestRecord]]:
        """What was made, the bodies that asked for it, and how they were written down."""
        n = len(self.simulator.chats)
        made = await (await self.application.uses.folding(self.chat_id)).compress(target_tokens=4_000)
        stored = await self.application.store.requests(self.chat_id)
        written = [record for record in stored if record.kind is RequestKind.SUMMARY]
        return made, [record.body for record in self.simulator.chats[n:]], written


@pytest.fixture
async def talk(paths: Paths, simulator: Simulator) -> AsyncIterator[Talk]:
    application = await Application.open(paths)
    endpoint = Endpoint(
        id="sim", kind="openai", name="Simulated", base_url=simulator.openai_url, models=("gpt-4o",)
    )
    await application.endpoints.add(endpoint, "sk-test")
    await application.change(model="sim/gpt-4o", write_titles=False, instructions="Be a good clerk.")
    await application.gateway.start()
    simulator.script.otherwise = _answered
    chat_id, _ = await application.library.new_chat(title="Given")
    entries: list[NewEntry] = []
    for n in range(2 * _N_PAIRS):
        origin = Origin.ASSISTANT if n % 2 else Origin.USER
        part = TextPart(text=f"About src/file_{n}.py, which took {n * 37 + 1000} ms: {FILLER * 9}{n}")
        above = entries[-1].id if entries else None
        entries.append(NewEntry(id=EntryId(f"e{n}"), parent_id=above, origin=origin, parts=(part,)))
    await application.store.append(chat_id, entries)
    found = Talk(application=application, simulator=simulator, chat_id=chat_id)
    await found.ask("And now?")
    yield found
    await application.aclose()


def _answered(body: Body) -> Turn:
    """A summary where one is asked for."""
    system = "".join(string(one.get("content")) for one in mappings(body.get("messages")) if _is_system(one))
    is_asked = "JSON" in last_user_text(body) or "JSON" in system
    return Turn(text=fields(user_goal=_GOAL, active_state="Files were read") if is_asked else "Fine.")


def _is_system(message: Body) -> bool:
    return message.get("role") in ("system", "developer")


def _prefix(body: Mapping[str, object]) -> str:
    """Everything of a request but how it samples."""
    return json.dumps([body.get("tools"), body.get("messages")], ensure_ascii=False)[:-2]


async def test_on_its_warm_prefix_the_main_model_reads_the_chat_from_the_cache(talk: Talk) -> None:
    """C17: same system, tools and history to the byte, one instruction after them."""
    asked = talk.simulator.chats[-1].body

    made, bodies, written = await talk.compress()

    last = mappings(bodies[0].get("messages"))[-1]
    assert _prefix(bodies[0]).startswith(_prefix(asked))
    assert len(mappings(bodies[0].get("messages"))) == len(mappings(asked.get("messages"))) + 2
    assert last["role"] == "user"
    assert "Sum up what stands before" in string(last["content"])
    assert bodies[0].get("prompt_cache_key") == asked.get("prompt_cache_key")
    assert written[0].usage
    assert written[0].usage.cached_tokens > 0.95 * written[0].usage.prompt_tokens - 600
    assert made.model == ModelId("sim/gpt-4o")
    assert json.loads(made.summary)["user_goal"] == _GOAL
    assert made.cost_usd == pytest.approx(sum(record.cost_usd or 0.0 for record in written))
    assert any("has the chat in its cache" in step.why for step in made.steps)


async def test_once_the_cache_is_cold_the_run_alone_is_read(talk: Talk) -> None:
    talk.simulator.clock.advance(700)
    session = await talk.application.session(talk.chat_id)
    old = session.conversation.requests[-1]
    session.conversation.requests[-1] = _older(old)

    _, bodies, written = await talk.compress()

    messages = mappings(bodies[0].get("messages"))
    assert [message["role"] for message in messages] == ["system", "user"]
    assert "<conversation>" in string(messages[-1]["content"])
    assert written[0].usage
    assert written[0].usage.cached_tokens == 0


async def test_a_lite_model_that_costs_less_than_the_cache_writes(talk: Talk) -> None:
    endpoint = talk.application.settings.endpoints[0].model_copy(update={"models": ("gpt-4o", "gpt-4o-mini")})
    await talk.application.endpoints.add(endpoint)

    made, bodies, _ = await talk.compress()

    assert bodies[0]["model"] == "gpt-4o-mini"
    assert made.model == ModelId("sim/gpt-4o-mini")
    assert any("The lite model costs least." in step.why for step in made.steps)


async def test_a_lite_model_whose_window_is_too_small_is_passed_over_and_that_is_told(talk: Talk) -> None:
    """C17: the ratio shield."""
    endpoint = talk.application.settings.endpoints[0].model_copy(update={"models": ("gpt-4o", "gpt-4o-mini")})
    await talk.application.endpoints.add(endpoint)
    await talk.application.change(
        lite_model="sim/gpt-4o-mini", model_overrides={"sim/gpt-4o-mini": {"window_tokens": 4_000}}
    )

    made, bodies, _ = await talk.compress()

    assert {body["model"] for body in bodies} == {"gpt-4o"}
    assert any("window is too small for this chat" in step.why for step in made.steps)


async def test_a_model_that_calls_a_tool_instead_is_given_the_run_alone(talk: Talk) -> None:
    talk.simulator.script.say(Turn(tool_calls=(ToolCall(name="ls"),)))

    made, bodies, written = await talk.compress()

    assert len(bodies) >= 2
    assert "<conversation>" in json.dumps(bodies[1])
    assert json.loads(made.summary)["user_goal"] == _GOAL
    assert len(written) == len(bodies)
    assert talk.application.breakers.states == {}


async def test_every_request_is_written_down_with_its_price_and_stays_out_of_the_chats_own(
    talk: Talk,
) -> None:
    """After a restart, too: what a chat cost adds up from its requests."""
    made, bodies, written = await talk.compress()

    stored = await talk.application.store.requests(talk.chat_id)
    own = (await talk.application.session(talk.chat_id)).conversation.requests
    assert len(written) == len(bodies)
    assert [record.kind for record in own] == [RequestKind.ANSWER]
    assert sum(record.cost_usd or 0 for record in stored) == pytest.approx(
        (made.cost_usd or 0) + (own[0].cost_usd or 0)
    )


def _older(record: RequestRecord) -> RequestRecord:
    return replace(record, created_at=record.created_at - timedelta(seconds=700))
