"""Servers of tools over their real wires: two of the registry, and one that misbehaves in every way (A11)."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path

import pytest
import pytest_asyncio

from app.agent.mcp.servers import McpServers, Status
from app.agent.tools.failing import ToolFailed
from app.agent.tools.tool import Given
from app.settings import McpServer
from tests.fakes import until

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCRIPT = str(Path(__file__).with_name("misbehaving.py"))
UP_S = 60.0
"""The worker's libraries take seconds to load beside other tests."""
EXPECTED = pytest.mark.expected_warnings("ended unasked")


def confirmed(server: McpServer) -> McpServer:
    return server.model_copy(update={"confirmed": server.start_hash})


def bad(server_id: str = "bad", *how: str, **fields: object) -> McpServer:
    """The server that misbehaves, allowed to start."""
    server = McpServer(id=server_id, name="Bad", command=sys.executable, args=(SCRIPT, *how))
    return confirmed(server.model_copy(update=fields))


KEEPER = bad("keeper")
"""Keeps the worker from ending between tests."""


class Held:
    """Servers with one worker, which lives as long as the module's tests."""

    def __init__(self) -> None:
        self.env: dict[str, str] = {}
        self.servers = McpServers(self._values, pauses_s=(0.05, 0.05), up_s=UP_S)

    async def _values(self, server: McpServer) -> tuple[Mapping[str, str], Mapping[str, str]]:
        return self.env, {}

    async def with_(self, *servers: McpServer) -> McpServers:
        """Nothing of earlier ones of the same id is left."""
        self.servers.sync([KEEPER])
        self.servers.sync([KEEPER, *servers])
        await self.servers.settled(within_s=UP_S)
        return self.servers


async def test_a_server_of_the_registry_tells_the_time(held: Held) -> None:
    """`mcp-server-time`."""
    server = McpServer(id="time", name="Time", command=sys.executable, args=("-m", "mcp_server_time"))
    servers = await held.with_(confirmed(server))

    state = servers.state("time")
    given = await servers.call("time", "get_current_time", b'{"timezone": "Asia/Tokyo"}')

    assert (state.status, state.why) == (Status.RUNNING, "")
    assert {tool.name: tool.is_read_only for tool in state.tools} == {
        "get_current_time": True,
        "convert_time": True,
    }
    assert json.loads(state.tools[0].schema)["properties"].keys() == {"timezone"}
    assert (json.loads(given.text)["timezone"], given.is_error) == ("Asia/Tokyo", False)


async def test_a_server_of_the_registry_reads_a_repository_and_says_what_is_wrong(
    held: Held, tmp_path: Path
) -> None:
    """`mcp-server-git`."""
    process = await asyncio.create_subprocess_exec("git", "init", "-q", "-b", "main", str(tmp_path))
    await process.wait()
    server = McpServer(id="git", name="Git", command=sys.executable, args=("-m", "mcp_server_git"))
    servers = await held.with_(confirmed(server))

    status = await servers.call("git", "git_status", json.dumps({"repo_path": str(tmp_path)}).encode())
    nowhere = await servers.call("git", "git_status", b'{"repo_path": "/nowhere"}')

    hints = {tool.name: (tool.is_read_only, tool.is_destructive) for tool in servers.state("git").tools}
    assert hints["git_status"] == (True, False)
    assert hints["git_reset"] == (False, True)
    assert "No commits yet" in status.text
    assert nowhere.is_error


async def test_what_a_server_gives_becomes_text(held: Held) -> None:
    servers = await held.with_(bad())

    echo = await servers.call("bad", "echo", json.dumps({"text": "汉字"}).encode())
    pictures = await servers.call("bad", "pictures", b"{}")
    structured = await servers.call("bad", "structured", b"{}")
    fails = await servers.call("bad", "fails", b"{}")

    assert echo == Given(text="汉字")
    assert pictures.text.splitlines() == [
        "[image: image/png, 70 bytes]",
        "[image: image/png, 5 bytes]",
        "[image: image/tiff, 5 bytes; it is not shown here]",
        "[resource file:///a.txt]",
        "in a file",
        "[resource 'b' at file:///b.txt]",
    ]
    assert [(each.mime, len(each.data)) for each in pictures.pictures] == [
        ("image/png", 70),
        ("image/png", 5),
    ]
    assert structured == Given(text='{"a": 1}')
    assert fails == Given(text="it did not work", is_error=True)


