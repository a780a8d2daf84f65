"""Strips of long chats: one serves many requests, and a step between them takes no time (U6)."""

from datetime import UTC, datetime
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.transcript import Transcript
from app.core.entries import Entry, Origin
from app.core.folds import Fold, FoldKind
from app.core.ids import ChatId, CompactionId, EntryId, ModelId, RequestId, TurnId
from app.core.parts import Part, TextPart, body_of
from app.core.records import RequestRecord, RequestState
from app.health.lens import Strip, look_at, moments_of, read_at, strip_of
from app.models.families import UNKNOWN


def entries(n: int) -> list[Entry]:
    """The person and the model in turn."""
    return [
        Entry(
            id=EntryId(f"e{at}"),
            parent_id=EntryId(f"e{at - 1}") if at else None,
            rev=at + 1,
            depth=at,
            origin=Origin.ASSISTANT if at % 2 else Origin.USER,
            parts=(TextPart(text=f"words {at} " * (at % 7 + 1)),),
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        for at in range(n)
    ]


def record(head: int, rev: int) -> RequestRecord:
    return RequestRecord(
        id=RequestId(f"r{head}"),
        chat_id=ChatId("chat"),
        turn_id=TurnId(f"t{head}"),
        head=EntryId(f"e{head}"),
        answer_id=EntryId(""),
        rev=rev,
        model=ModelId("acme/large"),
        prelude_hash="",
        n_blocks=0,
        chain_tip="",
        renderer=1,
        fingerprint="",
        estimated_tokens=1,
        projected_tokens=1,
        state=RequestState.FINISHED,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def fold(first: int, last: int, *, rev: int, anchor: int, undone_rev: int | None = None) -> Fold:
    return Fold(
        rev=rev,
        compaction_id=CompactionId("c"),
        kind=FoldKind.REMOVED,
        first=EntryId(f"e{first}"),
        last=EntryId(f"e{last}"),
        replacement=(TextPart(text="in brief"),),
        anchor=EntryId(f"e{anchor}"),
        undone_rev=undone_rev,
    )


def tokens(part: Part) -> int:
    return len(str(body_of(part)))


def strip(path: list[Entry], folds: list[Fold], rev: int) -> Strip:
    return strip_of(path, folds, (), rev=rev, tokens=tokens, family=UNKNOWN)


@given(st.data())
def test_what_a_request_held_is_the_beginning_of_a_later_ones_strip(data: st.DataObject) -> None:
    """However folds were made and undone between requests, and wherever the requests ended."""
    path = entries(data.draw(st.integers(2, 24)))
    n = len(path)
    folds: list[Fold] = []
    for at in range(data.draw(st.integers(0, 4))):
        anchor = data.draw(st.integers(1, n - 1))
        first = data.draw(st.integers(0, anchor - 1))
        rev = n + 10 * (at + 1)
        undone = data.draw(st.none() | st.integers(rev + 1, rev + 40))
        folds.append(fold(first, anchor - 1, rev=rev, anchor=anchor, undone_rev=undone))
    ends = st.tuples(st.integers(0, n - 1), st.integers(n, n + 60))
    asked = [
        record(head, rev)
        for head, rev in sorted(data.draw(st.lists(ends, max_size=8)), key=lambda end: end[1])
    ]
    moments = moments_of(asked, head=path[-1].id, rev=n + 99)

    shared = read_at(moments, Transcript(path), folds, ())

    for moment, at in zip(moments, shared, strict=True):
        depth = int((moment.head or "e0")[1:])
        later = moments[at]
        whole = strip(path[: int((later.head or "e0")[1:]) + 1], folds, later.rev)
        alone = strip(path[: depth + 1], folds, moment.rev)
        assert whole.bands[: whole.n_until(depth)] == alone.bands


@given(st.integers(1, 40), st.integers(0, 100_000), st.integers(0, 100_000))
def test_bands_add_up_to_what_the_provider_counted(n: int, total: int, cached: int) -> None:
    made = strip(entries(n), [], n)
    (moment,) = moments_of((), head=EntryId(f"e{n - 1}"), rev=n)

    look = look_at(moment, (), made, depth=n - 1, total_tokens=total, cached_tokens=cached)

    assert sum(look.tokens(index) for index in range(look.n)) == total
    assert look.n == n


@pytest.mark.slow
def test_a_step_among_500_requests_of_10_000_messages_takes_no_time() -> None:
    """16 ms is what a frame may take; the strip of them all is read once."""
    path = entries(10_000)
    asked = [record(19 + 20 * at, 20 + 20 * at) for at in range(499)]
    moments = moments_of(asked, head=path[-1].id, rev=20_000)
    shared = read_at(moments, Transcript(path), (), ())
    made = strip(path, [], 20_000)
    took: list[float] = []

    for moment in moments:
        at = thread_time()
        depth = int((moment.head or "e0")[1:])
        look = look_at(moment, (), made, depth=depth, total_tokens=90_000, cached_tokens=1)
        took.append((thread_time() - at) * 1000)
        assert look.n == depth + 1

    assert set(shared) == {len(moments) - 1}
    assert max(took) < 16
