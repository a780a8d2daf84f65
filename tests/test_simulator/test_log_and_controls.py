"""What was sent is kept and can be read, here and from another process."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import aiohttp

from tests.simulator import Fault, Kind, Simulator, SimulatorThread
from tests.test_simulator.client import USER, get, openai, post

_ROOT = Path(__file__).parents[2]


async def test_a_request_is_kept_as_it_came_with_its_key_masked(simulator: Simulator) -> None:
    raw = b'{"model" :"gpt-4o",  "messages":[{"role":"user","content":"hi"}]}'

    await post(
        simulator, "/v1/chat/completions", raw, {"Authorization": "Bearer sk-secret-abcd", "X-Odd": "1"}
    )

    record = simulator.requests[0]
    assert (record.raw, record.body["messages"]) == (raw, [{"role": "user", "content": "hi"}])
    assert (record.headers["authorization"], record.headers["x-odd"]) == ("…abcd", "1")
    assert (record.verdict, record.status, record.finished) == ("answered", 200, True)
    assert abs(record.at - simulator.clock.now()) < 5


async def test_only_the_newest_requests_are_kept_if_asked() -> None:
    async with Simulator(keep_requests=2) as sim:
        for _ in range(3):
            await openai(sim)
        await get(sim, "/v1/models", {"Authorization": "Bearer sk"})

        assert [record.number for record in sim.requests] == [3, 4]
        assert [record.number for record in sim.chats] == [3]


async def test_a_client_that_goes_away_is_noticed_at_once() -> None:
    async with Simulator(tokens_per_s=200) as sim, aiohttp.ClientSession() as session:
        body, headers = (
            {"model": "gpt-4o", "messages": [USER], "stream": True},
            {"Authorization": "Bearer sk"},
        )
        async with session.post(f"{sim.openai_url}/chat/completions", json=body, headers=headers) as response:
            await response.content.readline()
            response.close()
        record = sim.requests[0]
        for _ in range(200):
            if record.client_disconnected:
                break
            await asyncio.sleep(0.01)

        assert (record.client_disconnected, record.finished) == (True, False)
        assert record.streamed_tokens < 100


async def test_a_stall_ends_when_the_client_leaves(simulator: Simulator) -> None:
    simulator.faults.push(Fault(kind=Kind.STALL_FIRST))

    try:
        async with asyncio.timeout(0.05):
            await openai(simulator, stream=True)
    except TimeoutError:
        await asyncio.sleep(0.02)

    assert simulator.requests[0].client_disconnected


async def test_a_stream_keeps_the_pace_it_is_given() -> None:
    async with Simulator(tokens_per_s=400) as sim:
        started = asyncio.get_running_loop().time()
        await openai(sim, stream=True, max_tokens=20)

        assert 0.04 < asyncio.get_running_loop().time() - started < 1


async def test_everything_can_be_steered_over_http(simulator: Simulator) -> None:
    turn = {"text": "Scripted.", "tool_calls": [{"name": "ls", "arguments": {"path": "."}}]}
    before = simulator.clock.now()

    queued = await post(simulator, "/_script", {"turns": [turn]})
    failing = await post(
        simulator, "/_faults", {"faults": [{"status": 503, "times": 1}], "rate": 0, "seed": 3}
    )
    clock = await post(simulator, "/_clock", {"advance": 301})
    wrong = await post(simulator, "/_faults", {"faults": [{"kind": "earthquake"}]})
    first, second = await openai(simulator), await openai(simulator)
    log = (await get(simulator, "/_log?since=1")).json
    await post(simulator, "/_reset", {})

    message = second.json["choices"][0]["message"]
    assert (queued.json, failing.json, wrong.status) == ({"queued": 1}, {"queued": 1}, 400)
    assert clock.json["now"] - before > 300
    assert (first.status, message["content"]) == (503, "Scripted.")
    assert message["tool_calls"][0]["function"] == {"name": "ls", "arguments": '{"path":"."}'}
    assert [(entry["number"], entry["verdict"], entry["model"]) for entry in log] == [
        (2, "answered", "gpt-4o")
    ]
    assert simulator.requests == []


def test_a_simulator_in_a_thread_serves_who_has_no_loop(simulator_thread: Simulator) -> None:
    request = urllib.request.Request(
        f"{simulator_thread.openai_url}/chat/completions",
        data=json.dumps({"model": "gpt-4o", "messages": [USER]}).encode(),
        headers={"Authorization": "Bearer sk"},
    )

    with urllib.request.urlopen(request, timeout=5) as response:
        body = json.loads(response.read())

    assert body["choices"][0]["finish_reason"] == "stop"
    assert simulator_thread.requests[0].verdict == "answered"


def test_a_stopped_thread_gives_its_port_back() -> None:
    with SimulatorThread(Simulator()) as first:
        port = int(first.base_url.rsplit(":", 1)[1])

    with SimulatorThread(Simulator(port=port)) as second:
        assert second.base_url == first.base_url


def test_the_command_serves_and_says_where() -> None:
    command = [sys.executable, "-m", "tests.simulator", "--port", "0", "--rate", "0"]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, env=os.environ, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        with urllib.request.urlopen(f"{address}/_log", timeout=5) as response:
            log = json.loads(response.read())
        process.terminate()

    assert (log, address.startswith("http://127.0.0.1:")) == ([], True)
