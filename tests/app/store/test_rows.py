"""Tests of values as columns and back."""

from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine
from sqlmodel import Session, SQLModel, insert, select

from app.core.entries import Chat, Entry
from app.core.folds import Deletion, Fold, Pin
from app.core.parts import OpaquePart, Part
from app.core.records import Compaction, Draft, Partial, RequestRecord, ToolRun
from app.core.requests import Prelude
from app.core.usage import Usage
from app.store import rows, tables
from app.store.tables import from_row, to_row
from tests import strategies

Value = TypeVar("Value", Fold, Pin, Deletion, Compaction, RequestRecord, Partial, Draft, ToolRun, Prelude)

_ENGINE = create_engine("sqlite://")
SQLModel.metadata.create_all(_ENGINE)


def _through(value: Value, table: type[SQLModel], **more: object) -> Value:
    """Store the value in a real table and read it back."""
    with Session(_ENGINE) as session:
        session.exec(insert(table).values(to_row(value, **more)))
        row = session.exec(select(table)).one()
        found = from_row(row, type(value))
        session.rollback()
    return found


@given(strategies.tuples_of(strategies.parts))
def test_parts_come_back_as_they_were(parts: tuple[Part, ...]) -> None:
    assert rows.to_parts(rows.from_parts(parts)) == parts


@given(strategies.usages)
def test_a_usage_comes_back_as_it_was(usage: Usage) -> None:
    assert rows.to_usage(rows.from_usage(usage)) == usage


@given(strategies.entries)
def test_an_entry_comes_back_as_it_was(entry: Entry) -> None:
    with _ENGINE.connect() as connection:
        connection.execute(insert(tables.EntryRow).values(to_row(entry, chat_id="chat")))
        row = connection.exec_driver_sql(rows.OWN, ("chat",)).one()

    assert rows.to_entry(row) == entry  # pyright: ignore[reportArgumentType]  # a row is its columns


@given(strategies.chats)
def test_a_chat_comes_back_as_it_was(chat: Chat) -> None:
    with _ENGINE.connect() as connection:
        connection.execute(insert(tables.ChatRow).values(to_row(chat)))
        row = connection.exec_driver_sql(rows.CHAT, (chat.id,)).one()

    assert rows.to_chat(row) == chat  # pyright: ignore[reportArgumentType]  # a row is its columns


@given(strategies.folds, strategies.pins, strategies.deletions)
def test_folds_pins_and_deletions_come_back_as_they_were(fold: Fold, pin: Pin, deletion: Deletion) -> None:
    assert _through(fold, tables.FoldRow, chat_id="chat") == fold
    assert _through(pin, tables.PinRow, chat_id="chat") == pin
    assert _through(deletion, tables.DeletionRow, chat_id="chat") == deletion


@given(strategies.compactions, strategies.request_records, strategies.preludes)
def test_records_come_back_as_they_were(
    compaction: Compaction, record: RequestRecord, prelude: Prelude
) -> None:
    assert _through(compaction, tables.CompactionRow) == compaction
    assert _through(record, tables.RequestRow) == record
    assert _through(prelude, tables.PreludeRow, hash="h") == prelude


@given(strategies.partials, strategies.drafts, strategies.tool_runs)
def test_running_things_come_back_as_they_were(partial: Partial, draft: Draft, run: ToolRun) -> None:
    assert _through(partial, tables.PartialRow) == partial
    assert _through(draft, tables.DraftRow, chat_id="chat") == draft
    assert _through(run, tables.ToolRunRow) == run


@given(strategies.entries, st.binary(min_size=1, max_size=60))
def test_an_entry_that_cannot_be_read_shows_its_raw_text(entry: Entry, raw: bytes) -> None:
    """TS1: one damaged message never keeps the chat from opening."""
    row = (entry.id, None, entry.rev, entry.depth, "user", None, None, None, "", 0, b"\xff" + raw)

    found = rows.to_entry(row)

    assert (found.id, found.rev, found.depth, found.origin) == (entry.id, entry.rev, entry.depth, "user")
    assert [type(part) for part in found.parts] == [OpaquePart]


@pytest.mark.parametrize(
    "damaged",
    ['[{"part":"dream","text":"x"}]', '[{"part":"text"}]', '[{"part":"text","text":5}]', "{}x", "[7]"],
)
def test_parts_of_no_known_form_are_kept_as_raw_text(damaged: str) -> None:
    found = rows.to_entry(("e", None, 1, 0, "no such", None, None, None, "", 0, damaged.encode()))

    assert found.parts == (OpaquePart(kind="unreadable", json=damaged),)


@given(strategies.entries)
def test_half_an_emoji_is_replaced_and_not_refused(entry: Entry) -> None:
    """Case B76: SQLite and UTF-8 take no lone surrogates."""
    half = replace(entry, parts=(OpaquePart(kind="k", json="half \ud83d emoji"),))

    assert rows.to_parts(rows.from_parts(half.parts)) == (OpaquePart(kind="k", json="half \ufffd emoji"),)
