"""A server's tool as the model is given it, and as the person is asked about it."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.agent.approvals import shown
from app.agent.mcp.pipe_form import ListedTool
from app.agent.mcp.servers import McpServers
from app.agent.tools.offered import offered
from app.agent.tools.tool import Arguments, Given, Place, Tool
from app.context.layers import MCP_MARK
from app.core.approvals import Access, Wish
from app.core.requests import ToolSpec
from app.settings import McpServer, Settings

_MOST_NAME_CHARS = 64
"""What providers take."""
_HASH_CHARS = 6
_STARTING_S = 20.0
"""A message waits so long for servers that are starting; one that comes later is there for the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpTool:
    """`agent.tools.tool.Tool`; stays what it was listed as while its execution lasts."""

    servers: McpServers
    server: McpServer
    listed: ListedTool
    name: str
    """As the model has it."""

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(name=self.name, description=self.listed.description, schema=self.listed.schema)

    @property
    def is_read_only(self) -> bool:
        return self.listed.is_read_only

    @property
    def is_side_by_side(self) -> bool:
        return False

    @property
    def is_destructive(self) -> bool:
        """Also when the server says so by now only."""
        now = (tool for tool in self.servers.state(self.server.id).tools if tool.name == self.listed.name)
        return self.listed.is_destructive or any(tool.is_destructive for tool in now)

    async def wish(self, arguments: Arguments, place: Place) -> Wish | None:
        is_destructive = self.is_destructive
        title = self.listed.title or self.listed.name
        return Wish(
            tool=self.name,
            access=Access.DANGEROUS if is_destructive else Access.MCP,
            what=shown(f"{self.server.name}: {title}"),
            detail=shown(json.dumps(arguments, ensure_ascii=False, indent=2), keeps_lines=True),
            rules=() if is_destructive else (f"{self.server.rule}:{self.listed.name}",),
            also=(Access.MCP,) if is_destructive else (),
        )

    async def run(self, arguments: Arguments, place: Place) -> Given:
        payload = json.dumps(arguments, ensure_ascii=False).encode(errors="replace")
        return await self.servers.call(self.server.id, self.listed.name, payload, say=place.say)


async def all_offered(
    servers: McpServers, configured: Sequence[McpServer], settings: Settings
) -> tuple[Tool, ...]:
    """What a chat offers its model: tools of ours, and of the servers that are `configured` for all chats."""
    if not settings.uses_tools:
        return ()
    servers.sync(configured)
    await servers.settled(within_s=_STARTING_S)
    return (*offered(settings), *tools_of(servers, settings))


def tools_of(servers: McpServers, settings: Settings) -> tuple[McpTool, ...]:
    """What the servers that may run offer a chat, in the order of the settings, each server's by name (P1)."""
    found: list[McpTool] = []
    for server in settings.mcp_servers:
        listed = servers.state(server.id).tools if server.may_start else ()
        wanted = sorted((tool for tool in listed if tool.name not in server.tools_off), key=_by_name)
        names = wire_names(server.id, (tool.name for tool in listed))
        found += (
            McpTool(servers=servers, server=server, listed=tool, name=names[tool.name]) for tool in wanted
        )
    return tuple(tool for tool in found if tool.name not in settings.tools_off)


def wire_names(server_id: str, names: Iterable[str]) -> dict[str, str]:
    """`mcp__<server>__<tool>` of each name, in letters that every provider takes, none like another."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(names):
        plain = MCP_MARK + server_id + "__" + re.sub(r"[^A-Za-z0-9_-]", "_", name)
        if plain in taken or len(plain) > _MOST_NAME_CHARS:
            digest = hashlib.sha256(name.encode()).hexdigest()[:_HASH_CHARS]
            plain = f"{plain[: _MOST_NAME_CHARS - _HASH_CHARS - 1]}_{digest}"
        taken.add(plain)
        found[name] = plain
    return found


def _by_name(tool: ListedTool) -> str:
    return tool.name
