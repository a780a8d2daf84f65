"""The transcript's entries as the items of a list: one value per bubble, row, card and divider."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QLocale

from app.core.entries import Entry, Finish, Origin
from app.core.ids import EntryId
from app.core.parts import (
    Blob,
    Body,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    body_of,
)
from app.core.records import RequestRecord
from ui.chat.state import ChatState, Live
from ui.kit.items import (
    Action,
    AssistantItem,
    Footer,
    Item,
    ItemId,
    NoticeItem,
    ReasoningItem,
    StatusItem,
    Tone,
    ToolItem,
    UserItem,
)

FAILURE = "failure"
STATUS = "status"


def _tr(text: str) -> str:
    return QCoreApplication.translate("ChatItems", text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An error in the words of the window; made by the shell, which knows every code."""

    title: str
    text: str
    hint: str
    detail: str
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where an item comes from: consecutive parts of one kind of one entry."""

    entry: Entry
    kind: type[Part]
    parts: tuple[Part, ...]
    is_last: bool
    """Whether it ends its entry, and so carries the footer."""


Texts = Mapping[str, str]
"""Texts of vault blobs that were read for the screen, by hash."""


def preview_items(state: ChatState) -> "ChatItems":
    """The end of a chat as it is stored, before the chat is open: no versions, no figures, no blobs."""

    def tell(error: Exception) -> Told:
        raise AssertionError from error  # a chat that is not open has no failure

    items = ChatItems(versions=lambda _: (1, 1), record=lambda _: None, tell=tell, texts={})
    items.update(state)
    return items


class ChatItems:
    """The `ItemModel` of one chat; `update` takes each new state and says what of it is new."""

    def __init__(
        self,
        *,
        versions: Callable[[EntryId], tuple[int, int]],
        record: Callable[[EntryId], RequestRecord | None],
        tell: Callable[[Exception], Told],
        texts: Texts,
    ) -> None:
        """
        Args:
            versions: 1-based place and number of the versions of an entry.
            record: The request that an answer came from.
            tell: An error in words.
            texts: Grows while blobs are read.
        """
        self._versions = versions
        self._record = record
        self._tell = tell
        self._texts = texts
        self._state = ChatState()
        self._ids: list[ItemId] = []
        self._places: dict[ItemId, _Place] = {}
        self._n_stored = 0
        self._revisions: dict[ItemId, int] = {}

    # -- what the view asks

    def ids(self) -> Sequence[ItemId]:
        return self._ids

    def revision(self, item: ItemId) -> int:
        return self._revisions.get(item, 0)

    def n_chars(self, item: ItemId) -> int:
        place = self._places.get(item)
        if place is None or place.kind is ToolCallPart or place.kind is ThinkingPart:
            return 0
        return sum(_length(body_of(part)) for part in place.parts)

    def is_own(self, item: ItemId) -> bool:
        place = self._places.get(item)
        return place is not None and place.entry.origin is Origin.USER

    def content(self, item: ItemId) -> Item:
        if item in (FAILURE, STATUS):
            return self._last(item)
        live = self._state.live
        if live and live.answer_id and item.startswith(live.answer_id):
            return _live_item(live, item)
        return self._stored(self._places[item])

    def entry_of(self, item: ItemId) -> Entry | None:
        place = self._places.get(item)
        return place.entry if place else None

    def source(self, item: ItemId) -> str:
        """The stored Markdown of an item, byte for byte: what Copy gives (case B62)."""
        place = self._places.get(item)
        return self._text(place.parts) if place else ""

    # -- what the view model tells

    def update(self, state: ChatState) -> tuple[bool, tuple[ItemId, ...]]:
        """Take in a state. Returns: whether the list of ids changed, and the items whose content did."""
        old, self._state = self._state, state
        before = tuple(self._ids[self._n_stored :])
        is_same = state.path[: len(old.path)] == old.path
        changed = list(self._footers(old, state))
        if not is_same:
            self._ids, self._places, self._n_stored = [], {}, 0
        del self._ids[self._n_stored :]
        for entry in state.path[len(old.path) if is_same else 0 :]:
            self._add(entry)
        is_grown = self._n_stored != len(self._ids) or not is_same
        self._n_stored = len(self._ids)
        self._ids.extend(self._tail(state))
        if old.live and old.live.answer_id:
            changed.append(ItemId(old.live.answer_id))
        if state.live and state.live.answer_id:
            changed.extend(
                item for item in self._ids[self._n_stored :] if item.startswith(state.live.answer_id)
            )
        changed.extend(item for item in (STATUS, FAILURE) if item in self._ids)
        for item in changed:
            self._revisions[item] = self._revisions.get(item, 0) + 1
        return is_grown or before != tuple(self._ids[self._n_stored :]), tuple(changed)

    def refresh(self, blob: Blob) -> tuple[ItemId, ...]:
        """Items that show `blob`, whose text has come."""
        found = [
            item for item, place in self._places.items() if any(_body(part) == blob for part in place.parts)
        ]
        for item in found:
            self._revisions[item] = self._revisions.get(item, 0) + 1
        return tuple(found)

    # -- the list

    def _footers(self, old: ChatState, state: ChatState) -> Sequence[ItemId]:
        """The former last message: its row of actions is no longer the last one's."""
        return [self._ids[self._n_stored - 1]] if self._n_stored and old.path != state.path else []

    def _add(self, entry: Entry) -> None:
        if entry.origin is Origin.TOOL:
            self._attach(entry)
            return
        runs = _runs(entry.parts)
        seen: dict[type[Part], int] = {}
        for at, (kind, parts) in enumerate(runs):
            n = seen[kind] = seen.get(kind, -1) + 1
            item = _item_id(entry.id, kind, n)
            self._ids.append(item)
            self._places[item] = _Place(entry=entry, kind=kind, parts=parts, is_last=at == len(runs) - 1)

    def _attach(self, entry: Entry) -> None:
        """Give a result to the newest row of its call."""
        wanted = {result.call_id for result in entry.results}
        for item in reversed(self._ids):
            place = self._places[item]
            call = place.parts[0]
            if isinstance(call, ToolCallPart) and call.call_id in wanted and len(place.parts) == 1:
                self._places[item] = _Place(
                    entry=place.entry, kind=place.kind, parts=(call, *entry.results), is_last=place.is_last
                )
                self._revisions[item] = self._revisions.get(item, 0) + 1
                return

    def _tail(self, state: ChatState) -> Sequence[ItemId]:
        live = state.live
        if live is None:
            is_unanswered = bool(state.path) and state.path[-1].origin is Origin.USER
            return [FAILURE] if state.failure or is_unanswered else []
        if live.answer_id is None or live.retry or not (live.text or live.reasoning):
            return [STATUS]
        ids = [_item_id(live.answer_id, ThinkingPart, 0)] if live.reasoning else []
        return [*ids, _item_id(live.answer_id, TextPart, 0)] if live.text else [*ids, STATUS]

    # -- one item

    def _last(self, item: ItemId) -> Item:
        state = self._state
        if item == STATUS:
            return StatusItem(text=_status(state.live))
        if state.failure is None:
            retry = Action(id="retry", label=_tr("Retry"), icon="retry")
            return NoticeItem(text=_tr("This message has no answer yet."), actions=(retry,))
        told = self._tell(state.failure)
        text = "\n\n".join(filter(None, (told.text, told.hint, told.detail)))
        return NoticeItem(title=told.title, text=text, tone=Tone.CRITICAL, actions=told.actions)

    def _stored(self, place: _Place) -> Item:
        entry = place.entry
        if entry.origin in (Origin.SYSTEM, Origin.NOTE):
            title = _tr("System text") if entry.origin is Origin.SYSTEM else _tr("Note to the model")
            return ReasoningItem(title=title, text=self._text(place.parts))
        first = place.parts[0]
        if isinstance(first, ToolCallPart):
            return self._call(first, place.parts[1:])
        if isinstance(first, ThinkingPart):
            return ReasoningItem(title=_tr("Reasoning"), text=self._text(place.parts))
        if isinstance(first, OpaquePart):
            return NoticeItem(title=_tr("Unsupported part"), chip=first.kind, text=first.json[:2_000])
        unread = next((part for part in place.parts if _is_unread(part, self._texts)), None)
        if unread is not None and entry.origin is Origin.ASSISTANT:
            return _card(unread)
        if entry.origin is Origin.USER:
            chips = tuple(_chip(part) for part in place.parts if _is_unread(part, self._texts))
            return UserItem(text=self._text(place.parts), attachments=chips, footer=self._footer(place))
        return AssistantItem(text=self._text(place.parts), footer=self._footer(place))

    def _text(self, parts: tuple[Part, ...]) -> str:
        bodies = (_body(part) for part in parts if not isinstance(part, MediaPart))
        texts = (self._texts.get(body.sha256, "") if isinstance(body, Blob) else body for body in bodies)
        return "\n\n".join(text for text in texts if text)

    def _call(self, call: ToolCallPart, results: tuple[Part, ...]) -> ToolItem:
        arguments = self._text((call,))
        result = self._text(results)
        is_error = any(getattr(part, "is_error", False) for part in results)
        figures = _tr("{n} characters").format(n=QLocale().toString(len(result))) if result else ""
        return ToolItem(
            title=f"{call.name}  {' '.join(arguments.split())[:200]}",
            state="failed" if is_error else "done" if results else "waiting",
            figures=figures,
            body=f"{arguments}\n\n{result}" if result else arguments,
        )

    def _footer(self, place: _Place) -> Footer:
        if not place.is_last:
            return Footer()
        entry = place.entry
        copy = Action(id="copy", label=_tr("Copy"), icon="copy")
        if entry.origin is Origin.USER:
            actions = (copy, Action(id="edit", label=_tr("Edit"), icon="edit"))
        else:
            actions = (copy, Action(id="retry", label=_tr("Retry"), icon="retry"))
        version, n_versions = self._versions(entry.id)
        return Footer(actions=actions, figures=self._figures(entry), version=version, n_versions=n_versions)

    def _figures(self, entry: Entry) -> str:
        """How it ended if not well, first token, share from the cache, price: what is known of it."""
        found: list[str] = []
        if entry.finish and entry.finish in _ENDS:
            found.append(_tr(_ENDS[entry.finish]))
        locale = QLocale()
        record = self._record(entry.id)
        if record and record.time_to_first_token_s is not None:
            seconds = locale.toString(record.time_to_first_token_s, "f", 1)
            found.append(_tr("{s} s to first token").format(s=seconds))
        if entry.usage and entry.usage.cached_tokens:
            share = round(100 * entry.usage.cached_tokens / max(entry.usage.prompt_tokens, 1))
            found.append(_tr("{share}% cached").format(share=share))
        if record and record.cost_usd:
            found.append("$" + locale.toString(record.cost_usd, "f", 3 if record.cost_usd < 1 else 2))
        return " · ".join(found)


