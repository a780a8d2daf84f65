"""The web is read within bounds: public addresses, so much, so long; what a page says is text (A10, Q23)."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from hypothesis import given
from hypothesis import strategies as st

from app.filters.structural.html_text import readable_text
from app.providers.web import MOST_BYTES, SearchEngine, Web, WebRefused, is_public

PAGE = "<html><head><title>Rivers</title><script>x()</script></head><body><h1>Long rivers</h1><p>The Nile.</p></body></html>"


_PIECE = 64 * 1024


async def readable(page: str) -> str:
    return readable_text(page)


@pytest.fixture
async def server() -> AsyncIterator[TestServer]:
    async def page(request: web.Request) -> web.Response:
        return web.Response(text=PAGE, content_type="text/html")

    async def plain(request: web.Request) -> web.Response:
        return web.Response(
            body="größe".encode("latin-1"), headers={"content-type": "text/plain; charset=latin-1"}
        )

    async def long(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(headers={"content-type": "text/plain"})
        await answer.prepare(request)
        with contextlib.suppress(ConnectionError):
            for _ in range(2 * MOST_BYTES // _PIECE):
                await answer.write(b"x" * _PIECE)
        return answer

    async def picture(request: web.Request) -> web.Response:
        return web.Response(body=b"\x89PNG\x00\x00", content_type="image/png")

    async def moved(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"location": request.query.get("to", "/broken")})

    async def searx(request: web.Request) -> web.Response:
        found = [{"title": "Nile", "url": "https://nile.example", "content": f"About {request.query['q']}"}]
        return web.json_response({"results": found})

    async def brave(request: web.Request) -> web.Response:
        key = request.headers["x-subscription-token"]
        return web.json_response(
            {"web": {"results": [{"title": key, "url": "https://a.example", "description": "d"}]}}
        )

    async def tavily(request: web.Request) -> web.Response:
        asked = await request.json()
        key = request.headers["authorization"]
        return web.json_response(
            {"results": [{"title": key, "url": "https://b.example", "content": asked["query"]}]}
        )

    app = web.Application()
    app.router.add_get("/page", page)
    app.router.add_get("/plain", plain)
    app.router.add_get("/long", long)
    app.router.add_get("/picture", picture)
    app.router.add_get("/moved", moved)
    app.router.add_get("/search", searx)
    app.router.add_get("/res/v1/web/search", brave)
    app.router.add_post("/search", tavily)
    running = TestServer(app)
    await running.start_server()
    yield running
    await running.close()
    await asyncio.sleep(0.05)  # a handler whose client went away ends a moment later


def port_of(server: TestServer) -> int:
    return int(str(server.make_url("/").port))


def reaching(server: TestServer, engine: SearchEngine | None = None) -> Web:
    """A web whose names all lead to the server, which is allowed by its name alone."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    async def asked() -> SearchEngine | None:
        return engine

    return Web(readable, engine=asked, resolve=resolve, allowed=[f"site.example:{port_of(server)}"])


def at(server: TestServer, path: str, host: str = "site.example") -> str:
    return f"http://{host}:{port_of(server)}{path}"


async def test_a_page_comes_as_what_a_reader_would_read(server: TestServer) -> None:
    found = await reaching(server).fetch(at(server, "/page"))

    assert "The Nile." in found.text
    assert "x()" not in found.text


async def test_text_comes_in_the_letters_it_was_written_in(server: TestServer) -> None:
    assert (await reaching(server).fetch(at(server, "/plain"))).text == "größe"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("/long", "longer than 8 MB"),
        ("/picture", "no text"),
        ("/gone", "status 404"),
        ("/moved", "status 404"),
        ("/moved?to=http://inner.example:{port}/page", "no public address"),
        ("/moved?to=file:///etc/passwd", "no address of a page"),
    ],
)
async def test_what_can_t_be_read_is_told(server: TestServer, url: str, told: str) -> None:
    with pytest.raises(WebRefused, match=told):
        await reaching(server).fetch(at(server, url.format(port=port_of(server))))


async def test_a_page_that_leads_in_a_circle_ends(server: TestServer) -> None:
    circle = at(server, "/moved?to=%2Fmoved%3Fto%3D%252Fpage")
    assert "Nile" in (await reaching(server).fetch(circle)).text

    import urllib.parse

    endless = at(server, "/moved?to=")
    url = endless
    for _ in range(8):
        url = endless + urllib.parse.quote(url, safe="")
    with pytest.raises(WebRefused, match="without an end"):
        await reaching(server).fetch(url)


@pytest.mark.parametrize(
    "url", ["ftp://a.example", "https://", "http://u:p@a.example/", "javascript:alert(1)", "x"]
)
async def test_what_is_no_address_of_a_page_is_refused(server: TestServer, url: str) -> None:
    with pytest.raises(WebRefused):
        await reaching(server).fetch(url)


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.9.9", "169.254.169.254", "0.0.0.0", "::1", "fe80::1%eth0",
     "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "224.0.0.1", "100.64.0.1", "nonsense"],
)  # fmt: skip
def test_an_address_of_this_computer_or_its_network_is_not_public(address: str) -> None:
    """Q23: the guard against requests into the inside."""
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@given(
    st.ip_addresses(network="10.0.0.0/8")
    | st.ip_addresses(network="127.0.0.0/8")
    | st.ip_addresses(network="fc00::/7")
)
def test_no_private_address_passes(address: object) -> None:
    assert not is_public(str(address))


@pytest.mark.parametrize(
    ("kind", "excerpt"), [("searxng", "About rivers"), ("brave", "d"), ("tavily", "rivers")]
)
async def test_each_engine_is_asked_in_its_own_form(server: TestServer, kind: str, excerpt: str) -> None:
    engine = SearchEngine(kind=kind, url=at(server, ""), key="k1")

    (hit,) = await reaching(server, engine).find("rivers")

    assert hit.excerpt == excerpt
    assert kind == "searxng" or "k1" in hit.title


async def test_without_an_engine_nothing_is_searched(server: TestServer) -> None:
    with pytest.raises(WebRefused, match="No search engine"):
        await reaching(server).find("rivers")
