"""Looking at what the model sees: each request of a chat as it was, the next one as it will be (U6)."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from app.context.budget import Category, Fill
from app.context.context import Context
from app.context.conversation import Conversation
from app.context.engine import Standing
from app.context.originals import parts_text, run_text
from app.context.reading import Folded, Shown
from app.context.returns import readings
from app.core.errors import OriginalLost, StoreError
from app.core.folds import Fold
from app.core.ids import CompactionId, EntryId
from app.core.parts import Blob, MediaPart, Part, body_of, with_body
from app.core.records import Compaction
from app.core.requests import Prelude, Request
from app.health.lens import (
    EMPTY,
    Band,
    Look,
    Moment,
    Strip,
    look_at,
    moments_of,
    prelude_bands,
    read_at,
    step_of,
    strip_of,
    turn_at,
)

_MOST_STRIPS = 6
"""Kept; one of 10,000 messages takes 5 MB."""
SHOWN_CHARS = 100_000
"""So much of a text is shown; all of it is in the transcript."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text as it is shown, and what all of it is."""

    text: str
    tokens: int
    """As the provider counts."""
    n_lines: int
    is_cut: bool = False
    """Only its first `SHOWN_CHARS` are here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why something is not shown as it was said."""

    compaction: Compaction | None
    """None: it was filtered before its first send, or its record is gone."""
    step: str
    """Of the pipeline, by its name."""
    turn: int
    """In which it was folded; 0: before the first request."""
    n_read: int
    """So often it was read again since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LensItem:
    """One band in full."""

    band: Band
    seen: Text
    original: Text | None = None
    """None: it is what is seen."""
    why: Why | None = None
    first: EntryId | None = None
    last: EntryId | None = None
    """What it stands for; None: no message."""
    put_back_tokens: int = 0
    """What showing it whole would take more; 0: it is whole, or it is not the next request's."""