_ENDS = {
    Finish.STOPPED: "stopped",
    Finish.FAILED: "cut off",
    Finish.INTERRUPTED: "interrupted when the program ended",
    Finish.LENGTH: "ended at the length limit",
    Finish.REFUSED: "refused by the provider",
}


def strings() -> tuple[str, ...]:
    """Sentences that are chosen by value, named here so that they are found for translation."""
    return (
        _tr("stopped"),
        _tr("cut off"),
        _tr("interrupted when the program ended"),
        _tr("ended at the length limit"),
        _tr("refused by the provider"),
    )


def _status(live: Live | None) -> str:
    if live and live.retry:
        retry = live.retry
        return _tr("{why} Trying again ({n} of {of}) …").format(
            why=retry.error.message, n=retry.attempt, of=retry.of
        )
    if live and live.is_waiting:
        return _tr("Starting the connection to models …")
    if live and live.reasoning:
        return _tr("Thinking …")
    return _tr("Waiting for the first words …") if live and live.answer_id else _tr("Sending …")


def _live_item(live: Live, item: ItemId) -> Item:
    if live.answer_id and item == _item_id(live.answer_id, ThinkingPart, 0):
        return ReasoningItem(title=_tr("Reasoning"), text=live.reasoning)
    return AssistantItem(text=live.text, is_streaming=True)


