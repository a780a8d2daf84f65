"""The worker that talks to servers of tools: the SDK's only process, started when there is a server to talk to.

In come `open`, with a server and its secrets as payload, `close`, `call`, with arguments as payload, and `cancel`;
back go `ready`, for each session `pid`, `up` and `listed`, then `gone` and `down`, and for each call `progress`, pieces of `text`,
then `end` or `fault`. A session that went down stays down; whether it is opened again is the parent's decision.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import cast

import anyio
import mcp_types as types
from mcp.client import Client, IncomingMessage, Transport
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import JsonValue, TypeAdapter, ValidationError

from app.agent.mcp.pipe_form import Opening
from app.agent.mcp.wires import Tail, WireBroken, by_http, by_pipes
from app.processes import ParentPipe
from app.tasks import TaskScope

_PROGRESS_S = 0.1
_WHY_S = 5.0
"""For a session to close, by which it is known why."""
_SENTENCE_CHARS = 1_000
_LISTED_S = 1.0
"""Between two readings of a list that keeps changing."""
_MOST_PAGES = 100
_MOST_TOOLS = 1_000
_PIECE_CHARS = 64 * 1024
_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""What every model that takes images takes."""
_MOST_PICTURES = 8
"""Of one result, as many as a request may hold of older messages (S2)."""
"""So long a line holds the window's thread for less than a millisecond."""
_ARGUMENTS: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])
_NAMES = types.Implementation(name="palimpsest", version="0.1.0")


async def serve() -> None:
    """Keep sessions until the parent closes our input."""
    logging.getLogger().addHandler(logging.NullHandler())  # what a server sends is not for the log
    pipe = ParentPipe()
    pipe.send({"ready": True})
    sessions: dict[int, _Session] = {}
    async with TaskScope() as tasks:
        async for message, payload in pipe.frames():
            match message:
                case {"do": "open", "session": int(number)}:
                    sessions[number] = session = _Session(_Outbox(pipe, "session", number))
                    tasks.start(f"session {number}", session.run(Opening.model_validate_json(payload)))
                case {"do": "close", "session": int(number)}:
                    tasks.cancel(f"session {number}")
                    sessions.pop(number, None)
                case {"do": "call", "call": int(number), "session": int(at), "tool": str(tool)}:
                    outbox = _Outbox(pipe, "call", number)
                    session = sessions.get(at) or _Session(outbox)  # one that was closed meanwhile
                    tasks.start(f"call {number}", session.call(outbox, tool, payload))
                case {"do": "cancel", "call": int(number)}:
                    tasks.cancel(f"call {number}")
                case _:
                    raise ValueError(f"No message of ours: {message!r}")


@dataclass(frozen=True, slots=True)
class _Outbox:
    """What is told of one session or call."""

    pipe: ParentPipe
    kind: str
    number: int

    def send(self, message: Mapping[str, JsonValue]) -> None:
        self.pipe.send({self.kind: self.number, **message})


