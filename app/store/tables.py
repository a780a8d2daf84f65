"""The tables. Rows never leave this room: `to_row` and `from_row` stand between them and the values."""

import json
from collections.abc import Callable
from dataclasses import asdict, fields
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sqlalchemy import BigInteger, Index, Text
from sqlalchemy.types import TypeDecorator, TypeEngine
from sqlmodel import Field, SQLModel

from app.core.entries import Finish, Origin
from app.core.folds import FoldKind
from app.core.ledger import LedgerKind
from app.core.parts import Part
from app.core.records import CacheBreak, RequestKind, RequestState, StepReport, ToolRunState
from app.core.requests import ToolSpec
from app.core.usage import Usage
from app.store import rows

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Value = TypeVar("Value", bound="DataclassInstance")


def to_row(value: "DataclassInstance", **more: object) -> dict[str, object]:
    """The columns of a value, under the names of its fields."""
    return {field.name: getattr(value, field.name) for field in fields(value)} | more


def from_row(row: SQLModel, kind: type[Value]) -> Value:
    make: Callable[..., Value] = kind
    return make(**{field.name: getattr(row, field.name) for field in fields(kind)})


def _column(
    store: Callable[[Any], str | int], restore: Callable[[Any], object], under: type[TypeEngine[Any]] = Text
) -> type[TypeDecorator[Any]]:
    """A column that holds values of ours; NULL stays None."""

    class Column(TypeDecorator[Any]):
        impl = under
        cache_ok = True

        def process_bind_param(self, value: object, dialect: object) -> str | int | None:
            return None if value is None else store(value)

        def process_result_value(self, value: object, dialect: object) -> object:
            return None if value is None else restore(value)

    return Column


def _word(kind: type[StrEnum]) -> type[TypeDecorator[Any]]:
    return _column(str, kind)


def _dataclasses(kind: type[Value]) -> type[TypeDecorator[Any]]:
    make: Callable[..., Value] = kind

    def store(values: tuple[Value, ...]) -> str:
        return rows.to_json([asdict(value) for value in values])

    def restore(text: str) -> tuple[Value, ...]:
        return tuple(make(**item) for item in cast("list[dict[str, object]]", json.loads(text)))

    return _column(store, restore)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(cast("list[int]", json.loads(text)))


def _strings(text: str) -> tuple[str, ...]:
    return tuple(cast("list[str]", json.loads(text)))


_Moment = _column(rows.from_moment, rows.to_moment, BigInteger)
_Parts = _column(rows.from_parts, rows.to_parts)
_Usage = _column(rows.from_usage, rows.to_usage)
_CacheBreak = _column(rows.from_cache_break, rows.to_cache_break)
_Steps = _dataclasses(StepReport)
_Tools = _dataclasses(ToolSpec)
_Strings = _column(rows.to_json, _strings)
_Numbers = _column(rows.to_json, _numbers)
_Mapping = _column(rows.from_mapping, rows.to_values)
_Text = _column(rows.clean_text, str)
"""What people and models write: half an emoji in it is replaced, not refused (case B76)."""


def _table(name: str) -> Any:
    """SQLAlchemy's stubs know only computed names."""
    return name


def _of_chat(*, primary_key: bool = False) -> Any:
    """A reference to the chat that a row dies with."""
    return Field(foreign_key="chats.id", ondelete="CASCADE", primary_key=primary_key)


def _of_entry(*, primary_key: bool = False) -> Any:
    return Field(foreign_key="entries.id", ondelete="CASCADE", primary_key=primary_key, index=not primary_key)


class ChatRow(SQLModel, table=True):
    __tablename__ = _table("chats")
    id: str = Field(primary_key=True)
    title: str = Field(sa_type=_Text)
    created_at: datetime = Field(sa_type=_Moment)
    updated_at: datetime = Field(sa_type=_Moment, index=True)
    rev: int
    head: str | None
    chosen: dict[str, str] = Field(sa_type=_Mapping)
    parent_id: str | None
    """The chat may be gone while its fork lives on."""
    fork_entry_id: str | None
    is_title_manual: bool
    is_pinned: bool
    deleted_at: datetime | None = Field(sa_type=_Moment)
    model: str | None
    prompt_tokens: int
    window_tokens: int
    source: str = Field(sa_type=_Text)
    called_by: str | None = Field(default=None, index=True)
    call_index: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class EntryRow(SQLModel, table=True):
    __tablename__ = _table("entries")
    __table_args__ = (Index("ix_entries_chat_rev", "chat_id", "rev"),)
    id: str = Field(primary_key=True)
    chat_id: str
    """The chat that made it; no foreign key, since a fork keeps what it shares when that chat is purged."""
    parent_id: str | None = Field(foreign_key="entries.id", index=True)
    rev: int
    depth: int
    origin: Origin = Field(sa_type=_word(Origin))
    model: str | None
    finish: Finish | None = Field(sa_type=_word(Finish))
    usage: Usage | None = Field(sa_type=_Usage)
    provider_fields: str = Field(sa_type=_Text)
    created_at: datetime = Field(sa_type=_Moment)
    parts: tuple[Part, ...] = Field(sa_type=_Parts)
    """Last, so that walking up a path never reads the pages of long texts."""


