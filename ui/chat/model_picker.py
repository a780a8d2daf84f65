"""The models to choose from, over the chat: searched by words, each with what choosing it would do (A6)."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLocale, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.core.ids import ModelId
from ui.chat.prospect import Switch
from ui.chat.words import ChatWords
from ui.kit.figures import compact
from ui.kit.inputs import LineInput
from ui.kit.popups import Popup
from ui.kit.theme import FontRole, Theme

_WIDTH_PX, _MOST_ROWS = 360, 12
_ID = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """One model that can be chosen."""

    id: ModelId
    name: str
    group: str
    """Name of its endpoint."""
    window_tokens: int = 0
    """0: not known."""


class ModelPicker(Popup):
    """
    Signals:
        chosen(str): a model id.
        considered(str): the model that is looked at; `show_prospect` shall say what it would do.
        models_wanted(): the page where models are set up.
    """

    chosen = Signal(str)
    considered = Signal(str)
    models_wanted = Signal()

    def __init__(
        self, theme: Theme, choices: Sequence[ModelChoice], current: ModelId | None, parent: QWidget
    ) -> None:
        super().__init__(theme, parent)
        self._words = ChatWords()
        self._choices, self._current = choices, current
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(self.tr("Models"))
        self.search = LineInput(placeholder=self.tr("Search models"))
        self.tree = QTreeWidget()
        self.tree.setProperty("role", "picker")
        self.tree.setAccessibleName(self.tr("Models"))
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(0)
        self.tree.setItemsExpandable(False)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.prospect = QLabel(wordWrap=True)
        self.prospect.setProperty("role", "small")
        self.prospect.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.more = QPushButton(self.tr("Providers and models …"))
        self.more.setProperty("role", "link")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 10)
        column.setSpacing(8)
        for part in (self.search, self.tree, self.prospect):
            column.addWidget(part)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFixedWidth(round(theme.px(_WIDTH_PX)))
        self.prospect.setFixedHeight(2 * self.prospect.fontMetrics().lineSpacing())
        self._fill("")
        self._fit()
        self.search.textChanged.connect(self._fill)
        self.search.stepped.connect(self._step)
        self.search.submitted.connect(self._choose_current)
        self.search.cancelled.connect(self.close)
        self.tree.currentItemChanged.connect(self._consider)
        self.tree.itemActivated.connect(self._choose)
        self.tree.itemClicked.connect(self._choose)
        self.tree.itemEntered.connect(self._hover)
        self.tree.setMouseTracking(True)
        self.more.clicked.connect(self._want_models)

    def open_at(self, anchor: QWidget) -> None:
        """Below `anchor`, ending where it ends."""
        at = anchor.mapToGlobal(anchor.rect().bottomRight()) - QPoint(self.width() - 1, -4)
        room = anchor.screen().availableGeometry()
        self.move(max(room.left(), min(at.x(), room.right() - self.width())), at.y())
        self.show()
        self.search.setFocus(Qt.FocusReason.PopupFocusReason)

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Something is known of them only now, or there are others; the model that is looked at stays so."""
        self._choices = choices
        item = self.tree.currentItem()
        looked_at = item.data(0, _ID) if item else None
        with QSignalBlocker(self.tree):
            self._fill(self.search.text())
            same = next((item for item in self._items() if item.data(0, _ID) == looked_at), None)
            if same:
                self.tree.setCurrentItem(same)
        if not same:
            self._consider(self.tree.currentItem())
        if not self.search.text():
            self._fit()

    def show_prospect(self, model: str, switch: Switch | None) -> None:
        """What choosing `model` would do, if it is still the one that is looked at."""
        if (item := self.tree.currentItem()) and item.data(0, _ID) == model:
            self.prospect.setText(self._words.switch(switch) if switch else "")

    def names(self) -> list[str]:
        """Of the models that are shown, in their order."""
        return [item.text(0) for item in self._items()]

    def _fill(self, words: str) -> None:
        wanted = words.casefold().split()
        shown = [each for each in self._choices if all(word in _text(each) for word in wanted)]
        self.tree.clear()
        group = ""
        for choice in shown:
            if choice.group != group:
                group = choice.group
                self.tree.addTopLevelItem(self._heading(group))
            item = QTreeWidgetItem([choice.name, self._window(choice)])
            item.setData(0, _ID, choice.id)
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setForeground(1, self._theme.tokens.muted_text)
            item.setToolTip(0, choice.name)
            self.tree.addTopLevelItem(item)
        if not shown:
            self.prospect.setText(self.tr("No model has these words in its name."))
        items = self._items()
        current = next((item for item in items if item.data(0, _ID) == self._current), None)
        if items:
            self.tree.setCurrentItem(current or items[0])

    def _fit(self) -> None:
        """As high as all models: it does not jump while one searches."""
        rows = min(self.tree.topLevelItemCount(), _MOST_ROWS)
        self.tree.setFixedHeight(max(rows, 1) * self._theme.size("control_px"))
        self.adjustSize()

    def _heading(self, group: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([group])
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setFont(0, self._theme.font(FontRole.SMALL))
        item.setForeground(0, self._theme.tokens.muted_text)
        item.setFirstColumnSpanned(True)
        return item

    def _window(self, choice: ModelChoice) -> str:
        if choice.id == self._current:
            return self.tr("in use")
        return compact(choice.window_tokens, QLocale()) if choice.window_tokens else ""

    def _items(self) -> list[QTreeWidgetItem]:
        found = (self.tree.topLevelItem(row) for row in range(self.tree.topLevelItemCount()))
        return [item for item in found if item and item.data(0, _ID)]

    def _step(self, by: int) -> None:
        items, current = self._items(), self.tree.currentItem()
        if items:
            at = items.index(current) if current in items else -1
            self.tree.setCurrentItem(items[max(0, min(at + by, len(items) - 1))])

    def _hover(self, item: QTreeWidgetItem) -> None:
        if item.data(0, _ID):
            self.tree.setCurrentItem(item)

    def _consider(self, item: QTreeWidgetItem | None) -> None:
        model = item.data(0, _ID) if item else None
        if not model or model == self._current:
            self.prospect.setText("")
        else:
            self.prospect.setText(self.tr("Looking at what would become of this chat …"))
            self.considered.emit(model)

    def _choose_current(self) -> None:
        if item := self.tree.currentItem():
            self._choose(item)

    def _choose(self, item: QTreeWidgetItem) -> None:
        if model := item.data(0, _ID):
            self.close()
            self.chosen.emit(model)

    def _want_models(self) -> None:
        self.close()
        self.models_wanted.emit()


def _text(choice: ModelChoice) -> str:
    return f"{choice.group} {choice.name}".casefold()
