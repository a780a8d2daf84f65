"""The row of actions of a message, as a menu, with what has no room in the row (U13)."""

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction

from app.core.entries import Origin
from ui.chat.view_model import ChatViewModel
from ui.chat.words import ChatWords
from ui.kit.items import AssistantItem, ItemId, PasteItem, UserItem
from ui.kit.popups import Menu
from ui.kit.theme import Theme
from ui.kit.transcript_view import TranscriptView


class MessageMenu(Menu):
    """
    Signals:
        chosen(str, str): item id, action id.
    """

    chosen = Signal(str, str)

    def __init__(self, model: ChatViewModel, item: ItemId, transcript: TranscriptView, theme: Theme) -> None:
        super().__init__(theme, transcript)
        self.aboutToHide.connect(self.deleteLater)
        if transcript.selected_text():
            self.addAction(self.tr("Copy the selection")).triggered.connect(transcript.copy)
        shown = model.items.content(item)
        actions = shown.footer.actions if isinstance(shown, UserItem | PasteItem | AssistantItem) else ()
        for action in actions:
            self.addAction(action.label).setData((item, action.id))
            if action.id == "copy":  # which gives the Markdown
                self.addAction(self.tr("Copy as plain text")).setData((item, "copy_plain"))
                self.addAction(self.tr("Copy with formatting")).setData((item, "copy_rich"))
        if actions:
            self._add_more(model, item)
        if model.items.can_delete(item) and not model.session.is_running:
            delete = ChatWords(self).delete()
            self.addAction(f"{delete.label}\tDel").setData((item, delete.id))
        self.triggered.connect(self._choose)

    def _add_more(self, model: ChatViewModel, item: ItemId) -> None:
        entry = model.items.entry_of(item)
        can_ask = entry is not None and not model.session.is_running and not model.state.caller
        if can_ask and entry and entry.origin is Origin.ASSISTANT:
            self.addAction(self.tr("Retry with another model…")).setData((item, "retry_with"))
        if entry and not model.state.caller:
            is_pinned = entry.id in model.state.pinned
            pin = self.tr("Unpin") if is_pinned else self.tr("Pin: never fold it")
            self.addAction(pin).setData((item, "pin"))
        self.addAction(self.tr("Details…")).setData((item, "details"))

    def open_at(self, at: QPoint) -> None:
        if not self.isEmpty():
            self.popup(at)

    def _choose(self, action: QAction) -> None:
        if chosen := action.data():
            self.chosen.emit(*chosen)