class CompactionRow(SQLModel, table=True):
    __tablename__ = _table("compactions")
    id: str = Field(primary_key=True)
    chat_id: str = _of_chat(primary_key=True)
    """Part of the key, since a fork has a copy under the same id."""
    rev: int
    trigger: str
    reason: str = Field(sa_type=_Text)
    tokens_before: int
    tokens_after: int
    elapsed_ms: float
    created_at: datetime = Field(sa_type=_Moment)
    steps: tuple[StepReport, ...] = Field(sa_type=_Steps)
    model: str | None
    cost_usd: float | None
    intent: str = Field(sa_type=_Text)
    summary: str = Field(sa_type=_Text)
    fact_check: str = Field(sa_type=_Text)


class SummaryVersionRow(SQLModel, table=True):
    __tablename__ = _table("summary_versions")
    chat_id: str = _of_chat(primary_key=True)
    rev: int = Field(primary_key=True)
    compaction_id: str
    summary: str = Field(sa_type=_Text)
    created_at: datetime = Field(sa_type=_Moment)
    undone_rev: int | None


class FoldRow(SQLModel, table=True):
    __tablename__ = _table("folds")
    __table_args__ = (Index("ix_folds_chat_rev", "chat_id", "rev", unique=True),)
    fold_id: int | None = Field(default=None, primary_key=True)
    chat_id: str = _of_chat()
    rev: int
    compaction_id: str
    kind: FoldKind = Field(sa_type=_word(FoldKind))
    first: str
    last: str
    part: int | None
    replacement: tuple[Part, ...] = Field(sa_type=_Parts)
    anchor: str
    undone_rev: int | None


class PinRow(SQLModel, table=True):
    __tablename__ = _table("pins")
    chat_id: str = _of_chat(primary_key=True)
    rev: int = Field(primary_key=True)
    entry_id: str = _of_entry()
    undone_rev: int | None


class DeletionRow(SQLModel, table=True):
    __tablename__ = _table("deletions")
    chat_id: str = _of_chat(primary_key=True)
    rev: int = Field(primary_key=True)
    entry_id: str = _of_entry()
    deleted_at: datetime = Field(sa_type=_Moment)
    undone_rev: int | None


class RequestRow(SQLModel, table=True):
    __tablename__ = _table("requests")
    id: str = Field(primary_key=True)
    chat_id: str = Field(foreign_key="chats.id", ondelete="CASCADE", index=True)
    turn_id: str
    head: str
    answer_id: str
    rev: int
    model: str
    prelude_hash: str = Field(foreign_key="preludes.hash")
    n_blocks: int
    chain_tip: str
    renderer: int
    fingerprint: str
    estimated_tokens: int
    projected_tokens: int
    state: RequestState = Field(sa_type=_word(RequestState), index=True)
    created_at: datetime = Field(sa_type=_Moment, index=True)
    usage: Usage | None = Field(sa_type=_Usage)
    cost_usd: float | None
    time_to_first_token_s: float | None
    duration_s: float | None
    error: str = Field(sa_type=_Text)
    kind: RequestKind = Field(sa_type=_word(RequestKind), sa_column_kwargs={"server_default": "answer"})
    cache_break: CacheBreak | None = Field(sa_type=_CacheBreak)
    effort: str = Field(default="", sa_column_kwargs={"server_default": ""})


class PreludeRow(SQLModel, table=True):
    __tablename__ = _table("preludes")
    hash: str = Field(primary_key=True)
    system: str = Field(sa_type=_Text)
    tools: tuple[ToolSpec, ...] = Field(sa_type=_Tools)


class PartialRow(SQLModel, table=True):
    __tablename__ = _table("partials")
    turn_id: str = Field(primary_key=True)
    chat_id: str = _of_chat()
    request_id: str
    parent_id: str
    entry_id: str
    model: str
    parts: tuple[Part, ...] = Field(sa_type=_Parts)
    updated_at: datetime = Field(sa_type=_Moment)


