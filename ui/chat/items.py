"""The transcript's entries as the items of a list: one value per bubble, row, card and divider."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice, takewhile

from app.core.entries import Entry, Origin
from app.core.events import HookFailed
from app.core.ids import EntryId
from app.core.parts import (
    Blob,
    Body,
    MediaPart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    body_of,
)
from app.core.records import Alert
from ui.chat.agent_cards import DELEGATE, cards_of
from ui.chat.compressed import by_entry
from ui.chat.contents import Contents, Place, has_card, whole
from ui.chat.item_ids import ASKED, CARD, asked, call_item, card_id, item_id
from ui.chat.item_ports import ItemPorts
from ui.chat.live import Live, Phase
from ui.chat.parts import call_id, length, runs, size
from ui.chat.state import ChatState, Compressed, Kin, is_open_ended, turn_of
from ui.chat.texts import Beginning, Texts
from ui.chat.words import ChatWords
from ui.kit.items import (
    AgentsItem,
    AssistantItem,
    HostedItem,
    Item,
    ItemId,
    NoticeItem,
    ReasoningItem,
    StatusItem,
    Tone,
)

FAILURE = "failure"
STATUS = "status"
REVERT = "revert"
COMPRESSED = "compressed/"
"""Before the id of the entry that the line follows."""
NOTED = "noted/"  # likewise
KIN = "kin/"
"""Before the id of the chat that the line leads to."""
HOOKS = "hooks/"
"""Before the id of the entry that a line about hooks follows."""
AGENTS = "agents/"
"""Before the id of the answer whose calls made them."""
DELETED = "deleted/"
"""Before the id of the entry in whose place the line stands."""
_CARD_CHARS = 400
"""About as much room as a card takes."""
_DETAIL_CHARS = 400
"""So much of the other side's words stands on an error's card; Copy gives all."""


class ChatItems:
    """The `ItemModel` of one chat; `update` takes each new state and says what of it is new."""

    def __init__(self, ports: ItemPorts) -> None:
        self._ports = ports
        self._words = ChatWords()
        self._state = ChatState()
        self._ids: list[ItemId] = []
        self._ends: list[int] = []
        """How many ids there are up to and with each entry of the path."""
        self._places: dict[ItemId, Place] = {}
        self._revisions: dict[ItemId, int] = {}
        self._told: dict[EntryId, Compressed] = {}
        """Compressions, by the entry that their line follows."""
        self._noted: dict[EntryId, list[Alert]] = {}  # likewise
        self._kin: dict[ItemId, Kin] = {}
        self._calls: dict[str, ItemId] = {}
        """The newest row of each call id."""
        self._delegating: dict[EntryId, Entry] = {}
        self._texts = Texts(ports.want, ports.peek)
        self._contents = Contents(ports, self._texts)

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
        kind, slash, of = item.partition("/")
        if line := self._between(kind + slash, EntryId(of)):
            return line
        live = self._state.live
        if live and live.answer_id and item.startswith(live.answer_id):
            return self._under_way(live, item)
        return self._contents.of(item, self._places[item], self._state)

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

    def kin_of(self, item: ItemId) -> Kin | None:
        """The chat that a line leads to."""
        return self._kin.get(item)

    def original_of(self, item: ItemId) -> Part | None:
        """The longest part that an item shows, or stands for."""
        place = self._places.get(item)
        parts = (*place.parts, *(whole(place) if place.is_last else ())) if place else ()
        return max(parts, key=size, default=None)

    def delegating(self) -> Iterable[EntryId]:
        """Shown answers that called for sub-agents."""
        return tuple(self._delegating)

    def can_delete(self, item: ItemId) -> bool:
        entry = self.entry_of(item)
        return entry is not None and entry.id not in self._state.deleted

    def source(self, item: ItemId) -> str | tuple[Body, ...]:
        """What Copy gives: an error's whole story, or the stored bodies of an item (case B62)."""
        if item == FAILURE and self._state.failure:
            told = self._ports.tell(self._state.failure)
            return "\n".join(filter(None, (told.title, told.text, told.hint, told.detail)))
        place = self._places.get(item)
        parts = whole(place) if place else ()
        return tuple(body_of(part) for part in parts if not isinstance(part, MediaPart))

    def texts(self) -> Callable[[], Sequence[tuple[ItemId, tuple[Body, ...]]]]:
        """Gives the stored bodies of each item as they are now, in the list's order; for a thread."""
        ids, places = tuple(item for item in self._ids if not item.startswith(CARD)), dict(self._places)
        found = ((item, places.get(item)) for item in ids)
        return lambda: [(item, tuple(map(body_of, place.parts))) for item, place in found if place]

    # -- what the view model tells

    def update(self, state: ChatState) -> tuple[bool, tuple[ItemId, ...]]:
        """Take in a state. Returns: whether the list of ids changed, and the items whose content did."""
        old, self._state = self._state, state
        if old.live and state.path:
            self._remember(old.live, state.path[-1])
        n_kept, new = self._kept(old.path, state.path)
        if _beside(state) != _beside(old):
            n_kept = min(n_kept, self._first_told(old, state))
            new = state.path[n_kept:]
            self._told = {told.after: told for told in state.compressed}
            self._noted = by_entry(state.alerts)
            self._kin = {ItemId(f"{KIN}{each.id}"): each for each in state.kin}
        start = self._ends[n_kept - 1] if n_kept else 0
        before = self._ids[start:]
        del self._ids[start:], self._ends[n_kept:]
        gone = set(before)
        if n_kept < len(old.path):
            self._calls = {call: item for call, item in self._calls.items() if item not in gone}
            for answer in [each for each in self._delegating if f"{AGENTS}{each}" in gone]:
                del self._delegating[answer]
        touched = [item for entry in new for item in self._add(entry)]
        touched.extend(self._at_work(old.live, state.live))
        touched.extend(self._in_turns(old.changed ^ state.changed))
        unlike = old.pinned ^ state.pinned
        touched.extend(item for item, place in self._places.items() if place.entry.id in unlike)
        others = {agent.stored.answer_id for agent in set(old.agents) ^ set(state.agents)}
        touched.extend(f"{AGENTS}{answer}" for answer in others if answer in self._delegating)
        touched.extend(self._in_turns(frozenset(others)))
        n_stored = len(self._ids)
        self._ids.extend(self._tail(state))
        if _end_of(state) != _end_of(old):
            touched.extend(self._ids[n_stored:])
        after = self._ids[start:]
        fresh = set(after) - gone
        changed = tuple(item for item in dict.fromkeys(touched) if item not in fresh)
        return before != after, self._renewed(changed)

    def take(self, blob: Blob, text: str) -> tuple[ItemId, ...]:
        """A blob that was wanted has come. Returns: the items that show it."""
        return self._renewed(self._texts.take(blob, text))

    def take_beginning(self, blob: Blob, beginning: Beginning) -> tuple[ItemId, ...]:
        """The first lines of one. Returns: the cards that show them."""
        return self._renewed(self._texts.take_beginning(blob, beginning))

    def _renewed(self, items: tuple[ItemId, ...]) -> tuple[ItemId, ...]:
        for item in items:
            self._revisions[item] = self._revisions.get(item, 0) + 1
        return items

    def _remember(self, live: Live, answer: Entry) -> None:
        """A long answer that has just been streamed needn't be read from the vault."""
        texts = [part.text for part in answer.parts if isinstance(part, TextPart)]
        blob = texts[0] if len(texts) == 1 else None
        is_this = answer.id == live.answer_id
        if is_this and isinstance(blob, Blob):
            self._texts.keep(blob, live.text)

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
            found = [item for part in entry.parts for item in self._attach(part)]
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
            self._places[item] = Place(
                entry=entry,
                parts=run,
                is_last=at == len(found_runs) - 1,
                n_chars=sum(map(length, run)) if isinstance(run[0], TextPart) else 0,
            )
            if isinstance(run[0], ToolCallPart):
                self._calls[run[0].call_id] = item
            found.append(item)
        found.extend(self._add_cards(entry))
        if any(isinstance(part, ToolCallPart) and part.name == DELEGATE for part in parts):
            self._delegating[entry.id] = entry
            self._ids.append(ItemId(f"{AGENTS}{entry.id}"))
            found.append(self._ids[-1])
        if self._failed_after(entry.id):
            self._ids.append(ItemId(f"{HOOKS}{entry.id}"))
            found.append(self._ids[-1])
        for lines, name in ((self._noted, NOTED), (self._told, COMPRESSED)):
            if entry.id in lines:
                self._ids.append(ItemId(f"{name}{entry.id}"))
                found.append(self._ids[-1])
        kin = [item for item, each in self._kin.items() if each.after == entry.id]
        self._ids.extend(kin)
        found.extend(kin)
        self._ends.append(len(self._ids))
        return found

    def _add_cards(self, entry: Entry) -> list[ItemId]:
        """A card below the row of each result whose original lies beside the context."""
        if entry.origin is not Origin.TOOL or entry.id in self._state.deleted:
            return []
        found: list[ItemId] = []
        for index, part in enumerate(entry.parts):
            sight = self._state.sights.get((entry.id, index))
            if has_card(part, sight) and call_id(part) in self._calls:
                item = card_id(entry.id, index)
                self._places[item] = Place(entry=entry, parts=(part,), is_last=False, n_chars=_CARD_CHARS)
                self._ids.append(item)
                found.append(item)
        return found

    def _hide(self, entry: Entry) -> list[ItemId]:
        """The line in a deleted group's place; what a call gave has none of its own."""
        if entry.origin is Origin.TOOL and entry.parent_id in self._state.deleted:
            return []
        self._ids.append(item := ItemId(f"{DELETED}{entry.id}"))
        self._places[item] = Place(entry=entry, parts=(), is_last=False, n_chars=0)
        return [item]

    def _first_told(self, old: ChatState, state: ChatState) -> int:
        """Up to which entry of the path no line of any kind, and no card, came, went or changed."""
        was, now = ({*each.compressed, *each.alerts, *each.hook_notes} for each in (old, state))
        changed = {told.after for told in was ^ now} | (old.deleted ^ state.deleted)
        changed |= {kin.after for kin in set(old.kin) ^ set(state.kin)}
        changed |= {key[0] for key, _ in set(old.sights.items()) ^ set(state.sights.items())}
        n = next((at for at, entry in enumerate(state.path) if entry.id in changed), len(state.path))
        while 0 < n < len(state.path) and state.path[n].origin is Origin.TOOL:
            n -= 1
        return n

    def _failed_after(self, entry_id: EntryId) -> tuple[HookFailed, ...]:
        return tuple(told.failed for told in self._state.hook_notes if told.after == entry_id)

    def _attach(self, part: Part) -> Sequence[ItemId]:
        """Give a result to the newest row of its call. Returns: what shows it."""
        item = self._calls.get(call_id(part) or "")
        if item is None:
            return ()
        place = self._places[item]
        self._places[item] = replace(place, parts=(*place.parts, part))
        return (item, f"{AGENTS}{place.entry.id}") if place.entry.id in self._delegating else (item,)

    def _tail(self, state: ChatState) -> Sequence[ItemId]:
        live = state.live
        if state.compressing is not None:
            return [STATUS]
        if live is None:
            is_over = state.pause or is_open_ended(state)
            ids = [FAILURE] if state.failure or (is_over and not state.caller) else []
            return [*ids, REVERT] if state.reverting else ids
        if questions := tuple(asked(state)):
            return questions
        if live.answer_id is None or live.phase not in (Phase.THINKING, Phase.WRITING):
            return [STATUS]
        ids = [item_id(live.answer_id, ThinkingPart, 0)] if live.reasoning else []
        return [*ids, item_id(live.answer_id, TextPart, 0)] if live.text else [*ids, STATUS]

    # -- one item

    def _between(self, kind: str, of: EntryId) -> Item | None:
        """A line that stands among the entries."""
        words = self._words
        lines: dict[str, Callable[[], Item]] = {
            COMPRESSED: lambda: words.compressed(self._told[of]),
            NOTED: lambda: words.noted(self._noted[of]),
            HOOKS: lambda: words.hooks(self._failed_after(of)),
            AGENTS: lambda: self._agents(of),
            KIN: lambda: words.kin(self._kin[ItemId(KIN + of)]),
            DELETED: words.deleted,
        }
        return lines[kind]() if kind in lines else None

    def _agents(self, answer_id: EntryId) -> AgentsItem:
        entry, live = self._delegating[answer_id], self._state.live
        rows = (self._places.get(item_id(answer_id, ToolCallPart, n)) for n in range(len(entry.calls)))
        results = {
            n: part
            for n, row in enumerate(rows)
            for part in (row.parts if row else ())
            if isinstance(part, ToolResultPart)
        }
        own = (agent for agent in self._state.agents if agent.stored.answer_id == answer_id)
        return cards_of(entry, own, results, is_running=live is not None)

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
        actions = () if state.caller else told.actions
        return NoticeItem(title=told.title, text=text, tone=Tone.CRITICAL, actions=actions)

    def _under_way(self, live: Live, item: ItemId) -> Item:
        if live.answer_id and item == item_id(live.answer_id, ThinkingPart, 0):
            return ReasoningItem(title=self._words.aside(Origin.ASSISTANT), text=live.reasoning)
        return AssistantItem(text=live.text, is_streaming=True)


def _beside(state: ChatState) -> tuple[object, ...]:
    """What of a state stands between the entries."""
    return state.compressed, state.alerts, state.deleted, state.sights, state.kin, state.hook_notes


def _end_of(state: ChatState) -> tuple[object, ...]:
    """What of a state stands below the entries."""
    is_said = bool(state.path) and state.path[-1].origin is Origin.USER
    making = state.compressing, state.compressing_s
    return state.live, state.failure, state.pause, making, state.reverting, is_said
