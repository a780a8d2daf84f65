"""The real stack against the simulator: what comes in, what goes wrong, what Stop does."""

import asyncio
import json
import logging
import os
import signal
from contextlib import aclosing
from pathlib import Path

import pytest
from aiohttp import web

from app.agent.ports import Gateway, Target
from app.core.entries import Finish
from app.core.errors import ContextTooLong, ProviderError
from app.core.events import Accepted, Finished, TextArrived, ToolCallArrived, UsageReported
from app.core.requests import Request, Sampling
from app.core.usage import Usage
from app.providers.gateway import LiteLLMGateway
from app.settings import Endpoint
from app.tasks import TaskScope
from tests.app.providers.asking import (
    FIND,
    KEY,
    Keys,
    Originals,
    asking,
    events_of,
    target_at,
    text_of,
    until,
)
from tests.simulator import Fault, Kind, Simulator, ToolCall, Turn
from tests.simulator.wire import sequence, string

pytestmark = pytest.mark.asyncio(loop_scope="session")

CASES = json.loads((Path(__file__).parents[2] / "data" / "cases.json").read_text())
FORMS = [("openai", "gpt-4o"), ("anthropic", "claude-sonnet-4-5")]


def case(name: str) -> dict[str, object]:
    return next(item["input"] for item in CASES if item["id"] == name)


async def failure_of(
    gateway: LiteLLMGateway, target: Target, request: Request | None = None
) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await events_of(gateway, request or asking("Hi"), target)
    return caught.value


def at(url: str, **more: object) -> Target:
    endpoint = Endpoint.model_validate(
        {"id": "e", "kind": "compatible", "name": "Mine", "base_url": url, **more}
    )
    return Target(endpoint=endpoint, name="m")


def about_process(pid: int | None) -> str:
    """What anybody on this machine may see of a process."""
    files = (Path(f"/proc/{pid}/{name}") for name in ("cmdline", "environ"))
    return "".join(file.read_bytes().decode(errors="replace") for file in files)


# ---- what comes in


async def test_it_is_the_gateway_that_a_turn_asks_for() -> None:
    asked: Gateway = LiteLLMGateway(Keys(), Originals())

    assert not asked.is_ready


@pytest.mark.parametrize(("kind", "name"), FORMS)
async def test_an_answer_comes_as_accepted_text_usage_and_finish(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str
) -> None:
    simulator.script.say(Turn(text="Hello, 你好 😀."))

    events = await events_of(gateway, asking("Hi"), target_at(simulator, kind, name))

    record = simulator.requests[-1]
    assert text_of(events) == "Hello, 你好 😀."
    assert [type(event) for event in events if not isinstance(event, TextArrived)] == [
        Accepted,
        UsageReported,
        Finished,
    ]
    assert isinstance(events[-2], UsageReported)
    assert events[-2].usage.prompt_tokens == record.prompt_tokens
    assert events[-1] == Finished(finish=Finish.STOP)


@pytest.mark.parametrize(("kind", "name"), FORMS)
@pytest.mark.parametrize(
    "fault",
    [
        Kind.CRLF,
        Kind.TWO_DATA_LINES,
        Kind.COMMENTS,
        Kind.SPLIT_BYTES,
        Kind.USAGE_WITHOUT_CHOICES,
        Kind.NO_FINISH,
    ],
)
async def test_streams_that_are_odd_but_whole_are_read_as_whole(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str, fault: Kind
) -> None:
    """Cases B54 and B56: CRLF, comments, bytes cut anywhere, usage beside no choice, no reason to end."""
    simulator.script.say(Turn(text="Hello, 你好 😀."))
    simulator.faults.push(Fault(kind=fault))

    events = await events_of(gateway, asking("Hi"), target_at(simulator, kind, name))

    # SPLIT_BYTES puts wide characters of its own before the text.
    assert text_of(events).endswith("Hello, 你好 😀.")
    assert "\ufffd" not in text_of(events)
    assert events[-1] == Finished(finish=Finish.STOP)


