"""Our own form holds what was done with a chat: its folds, pins and ledger come back with it (U21)."""

import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chats.export import export_own
from app.chats.library import Library
from app.context.ports import ChatContents, NewFold
from app.context.reading import Folded, read
from app.context.transcript import Transcript
from app.core.folds import Fold, FoldKind, Pin
from app.core.ids import ChatId, CompactionId
from app.core.ledger import LedgerItem, LedgerKind
from app.core.parts import Blob, TextPart
from app.core.records import Compaction, StepReport
from app.settings import Paths
from app.store.store import Store
from app.tasks import SystemClock
from app.vault.vault import Vault
from tests.app.chats.reading import CONVERSATIONS, imported, stored

_LONG = b"all of it\n" * 9_000
"""Too long to stand in an entry."""
_NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
_TALK = {"title": "T", "messages": [{"role": "user", "content": f"q{n}"} for n in range(6)]}
_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)


def _compaction(name: str, *, summary: str = "") -> Compaction:
    return Compaction(
        id=CompactionId(name),
        chat_id=ChatId("c"),
        rev=1,
        trigger="manual",
        reason="You asked for it.",
        tokens_before=900,
        tokens_after=90,
        elapsed_ms=12.5,
        created_at=_NOON,
        steps=(StepReport(step="S6", candidates=3, folded=2, tokens_saved=7, ms=1.5, why="rare"),),
        cost_usd=0.25,
        summary=summary,
    )


@st.composite
def _worked_on(draw: st.DrawFn) -> ChatContents:
    """A chat whose entries were folded, pinned and noted at random, some of it undone."""
    contents = replace(stored(imported(json.dumps(_TALK).encode())), compactions=())
    contents = replace(contents, chat=replace(contents.chat, source=""))
    ids = st.sampled_from([entry.id for entry in contents.entries])
    undone = st.none() | st.just(99)
    names = ("k1", "k2")
    fold = st.builds(
        Fold,
        rev=st.integers(10, 20),
        compaction_id=st.sampled_from(names).map(CompactionId),
        kind=st.sampled_from(FoldKind),
        first=ids,
        last=ids,
        anchor=ids,
        part=st.none() | st.just(0),
        replacement=st.lists(_TEXTS.map(lambda text: TextPart(text=text)), max_size=2).map(tuple),
        undone_rev=undone,
    )
    line = st.builds(
        LedgerItem,
        id=_TEXTS,
        kind=st.sampled_from(LedgerKind),
        text=_TEXTS,
        entry_id=st.none() | ids,
        rev=st.just(7),
        superseded_rev=undone,
        is_manual=st.booleans(),
    )
    pin = st.builds(Pin, entry_id=ids, rev=st.just(8), undone_rev=undone)
    return replace(
        contents,
        folds=tuple(draw(st.lists(fold, max_size=5))),
        pins=tuple(draw(st.lists(pin, max_size=3))),
        compactions=tuple(_compaction(name, summary=draw(_TEXTS)) for name in names),
        ledger=tuple(draw(st.lists(line, max_size=3))),
    )


@given(_worked_on())
def test_what_was_done_with_a_chat_comes_back_to_the_letter(contents: ChatContents) -> None:
    written = export_own(contents, {})
    found = imported(written)

    made = [batch.compaction for batch in found.kept.batches]
    folds = [fold for batch in found.kept.batches for fold in batch.folds]
    again = replace(
        stored(found),
        folds=tuple(_as_stored(n, fold) for n, fold in enumerate(folds, start=10)),
        pins=tuple(Pin(entry_id=entry_id, rev=8) for entry_id in found.kept.pins),
        compactions=tuple(made),
        ledger=found.kept.ledger,
    )
    assert export_own(again, {}) == written
    assert found.faults == ()
    standing = [fold for fold in contents.folds if fold.undone_rev is None]
    assert sorted(fold.kind for fold in folds) == sorted(fold.kind for fold in standing)


