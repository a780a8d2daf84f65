"""Whatever can go wrong on the way is produced on request (Q19)."""

from __future__ import annotations

import asyncio
import json
from email.utils import parsedate_to_datetime

import aiohttp
import pytest

from tests.simulator import Fault, Kind, Simulator, Turn
from tests.test_simulator.client import USER, Reply, anthropic, get, openai

_STREAM = {"stream": True, "stream_options": {"include_usage": True}}


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 413, 429, 500, 503, 529])
async def test_a_status_fault_speaks_in_both_forms_and_strikes_once(
    simulator: Simulator, status: int
) -> None:
    simulator.faults.push(Fault(status=status, times=2))

    one, other, third = await openai(simulator), await anthropic(simulator), await openai(simulator)

    assert [one.status, other.status, third.status] == [status, status, 200]
    assert one.json["error"]["message"]
    assert other.json["type"] == "error"
    assert [record.verdict for record in simulator.requests] == ["fault:status", "fault:status", "answered"]


async def test_anthropic_s_overload_has_its_own_type(simulator: Simulator) -> None:
    simulator.faults.push(Fault(status=529))

    assert (await anthropic(simulator)).json["error"] == {"type": "overloaded_error", "message": "Overloaded"}


async def test_retry_after_is_sent_in_seconds_as_a_date_or_not_at_all(simulator: Simulator) -> None:
    simulator.faults.push(
        Fault(status=429, retry_after_s=2),
        Fault(status=429, retry_after_s=90, retry_after_date=True),
        Fault(status=429),
    )

    seconds, date, none = [await openai(simulator) for _ in range(3)]

    until_s = parsedate_to_datetime(date.headers["Retry-After"]).timestamp() - simulator.clock.now()
    assert seconds.headers["Retry-After"] == "2"
    assert 85 < until_s <= 90
    assert "Retry-After" not in none.headers


@pytest.mark.parametrize(
    ("model", "status", "code"),
    [("gpt-4o", 429, "insufficient_quota"), ("deepseek-chat", 402, "invalid_request_error")],
)
async def test_an_empty_account_is_told_apart_from_a_rate_limit(
    simulator: Simulator, model: str, status: int, code: str
) -> None:
    simulator.faults.push(Fault(kind=Kind.QUOTA))

    reply = await openai(simulator, model)

    assert (reply.status, reply.json["error"]["code"]) == (status, code)


async def test_the_list_of_models_can_fail_apart(simulator: Simulator) -> None:
    simulator.faults.push(Fault(status=500, route="models"))
    key = {"Authorization": "Bearer sk"}

    replies = [
        await openai(simulator),
        await get(simulator, "/v1/models", key),
        await get(simulator, "/v1/models", key),
    ]

    assert [reply.status for reply in replies] == [200, 500, 200]


async def test_a_gateway_answers_in_html(simulator: Simulator) -> None:
    simulator.faults.push(Fault(kind=Kind.HTML))

    reply = await openai(simulator)

    assert (reply.status, reply.headers["Content-Type"]) == (502, "text/html; charset=utf-8")


@pytest.mark.parametrize("more", [{}, {"stream": True}])
async def test_half_a_json_text_comes_with_status_200(simulator: Simulator, more: dict[str, object]) -> None:
    simulator.faults.push(Fault(kind=Kind.INVALID_JSON))

    reply = await openai(simulator, **more)

    assert reply.status == 200
    with pytest.raises(ValueError):
        json.loads(reply.raw)


async def test_a_reset_closes_before_any_header(simulator: Simulator) -> None:
    simulator.faults.push(Fault(kind=Kind.RESET))

    with pytest.raises((aiohttp.ServerDisconnectedError, aiohttp.ClientOSError)):
        await openai(simulator)

    assert simulator.requests[-1].verdict == "fault:reset_before_headers"


async def _partial(sim: Simulator, **body: object) -> tuple[bytes, BaseException | None]:
    """What arrives of a stream, and how it ends for the client."""
    whole = {"model": "gpt-4o", "messages": [USER], "stream": True, **body}
    received, headers = b"", {"Authorization": "Bearer sk"}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{sim.openai_url}/chat/completions", json=whole, headers=headers) as response,
    ):
        try:
            async for chunk in response.content.iter_any():
                received += chunk
        except aiohttp.ClientPayloadError as error:
            return received, error
    return received, None


async def test_a_stream_is_cut_inside_an_event(simulator: Simulator) -> None:
    simulator.faults.push(Fault(kind=Kind.CUT, after_pieces=3))

    received, error = await _partial(simulator)

    assert isinstance(error, aiohttp.ClientPayloadError)
    assert not received.endswith(b"\n\n")
    assert (
        received.count(b'"content":') == 4
    )  # the opening delta and three pieces; the fourth event is cut before it
    record = simulator.requests[-1]
    assert (record.finished, record.client_disconnected, record.streamed_tokens > 0) == (False, False, True)


