"""Pages and searches on the web, for the agent's tools: only public addresses, only so much, only so long (A10, Q23).

Each name is resolved here and the connection goes to the very address that was judged, so that no second answer of
a name server leads elsewhere; each redirect is judged anew.
"""

from __future__ import annotations

import asyncio
import importlib
import ipaddress
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast
from urllib.parse import SplitResult, urlencode, urljoin, urlsplit

from pydantic import JsonValue, TypeAdapter, ValidationError

from app.core.errors import AppError
from app.core.parts import clean_text

if TYPE_CHECKING:
    import httpx

MOST_BYTES = 8 * 1024 * 1024
TIMEOUT_S = 20.0
_MOST_REDIRECTS = 5
_AGENT = "Palimpsest/1.0 (a person's own desktop application)"

_JSON: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Name and port to addresses."""


class WebRefused(AppError):
    """The address may not be asked, or did not give what a model can read."""

    code = "web"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    url: str
    """Where it was in the end."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    title: str
    url: str
    excerpt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEngine:
    """Who is asked for hits."""

    kind: str
    """`searxng`, `tavily` or `brave`."""
    url: str = ""
    key: str = ""


async def system_resolve(host: str, port: int) -> Sequence[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(item[4][0]) for item in found]


async def no_engine() -> SearchEngine | None:
    return None


