"""Hypothesis strategies for the core's values, shared by all rooms."""

from datetime import UTC, datetime
from typing import TypeVar

from hypothesis import strategies as st

from app.core.entries import Chat, Entry, Finish, Origin
from app.core.folds import Deletion, Fold, FoldKind, Pin
from app.core.ids import ChatId, CompactionId, EntryId, ModelId, RequestId, TurnId
from app.core.parts import (
    Blob,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from app.core.records import (
    BreakCause,
    CacheBreak,
    Compaction,
    Draft,
    Partial,
    RequestKind,
    RequestRecord,
    RequestState,
    StepReport,
    ToolRun,
    ToolRunState,
)
from app.core.requests import Prelude, ToolSpec
from app.core.usage import Usage

T = TypeVar("T")

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40)
"""As `clean_text` leaves them."""
names = st.text("abcdefghijklmnopqrstuvwxyz0123456789_", min_size=1, max_size=12)
hashes = st.text("0123456789abcdef", min_size=64, max_size=64)
moments = st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
counts = st.integers(0, 2**40)
revs = st.integers(1, 2**40)
floats = st.floats(0, 1e9)


def maybe(strategy: st.SearchStrategy[T]) -> st.SearchStrategy[T | None]:
    return st.none() | strategy


def tuples_of(strategy: st.SearchStrategy[T], max_size: int = 4) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(strategy, max_size=max_size).map(tuple)


entry_ids = names.map(EntryId)
chat_ids = names.map(ChatId)
models = st.builds("{}/{}".format, names, names).map(ModelId)

blobs = st.builds(Blob, sha256=hashes, n_bytes=counts, mime=names, name=texts, n_lines=counts)
bodies = texts | blobs
parts: st.SearchStrategy[Part] = st.one_of(
    st.builds(TextPart, text=bodies),
    st.builds(ThinkingPart, text=bodies, signature=maybe(texts), redacted=st.booleans()),
    st.builds(ToolCallPart, call_id=texts, name=texts, arguments=bodies, provider_fields=texts),
    st.builds(ToolResultPart, call_id=texts, name=texts, text=bodies, is_error=st.booleans()),
    st.builds(MediaPart, source=bodies, mime=texts, width_px=counts, height_px=counts),
    st.builds(OpaquePart, kind=texts, json=texts),
)
usages = st.builds(
    Usage,
    prompt_tokens=counts,
    completion_tokens=counts,
    cached_tokens=counts,
    cache_write_tokens=counts,
    reasoning_tokens=counts,
    is_estimate=st.booleans(),
)
entries = st.builds(
    Entry,
    id=entry_ids,
    parent_id=st.none(),
    rev=revs,
    depth=counts,
    origin=st.sampled_from(Origin),
    parts=tuples_of(parts),
    created_at=moments,
    model=maybe(models),
    finish=maybe(st.sampled_from(Finish)),
    usage=maybe(usages),
    provider_fields=texts,
)
chats = st.builds(
    Chat,
    id=chat_ids,
    title=texts,
    created_at=moments,
    updated_at=moments,
    rev=counts,
    head=st.none(),
    chosen=st.dictionaries(entry_ids, entry_ids, max_size=3),
    parent_id=maybe(chat_ids),
    fork_entry_id=maybe(entry_ids),
    is_title_manual=st.booleans(),
    is_pinned=st.booleans(),
    deleted_at=maybe(moments),
    model=maybe(models),
    prompt_tokens=counts,
    window_tokens=counts,
    source=texts,
)
folds = st.builds(
    Fold,
    rev=revs,
    compaction_id=names.map(CompactionId),
    kind=st.sampled_from(FoldKind),
    first=entry_ids,
    last=entry_ids,
    part=maybe(st.integers(0, 20)),
    replacement=tuples_of(parts),
    anchor=entry_ids,
    undone_rev=maybe(revs),
)
pins = st.builds(Pin, entry_id=entry_ids, rev=revs, undone_rev=maybe(revs))
deletions = st.builds(Deletion, entry_id=entry_ids, rev=revs, deleted_at=moments, undone_rev=maybe(revs))
step_reports = st.builds(
    StepReport, step=names, candidates=counts, folded=counts, tokens_saved=counts, ms=floats, why=texts
)
compactions = st.builds(
    Compaction,
    id=names.map(CompactionId),
    chat_id=chat_ids,
    rev=revs,
    trigger=names,
    reason=texts,
    tokens_before=counts,
    tokens_after=counts,
    elapsed_ms=floats,
    created_at=moments,
    steps=tuples_of(step_reports),
    model=maybe(models),
    cost_usd=maybe(floats),
    intent=texts,
    summary=texts,
    fact_check=texts,
)
cache_breaks = st.builds(
    CacheBreak,
    cause=st.sampled_from(BreakCause),
    missed_tokens=counts,
    cost_usd=maybe(floats),
    detail=texts,
    message=counts,
    idle_s=floats,
)
request_records = st.builds(
    RequestRecord,
    id=names.map(RequestId),
    chat_id=chat_ids,
    turn_id=names.map(TurnId),
    head=entry_ids,
    answer_id=entry_ids,
    rev=revs,
    model=models,
    prelude_hash=hashes,
    n_blocks=counts,
    chain_tip=hashes,
    renderer=st.integers(1, 99),
    fingerprint=hashes,
    estimated_tokens=counts,
    projected_tokens=counts,
    state=st.sampled_from(RequestState),
    created_at=moments,
    usage=maybe(usages),
    cost_usd=maybe(floats),
    time_to_first_token_s=maybe(floats),
    duration_s=maybe(floats),
    error=names,
    kind=st.sampled_from(RequestKind),
    cache_break=maybe(cache_breaks),
)
partials = st.builds(
    Partial,
    turn_id=names.map(TurnId),
    chat_id=chat_ids,
    request_id=names.map(RequestId),
    parent_id=entry_ids,
    entry_id=entry_ids,
    model=models,
    parts=tuples_of(parts),
    updated_at=moments,
)
drafts = st.builds(Draft, text=texts, queue=tuples_of(texts), pastes=tuples_of(texts))
tool_runs = st.builds(
    ToolRun, entry_id=entry_ids, call_index=st.integers(0, 99), state=st.sampled_from(ToolRunState)
)
preludes = st.builds(
    Prelude, system=texts, tools=tuples_of(st.builds(ToolSpec, name=names, description=texts, schema=texts))
)
