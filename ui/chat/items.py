"""The transcript's entries as the items of a list: one value per bubble, row, card and divider."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from app.core.entries import Entry, Origin
from app.core.ids import EntryId, ModelId
from app.core.parts import (
    Blob,
    Body,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    body_of,
)
from app.core.records import Alert, RequestRecord
from ui.chat.compressed import by_entry
from ui.chat.item_ids import ASKED, asked, call_item, item_id
from ui.chat.parts import LONGEST_SHOWN_BYTES, call_id, length, runs, size, source
from ui.chat.pastes import lines_in
from ui.chat.state import ChatState, Compressed, Live, LiveCall, Phase, is_open_ended, turn_of
from ui.chat.words import ChatWords
from ui.kit.items import (
    Action,
    AssistantItem,
    Footer,
    HostedItem,
    Item,
    ItemId,
    NoticeItem,
    PasteItem,
    ReasoningItem,
    StatusItem,
    Tone,
    ToolItem,
    UserItem,
)

FAILURE = "failure"
STATUS = "status"
REVERT = "revert"
COMPRESSED = "compressed/"
"""Before the id of the entry that the line follows."""
NOTED = "noted/"  # likewise
DELETED = "deleted/"
"""Before the id of the entry in whose place the line stands."""
_OUTPUT_LINES = 24
"""Of what a call writes while it runs: its end, not folded."""
_DETAIL_CHARS = 400
"""So much of the other side's words stands on an error's card; Copy gives all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An error in the words of the window; made by the shell, which knows every code."""

    title: str
    text: str
    hint: str
    detail: str
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPorts:
    """What the items ask of their chat."""

    versions: Callable[[EntryId], tuple[int, int]]
    """1-based place and number of the versions of an entry."""
    record: Callable[[EntryId], RequestRecord | None]
    """The request that an answer came from."""
    failed: Callable[[EntryId], ModelId | None]
    """The model that failed, where another one gave an answer."""
    tell: Callable[[Exception], Told]
    want: Callable[[Blob], None]
    """A text that is on or near the screen lies in the vault: read it and hand it to `take`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where an item comes from: consecutive parts of one kind of one entry; a call with its results."""

    entry: Entry
    parts: tuple[Part, ...]
    is_last: bool
    """Whether it ends its entry, and so carries the footer."""
    n_chars: int
    """About how many characters its texts take on the screen; 0 where it has none."""


class ChatItems:
    """The `ItemModel` of one chat; `update` takes each new state and says what of it is new."""

    def __init__(self, ports: ItemPorts) -> None:
        self._ports = ports
        self._words = ChatWords()
        self._state = ChatState()
        self._ids: list[ItemId] = []
        self._ends: list[int] = []
        """How many ids there are up to and with each entry of the path."""
        self._places: dict[ItemId, _Place] = {}
        self._revisions: dict[ItemId, int] = {}
        self._told: dict[EntryId, Compressed] = {}
        """Compressions, by the entry that their line follows."""
        self._noted: dict[EntryId, list[Alert]] = {}  # likewise
        self._calls: dict[str, ItemId] = {}
        """The newest row of each call id."""
        self._texts: dict[str, str] = {}
        """Texts of vault blobs that were read for the screen, by hash."""
        self._showing: dict[str, set[ItemId]] = {}
        """The items that asked for a blob, by hash."""

    # -- what the view asks

    def ids(self) -> Sequence[ItemId]:
        return self._ids

    def revision(self, item: ItemId) -> int:
        return self._revisions.get(item, 0)

    def n_chars(self, item: ItemId) -> int:
        place = self._places.get(item)
        return place.n_chars if place else 0

    def is_own(self, item: ItemId) -> bool:
        place = self._places.get(item)
        return place is not None and place.entry.origin is Origin.USER and item == place.entry.id

    def content(self, item: ItemId) -> Item:
        if item in (FAILURE, STATUS):
            return self._last(item)
        if item == REVERT and (wanted := self._state.reverting):
            return self._words.reverting(wanted)
        if item.startswith(ASKED):
            return HostedItem(title=asked(self._state)[item].what)
        if item.startswith(COMPRESSED):
            return self._words.compressed(self._told[EntryId(item.removeprefix(COMPRESSED))])
        if item.startswith(NOTED):
            return self._words.noted(self._noted[EntryId(item.removeprefix(NOTED))])
        if item.startswith(DELETED):
            return self._words.deleted()
        live = self._state.live
        if live and live.answer_id and item.startswith(live.answer_id):
            return self._under_way(live, item)
        return self._stored(item, self._places[item])

    def compressed_of(self, item: ItemId) -> Compressed | None:
        """The compression that a line tells of."""
        return self._told.get(EntryId(item.removeprefix(COMPRESSED))) if item.startswith(COMPRESSED) else None

    def entry_of(self, item: ItemId) -> Entry | None:
        place = self._places.get(item)
        return place.entry if place else None

    def item_of(self, entry: Entry) -> ItemId | None:
        """The first item that shows a message, or the row of the call that it answers; None: none does."""
        calls = (self._calls.get(call_id(part) or "") for part in entry.results)
        shown = (item for item, place in self._places.items() if place.entry.id == entry.id)
        return next((item for item in (*calls, *islice(shown, 1)) if item), None)

    def can_delete(self, item: ItemId) -> bool:
        entry = self.entry_of(item)
        return entry is not None and entry.id not in self._state.deleted

    def source(self, item: ItemId) -> str | tuple[Body, ...]:
        """What Copy gives: an error's whole story, or the stored bodies of an item (case B62)."""
        if item == FAILURE and self._state.failure:
            told = self._ports.tell(self._state.failure)
            return "\n".join(filter(None, (told.title, told.text, told.hint, told.detail)))
        place = self._places.get(item)
        parts = _whole(place) if place else ()
        return tuple(body_of(part) for part in parts if not isinstance(part, MediaPart))

    def texts(self) -> Callable[[], Sequence[tuple[ItemId, tuple[Body, ...]]]]:
        """Gives the stored bodies of each item as they are now, in the list's order; for a thread."""
        ids, places = tuple(self._ids), dict(self._places)
        found = ((item, places.get(item)) for item in ids)
        return lambda: [(item, tuple(map(body_of, place.parts))) for item, place in found if place]

    # -- what the view model tells

    def update(self, state: ChatState) -> tuple[bool, tuple[ItemId, ...]]:
        """Take in a state. Returns: whether the list of ids changed, and the items whose content did."""
        old, self._state = self._state, state
        if old.live and state.path:
            self._remember(old.live, state.path[-1])
        n_kept, new = self._kept(old.path, state.path)
        if (state.compressed, state.deleted, state.alerts) != (old.compressed, old.deleted, old.alerts):
            n_kept = min(n_kept, self._first_told(old, state))
            new = state.path[n_kept:]
            self._told = {told.after: told for told in state.compressed}
            self._noted = by_entry(state.alerts)
        start = self._ends[n_kept - 1] if n_kept else 0
        before = self._ids[start:]
        del self._ids[start:], self._ends[n_kept:]
        gone = set(before)
        if n_kept < len(old.path):
            self._calls = {call: item for call, item in self._calls.items() if item not in gone}
        touched = [item for entry in new for item in self._add(entry)]
        touched.extend(self._at_work(old.live, state.live))
        touched.extend(self._in_turns(old.changed ^ state.changed))
        n_stored = len(self._ids)
        self._ids.extend(self._tail(state))
        if _end_of(state) != _end_of(old):
            touched.extend(self._ids[n_stored:])
        after = self._ids[start:]
        fresh = set(after) - gone
        changed = tuple(item for item in dict.fromkeys(touched) if item not in fresh)
        for item in changed:
            self._revisions[item] = self._revisions.get(item, 0) + 1
        return before != after, changed

    def take(self, blob: Blob, text: str) -> tuple[ItemId, ...]:
        """A blob that was wanted has come. Returns: the items that show it."""
        self._texts[blob.sha256] = text
        found = tuple(self._showing.pop(blob.sha256, ()))
        for item in found:
            self._revisions[item] = self._revisions.get(item, 0) + 1
        return found

    def _remember(self, live: Live, answer: Entry) -> None:
        """A long answer that has just been streamed needn't be read from the vault."""
        texts = [part.text for part in answer.parts if isinstance(part, TextPart)]
        blob = texts[0] if len(texts) == 1 else None
        is_this = answer.id == live.answer_id
        if is_this and isinstance(blob, Blob) and blob.n_bytes <= LONGEST_SHOWN_BYTES:
            self._texts[blob.sha256] = live.text

    def _at_work(self, old: Live | None, live: Live | None) -> list[ItemId]:
        """Rows of calls of which something was heard."""
        before, now = (each.calls if each else () for each in (old, live))
        if before == now:
            return []
        return [item for call in set(before) ^ set(now) if (item := call_item(call)) in self._places]

    def _in_turns(self, answers: frozenset[EntryId]) -> list[ItemId]:
        """Items of the turns to which some answers belong."""
        turn = {entry_id for answer in answers for entry_id in turn_of(self._state.path, answer)}
        return [item for item, place in self._places.items() if place.entry.id in turn] if turn else []

    def _has_changed(self, entry: Entry) -> bool:
        """Whether a call of the entry's turn has changed files."""
        changed = self._state.changed
        return bool(changed) and not changed.isdisjoint(turn_of(self._state.path, entry.id))

    # -- the list

    def _kept(self, old: tuple[Entry, ...], new: tuple[Entry, ...]) -> tuple[int, tuple[Entry, ...]]:
        """How many entries of the old path stay as they are, and those that come after them."""
        if new is old or new[: len(old)] == old:
            n = len(old)
        else:
            n = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
            while 0 < n < len(old) and old[n].origin is Origin.TOOL:
                n -= 1  # a call whose result is gone from the path is made anew
        return n, new[n:]

    def _add(self, entry: Entry) -> list[ItemId]:
        """Take in the path's next entry. Returns: ids of what it is shown in, new or given a result."""
        if entry.id in self._state.deleted:
            found, parts = self._hide(entry), ()
        elif entry.origin is Origin.TOOL:
            found = [item for part in entry.parts if (item := self._attach(part))]
            parts = tuple(part for part in entry.parts if call_id(part) not in self._calls)
        else:
            found, parts = [], entry.parts
        seen: dict[type[Part], int] = {}
        found_runs = runs(parts, is_own=entry.origin is Origin.USER)
        for at, run in enumerate(found_runs):
            kind = type(run[0]) if not isinstance(run[0], MediaPart) else TextPart
            n = seen[kind] = seen.get(kind, -1) + 1
            item = item_id(entry.id, kind, n)
            self._ids.append(item)
            self._places[item] = _Place(
                entry=entry,
                parts=run,
                is_last=at == len(found_runs) - 1,
                n_chars=sum(map(length, run)) if isinstance(run[0], TextPart) else 0,
            )
            if isinstance(run[0], ToolCallPart):
                self._calls[run[0].call_id] = item
            found.append(item)
        for lines, name in ((self._noted, NOTED), (self._told, COMPRESSED)):
            if entry.id in lines:
                self._ids.append(ItemId(f"{name}{entry.id}"))
                found.append(self._ids[-1])
        self._ends.append(len(self._ids))
        return found

    def _hide(self, entry: Entry) -> list[ItemId]:
        """The line in a deleted group's place; what a call gave has none of its own."""
        if entry.origin is Origin.TOOL and entry.parent_id in self._state.deleted:
            return []
        self._ids.append(item := ItemId(f"{DELETED}{entry.id}"))
        self._places[item] = _Place(entry=entry, parts=(), is_last=False, n_chars=0)
        return [item]

    def _first_told(self, old: ChatState, state: ChatState) -> int:
        """Up to which entry of the path no line about a compression, an alert or a deletion came, went or changed."""
        was, now = ({*each.compressed, *each.alerts} for each in (old, state))
        changed = {told.after for told in was ^ now} | (old.deleted ^ state.deleted)
        n = next((at for at, entry in enumerate(state.path) if entry.id in changed), len(state.path))
        while 0 < n < len(state.path) and state.path[n].origin is Origin.TOOL:
            n -= 1
        return n

    def _attach(self, part: Part) -> ItemId | None:
        """Give a result to the newest row of its call; None: it has none."""
        item = self._calls.get(call_id(part) or "")
        if item:
            place = self._places[item]
            self._places[item] = replace(place, parts=(*place.parts, part))
        return item

    def _tail(self, state: ChatState) -> Sequence[ItemId]:
        live = state.live
        if state.compressing is not None:
            return [STATUS]
        if live is None:
            ids = [FAILURE] if state.failure or state.pause or is_open_ended(state) else []
            return [*ids, REVERT] if state.reverting else ids
        if questions := tuple(asked(state)):
            return questions
        if live.answer_id is None or live.phase not in (Phase.THINKING, Phase.WRITING):
            return [STATUS]
        ids = [item_id(live.answer_id, ThinkingPart, 0)] if live.reasoning else []
        return [*ids, item_id(live.answer_id, TextPart, 0)] if live.text else [*ids, STATUS]

    # -- one item

    def _last(self, item: ItemId) -> Item:
        state, words = self._state, self._words
        if item == STATUS and state.compressing is not None:
            return StatusItem(text=words.compressing(state.compressing, state.compressing_s))
        if item == STATUS and state.live:
            retry = state.live.retry
            return StatusItem(
                text=words.status(state.live, self._ports.tell(retry.error).text if retry else "")
            )
        if state.failure is None and state.pause:
            return words.paused(state.pause, state.n_requests)
        if state.failure is None:
            is_said = state.path[-1].origin is Origin.USER
            text = words.unanswered() if is_said else words.unfinished()
            return NoticeItem(text=text, actions=(words.retry() if is_said else words.go_on(),))
        told = self._ports.tell(state.failure)
        detail = told.detail if len(told.detail) <= _DETAIL_CHARS else told.detail[:_DETAIL_CHARS] + "…"
        text = "\n".join(filter(None, (told.text, told.hint, detail)))
        return NoticeItem(title=told.title, text=text, tone=Tone.CRITICAL, actions=told.actions)

    def _under_way(self, live: Live, item: ItemId) -> Item:
        if live.answer_id and item == item_id(live.answer_id, ThinkingPart, 0):
            return ReasoningItem(title=self._words.aside(Origin.ASSISTANT), text=live.reasoning)
        return AssistantItem(text=live.text, is_streaming=True)

    def _stored(self, item: ItemId, place: _Place) -> Item:
        origin, first, words = place.entry.origin, place.parts[0], self._words
        match first:
            case ToolCallPart():
                return self._call(item, first, place.parts[1:])
            case ToolResultPart():
                body = self._text(item, place.parts)
                return ToolItem(
                    title=words.result_of(first.name),
                    figures=words.length(size(first)),
                    body=body,
                    actions=self._ways_to(place.parts),
                )
            case ThinkingPart(redacted=True):
                return ReasoningItem(title=words.hidden_reasoning(), text="")
            case OpaquePart():
                return NoticeItem(title=words.unsupported(), chip=first.kind, text=first.json[:2_000])
            case TextPart(is_paste=True):
                return self._paste(item, place, first)
            case _ if origin in (Origin.SYSTEM, Origin.NOTE) or isinstance(first, ThinkingPart):
                return ReasoningItem(title=words.aside(origin), text=self._text(item, place.parts))
            case _:
                return self._message(item, place)

    def _message(self, item: ItemId, place: _Place) -> Item:
        text = self._text(item, place.parts)
        away = [part for part in place.parts if self._is_away(part)]
        if place.entry.origin is Origin.USER:
            media = ((source(part), part if isinstance(part, MediaPart) else None) for part in away)
            chips = tuple(self._words.chip(source, part) for source, part in media)
            return UserItem(text=text, attachments=chips, footer=self._footer(place))
        if away:  # a blob or a picture of an answer stands alone
            card, ways = self._words.card(source(away[0])), self._ways_to(place.parts)
            return replace(card, actions=self._footer(place).actions if ways and place.is_last else ways)
        return AssistantItem(text=text, footer=self._footer(place))

    def _paste(self, item: ItemId, place: _Place, part: TextPart) -> PasteItem:
        body = part.text
        if isinstance(body, Blob):
            n_lines, n_bytes = body.n_lines, body.n_bytes
        else:
            n_lines, n_bytes = lines_in(body), len(body.encode(errors="replace"))
        return PasteItem(
            title=self._words.paste(),
            figures=self._words.extent(n_lines, n_bytes),
            text=self._text(item, place.parts),
            actions=() if place.is_last else self._ways_to(place.parts),
            footer=self._footer(place),
        )

    def _call(self, item: ItemId, call: ToolCallPart, results: tuple[Part, ...]) -> ToolItem:
        arguments = self._text(item, (call,))
        result = self._text(item, results)
        is_error = any(isinstance(part, ToolResultPart) and part.is_error for part in results)
        live = None if results else self._live_call(item)
        if live:
            output = "\n".join(live.output.splitlines()[-_OUTPUT_LINES:])
            return ToolItem(
                title=self._words.call(call.name, arguments),
                state="asking" if live.wish else "running",
                figures=self._words.under_way(live),
                body=output or arguments,
            )
        return ToolItem(
            title=self._words.call(call.name, arguments),
            state="failed" if is_error else "done" if results else "waiting",
            figures=self._words.length(sum(size(part) for part in results)),
            body="\n\n".join(filter(None, (arguments, result))),
            actions=(*self._ways_to((call, *results)), *self._ways_back(item)),
        )

    def _ways_back(self, item: ItemId) -> tuple[Action, ...]:
        """For a call of an answer that changed files."""
        entry = self._places[item].entry
        return (self._words.revert(),) if entry.id in self._state.changed else ()

    def _live_call(self, item: ItemId) -> LiveCall | None:
        calls = self._state.live.calls if self._state.live else ()
        return next((call for call in calls if call_item(call) == item), None)

    def _footer(self, place: _Place) -> Footer:
        if not place.is_last:
            return Footer()
        entry, words = place.entry, self._words
        second = words.edit() if entry.origin is Origin.USER else words.retry()
        more = (words.save(),) if self._is_too_long(_whole(place)) else ()
        more += (words.revert(),) if self._has_changed(entry) else ()
        version, n_versions = self._ports.versions(entry.id)
        return Footer(
            actions=(words.copy(), second, *more),
            figures=words.figures(entry, self._ports.record(entry.id), self._ports.failed(entry.id)),
            version=version,
            n_versions=n_versions,
        )

    # -- texts

    def _text(self, item: ItemId, parts: tuple[Part, ...]) -> str:
        """What of `parts` is text and here; what is in the vault and not too long is asked for."""
        found: list[str] = []
        for part in parts:
            body = body_of(part)
            if isinstance(body, Blob) and self._is_away(part):
                if body.n_bytes <= LONGEST_SHOWN_BYTES:
                    self._showing.setdefault(body.sha256, set()).add(item)
                    self._ports.want(body)
            else:
                found.append(self._texts[body.sha256] if isinstance(body, Blob) else body)
        return "\n\n".join(filter(None, found))

    def _is_too_long(self, parts: tuple[Part, ...]) -> bool:
        """Whether there is a text among them that the window never holds."""
        bodies = map(body_of, parts)
        return any(isinstance(body, Blob) and body.n_bytes > LONGEST_SHOWN_BYTES for body in bodies)

    def _ways_to(self, parts: tuple[Part, ...]) -> tuple[Action, ...]:
        """How a text that is not shown is had all the same."""
        return (self._words.copy(), self._words.save()) if self._is_too_long(parts) else ()

    def _is_away(self, part: Part) -> bool:
        body = body_of(part)
        return isinstance(part, MediaPart) or (isinstance(body, Blob) and body.sha256 not in self._texts)


def _end_of(state: ChatState) -> tuple[object, ...]:
    """What of a state stands below the entries."""
    is_said = bool(state.path) and state.path[-1].origin is Origin.USER
    making = state.compressing, state.compressing_s
    return state.live, state.failure, state.pause, making, state.reverting, is_said


def _whole(place: _Place) -> tuple[Part, ...]:
    """What the actions of an item mean: at the end of a person's message all of it."""
    return place.entry.parts if place.is_last and place.entry.origin is Origin.USER else place.parts
