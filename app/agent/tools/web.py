"""`web_fetch` and `web_search`: what is on the web, each host with the person's approval (A10)."""

from pydantic import BaseModel, Field

from app.agent.approvals import address_wish
from app.agent.tools.tool import BuiltIn, Given, Place
from app.core.approvals import Access, Wish


class WebFetch(BaseModel):
    url: str = Field(description="https://…")


class WebSearch(BaseModel):
    query: str = Field(min_length=1, max_length=400)


async def _asks_fetch(wanted: WebFetch, place: Place) -> Wish | None:
    return address_wish("web_fetch", wanted.url)


async def _web_fetch(wanted: WebFetch, place: Place) -> Given:
    page = await place.web.fetch(wanted.url)
    moved = f"[{page.url}]\n" if page.url != wanted.url else ""
    return Given(text=moved + page.text if page.text.strip() else "(no text)")


async def _asks_search(wanted: WebSearch, place: Place) -> Wish | None:
    engine = place.settings.search_engine
    return Wish(
        tool="web_search",
        access=Access.NETWORK,
        what=wanted.query,
        rules=(f"{Access.NETWORK}:search {engine}",),
    )


async def _web_search(wanted: WebSearch, place: Place) -> Given:
    hits = await place.web.find(wanted.query)
    told = (f"{n}. {hit.title}\n{hit.url}\n{hit.excerpt}" for n, hit in enumerate(hits, 1))
    return Given(text="\n\n".join(told) or "No results found")


WEB_FETCH = BuiltIn(
    name="web_fetch",
    description="The readable text of a public page.",
    arguments=WebFetch,
    deed=_web_fetch,
    asks=_asks_fetch,
    is_read_only=True,
)
WEB_SEARCH = BuiltIn(
    name="web_search",
    description="Search the web: titles, addresses and excerpts. Read what looks best with web_fetch.",
    arguments=WebSearch,
    deed=_web_search,
    asks=_asks_search,
    is_read_only=True,
)
