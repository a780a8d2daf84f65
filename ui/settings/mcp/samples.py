"""Servers of tools in memory, in the states worth looking at."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from pydantic import JsonValue

from app.agent.mcp.importing import imported
from app.agent.mcp.pipe_form import ListedTool
from app.agent.mcp.servers import ServerState, Status
from app.settings import McpServer, Settings


def _listed(*names: str) -> tuple[ListedTool, ...]:
    schema = '{"properties":{"path":{"type":"string"}},"type":"object"}'
    return tuple(
        ListedTool(
            name=name,
            title="",
            description=f"Does what {name} says, and tells what came of it.",
            schema=schema,
            is_read_only=True,
            is_destructive=False,
        )
        for name in names
    )


def _server(server_id: str, name: str, *, is_allowed: bool = True, **fields: object) -> McpServer:
    made = McpServer.model_validate({"id": server_id, "name": name, **fields})
    return made.model_copy(update={"confirmed": made.start_hash}) if is_allowed else made


SERVERS = (
    _server("git", "Git", command="uvx", args=("mcp-server-git", "--repository", "my code")),
    _server(
        "files",
        "Files of the team & others",
        command="npx",
        args=("-y", "@modelcontextprotocol/server-filesystem", "/projects/team"),
        env=("TOKEN",),
        is_allowed=False,
    ),
    _server("web", "Web", kind="http", url="https://tools.example/mcp", headers=("Authorization",)),
    _server("old", "Old", command="old-server", enabled=False),
)
STATES = {
    "git": ServerState(
        status=Status.RUNNING,
        who="mcp-git 2026.10.19 · MCP 2026-07-28",
        tools=_listed("git_add", "git_commit", "git_diff", "git_log", "git_status"),
        n_tries=1,
    ),
    "files": ServerState(status=Status.UNCONFIRMED),
    "web": ServerState(
        status=Status.WAITING,
        tools=_listed("search"),
        why="It ended with exit code 3.",
        said="Traceback (most recent call last):\nConnectionRefusedError: out of luck",
        n_tries=2,
    ),
    "old": ServerState(),
}


class SampleServers:
    """`ServersPort`: whatever is allowed runs, with one tool."""

    def __init__(
        self, settings: Callable[[], Settings], change: Callable[[Sequence[JsonValue]], Awaitable[None]]
    ) -> None:
        self._settings, self._change = settings, change
        self.states: dict[str, ServerState] = dict(STATES)
        self.values: dict[str, Mapping[str, str]] = {}
        self.restarted: list[str] = []

    def state(self, server_id: str) -> ServerState:
        return self.states.get(server_id, ServerState(status=Status.UNCONFIRMED))

    async def put(
        self,
        server: McpServer,
        *,
        env: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> McpServer:
        self.values[server.id] = {**(env or {}), **(headers or {})}
        servers = [item for item in self._settings().mcp_servers if item.id != server.id]
        await self._change([item.model_dump(mode="json") for item in (*servers, server)])
        return server

    async def allow(self, server_id: str, start_hash: str) -> None:
        server = next(item for item in self._settings().mcp_servers if item.id == server_id)
        self.states[server_id] = ServerState(status=Status.RUNNING, tools=_listed("echo"))
        await self.put(server.model_copy(update={"confirmed": start_hash}))

    async def remove(self, server_id: str) -> None:
        kept = [item for item in self._settings().mcp_servers if item.id != server_id]
        await self._change([item.model_dump(mode="json") for item in kept])

    async def take_over(self, text: str) -> Sequence[McpServer]:
        return [await self.put(item.server, env=item.env) for item in imported(text)]

    async def restart(self, server_id: str) -> float:
        self.restarted.append(server_id)
        return 0.42