async def test_a_stream_is_cut_inside_a_character(simulator: Simulator) -> None:
    simulator.faults.push(Fault(kind=Kind.CUT_UTF8))

    received, error = await _partial(simulator)

    assert isinstance(error, aiohttp.ClientPayloadError)
    with pytest.raises(UnicodeDecodeError, match="unexpected end of data"):
        received.decode()


async def test_a_stream_that_ends_too_early_but_properly_has_no_end_mark(simulator: Simulator) -> None:
    simulator.faults.push(Fault(kind=Kind.CUT_CLEAN, after_pieces=2))

    received, error = await _partial(simulator)

    assert error is None
    assert received.endswith(b"\n\n")
    assert b"[DONE]" not in received


async def test_an_error_event_ends_a_stream_in_both_forms(simulator: Simulator) -> None:
    simulator.faults.push(Fault(kind=Kind.ERROR_EVENT, times=2))

    one, other = await openai(simulator, **_STREAM), await anthropic(simulator, stream=True)

    assert one.events[-1]["error"]["type"] == "server_error"
    assert other.events[-1] == {
        "type": "error",
        "error": {"type": "overloaded_error", "message": "Overloaded"},
    }


@pytest.mark.parametrize("kind", [Kind.STALL_FIRST, Kind.STALL_MID, Kind.SLOW_HEADERS])
async def test_a_stall_lasts_as_long_as_asked_and_then_goes_on(simulator: Simulator, kind: Kind) -> None:
    loop = asyncio.get_running_loop()
    simulator.faults.push(Fault(kind=kind, seconds=0.05))
    started = loop.time()

    reply = await openai(simulator, **_STREAM)

    assert loop.time() - started >= 0.05
    assert reply.raw.endswith(b"[DONE]\n\n")


async def test_usage_and_finish_reason_can_be_missing(simulator: Simulator) -> None:
    simulator.faults.push(Fault(kind=Kind.NO_USAGE, times=2), Fault(kind=Kind.NO_FINISH, times=2))

    no_usage, no_usage_either, no_finish, no_finish_either = [
        await openai(simulator, **_STREAM), await anthropic(simulator, stream=True),
        await openai(simulator, **_STREAM), await anthropic(simulator, stream=True),
    ]  # fmt: skip

    assert not any(event.get("usage") for event in no_usage.events)
    assert not any("usage" in event for event in no_usage_either.events)
    assert _finish_reasons(no_finish) == set()
    assert no_finish_either.events[-2]["delta"]["stop_reason"] is None


def _finish_reasons(reply: Reply) -> set[str]:
    choices = [choice for event in reply.events for choice in event["choices"]]
    return {choice["finish_reason"] for choice in choices if choice["finish_reason"]}


async def test_a_usage_chunk_can_lack_its_choices(simulator: Simulator) -> None:
    simulator.faults.push(Fault(kind=Kind.USAGE_WITHOUT_CHOICES))

    last = (await openai(simulator, **_STREAM)).events[-1]

    assert ("choices" in last, last["usage"]["prompt_tokens"] > 0) == (False, True)


@pytest.mark.parametrize(
    ("kind", "mark"),
    [
        (Kind.CRLF, b"\r\n\r\ndata: "),
        (Kind.TWO_DATA_LINES, b"data: {\ndata: "),
        (Kind.COMMENTS, b": keep-alive\n"),
        (Kind.SPLIT_BYTES, b"data: "),
    ],
)
async def test_odd_framing_carries_the_same_answer(simulator: Simulator, kind: Kind, mark: bytes) -> None:
    plain = await openai(simulator, **_STREAM)
    simulator.faults.push(Fault(kind=kind))

    odd = await openai(simulator, **_STREAM)

    assert (odd.text, mark in odd.raw) == (plain.text, True)


async def test_a_whole_reply_can_be_cut_too(simulator: Simulator) -> None:
    simulator.faults.push(Fault(kind=Kind.CUT))

    with pytest.raises(aiohttp.ClientPayloadError):
        await openai(simulator)


async def _verdicts(seed: int) -> list[str]:
    async with Simulator(fail_rate=0.4, seed=seed) as sim:
        for _ in range(50):
            sim.script.say(Turn(text="short"))
            try:
                await openai(sim, **_STREAM)
            except aiohttp.ClientError:
                continue
        return [record.verdict for record in sim.requests]


async def test_chance_fails_the_same_requests_for_the_same_seed() -> None:
    one, same, other = await _verdicts(1), await _verdicts(1), await _verdicts(2)

    n_failed = sum(verdict.startswith("fault:") for verdict in one)
    assert one == same != other
    assert 10 <= n_failed <= 30