class Web:
    """
    Args:
        readable: An HTML page to its text.
        engine: Who is asked for hits now; None: nobody.
        resolve: How names are resolved.
        allowed: `host:port` of servers that may be asked although their addresses are not public.
    """

    def __init__(
        self,
        readable: Callable[[str], Awaitable[str]],
        *,
        engine: Callable[[], Awaitable[SearchEngine | None]] = no_engine,
        resolve: Resolve = system_resolve,
        allowed: Collection[str] = (),
    ) -> None:
        self._engine = engine
        self._readable = readable
        self._resolve = resolve
        self._allowed = frozenset(allowed)

    async def fetch(self, url: str) -> Page:
        """The readable text of a page.

        Raises:
            WebRefused: with a sentence for the model.
        """
        for _ in range(_MOST_REDIRECTS + 1):
            status, headers, data = await self._get(url, headers={})
            if status in (301, 302, 303, 307, 308) and (where := headers.get("location")):
                url = urljoin(url, where)
                continue
            if status >= 400:
                raise WebRefused(f"{url!r} answered with status {status}.")
            mime = headers.get("content-type", "").partition(";")[0].strip().lower()
            text = _text(data, headers.get("content-type", ""), url)
            is_page = "html" in mime or text.lstrip()[:15].lower().startswith(("<!doctype html", "<html"))
            return Page(url=url, text=await self._readable(text) if is_page else text)
        raise WebRefused(f"{url!r} leads from one address to another without an end.")

    async def find(self, query: str, *, most: int = 8) -> tuple[Hit, ...]:
        """What the engine that the person set up finds.

        Raises:
            WebRefused: there is none, it can't be asked, or it did not answer with hits.
        """
        engine = await self._engine()
        if engine is None:
            raise WebRefused("No search engine is set up.")
        url, headers, body = _question(query, engine, most)
        own = urlsplit(engine.url).netloc if engine.kind == "searxng" else ""
        status, _, data = await self._get(url, headers=headers, body=body, own=own)
        if status >= 400:
            raise WebRefused(f"The search engine answered with status {status}.")
        try:
            found = _JSON.validate_json(data)
        except ValidationError as error:
            raise WebRefused("The search engine did not answer with JSON.") from error
        return _hits(found, engine.kind)[:most]

    async def _get(
        self, url: str, *, headers: Mapping[str, str], body: JsonValue = None, own: str = ""
    ) -> tuple[int, Mapping[str, str], bytes]:
        """One request to a judged address.

        Args:
            own: A host and port that the person entered, which may be private.
        Returns: status, headers in lower case, and the body.
        """
        parts = _parts(url)
        address = await self._judged(parts, own)
        host = f"[{address}]" if ":" in address else address
        port = f":{parts.port}" if parts.port else ""
        target = parts._replace(netloc=f"{host}{port}").geturl()
        sent = {**headers, "host": parts.netloc.rpartition("@")[2], "user-agent": _AGENT}
        await _loaded()
        import httpx

        context = await asyncio.to_thread(httpx.create_ssl_context)
        try:
            async with (
                asyncio.timeout(TIMEOUT_S),
                httpx.AsyncClient(trust_env=False, verify=context, follow_redirects=False) as client,
                client.stream(
                    "GET" if body is None else "POST",
                    target,
                    headers=sent,
                    json=body,
                    extensions={"sni_hostname": parts.hostname or ""},
                ) as answer,
            ):
                return answer.status_code, dict(answer.headers), await _read(answer, url)
        except TimeoutError as error:
            raise WebRefused(f"{url!r} did not answer within {TIMEOUT_S:.0f} s.") from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise WebRefused(f"{url!r} could not be reached: {error}") from error

    async def _judged(self, parts: SplitResult, own: str) -> str:
        """The address to connect to; all that the name has must be public."""
        assert parts.hostname
        port = parts.port or (443 if parts.scheme == "https" else 80)
        try:
            found = await self._resolve(parts.hostname, port)
        except OSError as error:
            raise WebRefused(f"The name {parts.hostname!r} could not be found.") from error
        is_allowed = f"{parts.hostname}:{port}" in self._allowed or (own and parts.netloc == own)
        if not found or not (is_allowed or all(map(is_public, found))):
            raise WebRefused(f"{parts.hostname!r} is no public address, and is not asked.")
        return found[0]


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet: not this computer, its network, or what a cloud tells its own."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is not None:
            return is_public(str(inner))
        if found in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)))
    return found.is_global and not found.is_multicast


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        _ = parts.port
    except ValueError as error:
        raise WebRefused(f"{url!r} is no address.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise WebRefused(f"{url!r} is no address of a page; write https://…")
    if parts.username is not None:
        raise WebRefused("An address with a name and password in it is not asked.")
    return parts


async def _read(answer: httpx.Response, url: str) -> bytes:
    pieces: list[bytes] = []
    size = 0
    async with aclosing(cast("AsyncGenerator[bytes, None]", answer.aiter_bytes())) as arriving:
        async for piece in arriving:
            pieces.append(piece)
            size += len(piece)
            if size > MOST_BYTES:
                raise WebRefused(f"{url!r} is longer than {MOST_BYTES // 1024**2} MB.")
    return b"".join(pieces)


def _text(data: bytes, content_type: str, url: str) -> str:
    if b"\x00" in data[:4096]:
        raise WebRefused(f"{url!r} is no text: {content_type or 'unknown'}, {len(data):,} bytes.")
    _, _, named = content_type.lower().partition("charset=")
    try:
        return clean_text(data.decode(named.strip(" \"'") or "utf-8", "replace"))
    except LookupError:
        return clean_text(data.decode("utf-8", "replace"))


def _question(query: str, engine: SearchEngine, most: int) -> tuple[str, dict[str, str], JsonValue]:
    """Address, headers and body of a search."""
    if engine.kind == "searxng":
        return f"{engine.url.rstrip('/')}/search?{urlencode({'q': query, 'format': 'json'})}", {}, None
    if engine.kind == "brave":
        url = f"{engine.url or 'https://api.search.brave.com'}/res/v1/web/search?{urlencode({'q': query, 'count': most})}"
        return url, {"x-subscription-token": engine.key, "accept": "application/json"}, None
    body: dict[str, JsonValue] = {"query": query, "max_results": most}
    url = f"{engine.url or 'https://api.tavily.com'}/search"
    return url, {"authorization": f"Bearer {engine.key}"}, body


def _hits(found: JsonValue, kind: str) -> tuple[Hit, ...]:
    items = found.get("results") if isinstance(found, dict) else None
    if kind == "brave" and isinstance(found, dict):
        web = found.get("web")
        items = web.get("results") if isinstance(web, dict) else None
    hits: list[Hit] = []
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(url := item.get("url"), str):
            excerpt = item.get("content") or item.get("description") or ""
            hits.append(Hit(title=str(item.get("title") or url), url=url, excerpt=str(excerpt)))
    return tuple(hits)


async def _loaded() -> None:
    """httpx is imported in a thread: 0.2 s at first."""
    await asyncio.to_thread(importlib.import_module, "httpx")
