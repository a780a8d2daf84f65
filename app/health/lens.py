"""What the model saw, or will see, as a strip of bands: one per message, result, summary, system text (U6).

A strip is read once for the newest of the requests that share its folds; what an older one of them held is the
beginning of the same strip. So a step from one request to the next reads nothing.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from app.context.budget import Category
from app.context.reading import Folded, Item, counts_at, read
from app.context.transcript import Transcript
from app.core.entries import Entry, Origin
from app.core.folds import Deletion, Fold, FoldKind
from app.core.ids import EntryId, TurnId
from app.core.parts import MediaPart, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart, body_of
from app.core.records import RequestKind, RequestRecord
from app.core.requests import Prelude
from app.models.families import Family, Replay

Tokens = Callable[[Part], int]
_LABEL_CHARS = 80
_KINDS = {
    Origin.USER: Category.YOU,
    Origin.ASSISTANT: Category.ASSISTANT,
    Origin.TOOL: Category.TOOL_RESULTS,
    Origin.NOTE: Category.NOTES,
    Origin.SYSTEM: Category.SYSTEM,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """One thing in a request, as the model sees it."""

    kind: Category
    label: str = ""
    """Its first words, or what was called: data, in no language of ours."""
    tokens: int
    """By our count."""
    entry_id: EntryId | None = None
    """Of the first entry that it is, or stands for; None: no message."""
    n_entries: int = 1
    """So many it stands for: messages, or tools."""
    fate: FoldKind | None = None
    """What became of it, or of a part of it; None: it is whole."""
    is_pinned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strip:
    """The bands of a path as of a number; those of each of its beginnings, too."""

    bands: tuple[Band, ...]
    places: tuple[tuple[Item, int], ...]
    """The item that each is of, and the index of its entry there."""
    at: "array[int]"
    """Place in the path of each band's first entry; never falls."""
    sums: "array[int]"
    """Index n: what the first n have, by our count."""

    def n_until(self, depth: int) -> int:
        """How many bands there are up to and with the entry at this place of the path."""
        return bisect_right(self.at, depth)


EMPTY = Strip(bands=(), places=(), at=array("i"), sums=array("q", (0,)))


def strip_of(
    path: Sequence[Entry],
    folds: Iterable[Fold],
    deletions: Iterable[Deletion],
    *,
    rev: int,
    tokens: Tokens,
    family: Family,
    pins: Collection[EntryId] = (),
) -> Strip:
    """Linear in the path. Reasoning that the family's model no longer reads at the end of `path` counts nothing."""
    items = read(tuple(path), folds, deletions, rev=rev)
    place = {entry.id: at for at, entry in enumerate(path)}
    last = max((at for at, entry in enumerate(path) if entry.origin is Origin.USER), default=0)
    bands: list[Band] = []
    places: list[tuple[Item, int]] = []
    at = array("i")
    for item, index, band in _bands(items, place, last, tokens, family, pins):
        bands.append(band)
        places.append((item, index))
        at.append(place[item.entries[index].id])
    sums = array("q", accumulate((band.tokens for band in bands), initial=0))
    return Strip(bands=tuple(bands), places=tuple(places), at=at, sums=sums)


def _bands(
    items: Sequence[Item],
    place: "dict[EntryId, int]",
    last_user: int,
    tokens: Tokens,
    family: Family,
    pins: Collection[EntryId],
) -> Iterator[tuple[Item, int, Band]]:
    is_leading, replay = True, family.thinking.replay
    for item in items:
        if isinstance(item, Folded):
            is_leading = False
            parts = item.fold.replacement
            yield (
                item,
                0,
                Band(
                    kind=Category.NOTES,
                    label=_words(parts),
                    tokens=sum(map(tokens, parts)) + family.message_tokens,
                    entry_id=item.entries[0].id,
                    n_entries=len(item.entries),
                    fate=item.fold.kind,
                ),
            )
            continue
        is_leading = is_leading and item.entries[0].origin is Origin.SYSTEM
        is_pinned = bool(pins) and any(entry.id in pins for entry in item.entries)
        is_past = place[item.entries[0].id] < last_user
        calls = {part.call_id: _call(part) for part in item.entries[0].calls} if len(item.entries) > 1 else {}
        for index, (entry, parts) in enumerate(zip(item.entries, item.parts, strict=True)):
            if is_leading and all(
                isinstance(part, TextPart) and isinstance(part.text, str) for part in parts
            ):
                continue  # its text is part of the system prompt
            drops = is_past and (replay is Replay.LOOP or (replay is Replay.CALLS and not entry.calls))
            read_again = [part for part in parts if not (drops and isinstance(part, ThinkingPart))]
            yield (
                item,
                index,
                Band(
                    kind=_kind(entry, parts),
                    label=_label(entry, parts, calls),
                    tokens=sum(map(tokens, read_again)) + (family.message_tokens if parts else 0),
                    entry_id=entry.id,
                    fate=next((fold.kind for fold in item.folds[index].values()), None),
                    is_pinned=is_pinned,
                ),
            )


