"""The cards that wait for the person, in the transcript and on the keyboard (A10)."""

from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from ui.chat.ask_card import AskCard
from ui.chat.composer import Composer
from ui.chat.item_ids import asked
from ui.chat.state import ChatState
from ui.kit.items import ItemId
from ui.kit.theme import Theme
from ui.kit.transcript.access import announce
from ui.kit.transcript_view import TranscriptView


class Questions(QObject):
    """
    Signals:
        replied(str, Reply): the item in which a question stands, and what is said to it.
    """

    replied = Signal(str, object)

    def __init__(self, transcript: TranscriptView, composer: Composer, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._transcript, self._composer, self._theme = transcript, composer, theme
        self._cards: dict[ItemId, AskCard] = {}

    def draw(self, state: ChatState) -> None:
        """A card per question that waits."""
        wishes = asked(state)
        for item in [item for item, card in self._cards.items() if wishes.get(item) != card.wish]:
            self._remove(item)
        for item in [item for item in wishes if item not in self._cards]:
            card = self._cards[item] = AskCard(wishes[item], self._theme)
            card.replied.connect(partial(self.replied.emit, item))
            self._transcript.hosting.host(item, card)
            announce(self._transcript, card.accessibleName())
            if len(self._cards) == 1 and self._is_idle():
                self.go_to_first()

    def answer(self, n: int) -> None:
        """Give the `n`th answer to the first question, or refuse it (0)."""
        if self._cards:
            next(iter(self._cards.values())).answer(n)

    def go_to_first(self) -> None:
        """Put the keyboard on the first question."""
        if item := next(iter(self._cards), None):
            self._transcript.reveal(item)
            self._cards[item].setFocus(Qt.FocusReason.OtherFocusReason)

    def _remove(self, item: ItemId) -> None:
        card, now = self._cards.pop(item), QApplication.focusWidget()
        had_keys = now is not None and (now is card or card.isAncestorOf(now))
        self._transcript.hosting.host(item, None)
        if had_keys:
            self._composer.input.setFocus()

    def _is_idle(self) -> bool:
        """Whether the keyboard may go elsewhere: it is in this chat, and nothing is being typed."""
        now, field = QApplication.focusWidget(), self._composer.input
        is_here = now is not None and (now in (field, self._transcript) or self._composer.isAncestorOf(now))
        return is_here and not field.text() and not field.is_composing