@dataclass(slots=True)
class _Session:
    outbox: _Outbox
    up_s: float = 30.0
    timeout_s: float = 60.0
    why: str = ""
    """Why it is over."""
    client: Client | None = None
    _over: asyncio.Event = field(default_factory=asyncio.Event)
    _gone: asyncio.Event = field(default_factory=asyncio.Event)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, opening: Opening) -> None:
        self.timeout_s, self.up_s = opening.timeout_s, opening.up_s
        tail = Tail()
        try:
            async with self._connected(opening, tail) as client:
                self.outbox.send({"up": await self._listed(client), "who": _who(client)})
                self.client = client
                await self._stay(client)
        except Exception as error:  # noqa: BLE001  # whatever a server does ends its own session only
            self.why = self.why or self._sentence(error)
        finally:
            self.client = None
            self._gone.set()
            self.outbox.send({"gone": True})
        self.outbox.send({"down": self.why or "The server closed the connection.", "said": tail.text})

    @asynccontextmanager
    async def _connected(self, opening: Opening, tail: Tail) -> AsyncGenerator[Client]:
        async with AsyncExitStack() as stack:
            transport: Transport
            if opening.kind == "stdio":
                transport = by_pipes(
                    opening.command,
                    list(opening.args),
                    env=opening.env,
                    cwd=opening.cwd,
                    tail=tail,
                    started=lambda pid: self.outbox.send({"pid": pid}),
                    broken=self.end,
                )
            else:
                transport = await stack.enter_async_context(by_http(opening.url, opening.headers, tail=tail))
            client = Client(transport, client_info=_NAMES, message_handler=self._hear, cache=None)
            async with asyncio.timeout(
                self.up_s
            ):  # a scope of anyio may not end before what is entered in it
                await stack.enter_async_context(client)
            yield client

    async def _stay(self, client: Client) -> None:
        """Until it is over; a list that changed is read again."""
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(self._follow(client))
            await self._over.wait()
            reading.cancel()

    async def _follow(self, client: Client) -> None:
        tools = client.server_capabilities.tools
        if tools and tools.list_changed and client.protocol_version in MODERN_PROTOCOL_VERSIONS:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._subscribe(client))
                await self._read_again(client)
        await self._read_again(client)

    async def _subscribe(self, client: Client) -> None:
        """To changes of the list, as the newer protocol has it."""
        with suppress(MCPError, SubscriptionLost):
            async with client.listen(tools_list_changed=True) as changes:
                async for _ in changes:
                    self._changed.set()

    async def _read_again(self, client: Client) -> None:
        while True:
            await self._changed.wait()
            await asyncio.sleep(_LISTED_S)
            self._changed.clear()
            with suppress(MCPError, ValidationError, TimeoutError):  # the list that is known stays
                self.outbox.send({"listed": await self._listed(client)})

    async def _hear(self, message: IncomingMessage) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            self._changed.set()

    def end(self, why: str) -> None:
        self.why = self.why or why
        self._over.set()

    async def _listed(self, client: Client) -> list[JsonValue]:
        found: dict[str, JsonValue] = {}
        cursor: str | None = None
        async with asyncio.timeout(self.up_s):
            for _ in range(_MOST_PAGES):
                page = await client.list_tools(cursor=cursor)
                found.update((tool.name, _tool_row(tool)) for tool in page.tools)
                cursor = page.next_cursor
                if cursor is None or len(found) > _MOST_TOOLS:
                    break
        return list(found.values())[:_MOST_TOOLS]

    def _sentence(self, error: BaseException) -> str:
        """What went wrong, for people and models."""
        found = _leaf(error)
        match found:
            case WireBroken():
                said = str(found)
            case MCPError(code=types.CONNECTION_CLOSED):
                said = "The server closed the connection."
            case MCPError():
                said = f"The server says: {found.message}"
            case TimeoutError():
                said = f"The server was not ready within {self.up_s:g} seconds."
            case ValidationError():
                said = f"The server's answer is not as the protocol has it: {found.errors()[0]['msg']}."
            case _:
                said = f"It failed: {str(found) or type(found).__name__}"
        return said[:_SENTENCE_CHARS]

    async def call(self, outbox: _Outbox, tool: str, payload: bytes) -> None:
        client = self.client
        if client is None:
            outbox.send({"fault": self.why or "The server does not run."})
            return
        told_s = 0.0
        try:
            with anyio.fail_after(self.timeout_s) as scope:

                async def hear(progress: float, total: float | None, message: str | None) -> None:
                    nonlocal told_s
                    now_s = anyio.current_time()
                    scope.deadline = now_s + self.timeout_s
                    if now_s - told_s >= _PROGRESS_S:
                        told_s = now_s
                        outbox.send({"progress": _progress(progress, total, message)})

                result = await client.call_tool(
                    tool, _ARGUMENTS.validate_json(payload), progress_callback=hear
                )
        except TimeoutError:
            outbox.send({"fault": f"The server did not answer within {self.timeout_s:g} seconds."})
        except Exception as error:  # noqa: BLE001  # whatever a library raises is told, as a fault
            if _is_end(error):
                self._over.set()
                with suppress(TimeoutError):
                    async with asyncio.timeout(_WHY_S):
                        await self._gone.wait()
            outbox.send({"fault": self.why or self._sentence(error)})
        else:
            text = text_of(result)
            for at in range(0, len(text), _PIECE_CHARS):
                outbox.send({"text": text[at : at + _PIECE_CHARS]})
            for mime, data in pictures_of(result):
                outbox.send({"picture": mime, "data": data})
            outbox.send({"end": True, "is_error": result.is_error})


