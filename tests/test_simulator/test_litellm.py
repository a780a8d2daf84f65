"""The simulator satisfies the library through which the app speaks to providers, in both forms."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.simulator import Kind, Simulator, ToolCall, Turn
from tests.simulator.faults import Fault
from tests.simulator.script import own_answer
from tests.test_simulator.client import MARK, USER, text

pytestmark = [
    pytest.mark.slow,
    # The library's own habits (pydantic, its logging worker); what is tested here is what it reads.
    pytest.mark.filterwarnings("ignore"),
]

_LONG = " ".join(f"fact {number} is known." for number in range(400))


@pytest.fixture(scope="module")
def litellm() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        patch.setenv("LITELLM_MODE", "PRODUCTION")
        return pytest.importorskip("litellm")


async def _stream(litellm: Any, **body: Any) -> Any:
    stream = await litellm.acompletion(
        stream=True,
        stream_options={"include_usage": True},
        api_key="sk-test",
        max_retries=0,
        num_retries=0,
        **body,
    )
    return litellm.stream_chunk_builder([chunk async for chunk in stream])


def _forms(sim: Simulator) -> dict[str, dict[str, str]]:
    return {
        "openai": {"model": "openai/gpt-4o", "api_base": sim.openai_url},
        "deepseek": {"model": "deepseek/deepseek-reasoner", "api_base": sim.openai_url},
        "anthropic": {"model": "anthropic/claude-sonnet-4-5", "api_base": sim.base_url},
    }


@pytest.mark.parametrize("form", ["openai", "deepseek", "anthropic"])
async def test_litellm_reads_text_and_usage(litellm: Any, simulator: Simulator, form: str) -> None:
    reply = await _stream(litellm, messages=[USER], **_forms(simulator)[form])

    assert reply.choices[0].message.content == own_answer({"messages": [USER]}).text
    assert reply.usage.prompt_tokens == simulator.requests[-1].prompt_tokens


@pytest.mark.parametrize("form", ["openai", "deepseek", "anthropic"])
async def test_litellm_reads_calls_and_its_replay_is_accepted(
    litellm: Any, simulator: Simulator, form: str
) -> None:
    calls = tuple(ToolCall(name="ls", arguments=json.dumps({"path": path})) for path in "ab")
    simulator.script.say(Turn(reasoning="I look.", text="Looking.", tool_calls=calls), Turn(text="Two."))
    tool: dict[str, Any] = {
        "type": "function",
        "function": {"name": "ls", "parameters": {"type": "object", "properties": {}}},
    }
    thinking = {"thinking": {"type": "enabled", "budget_tokens": 1024}} if form == "anthropic" else {}
    common: dict[str, Any] = {"tools": [tool], **thinking, **_forms(simulator)[form]}

    said = (await _stream(litellm, messages=[USER], **common)).choices[0].message.model_dump()
    results = [{"role": "tool", "tool_call_id": made["id"], "content": "x"} for made in said["tool_calls"]]
    after = await _stream(litellm, messages=[USER, said, *results], **common)

    assert [json.loads(made["function"]["arguments"]) for made in said["tool_calls"]] == [
        {"path": "a"},
        {"path": "b"},
    ]
    assert after.choices[0].message.content == "Two."


async def test_litellm_brings_cache_markers_to_the_simulator(litellm: Any, simulator: Simulator) -> None:
    messages = [{"role": "system", "content": [text(_LONG, **MARK)]}, USER]

    usages = [
        (await _stream(litellm, messages=messages, **_forms(simulator)["anthropic"])).usage for _ in range(2)
    ]

    assert usages[0].cache_creation_input_tokens == usages[1].cache_read_input_tokens > 2000


@pytest.mark.parametrize(
    ("form", "words"), [("openai", "maximum context length"), ("anthropic", "prompt is too long")]
)
async def test_litellm_knows_an_overflow_by_its_words(litellm: Any, form: str, words: str) -> None:
    async with Simulator(windows={"gpt-4o": 100, "claude-sonnet-4-5": 100}) as sim:
        with pytest.raises(litellm.ContextWindowExceededError, match=words):
            await _stream(litellm, messages=[{"role": "user", "content": _LONG}], **_forms(sim)[form])


@pytest.mark.parametrize("kind", [Kind.CRLF, Kind.COMMENTS, Kind.SPLIT_BYTES])
async def test_litellm_reads_odd_framing(litellm: Any, simulator: Simulator, kind: Kind) -> None:
    simulator.faults.push(Fault(kind=kind))

    reply = await _stream(litellm, messages=[USER], **_forms(simulator)["openai"])

    assert reply.choices[0].message.content == own_answer({"messages": [USER]}).text