def _as_stored(rev: int, fold: NewFold) -> Fold:
    return Fold(
        rev=rev,
        compaction_id=fold.compaction_id,
        kind=fold.kind,
        first=fold.first,
        last=fold.last,
        anchor=fold.anchor,
        part=fold.part,
        replacement=fold.replacement,
    )


@pytest.mark.parametrize("spoil", [{"first": 77}, {"kind": "song"}, {"replacement": [{"part": "song"}]}])
def test_a_compaction_that_is_spoiled_is_told_and_its_messages_are_whole_again(
    spoil: dict[str, object],
) -> None:
    contents = replace(stored(imported(json.dumps(_TALK).encode())), compactions=(_compaction("k1"),))
    first = contents.entries[0].id
    fold = Fold(
        rev=9,
        compaction_id=CompactionId("k1"),
        kind=FoldKind.REMOVED,
        first=first,
        last=first,
        anchor=first,
    )
    value = json.loads(export_own(replace(contents, folds=(fold,)), {}))
    value["compactions"][0]["folds"][0] |= spoil

    found = imported(value)

    assert found.kept.batches == ()
    assert len(found.faults) == 1
    assert len(found.entries) == 6


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[tuple[Library, Store]]:
    paths = Paths(data=tmp_path / "data")
    store = await Store.open(paths)
    yield Library(store=store, vault=Vault(paths.vault), clock=SystemClock()), store
    await store.aclose()


async def test_an_archive_brings_back_what_the_model_saw_with_its_originals(
    library: tuple[Library, Store], tmp_path: Path
) -> None:
    """Also into a program that has none of it, where the original in a fold has to come along."""
    house, store = library
    path = next(path for path in CONVERSATIONS if path.stem == "tau-airline-task33")
    ((outcome,), _) = await house.import_files([path])
    (chat_id,) = outcome.chats
    entries = (await store.load(chat_id)).entries
    vault = Vault(Paths(data=tmp_path / "data").vault)
    original = await vault.put(_LONG, mime="text/plain", name="message-0.txt")  # as an import names it
    folds = [
        NewFold(
            compaction_id=CompactionId("k"),
            kind=FoldKind.SUMMARISED,
            first=entries[1].id,
            last=entries[1].id,
            anchor=entries[-1].id,
            replacement=(TextPart(text=original),),
        )
    ]
    compaction = replace(_compaction("k"), chat_id=chat_id)
    assert await store.commit(compaction, folds, planned_rev=entries[-1].rev)
    await store.pin(chat_id, entries[2].id)
    line = LedgerItem(id="l", kind=LedgerKind.DECISION, text="No refunds", entry_id=entries[0].id, rev=1)
    await store.save_ledger(chat_id, [line])
    await house.export_all(tmp_path / "all.zip")

    other_paths = Paths(data=tmp_path / "other")
    other = await Store.open(other_paths)
    async with aclosing(other):
        there = Library(store=other, vault=Vault(other_paths.vault), clock=SystemClock())
        ((came,), _) = await there.import_files([tmp_path / "all.zip"])
        (copy,) = came.chats
        before, after = await store.load(chat_id), await other.load(copy)
        (said,) = [fold.replacement[0] for fold in after.folds]
        assert isinstance(said, TextPart)
        assert isinstance(said.text, Blob)
        assert await Vault(other_paths.vault).get(said.text) == _LONG
        assert _texts(after) == _texts(before)
        (kept,) = await other.ledger(copy)
        assert (kept.text, kept.entry_id) == ("No refunds", after.entries[0].id)
        assert [pin.entry_id for pin in after.pins] == [after.entries[2].id]
        assert [made.tokens_before for made in await other.compactions(copy)] == [900]
        await other.undo(copy, after.folds[0].compaction_id)
        assert _texts(await other.load(copy)) == _texts(replace(before, folds=()))


def _texts(contents: ChatContents) -> list[object]:
    """What the model sees, without the names of entries."""
    head = contents.chat.head
    assert head
    path = Transcript(contents.entries).path(head)
    items = read(path, contents.folds, contents.deletions, rev=contents.chat.rev)
    return [item.fold.replacement if isinstance(item, Folded) else item.parts for item in items]