def text_of(result: types.CallToolResult) -> str:
    """A result as the model reads it: texts, a sentence for each thing that is none, then what is structured."""
    pieces = [_block_text(block) for block in result.content]
    structured = result.structured_content
    if structured is not None and not any(_says(piece, structured) for piece in pieces):
        pieces.append(json.dumps(structured, ensure_ascii=False))
    return "\n".join(pieces) or "(no output)"


def pictures_of(result: types.CallToolResult) -> list[tuple[str, str]]:
    """Type and Base64 of the images that models take, in order; what is more than `_MOST_PICTURES` is left out."""
    found: list[tuple[str, str]] = []
    for block in result.content:
        match block:
            case types.ImageContent(mime_type=mime, data=data):
                found.append((mime, data))
            case types.EmbeddedResource(resource=types.BlobResourceContents(mime_type=str(mime), blob=data)):
                found.append((mime, data))
            case _:
                pass
    return [(mime, data) for mime, data in found if mime in _PICTURES][:_MOST_PICTURES]


def _block_text(block: types.ContentBlock) -> str:
    match block:
        case types.TextContent():
            return block.text
        case types.ImageContent() | types.AudioContent():
            kind = "image" if isinstance(block, types.ImageContent) else "sound"
            return f"[{kind}: {block.mime_type}, {_n_bytes(block.data):,} bytes{_unshown(block.mime_type)}]"
        case types.ResourceLink():
            about = f": {block.description}" if block.description else ""
            return f"[resource {block.name!r} at {block.uri}{about}]"
        case types.EmbeddedResource(resource=types.TextResourceContents() as resource):
            return f"[resource {resource.uri}]\n{resource.text}"
        case types.EmbeddedResource(resource=types.BlobResourceContents() as resource):
            kind = resource.mime_type or "bytes"
            return f"[resource {resource.uri}: {kind}, {_n_bytes(resource.blob):,} bytes{_unshown(kind)}]"
        case _:
            return "[a result of a kind that is not known here]"


def _unshown(mime: str) -> str:
    return "" if mime in _PICTURES else "; it is not shown here"


def _n_bytes(base64: str) -> int:
    return len(base64) * 3 // 4 - base64[-2:].count("=")


def _says(text: str, value: object) -> bool:
    """Whether `text` is `value`, or all that it holds under one name: most servers give both forms."""
    values: list[object] = [value]
    if isinstance(value, dict) and len(held := cast("dict[str, object]", value)) == 1:
        values += held.values()
    try:
        return text in values or json.loads(text) in values
    except ValueError:
        return False


def _tool_row(tool: types.Tool) -> JsonValue:
    hints = tool.annotations or types.ToolAnnotations()
    schema: dict[str, JsonValue] = {"type": "object", "properties": {}, **tool.input_schema}
    return {
        "name": tool.name,
        "title": tool.title or hints.title or "",
        "description": tool.description or "",
        "schema": json.dumps(schema, ensure_ascii=False, sort_keys=True, separators=(",", ":")),
        "is_read_only": hints.read_only_hint is True,
        "is_destructive": hints.destructive_hint is True and hints.read_only_hint is not True,
    }


def _who(client: Client) -> str:
    info = client.server_info
    return " ".join(
        filter(None, (info.name, info.version, f"· MCP {client.protocol_version}") if info else ())
    )


def _progress(done: float, total: float | None, message: str | None) -> str:
    figures = f"{done:g}/{total:g}" if total else f"{done:g}"
    return f"{figures} {message}\n" if message else f"{figures}\n"


def _is_end(error: Exception) -> bool:
    """Whether nothing can be asked in this session any more."""
    if isinstance(error, MCPError):
        return error.code == types.CONNECTION_CLOSED or error.message == "Session terminated"
    return isinstance(error, anyio.ClosedResourceError | anyio.BrokenResourceError)


def _leaf(error: BaseException) -> BaseException:
    """The first failure of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error