def _kind(entry: Entry, parts: Sequence[Part]) -> Category:
    if parts and all(isinstance(part, MediaPart) for part in parts):
        return Category.MEDIA
    return _KINDS[entry.origin]


def _label(entry: Entry, parts: Sequence[Part], calls: dict[str, str]) -> str:
    for part in entry.parts if entry.origin is Origin.TOOL else ():
        if isinstance(part, ToolResultPart):
            return calls.get(part.call_id) or part.name
    words = _words(entry.parts)  # its own, also where a fold's stand
    return words or next((_call(part) for part in parts if isinstance(part, ToolCallPart)), "")


def _call(part: ToolCallPart) -> str:
    arguments = part.arguments if isinstance(part.arguments, str) else part.arguments.name
    return " ".join(f"{part.name} {arguments[: 2 * _LABEL_CHARS]}".split())[:_LABEL_CHARS]


def _words(parts: Sequence[Part]) -> str:
    for part in parts:
        if isinstance(part, MediaPart):
            return part.source if isinstance(part.source, str) else part.source.name
        if isinstance(part, TextPart):
            body = body_of(part)
            text = body[: 4 * _LABEL_CHARS] if isinstance(body, str) else body.name
            if words := " ".join(text.split()):
                return words[:_LABEL_CHARS]
    return ""


def prelude_bands(prelude: Prelude, tokens: Tokens, family: Family) -> tuple[Band, ...]:
    """Tools and system text, as they stand before every message."""
    found: list[Band] = []
    if prelude.tools:
        texts = (f"{tool.name}\n{tool.description}\n{tool.schema}" for tool in prelude.tools)
        n = sum(tokens(TextPart(text=text)) for text in texts)
        found.append(Band(kind=Category.TOOLS, tokens=n, n_entries=len(prelude.tools)))
    if prelude.system:
        n = tokens(TextPart(text=prelude.system)) + family.message_tokens
        found.append(Band(kind=Category.SYSTEM, tokens=n))
    return tuple(found)