async def test_ten_megabytes_come_whole(held: Held) -> None:
    servers = await held.with_(bad())

    given = await servers.call("bad", "large", b"{}")

    assert given.text == "0123456789" * 1_000_000


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("refuses", "Bad: The server says: not like this"),
        ("nonsense", "Bad: The server's answer is not as the protocol has it"),
        ("hang", "Bad: The server did not answer within 1 seconds."),
        ("wrong-id", "Bad: The server did not answer within 1 seconds."),
        ("die", "Bad: It ended with exit code 3."),
        ("endless-line", "Bad: It sent a message of more than 16 MB."),
    ],
)
async def test_what_goes_wrong_is_told_in_words_and_others_go_on(held: Held, tool: str, said: str) -> None:
    servers = await held.with_(bad(timeout_s=1.0), bad("other"))

    other, failed = await asyncio.gather(
        servers.call("other", "progress", b"{}"), servers.call("bad", tool, b"{}"), return_exceptions=True
    )

    assert other == Given(text="done")
    assert isinstance(failed, ToolFailed)
    assert failed.message.startswith(said)


async def test_a_flood_of_standard_error_holds_nothing_up(held: Held) -> None:
    servers = await held.with_(bad())

    assert await servers.call("bad", "flood", b"{}") == Given(text="after the flood")


async def test_a_server_that_died_keeps_its_tools_and_is_started_again(held: Held) -> None:
    """P1: no prompt changes by a death."""
    servers = await held.with_(bad())
    tools = servers.state("bad").tools

    with pytest.raises(ToolFailed, match="exit code 3"):
        await servers.call("bad", "die", b"{}")
    await until(lambda: servers.state("bad").status is not Status.RUNNING)
    gone = servers.state("bad")
    await until(lambda: servers.state("bad").status is Status.RUNNING)

    assert (gone.tools, gone.why, gone.said) == (tools, "It ended with exit code 3.", "out of luck")
    assert (await servers.call("bad", "echo", b'{"text": "again"}')).text == "again"


async def test_a_server_that_never_starts_is_left_alone_after_its_tries(held: Held) -> None:
    servers = await held.with_(bad("bad", "dies-first"), bad("good"))

    await until(lambda: servers.state("bad").status is Status.FAILED)
    state = servers.state("bad")

    assert (state.n_tries, state.why, state.said) == (
        3,
        "It ended with exit code 7.",
        "no such configuration",
    )
    assert servers.state("good").status is Status.RUNNING
    with pytest.raises(ToolFailed, match="Only the person can start it again"):
        await servers.call("bad", "echo", b"{}")


@pytest.mark.parametrize(
    ("server", "why"),
    [
        (bad("bad", "chatters"), "It writes what are no messages of the protocol."),
        (confirmed(McpServer(id="bad", name="B", command="no-such-program-here")), "There is no program"),
        (
            confirmed(McpServer(id="bad", name="B", kind="http", url="http://127.0.0.1:9/mcp")),
            "It failed: All connection attempts failed",
        ),
    ],
)
async def test_a_start_that_fails_says_why(held: Held, server: McpServer, why: str) -> None:
    servers = await held.with_(server)

    assert servers.state("bad").why.startswith(why)


