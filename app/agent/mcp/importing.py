"""Servers from the JSON that other programs keep them in: `{"mcpServers": {name: {command, args, env} or {url, headers}}}`."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import count

from pydantic import JsonValue, TypeAdapter, ValidationError

from app.core.errors import AppError
from app.settings import McpServer

_MOST_CHARS = 1_000_000
_MOST_SERVERS = 100
_OBJECT: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])
_TEXTS: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, str])
_LIST: TypeAdapter[tuple[str, ...]] = TypeAdapter(tuple[str, ...])


class ImportRefused(AppError):
    """The text holds no servers that can be taken over; nothing was."""

    code = "mcp_import"


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A server, not yet allowed to start, and the values that its names stand for."""

    server: McpServer
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def imported(text: str, taken: Collection[str] = ()) -> tuple[Imported, ...]:
    """
    Args:
        taken: Ids of servers that are there.
    Raises:
        ImportRefused: with what is wrong and where.
    """
    if len(text) > _MOST_CHARS:
        raise ImportRefused("This text is too long to be a list of servers.")
    try:
        whole = _OBJECT.validate_json(text.strip())
    except ValidationError as error:
        raise ImportRefused("This is no JSON object.", detail=str(error.errors()[0]["msg"])) from error
    listed = next((whole[key] for key in ("mcpServers", "servers") if key in whole), whole)
    if not isinstance(listed, dict) or not listed:
        raise ImportRefused("There are no servers under 'mcpServers'.")
    if len(listed) > _MOST_SERVERS:
        raise ImportRefused(f"There are more than {_MOST_SERVERS} servers.")
    found: list[Imported] = []
    for name, row in listed.items():
        found.append(_one(name, row, {*taken, *(item.server.id for item in found)}))
    return tuple(found)


def unused_id(name: str, taken: Collection[str]) -> str:
    """A short id in plain letters."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold().encode("ascii", "ignore").decode()).strip("-")[:16]
    base = plain.strip("-") or "server"
    return next(found for n in count(1) if (found := base if n == 1 else f"{base}{n}") not in taken)


def _one(name: str, row: JsonValue, taken: Collection[str]) -> Imported:
    try:
        fields = _OBJECT.validate_python(row)
        env = _TEXTS.validate_python(fields.get("env") or {})
        headers = _TEXTS.validate_python(fields.get("headers") or {})
        args = _LIST.validate_python(fields.get("args") or ())
        if fields.get("type") == "sse":
            raise ImportRefused(
                f"{name!r} speaks the older SSE form, which this program does not.",
                hint="Many such servers speak streamable HTTP, too, at another address.",
                name=name,
            )
        url, command = (str(fields.get(key) or "") for key in ("url", "command"))
        if bool(url) == bool(command):
            raise ImportRefused(f"{name!r} needs either a command or a url.", name=name)
        server = McpServer(
            id=unused_id(name, taken),
            name=name,
            kind="http" if url else "stdio",
            command=command,
            args=args,
            env=tuple(env),
            cwd=str(fields.get("cwd") or ""),
            url=url,
            headers=tuple(headers),
            enabled=not fields.get("disabled"),
        )
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise ImportRefused(
            f"{name!r} is not as it should be: {place} {error.errors()[0]['msg']}."
        ) from error
    return Imported(server=server, env=env, headers=headers)
