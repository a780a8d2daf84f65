"""Metrics of real chats, read over HTTP as Prometheus does (A18)."""

import asyncio
import json
import socket
from pathlib import Path

import pytest

from app.bootstrap.application import Application
from tests.e2e.conftest import MODELS, talk
from tests.simulator import Simulator, ToolCall, Turn

pytestmark = pytest.mark.asyncio(loop_scope="session")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


async def get(port: int, path: str = "/metrics", *, host: str = "127.0.0.1", method: str = "GET") -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    found = await reader.read()
    writer.close()
    return found.decode()


async def test_metrics_are_read_where_the_setting_says_and_nowhere_else(
    application: Application, simulator: Simulator
) -> None:
    chat = await talk(application, simulator, MODELS["anthropic"])
    await chat.ask("Hello.")
    port = free_port()
    assert application.metrics.port == 0  # off by itself

    await application.change(metrics_port=port)
    told = await get(port)
    refused = [
        (await get(port, host="evil.example")).partition("\r\n")[0],
        (await get(port, "/")).partition("\r\n")[0],
        (await get(port, method="POST")).partition("\r\n")[0],
    ]
    await application.change(metrics_port=0)

    prompt_tokens = simulator.chats[-1].prompt_tokens
    assert told.startswith("HTTP/1.1 200 OK\r\n")
    assert (
        f'palimpsest_context_tokens{{chat="{chat.id}",model="{MODELS["anthropic"]}"}} {prompt_tokens}\n'
        in told
    )
    assert refused == ["HTTP/1.1 403 Forbidden", "HTTP/1.1 404 Not Found", "HTTP/1.1 405 Method Not Allowed"]
    with pytest.raises(ConnectionError):
        await get(port)


async def test_how_a_chat_goes_is_read_off_its_requests_and_its_context(
    application: Application, simulator: Simulator, tmp_path: Path
) -> None:
    """A18: the same text in two files is worth half."""
    text = "\n".join(f"line {n} tells of item {n * n}" for n in range(150))
    chat = await talk(application, simulator, MODELS["anthropic"])
    await application.store.save_chat_setting(chat.id, "workspace", str(tmp_path))
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text(text)
        read = ToolCall(name="file_read", arguments=json.dumps({"paths": [name]}))
        simulator.script.say(Turn(tool_calls=(read,)), Turn(text="I have read it."))
        await chat.ask("Read it.")

    facts = await (await application.session(chat.id)).health_facts(wants_shares=True)

    last, before = simulator.chats[-1].prompt_tokens, simulator.chats[-2].prompt_tokens
    assert facts
    assert (facts.metrics.prompt_tokens, facts.metrics.growth_tokens) == (last, last - before)
    assert facts.metrics.overflow_rate == 0
    assert facts.information.repeated == pytest.approx(0.5, abs=0.02)
    assert facts.information.effective == pytest.approx(0.5, abs=0.05)
    assert facts.information.stale == 0


async def test_a_port_that_is_taken_troubles_nobody(application: Application) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()

        await application.change(metrics_port=taken.getsockname()[1])

    assert application.metrics.port == 0
    await application.change(metrics_port=0)
