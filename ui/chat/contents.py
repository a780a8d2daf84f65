"""What the items of stored entries show: messages, pastes, calls with their results, and cards of originals."""

from dataclasses import dataclass, replace

from app.core.artifacts import LEAST_CHARS, Sight
from app.core.entries import Entry, Origin
from app.core.folds import FoldKind
from app.core.ids import EntryId
from app.core.parts import (
    Blob,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    body_of,
)
from ui.chat.card_words import CardWords
from ui.chat.item_ids import CARD, call_item
from ui.chat.item_ports import ItemPorts
from ui.chat.live import LiveCall
from ui.chat.parts import size, source
from ui.chat.pastes import file_of, lines_in
from ui.chat.state import ChatState, turn_of
from ui.chat.texts import Texts, is_too_long
from ui.chat.words import ChatWords
from ui.kit.items import (
    Action,
    AssistantItem,
    Footer,
    Item,
    ItemId,
    NoticeItem,
    PasteItem,
    ReasoningItem,
    ToolItem,
    UserItem,
)
from ui.kit.links import visible

_OUTPUT_LINES = 24
"""Of what a call writes while it runs: its end, not folded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an item comes from: consecutive parts of one kind of one entry; a call with its results."""

    entry: Entry
    parts: tuple[Part, ...]
    is_last: bool
    """Whether it ends its entry, and so carries the footer."""
    n_chars: int
    """About how many characters its texts take on the screen; 0 where it has none."""


class Contents:
    def __init__(self, ports: ItemPorts, texts: Texts) -> None:
        self._ports = ports
        self._texts = texts
        self._words = ChatWords()
        self._card_words = CardWords()
        self._state = ChatState()

    def of(self, item: ItemId, place: Place, state: ChatState) -> Item:
        """What an item shows in a chat that is in `state`."""
        self._state = state
        if item.startswith(CARD):
            return self._card(item, place)
        return self._stored(item, place)

    def _stored(self, item: ItemId, place: Place) -> Item:
        origin, first, words = place.entry.origin, place.parts[0], self._words
        match first:
            case ToolCallPart():
                return self._call(item, place, first)
            case ToolResultPart():
                body = self._texts.of(item, place.parts)
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
                return ReasoningItem(title=words.aside(origin), text=self._texts.of(item, place.parts))
            case _:
                return self._message(item, place)

    def _message(self, item: ItemId, place: Place) -> Item:
        text = self._texts.of(item, place.parts)
        away = [part for part in place.parts if self._texts.is_away(part)]
        if place.entry.origin is Origin.USER:
            media = ((source(part), part if isinstance(part, MediaPart) else None) for part in away)
            chips = tuple(self._words.chip(source, part) for source, part in media)
            return UserItem(text=text, attachments=chips, footer=self._footer(place))
        if away:  # a blob or a picture of an answer stands alone
            return self._alone(item, place, away[0])
        return AssistantItem(text=text, footer=self._footer(place))

    def _alone(self, item: ItemId, place: Place, part: Part) -> NoticeItem:
        """The card of a text that is too long, or of a picture, with what can be done with its message below."""
        card = self._card_of(
            item, part, self._state.sights.get((place.entry.id, place.entry.parts.index(part)))
        )
        more = self._footer(place).actions if place.is_last and is_too_long(place.parts) else ()
        return replace(card, actions=(*card.actions, *(each for each in more if each.id != "save")))

    def _card(self, item: ItemId, place: Place) -> NoticeItem:
        part = place.parts[0]
        index = place.entry.parts.index(part)
        return self._card_of(item, part, self._state.sights.get((place.entry.id, index)))

    def _card_of(self, item: ItemId, part: Part, sight: Sight | None) -> NoticeItem:
        body = source(part)
        if isinstance(body, Blob):
            return self._card_words.blob(body, sight, self._texts.beginning(item, body))
        return self._card_words.text(part, body, sight)

    def _paste(self, item: ItemId, place: Place, part: TextPart) -> PasteItem:
        body = part.text
        if isinstance(body, Blob):
            n_lines, n_bytes = body.n_lines, body.n_bytes
        else:
            n_lines, n_bytes = lines_in(body), len(body.encode(errors="replace"))
        return PasteItem(
            title=visible(name) if (name := file_of(part)) else self._words.paste(),
            figures=self._words.extent(n_lines, n_bytes),
            text=self._texts.of(item, place.parts),
            actions=() if place.is_last else self._ways_to(place.parts),
            footer=self._footer(place),
        )

    def _call(self, item: ItemId, place: Place, call: ToolCallPart) -> ToolItem:
        results = place.parts[1:]
        arguments = self._texts.of(item, (call,))
        result = self._texts.of(item, results)
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
            actions=(*self._ways_to((call, *results)), *self._ways_back(place.entry.id)),
        )

    def _ways_back(self, entry_id: EntryId) -> tuple[Action, ...]:
        """For a call of an answer that changed files."""
        return (self._words.revert(),) if entry_id in self._state.changed else ()

    def _live_call(self, item: ItemId) -> LiveCall | None:
        calls = self._state.live.calls if self._state.live else ()
        return next((call for call in calls if call_item(call) == item), None)

    def _has_changed(self, entry: Entry) -> bool:
        """Whether a call of the entry's turn has changed files."""
        changed = self._state.changed
        return bool(changed) and not changed.isdisjoint(turn_of(self._state.path, entry.id))

    def _ways_to(self, parts: tuple[Part, ...]) -> tuple[Action, ...]:
        """How a text that is not shown, or a long one, is had all the same."""
        is_long = any(size(part) >= LEAST_CHARS for part in parts)
        opening = (self._card_words.open(),) if is_long else ()
        return (*opening, *((self._words.copy(), self._words.save()) if is_too_long(parts) else ()))

    def _agents_usd(self, entry: Entry) -> float:
        """What the sub-agents of a turn cost, at the answer that ends it (A14)."""
        if entry.origin is not Origin.ASSISTANT or entry.calls or not self._state.agents:
            return 0.0
        turn = turn_of(self._state.path, entry.id)
        own = (agent.stored for agent in self._state.agents if agent.stored.answer_id in turn)
        return sum(agent.cost_usd or 0.0 for agent in own)

    def _footer(self, place: Place) -> Footer:
        if not place.is_last:
            return Footer()
        entry, words = place.entry, self._words
        second = words.edit() if entry.origin is Origin.USER else words.retry()
        more = (words.save(),) if is_too_long(whole(place)) else ()
        more += (words.revert(),) if self._has_changed(entry) else ()
        ways = more if self._state.caller else (second, words.fork(), *more)
        version, n_versions = self._ports.versions(entry.id)
        figures = words.figures(entry, self._ports.record(entry.id), self._ports.failed(entry.id))
        pinned = words.pinned() if entry.id in self._state.pinned else ""
        with_agents = words.with_agents(self._agents_usd(entry))
        return Footer(
            actions=(words.copy(), *ways),
            figures=" · ".join(filter(None, (pinned, figures, with_agents))),
            version=version,
            n_versions=n_versions,
        )


def has_card(part: Part, sight: Sight | None) -> bool:
    """Whether the original of a result lies beside the context: in the vault, or what was shortened by itself."""
    is_away = isinstance(body_of(part), Blob)
    return is_away or (sight is not None and sight.fate in (FoldKind.FILTERED, FoldKind.VAULTED))


def whole(place: Place) -> tuple[Part, ...]:
    """What the actions of an item mean: at the end of a person's message all of it."""
    return place.entry.parts if place.is_last and place.entry.origin is Origin.USER else place.parts
