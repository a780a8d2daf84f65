"""Where Prometheus reads the metrics, if the person wants that: on this machine alone (A18)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime

from app.core.errors import StoreError
from app.core.ids import ChatId, ModelId
from app.health.exposition import CONTENT_TYPE, exposition
from app.store.store import Store

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
_PATIENCE_S = 5.0


async def exposed(store: Store, *, since: datetime, circles: Mapping[tuple[ChatId, ModelId], int]) -> str:
    """What is read at the metrics' port: of requests since then. `circles`: as `exposition`."""
    made = await store.requests_since(since)
    windows: dict[ChatId, int] = {}
    for chat_id in {item.chat_id for item in made}:
        with suppress(StoreError):  # deleted for good meanwhile
            windows[chat_id] = (await store.chat(chat_id)).window_tokens
    return await asyncio.to_thread(exposition, made, windows, dict(circles))


class MetricsEndpoint:
    """
    Args:
        text: What is told, made anew for each reader.
    """

    def __init__(self, text: Callable[[], Awaitable[str]]) -> None:
        self._text = text
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """Where it listens; 0: nowhere."""
        return self._server.sockets[0].getsockname()[1] if self._server else 0

    async def serve(self, port: int) -> None:
        """Listen at `port` from now on, and nowhere else; 0: nowhere. A port that is taken is left alone."""
        if port == self.port:
            return
        await self.aclose()
        if port:
            try:
                self._server = await asyncio.start_server(self._answer, HOST, port)
            except OSError as error:
                log.info("Metrics can't be read at port %d: %s", port, error)

    async def aclose(self) -> None:
        if self._server:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                head = await reader.readuntil(b"\r\n\r\n")
                status = _status(head.decode("latin-1"))
                body = (await self._text()).encode() if status == "200 OK" else b""
                told = f"HTTP/1.1 {status}\r\nContent-Type: {CONTENT_TYPE}\r\nContent-Length: {len(body)}\r\n"
                writer.write(f"{told}Connection: close\r\n\r\n".encode() + body)
                await writer.drain()
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever came went away, or says nothing that is HTTP
        finally:
            writer.close()


def _status(head: str) -> str:
    """What a request comes to. A page of another host that was led here by its name server reads nothing."""
    first, *lines = head.split("\r\n")
    method, _, rest = first.partition(" ")
    named = dict(line.lower().split(":", 1) for line in lines if ":" in line)
    host = named.get("host", "").strip().rpartition(":")[0] or named.get("host", "").strip()
    if host not in (HOST, "localhost"):
        return "403 Forbidden"
    if method != "GET":
        return "405 Method Not Allowed"
    return "200 OK" if rest.partition(" ")[0].partition("?")[0] == "/metrics" else "404 Not Found"