# ---- one request after another


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A request that was taken, or the next one."""

    n: int
    """Counted from 1."""
    of: int
    turn: int
    """Of the chat, counted from 1; of the next request the turn that it will begin, or is in."""
    head: EntryId | None
    rev: int
    record: RequestRecord | None = None
    """None: it is the next one."""


def moments_of(
    requests: Sequence[RequestRecord], *, head: EntryId | None, rev: int, is_running: bool = False
) -> tuple[Moment, ...]:
    """Oldest first, the next one last. Args: `is_running`: the next one belongs to the last turn."""
    sent = [item for item in requests if item.kind is RequestKind.ANSWER and item.was_accepted]
    turns = _turns(sent)
    n_turns = len(turns)
    past = [
        Moment(n=n, of=len(sent) + 1, turn=turns[item.turn_id], head=item.head, rev=item.rev, record=item)
        for n, item in enumerate(sent, start=1)
    ]
    turn = n_turns if is_running and n_turns else n_turns + 1
    return (*past, Moment(n=len(sent) + 1, of=len(sent) + 1, turn=turn, head=head, rev=rev))


def _turns(requests: Sequence[RequestRecord]) -> dict[TurnId, int]:
    return {turn: n for n, turn in enumerate(dict.fromkeys(item.turn_id for item in requests), start=1)}


def turn_at(requests: Sequence[RequestRecord], rev: int) -> int:
    """The turn in which a number of the chat was taken; 0: before the first request."""
    turns = _turns([item for item in requests if item.kind is RequestKind.ANSWER])
    return max((n for item in requests if item.rev <= rev and (n := turns.get(item.turn_id))), default=0)


def read_at(
    moments: Sequence[Moment], transcript: Transcript, folds: Sequence[Fold], deletions: Sequence[Deletion]
) -> tuple[int, ...]:
    """For each moment the index of the one whose strip begins with all that it held: itself, or a later one.

    They share a strip where between them nothing was folded, undone or deleted, and the later one's path goes on
    from the earlier one's head.
    """
    marks = sorted(
        {rev for mark in (*folds, *deletions) for rev in (mark.rev, mark.undone_rev) if rev is not None}
    )
    found = [0] * len(moments)
    newest, path, deepest, epoch = 0, tuple[Entry, ...](), 0, -1
    for at in range(len(moments) - 1, -1, -1):
        moment = moments[at]
        head = transcript[moment.head] if moment.head and moment.head in transcript else None
        # `depth` counts from the root, so it is the place in a path that is whole.
        depth = head.depth if head else -1
        is_beginning = head is not None and depth < len(path) and path[depth].id == head.id
        if bisect_right(marks, moment.rev) != epoch or not is_beginning or depth < deepest:
            newest, epoch = at, bisect_right(marks, moment.rev)
            path = transcript.path(moment.head)
            here = {entry.id: n for n, entry in enumerate(path)}
            standing = (fold for fold in folds if counts_at(fold, moment.rev))
            deepest = max((here[fold.anchor] for fold in standing if fold.anchor in here), default=-1)
        found[at] = newest
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """What one request held. Bands by index: prelude, then messages, then the draft."""

    moment: Moment
    prelude: tuple[Band, ...]
    strip: Strip
    n_messages: int
    """So many first bands of the strip."""
    draft: Band | None = None
    total_tokens: int
    """As the provider counted, or as it is projected; the bands add up to it."""
    cached_tokens: int
    """Read from the provider's cache; of the next request what it likely holds."""
    before: tuple[int, ...]
    """Index n: what the first n bands of `prelude` have, by our count."""

    @property
    def n(self) -> int:
        return len(self.prelude) + self.n_messages + (self.draft is not None)

    def ours(self, index: int) -> int:
        """Of the first bands, by our count; nothing is summed up for it."""
        at = index - len(self.prelude)
        if at <= 0:
            return self.before[index]
        found = self.before[-1] + self.strip.sums[min(at, self.n_messages)]
        return found + self.draft.tokens if self.draft and at > self.n_messages else found

    @property
    def is_next(self) -> bool:
        return self.moment.record is None

    @property
    def scale(self) -> float:
        """Of the provider's tokens to ours."""
        return self.total_tokens / max(self.ours(self.n), 1)

    def band(self, index: int) -> Band:
        at = index - len(self.prelude)
        if at < 0:
            return self.prelude[index]
        if at < self.n_messages:
            return self.strip.bands[at]
        assert self.draft
        return self.draft

    def tokens(self, index: int) -> int:
        """Of a band as the provider counts; all of them add up to `total_tokens`."""
        return self.until(index + 1) - self.until(index)

    def until(self, index: int) -> int:
        """Of the first bands, as the provider counts."""
        return round(self.ours(index) * self.scale)

    def index_of(self, entry_id: EntryId) -> int | None:
        """The band that is, or stands for, an entry."""
        for at in range(self.n_messages - 1, -1, -1):
            item, index = self.strip.places[at]
            held = item.entries if isinstance(item, Folded) else (item.entries[index],)
            if any(entry.id == entry_id for entry in held):
                return len(self.prelude) + at
        return None

    def place(self, index: int) -> tuple[Item, int] | None:
        """The item of a band, and the index of its entry there; None: it is no message."""
        at = index - len(self.prelude)
        return self.strip.places[at] if 0 <= at < self.n_messages else None

    def is_cached(self, index: int) -> bool:
        """Whether all of a band was read from the cache."""
        return self.cached_tokens > 0 and self.until(index + 1) <= self.cached_tokens


def look_at(
    moment: Moment,
    prelude: tuple[Band, ...],
    strip: Strip,
    *,
    depth: int,
    total_tokens: int,
    cached_tokens: int,
    draft: Band | None = None,
) -> Look:
    """Args: `depth`: place in the path of the last entry that it held; -1: none."""
    return Look(
        moment=moment,
        prelude=prelude,
        strip=strip,
        n_messages=strip.n_until(depth),
        draft=draft,
        total_tokens=total_tokens,
        cached_tokens=cached_tokens,
        before=tuple(accumulate((band.tokens for band in prelude), initial=0)),
    )


def step_of(fold: Fold, original: Sequence[Part]) -> str:
    """The pipeline's step that makes such folds, by its name (`pipeline.STEPS`)."""
    if fold.part is not None and fold.part < len(original):
        part = original[fold.part]
        if isinstance(part, ThinkingPart):
            return "thinking"
        if isinstance(part, MediaPart):
            return "media"
    return {FoldKind.FILTERED: "tool filter", FoldKind.SUMMARISED: "summary"}.get(fold.kind, "compress")