class Lens:
    """The requests of one open chat; `open` first, and again when the chat has changed.

    Args:
        standing: How the chat stands with its model, counted exactly, and the prelude of its next request.
        stored_prelude: Of an earlier one, by hash.
        held_tokens: What the provider likely holds of the next request.
        read_blob: An original in the vault.
        wire: A request as its provider gets it, as JSON.
    """

    def __init__(
        self,
        conversation: Conversation,
        *,
        standing: Callable[[], Awaitable[tuple[Standing, Prelude]]],
        stored_prelude: Callable[[str], Awaitable[Prelude]],
        held_tokens: Callable[[], int],
        read_blob: Callable[[Blob], Awaitable[bytes]],
        wire: Callable[[Request], Awaitable[JsonValue]],
    ) -> None:
        self._here = conversation
        self._standing_of = standing
        self._stored_prelude = stored_prelude
        self._held_tokens = held_tokens
        self._read_blob = read_blob
        self._wire = wire
        self._strips: OrderedDict[tuple[int, EntryId | None], Strip] = OrderedDict()
        self._preludes: dict[str, tuple[Prelude, tuple[Band, ...]]] = {}
        self._read_at: tuple[int, ...] = ()
        self._standing: Standing | None = None
        self._next = Prelude(system="")
        self._next_bands: tuple[Band, ...] = ()
        self._pins = frozenset[EntryId]()
        self.moments: tuple[Moment, ...] = ()
        """Oldest first, the next request last; empty before `open`."""

    async def open(self, *, is_running: bool = False) -> None:
        """Find out which requests there are.

        Raises:
            AppError: no model is set up.
        """
        standing, self._next = await self._standing_of()
        here = self._here
        pins = frozenset(pin.entry_id for pin in here.pins if pin.undone_rev is None)
        if pins != self._pins or not self._standing or self._standing.family != standing.family:
            self._strips.clear()
        self._standing, self._pins = standing, pins
        moments = moments_of(here.requests, head=here.chat.head, rev=here.chat.rev, is_running=is_running)
        folds, deletions = tuple(here.folds), tuple(here.deletions)
        for record in {item.record.prelude_hash: item.record for item in moments if item.record}.values():
            if record.prelude_hash not in self._preludes:
                prelude = await self._prelude(record.prelude_hash)
                bands = prelude_bands(prelude, standing.tokens, standing.family)
                self._preludes[record.prelude_hash] = prelude, bands
        self._next_bands = prelude_bands(self._next, standing.tokens, standing.family)
        self._read_at = await asyncio.to_thread(read_at, moments, here.transcript, folds, deletions)
        self.moments = moments

    def ready(self, index: int, fill: Fill | None = None) -> Look | None:
        """What a request held, where its strip is read already; takes no time.

        Args:
            index: Into `moments`.
            fill: How full the window is, with the draft: of the next request; None: without a draft.
        """
        strip = self._strips.get(self._key(index))
        return self._look(index, strip, fill) if strip else None

    async def look(self, index: int, fill: Fill | None = None) -> Look:
        """The same, its strip read in a thread if need be."""
        key = self._key(index)
        while (strip := self._strips.get(key)) is None:
            self._strips[key] = await self._strip(self.moments[self._read_at[index]])
            while len(self._strips) > _MOST_STRIPS:
                self._strips.popitem(last=False)
        self._strips.move_to_end(key)
        return self._look(index, strip, fill)

    async def item(self, look: Look, index: int) -> LensItem:
        """One band in full; what lies in the vault is read."""
        band, place = look.band(index), look.place(index)
        if place is None:
            text = self._prelude_text(look, band)
            return LensItem(band=band, seen=_text(text, look.tokens(index)))
        item, at = place
        if isinstance(item, Folded):
            return await self._folded(look, band, item)
        entry, shown = item.entries[at], item.parts[at]
        seen = await self._parts_text(shown)
        found = LensItem(band=band, seen=_text(seen, look.tokens(index)), first=entry.id, last=entry.id)
        folds = item.folds[at]
        if not folds:
            return found
        fold = next(iter(folds.values()))
        original = await self._parts_text(entry.parts)
        return replace(
            found,
            original=_text(original, round(self._tokens(entry.parts) * look.scale)),
            why=await self._why(fold, entry.parts),
            put_back_tokens=self._put_back(look, item) if look.is_next else 0,
        )

    async def as_json(self, index: int) -> str:
        """A request as its provider got it, or will get it; rebuilt from what is stored (M7).

        Raises:
            StoreError: what it began with is not stored any more.
        """
        moment = self.moments[index]
        context = await asyncio.to_thread(self._context, moment)
        request = Request(model=context.model, prelude=context.prelude, messages=tuple(context.messages))
        value = await self._wire(request)
        return await asyncio.to_thread(json.dumps, value, ensure_ascii=False, indent=2)

    # ---- reading

    def _key(self, index: int) -> tuple[int, EntryId | None]:
        moment = self.moments[self._read_at[index]]
        return moment.rev, moment.head

    async def _strip(self, moment: Moment) -> Strip:
        standing = self._standing
        if standing is None or moment.head is None:
            return EMPTY
        return await asyncio.to_thread(
            strip_of,
            self._here.transcript.path(moment.head),
            tuple(self._here.folds),
            tuple(self._here.deletions),
            rev=moment.rev,
            tokens=standing.tokens,
            family=standing.family,
            pins=self._pins,
        )

    def _look(self, index: int, strip: Strip, fill: Fill | None) -> Look:
        assert self._standing
        moment, transcript = self.moments[index], self._here.transcript
        depth = transcript[moment.head].depth if moment.head in transcript and moment.head else -1
        record = moment.record
        if record is None:
            fill = fill or self._standing.fill
            n = dict(fill.composition).get(Category.DRAFT, 0)
            draft = Band(kind=Category.DRAFT, tokens=round(n / fill.projection.scale)) if n else None
            total, cached = fill.projection.projected_tokens, self._held_tokens()
            return look_at(
                moment,
                self._next_bands,
                strip,
                depth=depth,
                total_tokens=total,
                cached_tokens=cached,
                draft=draft,
            )
        usage = record.usage
        is_reported = usage is not None and not usage.is_estimate and usage.prompt_tokens > 0
        _, bands = self._preludes[record.prelude_hash]
        return look_at(
            moment,
            bands,
            strip,
            depth=depth,
            total_tokens=usage.prompt_tokens if usage and is_reported else record.projected_tokens,
            cached_tokens=usage.cached_tokens if usage and is_reported else 0,
        )

    async def _prelude(self, prelude_hash: str) -> Prelude:
        try:
            return await self._stored_prelude(prelude_hash)
        except StoreError:  # of a chat that came from elsewhere; its messages are seen all the same
            return Prelude(system="")

    def _context(self, moment: Moment) -> Context:
        here, record = self._here, moment.record
        assert self._standing
        prelude = self._preludes[record.prelude_hash][0] if record else self._next
        path = here.transcript.path(moment.head)
        context = Context(
            path,
            tuple(here.folds),
            tuple(here.deletions),
            rev=moment.rev,
            model=record.model if record else self._standing.model,
            prelude=Prelude(system="", tools=prelude.tools),
        )
        context.prelude = prelude  # which holds what leading system entries say already
        return context

    # ---- one band

    async def _folded(self, look: Look, band: Band, item: Folded) -> LensItem:
        seen = await self._parts_text(item.fold.replacement)
        original = await asyncio.to_thread(run_text, item.entries)
        standing = self._standing
        assert standing
        before = sum(self._tokens(entry.parts) + standing.family.message_tokens for entry in item.entries)
        return LensItem(
            band=band,
            seen=_text(seen, round(band.tokens * look.scale)),
            original=_text(original, round(before * look.scale)),
            why=await self._why(item.fold, ()),
            first=item.entries[0].id,
            last=item.entries[-1].id,
            put_back_tokens=round((before - band.tokens) * look.scale) if look.is_next else 0,
        )

    def _put_back(self, look: Look, item: Shown) -> int:
        """Of the whole group, which is put back as one."""
        whole = sum(self._tokens(entry.parts) for entry in item.entries)
        shown = sum(map(self._tokens, item.parts))
        return max(1, round((whole - shown) * look.scale))

    def _tokens(self, parts: Sequence[Part]) -> int:
        assert self._standing
        return sum(map(self._standing.tokens, parts))

    async def _why(self, fold: Fold, original: Sequence[Part]) -> Why:
        here = self._here
        made: Mapping[CompactionId, Compaction] = {item.id: item for item in here.compactions}
        compaction = made.get(fold.compaction_id)
        n_read = 0
        if compaction:
            path, folds = tuple(here.path), [one for one in here.folds if one.rev == fold.rev]
            read = await asyncio.to_thread(readings, path, folds, [compaction], lambda _: 0)
            n_read = len(read)
        return Why(
            compaction=compaction,
            step=step_of(fold, original),
            turn=turn_at(here.requests, fold.rev),
            n_read=n_read,
        )

    async def _parts_text(self, parts: Sequence[Part]) -> str:
        return await asyncio.to_thread(parts_text, [await self._inlined(part) for part in parts])

    async def _inlined(self, part: Part) -> Part:
        """With its text where that lies in the vault."""
        body = body_of(part)
        if isinstance(part, MediaPart) or not isinstance(body, Blob):
            return part
        try:
            data = await self._read_blob(body)
        except OriginalLost as error:
            return with_body(part, f"[{error.message}]")
        return with_body(part, data.decode(errors="replace"))

    def _prelude_text(self, look: Look, band: Band) -> str:
        record = look.moment.record
        prelude = self._preludes[record.prelude_hash][0] if record else self._next
        if band.kind is Category.SYSTEM:
            return prelude.system
        if band.kind is Category.TOOLS:
            return "\n\n".join(f"{tool.name}\n{tool.description}\n{tool.schema}" for tool in prelude.tools)
        return ""


def _text(text: str, tokens: int) -> Text:
    return Text(
        text=text[:SHOWN_CHARS],
        tokens=tokens,
        n_lines=text.count("\n") + 1 if text else 0,
        is_cut=len(text) > SHOWN_CHARS,
    )
