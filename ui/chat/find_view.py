"""The bar, the marks and the chat's search, tied together: what `ChatView` has of Ctrl+F."""

from PySide6.QtCore import QObject

from app.core.ids import EntryId
from ui.chat.find_bar import FindBar
from ui.chat.finding import FindInChat
from ui.chat.hits import InChat
from ui.kit.items import ItemId
from ui.kit.transcript_view import TranscriptView


class FindView(QObject):
    """Follows one chat after another; what is typed stays for the next."""

    def __init__(self, bar: FindBar, transcript: TranscriptView, parent: QObject) -> None:
        super().__init__(parent)
        self._bar, self._transcript = bar, transcript
        self._model: FindInChat | None = None
        self._was_gone_to = False
        bar.typed.connect(self._look)
        bar.stepped.connect(self.step)

    def follow(self, model: FindInChat | None) -> None:
        """The chat that is shown; None: none is."""
        if self._model:
            self._model.changed.disconnect(self._draw)
            self._model.went_to.disconnect(self._go_to)
            self._model.end()
        self._model = model
        if model:
            model.changed.connect(self._draw)
            model.went_to.connect(self._go_to)
        self._draw(InChat())
        if model and not self._bar.isHidden():
            self._look(self._bar.field.text())

    def open(self) -> None:
        """Show the bar; words that are selected in the transcript are looked for."""
        selected = self._transcript.selected_text()
        is_line = selected and "\n" not in selected and len(selected) < 200
        self._bar.open()
        if is_line:
            self._bar.field.setText(selected)
        elif self._bar.field.text():
            self._look(self._bar.field.text())

    def go_to(self, typed: str, entry_id: EntryId) -> None:
        """Show the bar with `typed`, and its first hit in an entry."""
        if self._model:
            self._bar.open(typed)
            self._model.go_to(typed, entry_id)

    def step(self, by: int) -> None:
        """The next hit; the first step goes to the current one, which was only counted."""
        if self._model:
            is_first, self._was_gone_to = by > 0 and not self._was_gone_to, True
            self._model.step(by, stays=is_first)

    def close(self) -> None:
        self._bar.hide()
        if self._model:
            self._model.end()

    def look_again(self) -> None:
        """The chat's items are others."""
        if self._model:
            self._model.look_again()

    def _look(self, typed: str) -> None:
        self._was_gone_to = False
        if self._model:
            first = self._transcript.first_visible
            self._model.look(typed, near=first)

    def _draw(self, state: InChat) -> None:
        self._bar.draw(state)
        self._transcript.found.mark(state.find)

    def _go_to(self, item: ItemId, n: int) -> None:
        self._was_gone_to = True
        self._transcript.found.show(item, n)