async def test_an_answer_without_usage_reports_none(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    """Case B56: it is the caller's to estimate, and to mark it so."""
    simulator.faults.push(Fault(kind=Kind.NO_USAGE))

    events = await events_of(gateway, asking("Hi"), target_at(simulator))

    assert not [event for event in events if isinstance(event, UsageReported)]


async def test_characters_cut_between_two_writes_come_whole(gateway: LiteLLMGateway) -> None:
    """Case B54, its own bytes on the wire."""
    chunks = [bytes.fromhex(string(chunk)) for chunk in sequence(case("B54")["bytes_hex_chunks"])]

    async def handle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for chunk in chunks:
            await response.write(chunk)
            await asyncio.sleep(0.01)
        await response.write(b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
        return response

    app = web.Application()
    app.router.add_post("/v1/chat/completions", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        events = await events_of(gateway, asking("Hi"), at(f"http://127.0.0.1:{runner.addresses[0][1]}/v1"))
    finally:
        await runner.cleanup()

    assert text_of(events) == "你好😀"


@pytest.mark.parametrize(("kind", "name"), FORMS)
async def test_two_calls_stay_two(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str
) -> None:
    """Case B55: at one index, as some servers send them."""
    calls = tuple(ToolCall(name="find", arguments=json.dumps({"q": q}), id=q * 4, index=0) for q in "xy")
    simulator.script.say(Turn(tool_calls=calls))

    events = await events_of(gateway, asking("Find", tools=(FIND,)), target_at(simulator, kind, name))

    found = [event for event in events if isinstance(event, ToolCallArrived)]
    assert ["".join(event.arguments for event in found if event.index == index) for index in (0, 1)] == [
        '{"q": "x"}',
        '{"q": "y"}',
    ]
    assert [event.call_id for event in found if event.call_id] == ["xxxx", "yyyy"]
    assert isinstance(events[-1], Finished)
    assert events[-1].finish is Finish.TOOL_CALLS


@pytest.mark.parametrize(("kind", "name"), FORMS)
async def test_an_answer_at_its_limit_says_so(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str
) -> None:
    simulator.script.say(Turn(text="word " * 500))

    events = await events_of(
        gateway, asking("Hi", sampling=Sampling(max_tokens=20)), target_at(simulator, kind, name)
    )

    assert events[-1] == Finished(finish=Finish.LENGTH)


# ---- what goes wrong (Q19)


@pytest.mark.parametrize(("kind", "name"), FORMS)
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault(status=400), "bad_request"),
        (Fault(status=401), "key_wrong"),
        (Fault(status=403), "forbidden"),
        (Fault(status=404), "model_missing"),
        (Fault(status=408), "timeout"),
        (Fault(status=413), "too_large"),
        (Fault(status=422), "bad_request"),
        (Fault(status=429), "rate_limited"),
        (Fault(status=500), "server_error"),
        (Fault(status=503), "overloaded"),
        (Fault(status=529), "overloaded"),
        (Fault(kind=Kind.QUOTA), "quota"),
        (Fault(kind=Kind.HTML), "server_error"),
        (Fault(kind=Kind.INVALID_JSON), "garbage"),
        (Fault(kind=Kind.RESET), "disconnected"),
        (Fault(kind=Kind.CUT), "cut"),
        (Fault(kind=Kind.CUT_CLEAN), "cut"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.kind}-{value.status}",
)
async def test_each_failure_has_its_code_and_is_sent_once(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str, fault: Fault, code: str
) -> None:
    simulator.faults.push(fault)

    error = await failure_of(gateway, target_at(simulator, kind, name))

    assert error.code == code
    assert "Simulated" in error.message or "gpt-4o" in error.message or "127.0.0.1" in error.message
    assert len(simulator.requests) == 1


@pytest.mark.parametrize(("kind", "name"), FORMS)
@pytest.mark.parametrize("is_date", [False, True])
async def test_how_long_to_wait_is_taken_from_seconds_and_from_dates(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str, is_date: bool
) -> None:
    simulator.faults.push(Fault(status=429, retry_after_s=30, retry_after_date=is_date))

    error = await failure_of(gateway, target_at(simulator, kind, name))

    assert 28 <= float(error.facts["retry_after_s"]) <= 30


@pytest.mark.parametrize(("kind", "name"), [("openai", "openai-small"), ("anthropic", "claude-small")])
async def test_a_prompt_that_is_too_long_names_the_window(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str
) -> None:
    """C1 rank 4."""
    request = asking("word " * 9000, sampling=Sampling(max_tokens=100))

    error = await failure_of(gateway, target_at(simulator, kind, name), request)

    assert isinstance(error, ContextTooLong)
    assert error.limit_tokens == 8192


async def test_a_refused_connection_is_told_in_words(gateway: LiteLLMGateway, unused_tcp_port: int) -> None:
    error = await failure_of(gateway, at(f"http://127.0.0.1:{unused_tcp_port}/v1"))

    assert (error.code, error.can_retry) == ("refused", True)
    assert error.message == f"Nothing listens at 127.0.0.1:{unused_tcp_port}."


async def test_a_name_that_nobody_has_is_told_in_words(gateway: LiteLLMGateway) -> None:
    error = await failure_of(gateway, at("http://palimpsest.invalid/v1"))

    assert (error.code, error.message) == ("dns", "The name palimpsest.invalid could not be found.")


async def test_a_server_without_tls_is_told_in_words(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    error = await failure_of(gateway, at(simulator.openai_url.replace("http:", "https:")))

    assert error.code == "tls"


async def test_a_missing_certificate_file_is_named(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    error = await failure_of(gateway, at(simulator.openai_url, ca_file="/nowhere/company.pem"))

    assert error.code == "tls"
    assert "/nowhere/company.pem" in error.detail


async def test_a_proxy_that_is_not_there_is_blamed(
    gateway: LiteLLMGateway, simulator: Simulator, unused_tcp_port: int
) -> None:
    error = await failure_of(gateway, at(simulator.openai_url, proxy=f"http://127.0.0.1:{unused_tcp_port}"))

    assert error.code == "proxy"


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "ftp://127.0.0.1:9"])
async def test_a_proxy_of_a_kind_that_is_not_spoken_is_blamed(
    gateway: LiteLLMGateway, simulator: Simulator, proxy: str
) -> None:
    error = await failure_of(gateway, at(simulator.openai_url, proxy=proxy))

    assert error.code == "proxy"


async def test_without_a_key_nothing_is_sent(simulator: Simulator) -> None:
    keyless = LiteLLMGateway(Keys(None), Originals())

    error = await failure_of(keyless, target_at(simulator))
    await keyless.aclose()

    assert error.code == "key_missing"
    assert simulator.requests == []


# ---- Stop, and the worker


@pytest.mark.parametrize(("kind", "name"), FORMS)
async def test_stop_closes_the_connection_at_once(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str
) -> None:
    simulator.tokens_per_s = 20
    simulator.script.say(Turn(text="word " * 400))

    async with aclosing(gateway.stream(asking("Hi"), target_at(simulator, kind, name))) as events:
        async for event in events:
            if isinstance(event, TextArrived):
                break

    await until(lambda: simulator.requests[-1].client_disconnected)
    assert simulator.requests[-1].streamed_tokens < 40


async def test_stop_before_the_first_token_closes_it_too(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    simulator.faults.push(Fault(kind=Kind.SLOW_HEADERS, seconds=30))

    async def ask() -> None:
        await events_of(gateway, asking("Hi"), target_at(simulator))

    async with TaskScope() as tasks:
        tasks.start("ask", ask())
        await until(lambda: bool(simulator.requests))

    await until(lambda: simulator.requests[-1].client_disconnected)


async def test_two_answers_come_side_by_side(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    simulator.script.say(
        lambda body: Turn(text=f"for {body['model']}"), lambda body: Turn(text=f"for {body['model']}")
    )

    first, second = await asyncio.gather(
        events_of(gateway, asking("a"), target_at(simulator)),
        events_of(gateway, asking("b"), target_at(simulator, "anthropic", "claude-sonnet-4-5")),
    )

    assert (text_of(first), text_of(second)) == ("for gpt-4o", "for claude-sonnet-4-5")


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc")
async def test_keys_reach_the_worker_through_the_pipe_only(
    gateway: LiteLLMGateway, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """A4, case B75: neither arguments nor environment nor log nor an error's words hold it."""
    caplog.set_level(logging.DEBUG)
    simulator.faults.push(Fault(status=401, message=f"Incorrect API key provided: {KEY}."))

    error = await failure_of(gateway, target_at(simulator))

    seen = error.detail + caplog.text + about_process(gateway.worker_pid)
    assert error.code == "key_wrong"
    assert simulator.requests[-1].headers["authorization"].endswith(KEY[-4:])
    assert "CANARY" not in seen


@pytest.mark.slow
@pytest.mark.expected_warnings("The worker that talks to providers ended")
async def test_a_killed_worker_cuts_its_answer_and_another_takes_over(simulator: Simulator) -> None:
    simulator.tokens_per_s = 20
    simulator.script.say(Turn(text="word " * 400), Turn(text="back"))
    gateway = LiteLLMGateway(Keys(), Originals())

    async def kill_in_the_middle() -> None:
        async for event in gateway.stream(asking("Hi"), target_at(simulator)):
            if isinstance(event, TextArrived) and (pid := gateway.worker_pid):
                os.kill(pid, signal.SIGKILL)

    with pytest.raises(ProviderError) as caught:
        await kill_in_the_middle()
    events = await events_of(gateway, asking("Hi"), target_at(simulator))
    await gateway.aclose()

    assert caught.value.code == "cut"
    assert text_of(events) == "back"
    assert len(simulator.requests) == 2


async def test_cached_tokens_are_part_of_the_prompt(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    """Case B26, as LiteLLM tells Anthropic's figures."""
    events = await events_of(gateway, asking("Hi"), target_at(simulator, "anthropic", "claude-sonnet-4-5"))

    usage = next(event.usage for event in events if isinstance(event, UsageReported))
    record = simulator.requests[-1]
    assert usage == Usage(prompt_tokens=record.prompt_tokens, completion_tokens=usage.completion_tokens)
