"""The sample chat is long, whole, and nobody's: what a person without a key looks at first (U19)."""

import lzma
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.chats.sample import FILE, SAMPLE, WINDOW_TOKENS, lay_down_sample
from app.core.entries import Origin
from app.settings import Paths
from app.store.store import Store
from app.vault.vault import Vault

ROOT = Path(__file__).resolve().parents[3]


async def test_the_sample_has_all_its_figures_and_is_there_once(tmp_path: Path) -> None:
    """A minute old, also when it is opened months after it was recorded; a second look finds it as it was left."""
    store = await Store.open(Paths(data=tmp_path))
    vault, now = Vault(Paths(data=tmp_path).vault), datetime.now(UTC)

    await lay_down_sample(store, vault, now)
    await store.trash_chat(SAMPLE)
    await lay_down_sample(store, vault, now + timedelta(days=9))

    (chat,) = await store.chats()
    contents, requests = await store.load(SAMPLE), await store.requests(SAMPLE)
    compactions = await store.compactions(SAMPLE)
    asked = [entry for entry in contents.entries if entry.origin is Origin.USER]
    results = [part for entry in contents.entries for part in entry.results]
    assert chat.updated_at == now - timedelta(minutes=1)
    assert chat.window_tokens == WINDOW_TOKENS
    assert len(asked) >= 200
    assert len(results) >= 200
    assert {part.name for part in results} >= {"file_read", "search_files", "shell", "file_edit"}
    assert all(item.usage and item.cost_usd for item in requests if item.usage)
    assert len(requests) >= 400
    assert compactions
    assert {fold.compaction_id for fold in contents.folds} == {item.id for item in compactions}
    for record in (requests[0], requests[-1]):
        assert "file_read" in {tool.name for tool in (await store.prelude(record.prelude_hash)).tools}
    await store.aclose()


def test_the_sample_holds_nothing_of_a_machine_or_a_person() -> None:
    text = lzma.decompress(FILE.read_bytes()).decode()

    assert FILE.stat().st_size < 1_000_000
    assert str(ROOT) not in text
    assert not re.findall(r"/(?:home|root|Users|work)/[\w.-]+", text)
    assert not re.findall(r"sk-[A-Za-z0-9]{8,}(?!.{0,40}(?:sample|test|CANARY))", text)
