"""Servers at an address: one made with the official SDK, and one that answers wrong."""

import asyncio
import contextlib
import json
import socket
import sys
import threading
from collections.abc import AsyncGenerator, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import pytest_asyncio

from app.agent.mcp.servers import McpServers, Status
from app.agent.tools.failing import ToolFailed
from app.settings import McpServer
from tests.fakes import until

pytestmark = pytest.mark.asyncio(loop_scope="module")

SERVER = """
import sys
from mcp.server import MCPServer

server = MCPServer("web")

@server.tool()
def double(n: int) -> int:
    return 2 * n

server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
"""
UP_S = 60.0
HEADERS = {"Authorization": "Bearer s3cret"}


class Odd(BaseHTTPRequestHandler):
    """Speaks plain JSON; what its tools give is decided by their name."""

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["Authorization"] != HEADERS["Authorization"]:
            self.send_error(401)
            return
        if "id" not in message:
            self.send_response(202)
            self.end_headers()
            return
        name = message.get("params", {}).get("name")
        match message["method"], name:
            case "initialize", _:
                info = {"name": "odd", "version": "1"}
                version = message["params"]["protocolVersion"]
                self._give(
                    message, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
                )
            case "tools/list", _:
                tools = [
                    {"name": name, "inputSchema": {"type": "object"}} for name in ("large", "cut", "fine")
                ]
                self._give(message, {"tools": tools})
            case "tools/call", "large":
                self._give(message, {"content": [{"type": "text", "text": "x" * 17 * 1024 * 1024}]})
            case "tools/call", "cut":
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b'{"jsonrpc"')
                self.close_connection = True
            case "tools/call", _:
                self._give(message, {"content": [{"type": "text", "text": "fine"}]})
            case _:
                self.send_error(400)

    def do_GET(self) -> None:
        self.send_error(405)

    def _give(self, message: Mapping[str, object], result: object) -> None:
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # it may be too much
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name upstream
        """Nothing is printed."""


def at(url: str, *, headers: tuple[str, ...] = ()) -> McpServer:
    server = McpServer(id="web", name="Web", kind="http", url=url, headers=headers)
    return server.model_copy(update={"confirmed": server.start_hash})


@pytest.fixture
def odd() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Odd)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/mcp"
    server.shutdown()
    thread.join()
    server.server_close()


async def values(server: McpServer) -> tuple[Mapping[str, str], Mapping[str, str]]:
    return {}, HEADERS if server.headers else {}


@pytest_asyncio.fixture(loop_scope="module")
async def servers() -> AsyncGenerator[McpServers, None]:
    found = McpServers(values, pauses_s=(0.2,) * 60, up_s=UP_S)
    yield found
    await found.aclose()


async def test_a_server_of_the_sdk_answers_over_http_and_comes_back_after_its_end(
    servers: McpServers,
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = (sys.executable, "-c", SERVER, str(port))
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    servers.sync([at(f"http://127.0.0.1:{port}/mcp")])
    await until(lambda: servers.state("web").status is Status.RUNNING, within_s=UP_S)

    first = await servers.call("web", "double", b'{"n": 21}')
    wrong = await servers.call("web", "double", b'{"n": "many"}')
    process.kill()
    await process.wait()
    with pytest.raises(ToolFailed):
        await servers.call("web", "double", b'{"n": 1}')
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    await until(lambda: servers.state("web").status is Status.RUNNING, within_s=UP_S)
    again = await servers.call("web", "double", b'{"n": 4}')
    process.kill()
    await process.wait()

    assert (first.text, again.text, wrong.is_error) == ("42", "8", True)


async def test_headers_go_along_and_without_them_the_refusal_is_told(servers: McpServers, odd: str) -> None:
    servers.sync([at(odd)])
    await servers.settled(within_s=UP_S)
    refused = servers.state("web")
    servers.sync([at(odd, headers=("Authorization",))])
    await servers.settled(within_s=UP_S)

    assert refused.status is Status.WAITING
    assert "HTTP 401 Unauthorized" in refused.said
    assert servers.state("web").status is Status.RUNNING
    assert (await servers.call("web", "fine", b"{}")).text == "fine"


@pytest.mark.parametrize("tool", ["large", "cut"])
async def test_an_answer_that_is_too_long_or_cut_is_told_and_the_next_one_comes(
    servers: McpServers, odd: str, tool: str
) -> None:
    servers.sync([at(odd, headers=("Authorization",))])
    await servers.settled(within_s=UP_S)

    with pytest.raises(ToolFailed) as told:
        await servers.call("web", tool, b"{}")
    await until(lambda: servers.state("web").status is Status.RUNNING, within_s=UP_S)

    assert ("more than 16 MB" in told.value.message) == (tool == "large")
    assert (await servers.call("web", "fine", b"{}")).text == "fine"
