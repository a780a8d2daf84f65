"""What a person does with servers of tools: add, change, allow, remove, take over from another program."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from pydantic import JsonValue, TypeAdapter

from app.agent.mcp.importing import imported
from app.agent.mcp.servers import McpServers, ServerState
from app.context.ports import Secrets
from app.settings import McpServer, Settings

_SERVERS: TypeAdapter[list[McpServer]] = TypeAdapter(list[McpServer])

Values = Mapping[str, str]


class McpSettings:
    """
    Args:
        change: Store the list in the settings.
    """

    def __init__(
        self,
        secrets: Secrets,
        settings: Callable[[], Settings],
        change: Callable[[JsonValue], Awaitable[None]],
        changed: Callable[[str], None],
        *,
        servers: McpServers | None = None,
    ) -> None:
        self._secrets = secrets
        self._settings = settings
        self._change = change
        self.servers = servers or McpServers(self.values, changed=changed)

    def state(self, server_id: str) -> ServerState:
        return self.servers.state(server_id)

    async def values(self, server: McpServer) -> tuple[Values, Values]:
        """What its `env` and `headers` stand for; one that is not kept is left out."""
        env = {name: await self._secrets.get(_env(server.id, name)) for name in server.env}
        headers = {name: await self._secrets.get(_header(server.id, name)) for name in server.headers}
        return _known(env), _known(headers)

    async def put(
        self, server: McpServer, *, env: Values | None = None, headers: Values | None = None
    ) -> McpServer:
        """Store a server, in place of one with its id.

        Args:
            env, headers: Values that are new; names without one keep theirs.
        Returns: as stored; what a start depends on has to be allowed anew where it differs.
        Raises:
            SecretsError: a value cannot be kept; nothing was changed.
        """
        for name, value in (env or {}).items():
            await self._secrets.put(_env(server.id, name), value)
        for name, value in (headers or {}).items():
            await self._secrets.put(_header(server.id, name), value)
        before = self._find(server.id)
        version = (before.secrets_version if before else 0) + bool(env or headers)
        server = server.model_copy(update={"secrets_version": version})
        others = [item for item in self._settings().mcp_servers if item.id != server.id]
        at = self._settings().mcp_servers.index(before) if before else len(others)
        await self._store([*others[:at], server, *others[at:]])
        if before:
            await self._forget(before, but=server)
        return server

    async def allow(self, server_id: str, start_hash: str) -> None:
        """Let a server start as the person was shown it; what differs by now is not allowed by that (Q23)."""
        server = self._find(server_id)
        if server and server.start_hash == start_hash:
            await self.put(server.model_copy(update={"confirmed": start_hash, "enabled": True}))

    async def remove(self, server_id: str) -> None:
        """With its values."""
        if server := self._find(server_id):
            await self._store([item for item in self._settings().mcp_servers if item.id != server_id])
            await self._forget(server)

    async def restart(self, server_id: str) -> float:
        """See `McpServers.restart`."""
        return await self.servers.restart(server_id)

    async def take_over(self, text: str) -> Sequence[McpServer]:
        """Add the servers of another program's JSON; none may start before it is allowed.

        Raises:
            ImportRefused: with what is wrong; nothing was added.
        """
        found = imported(text, {server.id for server in self._settings().mcp_servers})
        return [await self.put(item.server, env=item.env, headers=item.headers) for item in found]

    def _find(self, server_id: str) -> McpServer | None:
        return next((item for item in self._settings().mcp_servers if item.id == server_id), None)

    async def _store(self, servers: list[McpServer]) -> None:
        await self._change(_SERVERS.dump_python(servers, mode="json"))

    async def _forget(self, server: McpServer, *, but: McpServer | None = None) -> None:
        kept = but or server.model_copy(update={"env": (), "headers": ()})
        for name in set(server.env) - set(kept.env):
            await self._secrets.delete(_env(server.id, name))
        for name in set(server.headers) - set(kept.headers):
            await self._secrets.delete(_header(server.id, name))


def _env(server_id: str, name: str) -> str:
    return f"mcp/{server_id}/env/{name}"


def _header(server_id: str, name: str) -> str:
    return f"mcp/{server_id}/header/{name}"


def _known(values: Mapping[str, str | None]) -> Values:
    return {name: value for name, value in values.items() if value is not None}
