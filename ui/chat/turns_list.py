"""The turns of a chat as a list over it: searched by words, gone to by Enter (U13, U15)."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QListView, QVBoxLayout, QWidget

from app.core.entries import Entry, Origin
from app.core.ids import EntryId
from app.core.parts import TextPart
from ui.chat.pastes import without_hashes
from ui.kit.inputs import LineInput
from ui.kit.links import visible
from ui.kit.popups import Popup
from ui.kit.theme import Theme

_TITLE_CHARS = 160
_WIDTH_PX, _MOST_ROWS = 520, 14
_AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the person said; `title` is the beginning of it in one line, empty where it has no words of theirs."""

    entry_id: EntryId
    n: int
    """From 1."""
    title: str


def turns_of(path: Iterable[Entry]) -> tuple[Turn, ...]:
    """All of a branch, in its order."""
    own = (entry for entry in path if entry.origin is Origin.USER)
    return tuple(Turn(entry_id=entry.id, n=n, title=_title(entry)) for n, entry in enumerate(own, start=1))


def found(turns: tuple[Turn, ...], words: str) -> tuple[Turn, ...]:
    """Those that hold all the words, or have the number that was typed."""
    wanted = words.casefold().split()
    if not wanted:
        return turns
    return tuple(
        turn for turn in turns if all(word in f"{turn.n} {turn.title}".casefold() for word in wanted)
    )


def _title(entry: Entry) -> str:
    texts = (part.text for part in entry.parts if isinstance(part, TextPart) and isinstance(part.text, str))
    # a megabyte may have been pasted: only its beginning is looked at
    lines = (" ".join(without_hashes(text[: 4 * _TITLE_CHARS]).split()) for text in texts)
    return visible(next(filter(None, lines), "")[:_TITLE_CHARS])


class TurnsModel(QAbstractListModel):
    def __init__(self, turns: tuple[Turn, ...], row_px: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.turns = turns
        self._row = QSize(0, row_px)

    def show(self, turns: tuple[Turn, ...]) -> None:
        self.beginResetModel()
        self.turns = turns
        self.endResetModel()

    def rowCount(self, parent: _AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.turns)

    def data(self, index: _AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        turn = self.turns[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{turn.n}.  {turn.title or self.tr('(a pasted text or a file)')}"
        return self._row if role == Qt.ItemDataRole.SizeHintRole else None


class TurnsList(Popup):
    """
    Args:
        here: The turn that is read at present.

    Signals:
        chosen(str): the id of the entry with which a turn begins.
    """

    chosen = Signal(str)

    def __init__(
        self, theme: Theme, turns: tuple[Turn, ...], here: EntryId | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(self.tr("Your messages"))
        self._turns = turns
        self.search = LineInput(placeholder=self.tr("Search your messages"))
        self.search.setAccessibleName(self.tr("Search your messages"))
        self.model = TurnsModel(turns, theme.size("control_px"), self)
        self.list = QListView()
        self.list.setAccessibleName(self.tr("Your messages"))
        self.list.setModel(self.model)
        self.list.setUniformItemSizes(True)  # thousands of rows, of which none but the shown are measured
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._none = QLabel(self.tr("No message has these words."))
        self._none.setProperty("role", "small")
        self._none.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        for part in (self.search, self.list, self._none):
            column.addWidget(part)
        self.list.setFixedHeight(min(len(turns), _MOST_ROWS) * theme.size("control_px"))
        self.setFixedWidth(round(theme.px(_WIDTH_PX)))
        at = next((row for row, turn in enumerate(turns) if turn.entry_id == here), len(turns) - 1)
        self._go_to(at)
        self.search.textChanged.connect(self._search)
        self.search.stepped.connect(self._step)
        self.search.submitted.connect(self._choose_current)
        self.search.cancelled.connect(self.close)
        self.list.clicked.connect(self._choose)

    def open_over(self, room: QWidget) -> None:
        """In the middle of `room`, at its upper edge."""
        self.adjustSize()
        at = room.mapToGlobal(QPoint((room.width() - self.width()) // 2, 8))
        self.move(at)
        self.show()
        self.list.scrollTo(self.list.currentIndex(), QListView.ScrollHint.PositionAtCenter)
        self.search.setFocus(Qt.FocusReason.PopupFocusReason)

    def _search(self, words: str) -> None:
        self.model.show(found(self._turns, words))
        self._none.setVisible(not self.model.turns)
        self._go_to(len(self.model.turns) - 1)

    def _step(self, by: int) -> None:
        self._go_to(max(0, min(self.list.currentIndex().row() + by, len(self.model.turns) - 1)))

    def _go_to(self, row: int) -> None:
        self.list.setCurrentIndex(self.model.index(row, 0))

    def _choose_current(self) -> None:
        if (index := self.list.currentIndex()).isValid():
            self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        turn = self.model.turns[index.row()]
        self.close()
        self.chosen.emit(turn.entry_id)