class DraftRow(SQLModel, table=True):
    __tablename__ = _table("drafts")
    chat_id: str = _of_chat(primary_key=True)
    text: str = Field(sa_type=_Text)
    queue: tuple[str, ...] = Field(sa_type=_Strings)
    pastes: tuple[str, ...] = Field(sa_type=_Strings, sa_column_kwargs={"server_default": "[]"})
    media: tuple[Part, ...] = Field(sa_type=_Parts, sa_column_kwargs={"server_default": "[]"})


class ToolRunRow(SQLModel, table=True):
    __tablename__ = _table("tool_runs")
    entry_id: str = _of_entry(primary_key=True)
    call_index: int = Field(primary_key=True)
    state: ToolRunState = Field(sa_type=_word(ToolRunState), index=True)


class LedgerRow(SQLModel, table=True):
    __tablename__ = _table("ledger_items")
    id: str = Field(primary_key=True)
    chat_id: str = _of_chat(primary_key=True)
    kind: LedgerKind = Field(sa_type=_word(LedgerKind))
    text: str = Field(sa_type=_Text)
    entry_id: str | None = Field(foreign_key="entries.id", ondelete="CASCADE", index=True)
    rev: int
    superseded_rev: int | None
    is_manual: bool


class FactRow(SQLModel, table=True):
    __tablename__ = _table("facts")
    id: str = Field(primary_key=True)
    chat_id: str = _of_chat()
    entry_id: str = _of_entry()
    content: dict[str, Any] = Field(sa_type=_Mapping)


class FileTouchRow(SQLModel, table=True):
    __tablename__ = _table("file_touches")
    id: str = Field(primary_key=True)
    chat_id: str = _of_chat()
    entry_id: str = _of_entry()
    content: dict[str, Any] = Field(sa_type=_Mapping)


class TokenCountRow(SQLModel, table=True):
    __tablename__ = _table("token_counts")
    entry_id: str = _of_entry(primary_key=True)
    tokenizer: str = Field(primary_key=True)
    counts: tuple[int, ...] = Field(sa_type=_Numbers)


class SettingRow(SQLModel, table=True):
    __tablename__ = _table("settings")
    scope: str = Field(primary_key=True)
    """Empty: the app's; else a chat's id."""
    name: str = Field(primary_key=True)
    value: str = Field(sa_type=_Text)
    """JSON."""


class BreakerRow(SQLModel, table=True):
    """How a model that writes summaries fared lately (C20)."""

    __tablename__ = _table("breakers")
    model: str = Field(primary_key=True)
    n_failures: int
    n_openings: int
    opened_at: datetime | None = Field(sa_type=_Moment)
    is_auth: bool
    is_probing: bool


class BlobRefRow(SQLModel, table=True):
    """What keeps a blob of the vault: an entry, or the replacement of a fold."""

    __tablename__ = _table("blob_refs")
    ref_id: int | None = Field(default=None, primary_key=True)
    sha256: str = Field(index=True)
    entry_id: str | None = Field(foreign_key="entries.id", ondelete="CASCADE", index=True)
    fold_id: int | None = Field(foreign_key="folds.fold_id", ondelete="CASCADE", index=True)


class KeptBlobRow(SQLModel, table=True):
    """A blob that stays whatever refers to it, since the person said so (C26)."""

    __tablename__ = _table("kept_blobs")
    sha256: str = Field(primary_key=True)
    n_bytes: int
    mime: str
    name: str = Field(sa_type=_Text)
    n_lines: int
    kept_at: datetime = Field(sa_type=_Moment)


class TombstoneRow(SQLModel, table=True):
    """The id of a chat or an entry that was deleted for good, so that no backup brings it back (M13)."""

    __tablename__ = _table("tombstones")
    id: str = Field(primary_key=True)


class TextRow(SQLModel, table=True):
    """A text of the index `words`, which knows it by `doc`: an entry's own, or one of the vault's.

    Neither: it was deleted for good, and its words may still lie between those of others (`Texts.are_swept`).
    """

    __tablename__ = _table("texts")
    __table_args__ = (Index("ix_texts_unread", "is_read", "doc"),)
    doc: int | None = Field(default=None, primary_key=True)
    """Grows with time."""
    entry_id: str | None = Field(foreign_key="entries.id", ondelete="SET NULL", index=True)
    sha256: str | None = Field(index=True)
    is_read: bool
    """Whether the index holds it already."""


class VocabularyRow(SQLModel, table=True):
    """Each word that the index holds, so that one that is begun finds those that begin so."""

    __tablename__ = _table("vocabulary")
    __table_args__ = {"sqlite_with_rowid": False}
    word: str = Field(primary_key=True)
