"""Exports hold every word of texts that lie in the vault, and say where one is lost."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.chats.library import Library
from app.context.ports import NewEntry
from app.core.entries import Origin
from app.core.ids import ChatId, EntryId
from app.core.parts import Blob, TextPart, blobs_of, said_parts
from app.settings import Paths
from app.store.store import Store
from app.vault.vault import Vault
from tests.app.chats.reading import conversation
from tests.fakes import FakeClock

RECORDED = [
    conversation(name).read_text("utf-8")[:300_000]
    for name in ("deerflow-suchao-website", "pi-mono-refactor-session", "tau2-airline-8-sessions")
]
"""As somebody pastes a session that went wrong."""


@dataclass(frozen=True, kw_only=True)
class House:
    paths: Paths
    store: Store
    library: Library

    async def chat(self, *texts: str) -> ChatId:
        """A chat in which these were said, the person and the model in turn."""
        chat_id, _ = await self.library.new_chat(title="Long")
        parent: EntryId | None = None
        for n, text in enumerate(texts):
            new = NewEntry(
                id=EntryId(f"{chat_id}{n}"),
                parent_id=parent,
                origin=Origin.ASSISTANT if n % 2 else Origin.USER,
                parts=(TextPart(text=text),) if n % 2 else said_parts(text),
            )
            (entry,) = await self.store.append(chat_id, [new])
            parent = entry.id
        return chat_id


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    paths = Paths(data=tmp_path / "data")
    store = await Store.open(paths)
    library = Library(store=store, vault=Vault(paths.vault), clock=FakeClock())
    yield House(paths=paths, store=store, library=library)
    await store.aclose()


def _said(n: int) -> str:
    return f"Look at this session:\n\n{RECORDED[n]}\n\nWhat went wrong in it?"


async def test_markdown_holds_every_byte_of_what_was_said(house: House) -> None:
    chat = await house.chat(_said(0), RECORDED[1], _said(2))

    written = (await house.library.as_markdown(chat, folder="files")).text

    first, answer, last = (written.index(text) for text in (_said(0), RECORDED[1], _said(2)))
    assert first < answer < last


async def test_json_holds_every_byte_and_comes_back_as_the_same_chat(house: House, tmp_path: Path) -> None:
    chat = await house.chat(_said(0), RECORDED[1], _said(2))
    file = tmp_path / "out.json"
    await house.library.export_to(chat, file)

    ((outcome,), _) = await house.library.import_files([file])

    said = json.loads(await asyncio.to_thread(file.read_text, "utf-8"))["entries"]
    texts = ["\n\n".join(part["text"] for part in entry["parts"]) for entry in said]
    assert texts == [_said(0), RECORDED[1], _said(2)]
    assert await house.library.as_json(outcome.chats[0]) == await house.library.as_json(chat)


async def test_what_is_said_in_an_imported_chat_is_one_text_in_its_files_own_form(house: House) -> None:
    """The file of another program knows nothing of parts that lie apart."""
    ((outcome,), _) = await house.library.import_files([conversation("opencua-spotify")])
    (chat,) = outcome.chats
    head = (await house.store.chat(chat)).head
    new = NewEntry(id=EntryId("x"), parent_id=head, origin=Origin.USER, parts=said_parts(_said(0)))
    await house.store.append(chat, [new])

    written = json.loads(await house.library.as_json(chat))

    assert written["messages"][-1] == {"role": "user", "content": _said(0)}


async def test_a_lost_original_is_told_in_its_place_and_the_rest_is_written(house: House) -> None:
    chat = await house.chat(_said(0), RECORDED[1], "Thanks.")
    damaged, missing = await _blobs(house, chat)
    _file(house, damaged).write_bytes(b"damaged")
    _file(house, missing).unlink()

    written = (await house.library.as_markdown(chat, folder="files")).text
    lost = await house.library.lost(chat)

    assert [error.message for error in lost] == [
        "'message.md' in the vault is damaged.",
        "'message.md' is not in the vault any more.",
    ]
    assert all(f"[{error.message}]" in written for error in lost)
    assert "Look at this session:" in written
    assert "What went wrong in it?" in written
    assert "Thanks." in written


async def _blobs(house: House, chat: ChatId) -> tuple[Blob, ...]:
    entries = (await house.store.load(chat)).entries
    return tuple(blob for entry in entries for blob in blobs_of(entry.parts))


def _file(house: House, blob: Blob) -> Path:
    (path,) = house.paths.vault.rglob(blob.sha256)
    return path