def _item_id(entry_id: EntryId, kind: type[Part], n: int) -> ItemId:
    """The first text carries the entry's own id, so that a live answer and its entry are one item."""
    if kind is TextPart and n == 0:
        return ItemId(entry_id)
    return ItemId(f"{entry_id}/{kind.__name__}{n}")


def _runs(parts: tuple[Part, ...]) -> list[tuple[type[Part], tuple[Part, ...]]]:
    """Consecutive parts of one kind; media go with texts, each call stands alone."""
    runs: list[tuple[type[Part], tuple[Part, ...]]] = []
    for part in parts:
        kind: type[Part] = TextPart if isinstance(part, MediaPart) else type(part)
        if runs and runs[-1][0] is kind and kind is not ToolCallPart:
            runs[-1] = (kind, (*runs[-1][1], part))
        else:
            runs.append((kind, (part,)))
    return runs


def _body(part: Part) -> Body:
    return part.source if isinstance(part, MediaPart) else body_of(part)


def _length(body: Body) -> int:
    return body.n_bytes if isinstance(body, Blob) else len(body)


def _is_unread(part: Part, texts: Texts) -> bool:
    body = _body(part)
    return isinstance(part, MediaPart) or (isinstance(body, Blob) and body.sha256 not in texts)


def _chip(part: Part) -> str:
    body = _body(part)
    if isinstance(part, MediaPart) and part.width_px:
        name = body.name if isinstance(body, Blob) else body
        return f"{name} · {part.width_px}×{part.height_px}"
    return body.name if isinstance(body, Blob) else body


def _card(part: Part) -> NoticeItem:
    body = _body(part)
    if not isinstance(body, Blob):
        return NoticeItem(title=_tr("Image"), text=body)
    size = QLocale().formattedDataSize(body.n_bytes)
    lines = _tr("{n} lines").format(n=QLocale().toString(body.n_lines)) if body.n_lines else ""
    return NoticeItem(
        title=body.name,
        chip=body.mime,
        figures=" · ".join(filter(None, (size, lines))),
        address=f"vault://{body.sha256[:12]}/{body.name}",
    )
