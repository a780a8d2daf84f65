"""One chat on the screen: header, transcript, composer; a drawing of `ChatState`.

`python -m ui.chat` shows sample states.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QMimeData, QPoint, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.context.originals import part_address
from app.core.ids import ChatId, EntryId
from ui.chat.agent_cards import OPEN, STOP
from ui.chat.attach_words import AttachWords
from ui.chat.details import DetailsDialog, details_of
from ui.chat.find_bar import FindBar
from ui.chat.find_view import FindView
from ui.chat.foot import Foot
from ui.chat.greeting import Greeting
from ui.chat.header import Header
from ui.chat.items import FAILURE
from ui.chat.media_dialog import MediaDialog
from ui.chat.message_input import Chip
from ui.chat.message_menu import MessageMenu
from ui.chat.model_picker import ModelChoice
from ui.chat.parts import source
from ui.chat.questions import Questions
from ui.chat.state import ChatState, turn_of
from ui.chat.turns_list import TurnsList, turns_of
from ui.chat.view_model import ChatViewModel
from ui.chat.wishes import Wishes
from ui.kit.icons import Icons
from ui.kit.items import (
    NEXT_VERSION,
    PREVIOUS_VERSION,
    ItemId,
    ItemModel,
    ReadingPosition,
)
from ui.kit.known_keys import KeysOf
from ui.kit.theme import Theme
from ui.kit.transcript_view import TranscriptView

_WITH_BESIDE_PX = 700
"""In a narrower view nothing stands beside the messages."""
_OF_LINES = ("summary", "originals", "kin")
"""Actions of the lines between messages that lead elsewhere."""
_OF_ORIGINALS = ("open", "put_back", "copy_link", "save_original", "reveal")
"""Actions of cards, and of rows that stand for a long text."""


class ChatView(QWidget):
    """
    Signals:
        link_activated(str): a link or a remote picture in the transcript; nothing was opened.
        text_saved(str): code, or a long text, that shall become a file.
        notice_pressed(str): a button of the error card, or above the composer, that is not the chat's own, by action id.
        models_wanted(): the page where models are set up.
        folder_opened(str): a folder that shall be shown in the file manager.
        fork_wanted(str): another chat shall begin with this one up to an entry.
        chat_opened(str): another chat shall be shown.
        compaction_opened(str, str): id, and "summary" or "originals": what of it shall be looked at.
        original_opened(str): an address whose text shall be looked at.
        original_saved(Blob), original_revealed(Blob): what shall become a file, and whose file shall be shown.
        agent_opened(str): the chat of a sub-agent that shall be shown.
        back_wanted(): from a sub-agent's chat to the one for which it works.
    """

    link_activated = Signal(str)
    text_saved = Signal(str)
    notice_pressed = Signal(str)
    models_wanted = Signal()
    folder_opened = Signal(str)
    fork_wanted = Signal(str)
    chat_opened = Signal(str)
    compaction_opened = Signal(str, str)
    original_opened = Signal(str)
    original_saved = Signal(object)
    original_revealed = Signal(object)
    agent_opened = Signal(str)
    back_wanted = Signal()

    def __init__(
        self, theme: Theme, icons: Icons, ring: QWidget, choices: Callable[[], Sequence[ModelChoice]]
    ) -> None:
        super().__init__()
        self._model: ChatViewModel | None = None
        self._early = ""
        """Sent before the chat was open; said as soon as it is."""
        self._state = ChatState()
        self._theme = theme
        self._beside: QWidget | None = None
        self.header = Header(theme, icons, choices)
        self.transcript = TranscriptView(theme, icons)
        self.find_bar = FindBar(theme, icons)
        self.finding = FindView(self.find_bar, self.transcript, self)
        self.greeting = Greeting(theme)
        self.foot = Foot(theme, icons, ring)
        self.composer, self.called = self.foot.composer, self.foot.called
        self.questions = Questions(self.transcript, self.composer, theme, self)
        self.wishes = Wishes(self)
        self._lay_out()
        self._connect()
        self.setFocusProxy(self.composer)
        self._draw(self._state)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.find_bar)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.greeting, 1)
        column.addWidget(self.transcript, 1)
        column.addWidget(self.foot)
        self._body = QHBoxLayout()
        self._body.setSpacing(0)
        self._body.addLayout(column, 1)
        layout.addLayout(self._body, 1)
        self.transcript.verticalScrollBar().rangeChanged.connect(self._align)

    def set_beside(self, widget: QWidget) -> None:
        """What stands right of the messages, where there is room and something was said."""
        self._beside = widget
        self._body.addWidget(widget)
        self._fit()

    def name_keys(self, keys: KeysOf) -> None:
        """The buttons tell these keys from now on; called again when a person has changed some."""
        self.header.keys = self.composer.keys = keys
        self.header.retranslate()
        self.composer.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._beside:
            has_room = self.width() >= self._theme.px(_WITH_BESIDE_PX)
            self._beside.setVisible(has_room and not self._state.is_empty)

    def _connect(self) -> None:
        composer, header, transcript = self.composer, self.header, self.transcript
        composer.submitted.connect(self._send)
        composer.typed.connect(self.wishes.type)
        composer.pasted.connect(self.wishes.keep)
        composer.stopped.connect(self.stop)
        composer.edit_cancelled.connect(self.wishes.cancel_edit)
        composer.unqueued.connect(self.wishes.unqueue)
        composer.dropped.connect(self.wishes.drop)
        composer.queue_resumed.connect(self.wishes.resume_queue)
        composer.recalled.connect(self.wishes.edit_last)
        self.greeting.chosen.connect(composer.begin_with)
        header.renamed.connect(self.wishes.rename)
        header.model_chosen.connect(self.wishes.choose_model)
        header.model_considered.connect(self.wishes.consider_model)
        header.models_wanted.connect(self.models_wanted)
        header.folder_chosen.connect(self.wishes.choose_folder)
        header.folder_opened.connect(self.folder_opened)
        header.back_wanted.connect(self.back_wanted)
        self.called.stopped.connect(self.stop)
        self.foot.room.pressed.connect(self.notice_pressed)
        header.left.connect(composer.input.setFocus)
        self.find_bar.closed.connect(self.end_find)
        transcript.link_activated.connect(self.link_activated)
        transcript.image_requested.connect(self.link_activated)
        transcript.code_save_requested.connect(self._save_code)
        transcript.action_triggered.connect(self._act)
        transcript.context_menu_requested.connect(self._open_menu)
        self.questions.replied.connect(self.wishes.reply)
        composer.files_chosen.connect(self.wishes.attach)
        composer.picture_pasted.connect(self.wishes.attach_picture)
        composer.enlarged.connect(self._make_room)
        composer.media_opened.connect(self._open_media)

    # -- one chat after another

    def preview(self, items: ItemModel, state: ChatState) -> None:
        """Draw what is known before the chat can be opened; what is typed meanwhile goes to it."""
        self.transcript.set_model(items)
        self._draw(state)

    def show_chat(self, model: ChatViewModel, position: ReadingPosition | None = None) -> None:
        """Draw `model` from now on, `position` where it was read last."""
        early, typed = self._early, self.composer.input.text()
        pastes = [chip.paste for chip in self.composer.input.chips()]
        if self._model:
            self.leave()
            early = typed = ""
        self._early, self._model = "", model
        self.wishes.model = model
        model.items_changed.connect(self.transcript.items_changed)
        model.items_changed.connect(self.finding.look_again)
        model.item_changed.connect(self.transcript.update_item)
        model.changed.connect(self._draw)
        model.drafting.replaced.connect(self._put_draft)
        model.attaching.attached.connect(self.composer.put_in)
        model.attaching.told.connect(self._tell_attaching)
        model.copies.copied.connect(_to_clipboard)
        model.copies.copied_rich.connect(_to_clipboard_rich)
        model.switching.considered.connect(self.header.show_prospect)
        model.copies.saved.connect(self.text_saved)
        model.workplace.changed.connect(self.header.show_folder)
        self.header.show_folder(model.workplace.folder)
        for paste in pastes:
            model.drafting.keep(paste)
        if typed:  # before there was a chat
            model.drafting.type("\n\n".join(filter(None, (typed, model.drafting.text))))
        self.composer.open_text(model.drafting.text, model.drafting.pastes)
        self.transcript.set_model(model.items, position)
        self.finding.follow(model.finding)
        self._state = model.state
        self._draw(model.state)
        if early:
            self._send(early)

    def leave(self) -> ReadingPosition | None:
        """Stop drawing the present chat. Returns: where it was read."""
        model, self._model, self.wishes.model = self._model, None, None
        if model is None:
            return None
        if self.composer.input.is_large:
            self.composer.write_large()
        self.finding.follow(None)
        model.items_changed.disconnect(self.finding.look_again)
        model.items_changed.disconnect(self.transcript.items_changed)
        model.item_changed.disconnect(self.transcript.update_item)
        model.changed.disconnect(self._draw)
        model.drafting.replaced.disconnect(self._put_draft)
        model.attaching.attached.disconnect(self.composer.put_in)
        model.attaching.told.disconnect(self._tell_attaching)
        model.copies.copied.disconnect(_to_clipboard)
        model.copies.copied_rich.disconnect(_to_clipboard_rich)
        model.switching.considered.disconnect(self.header.show_prospect)
        model.copies.saved.disconnect(self.text_saved)
        model.workplace.changed.disconnect(self.header.show_folder)
        self.composer.open_text("")
        position = self.transcript.position()
        self._state = ChatState()
        self.questions.draw(self._state)
        return position

    @property
    def model(self) -> ChatViewModel | None:
        return self._model

    # -- what the shell's commands ask for

    def open_find(self) -> None:
        if not self._state.is_empty:
            self.finding.open()

    def end_find(self) -> None:
        self.finding.close()
        self.composer.input.setFocus()

    def copy_last_answer(self) -> None:
        if self._model:
            self._model.copies.copy_last_answer(self._state.path)

    def stop(self) -> None:
        if self._model:
            self._model.stop()

    def compress(self) -> None:
        if self._model:
            self._model.compressing.begin()

    def pin_here(self) -> None:
        """Pin the message that is read, or take the pin off."""
        here = self.transcript.own_here()
        entry = self._model.items.entry_of(here) if self._model and here else None
        if entry and self._model and not self._state.caller:
            self._model.pin(entry.id)

    def open_turns(self) -> None:
        """The list of what the person said, to go to one of it."""
        turns = turns_of(self._state.path)
        if turns and self._model:
            here = self.transcript.own_here()
            entry = self._model.items.entry_of(here) if here else None
            popup = TurnsList(self._theme, turns, entry.id if entry else None, self)
            popup.chosen.connect(self._go_to_turn)
            popup.open_over(self.transcript)

    def _go_to_turn(self, entry_id: EntryId) -> None:
        """As `step_own` would: it stands at the top, and the keyboard is on it."""
        if item := self._item_of(entry_id):
            self.transcript.scroll_to(item)
            self.transcript.focus_item(item)
            self.transcript.setFocus()

    def show_entry(self, entry_id: EntryId) -> None:
        """Have a message on the screen; a result with the call that it answers."""
        if item := self._item_of(entry_id):
            self.transcript.reveal(item)

    def _item_of(self, entry_id: EntryId) -> ItemId | None:
        entry = next((entry for entry in self._state.path if entry.id == entry_id), None)
        return self._model.items.item_of(entry) if self._model and entry else None

    def retry_last(self) -> None:
        if self._model:
            self._model.retry()

    # -- drawing and doing

    def _draw(self, state: ChatState) -> None:
        was, self._state = self._state, state
        is_called = state.caller is not None
        is_large = self.composer.input.is_large
        self.greeting.setVisible(state.is_empty and not is_called and not is_large)
        self.transcript.setVisible((not state.is_empty or is_called) and not is_large)
        if was.is_empty != state.is_empty:
            self._fit()
        self.header.draw(state)
        self.foot.draw(state)
        keys = self.transcript if is_called else self.composer
        if self.focusProxy() is not keys:
            self.setFocusProxy(keys)
        self.questions.draw(self._state)
        if was.live and not state.live and self._model and state.path:
            self.transcript.announce(self._model.items.ids()[-1])

    def _act(self, item: ItemId, action: str) -> None:
        model = self._model
        if model is None:
            return
        entry = model.items.entry_of(item)
        deeds = {
            "copy": model.copies.copy,
            "copy_plain": model.copies.copy_plain,
            "copy_rich": model.copies.copy_rich,
            "save": model.copies.save,
            "undo": model.undo,
            "delete": model.delete,
        }
        ways_on = {
            "go_on": model.go_on,
            "revert_now": model.reverts.do,
            "revert_not": model.reverts.leave,
        }
        agents = {OPEN: self.agent_opened.emit, STOP: model.sub_agents.stop}
        kind, _, agent = action.partition("/")
        if kind in agents:
            agents[kind](ChatId(agent))
        elif action in _OF_ORIGINALS:
            self._act_on_original(item, action)
        elif action in _OF_LINES:
            self._follow_line(model, item, action)
        elif action == "retry":
            model.retry(entry.id if entry else None)
        elif action in ways_on:
            ways_on[action]()
        elif item == FAILURE and action != "copy":
            self._mend(action)
        elif action in deeds:
            deeds[action](item)
        elif entry:
            self._act_on_entry(model, entry.id, action)

    def _act_on_entry(self, model: ChatViewModel, entry_id: EntryId, action: str) -> None:
        if action == "revert":
            model.reverts.ask(turn_of(self._state.path, entry_id))
            self.transcript.follow()
        elif action == "fork":
            self.fork_wanted.emit(entry_id)
        elif action == "pin":
            model.pin(entry_id)
        elif action == "details":
            DetailsDialog(details_of(model.session, entry_id), self.window()).open()
        elif action == "retry_with":
            self.header.choose_once(partial(model.retry, entry_id))
        elif action == "edit":
            model.begin_edit(entry_id)
            self.composer.input.setFocus()
        elif action in (PREVIOUS_VERSION, NEXT_VERSION):
            model.show_version(entry_id, -1 if action == PREVIOUS_VERSION else 1)

    def _follow_line(self, model: ChatViewModel, item: ItemId, action: str) -> None:
        if told := model.items.compressed_of(item):
            self.compaction_opened.emit(told.id, action)
        elif kin := model.items.kin_of(item):
            self.chat_opened.emit(kin.id)

    def _act_on_original(self, item: ItemId, action: str) -> None:
        model = self._model
        part, entry = (model.items.original_of(item), model.items.entry_of(item)) if model else (None, None)
        if model is None or part is None or entry is None:
            return
        body = source(part)
        if action == "put_back":
            model.originals.put_back(entry.id)
        elif action == "open":
            self.original_opened.emit(str(part_address(part)))
        elif action == "copy_link":
            _to_clipboard(str(part_address(part)))
        elif isinstance(body, str):
            self.text_saved.emit(body)
        else:
            (self.original_saved if action == "save_original" else self.original_revealed).emit(body)

    def _mend(self, action: str) -> None:
        if action == "model":
            self.header.choose()
        else:
            self.notice_pressed.emit(action)

    def _open_menu(self, item: ItemId, at: QPoint) -> None:
        if self._model:
            menu = MessageMenu(self._model, item, self.transcript, self._theme)
            menu.chosen.connect(self._act)
            menu.open_at(at)

    def _save_code(self, _item: ItemId, code: str) -> None:
        self.text_saved.emit(code)

    def _send(self, text: str) -> None:
        if self._model:
            self.transcript.follow()
            self._model.send(text)
        else:
            self._early = text

    def _make_room(self) -> None:
        """The composer takes the room of the messages, or gives it back."""
        self._draw(self._state)

    def _tell_attaching(self, why: str, name: str) -> None:
        self.composer.tell(AttachWords(self).told(why, name))

    def _open_media(self, chip: Chip) -> None:
        if self._model and chip.paste.media:
            dialog = MediaDialog(chip.paste, self.window())
            dialog.removed.connect(partial(self.composer.input.remove, chip))
            self._model.attaching.look(chip.paste.media, dialog.show_bytes)
            dialog.open()

    def _put_draft(self, text: str) -> None:
        if self._model:
            self.composer.set_text(text, self._model.drafting.pastes)

    def _align(self, _least: int, most: int) -> None:
        bar = self.transcript.verticalScrollBar().sizeHint().width() if most else 0
        self.foot.make_room(bar)


def _to_clipboard(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def _to_clipboard_rich(html: str, words: str) -> None:
    both = QMimeData()
    both.setHtml(html)
    both.setText(words)
    QGuiApplication.clipboard().setMimeData(both)