async def test_stop_reaches_the_server(held: Held, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    held.env = {"SEEN": str(seen)}
    servers = await held.with_(bad(env=("SEEN",)))

    call = asyncio.ensure_future(servers.call("bad", "hang", b"{}"))  # noqa: TID251  # the test is its owner
    await until(lambda: seen.exists() and '"hang"' in seen.read_text())
    call.cancel()
    await until(lambda: "notifications/cancelled" in seen.read_text())

    assert (await servers.call("bad", "echo", b'{"text": "on"}')).text == "on"


async def test_progress_is_told_and_keeps_a_slow_call_alive(held: Held) -> None:
    servers = await held.with_(bad(timeout_s=1.0))
    said: list[str] = []

    given = await servers.call("bad", "progress", b"{}", say=said.append)

    assert given == Given(text="done")
    assert said[0] == "0/4 step 0\n"


async def test_a_list_that_changed_is_read_again(held: Held) -> None:
    servers = await held.with_(bad())

    await servers.call("bad", "grow", b"{}")
    await until(lambda: "grown" in {tool.name for tool in servers.state("bad").tools})

    assert servers.state("bad").status is Status.RUNNING


async def test_a_server_is_told_no_more_of_our_environment_than_it_needs(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q22: keys of providers may stand in it."""
    held.env = {"TOKEN": "its own"}
    servers = await held.with_(bad(env=("TOKEN",)))

    given = await servers.call("bad", "env", b"{}")

    env = json.loads(given.text)
    assert env["TOKEN"] == "its own"
    assert "PYTHONPATH" not in env
    assert "PATH" in env


async def test_what_may_not_start_does_not_and_what_may_no_more_ends(held: Held) -> None:
    """Q23, A8."""
    new = McpServer(id="new", name="New", command=sys.executable, args=(SCRIPT,))
    off = bad("off", enabled=False)
    servers = await held.with_(new, off, bad())

    before = [servers.state(name).status for name in ("new", "off", "bad")]
    servers.sync([KEEPER, new, off, bad().model_copy(update={"args": (SCRIPT, "another")})])

    assert before == [Status.UNCONFIRMED, Status.OFF, Status.RUNNING]
    assert servers.state("bad").status is Status.UNCONFIRMED
    assert servers.state("bad").tools
    with pytest.raises(ToolFailed, match="has not let the server 'Bad' run"):
        await servers.call("bad", "echo", b"{}")


async def test_the_worker_ends_with_its_last_server_and_takes_all_of_them_along() -> None:
    """A8; also one that wants to stay."""
    held = Held()
    servers = await held.with_(bad("bad", "stays"))
    worker = servers.pid
    kept = children(worker)
    assert len(kept) == 2

    servers.sync([])
    await servers.aclose()

    assert worker
    await until(lambda: not any(map(is_alive, (worker, *kept))))


@EXPECTED
async def test_a_worker_that_is_killed_is_started_again_with_its_servers() -> None:
    held = Held()
    servers = await held.with_(bad("bad", "stays"))
    worker = servers.pid
    assert worker

    kept = children(worker)
    call = asyncio.ensure_future(servers.call("bad", "hang", b"{}"))  # noqa: TID251  # the test is its owner
    await asyncio.sleep(0)
    os.kill(worker, 9)
    with pytest.raises(ToolFailed, match="in the middle of the call"):
        await call
    await until(lambda: servers.pid not in (None, worker))
    await until(lambda: servers.state("bad").status is Status.RUNNING)
    echo = await servers.call("bad", "echo", b'{"text": "back"}')
    await servers.aclose()

    assert echo.text == "back"
    await until(lambda: not any(map(is_alive, kept)))


def is_alive(pid: int) -> bool:
    """Neither gone nor dead and not yet fetched by whoever inherited it."""
    try:
        return Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def children(pid: int | None) -> list[int]:
    listed = Path("/proc", str(pid), "task", str(pid), "children").read_text()
    return [int(child) for child in listed.split()]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared() -> AsyncGenerator[Held, None]:
    found = Held()
    await found.with_(KEEPER)
    yield found
    await found.servers.aclose()


@pytest_asyncio.fixture(loop_scope="module")
async def held(shared: Held) -> AsyncGenerator[Held, None]:
    yield shared
    shared.env = {}
    await shared.with_(KEEPER)
