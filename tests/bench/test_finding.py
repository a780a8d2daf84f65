"""Q10 as a test: the first page of a million messages, half-typed words and Chinese pairs too."""

from pathlib import Path

import pytest

from app.core.ids import ChatId
from app.settings import Paths
from app.store.store import Store
from tests.bench.finding import N, fill, lines, measures


@pytest.mark.slow
@pytest.mark.timeout(3_600)
async def test_the_first_page_of_a_million_messages_takes_at_most_50_ms() -> None:
    found = await measures(N)

    slow = {item.what: item.value for item in found if item.what.startswith("Q10") and not item.is_ok}
    assert slow == {}


async def test_what_the_bench_stores_is_found_as_what_the_store_stores(tmp_path: Path) -> None:
    paths = Paths(data=tmp_path)
    fill(paths, 300, lines())

    store = await Store.open(paths)
    (found,) = (await store.find("number47", limit=1)).found
    n_found = len((await store.find("the", limit=50)).found)
    await store.aclose()

    assert (found.chat_id, found.snippet.text.startswith("number47")) == (ChatId("chat000000"), True)
    assert n_found == 50
