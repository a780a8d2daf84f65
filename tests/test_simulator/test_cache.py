"""Prompt caches hit, miss, grow old and are billed as each provider says (P3, P4, P7, P10)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.simulator import Simulator
from tests.test_simulator.client import HOUR_MARK, MARK, USER, anthropic, assistant, openai, text, user

_LONG = " ".join(f"fact {number} is known." for number in range(400))  # about 2,500 tokens


def _short(number: int) -> dict[str, object]:
    return {"role": "assistant" if number % 2 else "user", "content": f"line {number}"}


async def _usage(sim: Simulator, **body: object) -> tuple[int, int, int]:
    """What Anthropic bills as (plain, written, read) input tokens."""
    usage = (await anthropic(sim, max_tokens=1, **body)).json["usage"]
    return usage["input_tokens"], usage["cache_creation_input_tokens"], usage["cache_read_input_tokens"]


async def test_a_marked_prefix_is_written_once_then_read(simulator: Simulator) -> None:
    system = [text(_LONG, **MARK)]

    plain, written, read = await _usage(simulator, system=system)
    again = await _usage(simulator, system=system, messages=[{"role": "user", "content": "Another question"}])

    assert (written > 2000, read) == (True, 0)
    assert again[1:] == (0, written)
    assert plain + written == simulator.requests[0].prompt_tokens


async def test_without_a_marker_nothing_is_cached(simulator: Simulator) -> None:
    for _ in range(2):
        assert (await _usage(simulator, system=[text(_LONG)]))[1:] == (0, 0)


async def test_a_prefix_below_the_model_s_minimum_is_silently_not_cached(simulator: Simulator) -> None:
    system = [text(_LONG, **MARK)]

    await _usage(simulator, model="claude-opus-4-5", system=system)

    assert await _usage(simulator, model="claude-opus-4-5", system=system) == (
        simulator.requests[0].prompt_tokens,
        0,
        0,
    )


async def test_a_conversation_that_only_grows_reads_what_it_wrote(simulator: Simulator) -> None:
    first = [user(text(_LONG, **MARK))]
    longer = [user(text(_LONG)), assistant(text("Yes.")), user(text("And then?", **MARK))]

    _, written, _ = await _usage(simulator, messages=first)
    _, added, read = await _usage(simulator, messages=longer)

    assert read == written
    assert 0 < added < 30


async def test_a_changed_byte_in_the_prefix_misses(simulator: Simulator) -> None:
    await _usage(simulator, system=[text(_LONG, **MARK)])

    _, written, read = await _usage(simulator, system=[text(_LONG.replace("fact 3 ", "fact 4 "), **MARK)])

    assert (written > 2000, read) == (True, 0)


@pytest.mark.parametrize(("n_new", "hits"), [(19, True), (20, False)])
async def test_a_marker_looks_back_twenty_blocks(simulator: Simulator, n_new: int, hits: bool) -> None:
    """The marked block is the first of the twenty."""
    await _usage(simulator, system=[text(_LONG, **MARK)], messages=[USER])
    messages: list[Any] = [_short(number) for number in range(n_new - 1)]

    messages.append({"role": "user" if n_new % 2 else "assistant", "content": [text("end", **MARK)]})
    if n_new % 2 == 0:
        messages = [{**message, "role": "user"} for message in messages]
    _, _, read = await _usage(simulator, system=[text(_LONG)], messages=messages)

    assert (read > 2000) is hits


async def test_an_entry_lives_five_minutes_after_its_last_use(simulator: Simulator) -> None:
    system = [text(_LONG, **MARK)]
    await _usage(simulator, system=system)

    reads = list[bool]()
    for seconds in (299, 299, 301):
        simulator.clock.advance(seconds)
        reads.append((await _usage(simulator, system=system))[2] > 0)

    assert reads == [True, True, False]


async def test_an_hour_s_entry_lives_an_hour_and_is_billed_apart(simulator: Simulator) -> None:
    body: dict[str, Any] = {"system": [text(_LONG, **HOUR_MARK)], "messages": [user(text(_LONG, **MARK))]}

    first = (await anthropic(simulator, max_tokens=1, **body)).json["usage"]
    simulator.clock.advance(3590)
    _, written, read = await _usage(simulator, **body)

    kinds = first["cache_creation"]
    assert kinds["ephemeral_1h_input_tokens"] == read
    assert kinds["ephemeral_5m_input_tokens"] == written
    assert first["cache_creation_input_tokens"] == read + written


async def test_another_tool_choice_voids_the_messages_but_not_the_system(simulator: Simulator) -> None:
    tools = [{"name": "ls", "input_schema": {"type": "object"}}]
    body: dict[str, Any] = {
        "tools": tools,
        "system": [text(_LONG, **MARK)],
        "messages": [user(text(_LONG, **MARK))],
    }
    _, written, _ = await _usage(simulator, **body)

    _, again, read = await _usage(simulator, **body, tool_choice={"type": "any"})

    assert 0 < read < written
    assert again + read == written


async def test_a_refused_request_writes_nothing(simulator: Simulator) -> None:
    system = [text(_LONG, **MARK)]
    await anthropic(simulator, system=system, messages=[])

    assert (await _usage(simulator, system=system))[2] == 0


async def test_a_warm_up_without_output_fills_the_cache(simulator: Simulator) -> None:
    system = [text(_LONG, **MARK)]
    await anthropic(simulator, system=system, max_tokens=0)

    assert (await _usage(simulator, system=system))[2] > 2000


async def _cached(sim: Simulator, model: str, words: str, **body: object) -> int:
    messages = [{"role": "user", "content": words}]
    usage = (await openai(sim, model, messages=messages, **body)).json["usage"]
    return usage["prompt_tokens_details"]["cached_tokens"]


async def test_openai_caches_by_itself_in_steps_of_128(simulator: Simulator) -> None:
    assert await _cached(simulator, "gpt-4o", _LONG) == 0

    cached = await _cached(simulator, "gpt-4o", _LONG + " One more thing.")

    assert cached % 128 == 0
    assert simulator.requests[0].prompt_tokens - 256 < cached < simulator.requests[0].prompt_tokens


async def test_openai_caches_nothing_below_1024_tokens(simulator: Simulator) -> None:
    words = _LONG[:3000]

    await _cached(simulator, "gpt-4o", words)

    assert await _cached(simulator, "gpt-4o", words) == 0
    assert 500 < simulator.requests[0].prompt_tokens < 1024


async def test_a_change_in_the_middle_keeps_what_is_before_it(simulator: Simulator) -> None:
    await _cached(simulator, "gpt-4o", _LONG)
    at = len(_LONG) * 3 // 4

    cached = await _cached(simulator, "gpt-4o", _LONG[:at] + "?" + _LONG[at + 1 :])

    assert 0.6 < cached / simulator.requests[0].prompt_tokens < 0.76


async def test_another_cache_key_is_another_machine(simulator: Simulator) -> None:
    await _cached(simulator, "gpt-4o", _LONG, prompt_cache_key="chat-1")

    assert await _cached(simulator, "gpt-4o", _LONG, prompt_cache_key="chat-2") == 0
    assert await _cached(simulator, "gpt-4o", _LONG, prompt_cache_key="chat-1") > 1024


async def test_openai_s_cache_cools_after_ten_idle_minutes(simulator: Simulator) -> None:
    await _cached(simulator, "gpt-4o", _LONG)
    simulator.clock.advance(601)

    assert await _cached(simulator, "gpt-4o", _LONG) == 0


async def test_deepseek_caches_in_steps_of_64_and_reports_hits_and_misses(simulator: Simulator) -> None:
    words = _LONG[:1000]
    await _cached(simulator, "deepseek-chat", words)

    usage = (await openai(simulator, "deepseek-chat", messages=[{"role": "user", "content": words}])).json[
        "usage"
    ]

    hit = usage["prompt_cache_hit_tokens"]
    assert (hit > 64, hit % 64) == (True, 0)
    assert hit + usage["prompt_cache_miss_tokens"] == usage["prompt_tokens"]


async def test_qwen_caches_at_markers_and_says_so(simulator: Simulator) -> None:
    messages = [{"role": "system", "content": [text(_LONG, **MARK)]}, USER]

    first = (await openai(simulator, "qwen-plus", messages=messages)).json["usage"]["prompt_tokens_details"]
    second = (await openai(simulator, "qwen-plus", messages=messages)).json["usage"]["prompt_tokens_details"]

    assert first["cache_creation_input_tokens"] == second["cached_tokens"] > 2000
    assert (first["cached_tokens"], second["cache_creation_input_tokens"]) == (0, 0)


async def test_caches_belong_to_a_model(simulator: Simulator) -> None:
    await _cached(simulator, "gpt-4o", _LONG)

    assert await _cached(simulator, "gpt-4o-mini", _LONG) == 0
