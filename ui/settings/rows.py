"""The parts every settings page is built of: the page with its title, and the row of one field."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

COLUMN_EMS, TITLE_EMS = 50, 13.5
TALL_EMS = 3
"""A control as high as this begins where its name does; a lower one stands in the middle beside it."""


_SIDE_PX, _NARROW_SIDE_PX, _TOP_PX = 44, 24, 28
NARROW_EMS = 48
"""A page that is narrower has no room for controls beside their names."""


def label(text: str = "", role: str = "", *, wraps: bool = False) -> QLabel:
    made = QLabel(text, wordWrap=wraps)
    # Names of models and words of servers stand in labels: never read as rich text (case B67).
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    return made


def section(text: str) -> QLabel:
    """What heads a part of a page, apart from the part above."""
    made = label(text, "section")
    made.setContentsMargins(0, 10, 0, 0)
    return made


def button(text: str, role: str = "") -> QPushButton:
    made = QPushButton(text)
    made.setAccessibleName(text)
    if role:
        made.setProperty("role", role)
    return made


def ems(part: QWidget, n: float) -> int:
    """`n` lines of text in px: a width that grows with the zoom."""
    return round(part.fontMetrics().height() * n)


class FormCard(QFrame):
    """A card with a form: its title, and a grid of names and fields; whatever else goes into `column`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.title = label("", "heading")
        self.grid = QGridLayout()
        self.grid.setColumnMinimumWidth(0, ems(self, TITLE_EMS - 3))
        self.grid.setColumnStretch(1, 1)
        self.grid.setVerticalSpacing(6)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(18, 16, 18, 16)
        self.column.setSpacing(10)
        self.column.addWidget(self.title)
        self.column.addLayout(self.grid)


def keep_room(shown: QLabel, n: float) -> None:
    """Have `shown` on one line, unless it is longer than `ems` of `n`: then it does as it does without room."""
    width = shown.fontMetrics().horizontalAdvance(shown.text()) + 2
    shown.setMinimumWidth(min(width, ems(shown, n)))


def beside(*parts: QWidget) -> QWidget:
    """`parts` in a row; line inputs take what room there is."""
    held = QWidget()
    row = QHBoxLayout(held)
    row.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        row.addWidget(part, 1 if isinstance(part, QLineEdit) else 0)
    return held


class Choice(QComboBox):
    """One of a few values; `values` stand for the texts.

    Signals:
        chosen(str): by the person, not by drawing.
    """

    chosen = Signal(str)

    def __init__(self, options: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.values = [value for value, _ in options]
        self.addItems([text for _, text in options])
        self.activated.connect(self._choose)

    def show_value(self, value: str) -> None:
        self.setCurrentIndex(self.values.index(value))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls; a wheel on its way must not change a setting

    def _choose(self, index: int) -> None:
        self.chosen.emit(self.values[index])


class FieldRow(QFrame):
    """A field: its name and a hint on the left, its control on the right, below what became of a change.

    Signals:
        undo_asked()
    """

    undo_asked = Signal()

    def __init__(self, title: str, control: QWidget, *, hint: str = "") -> None:
        super().__init__()
        self.control = control
        self.texts = (title, hint)
        self.words = f"{title} {hint}".casefold()
        if not control.accessibleName():
            control.setAccessibleName(title)
        if isinstance(control, Choice):
            control.view().setAccessibleName(title)
        control.setAccessibleDescription(hint)
        name = label(title)
        name.setBuddy(control)
        self._names = QWidget()
        names = QVBoxLayout(self._names)
        names.setContentsMargins(0, 0, 0, 0)
        names.setSpacing(2)
        names.addWidget(name)
        if hint:
            names.addWidget(label(hint, "small", wraps=True))
        self.problem = label("", "critical", wraps=True)
        self._saved = QWidget()
        saved = QHBoxLayout(self._saved)
        saved.setContentsMargins(0, 0, 0, 0)
        saved.addWidget(label(self.tr("Saved."), "small"))
        self.undo_button = button(self.tr("Undo"), "link")
        self.undo_button.setAccessibleName(self.tr("Undo the change of {field}").format(field=title))
        self.undo_button.clicked.connect(self.undo_asked)
        saved.addWidget(self.undo_button)
        saved.addStretch()
        self._line = QFrame()
        self._line.setProperty("role", "line")
        self._line.setFixedHeight(1)
        self._is_narrow = False
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 6, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setColumnStretch(1, 1)
        self._arrange()
        self.draw()

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Whether there is no room for the control beside its name, so that it stands below."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._arrange()

    def _arrange(self) -> None:
        is_tall = self.control.sizeHint().height() > ems(self, TALL_EMS)
        level = Qt.AlignmentFlag.AlignTop if is_tall else Qt.AlignmentFlag.AlignVCenter
        row, column = (1, 0) if self._is_narrow else (0, 1)
        for part in (self._names, self.control, self.problem, self._saved, self._line):
            self._grid.removeWidget(part)
        self._grid.addWidget(self._names, 0, 0, 1, 2 - column, level)
        self._grid.addWidget(self.control, row, column, 1, 2 - column, Qt.AlignmentFlag.AlignLeft | level)
        self._grid.addWidget(self.problem, row + 1, column, 1, 2 - column)
        self._grid.addWidget(self._saved, row + 2, column, 1, 2 - column)
        self._grid.addWidget(self._line, 5, 0, 1, 2)
        self._grid.setRowMinimumHeight(4, 4)
        self._resize()

    def draw(self, *, can_undo: bool = False, problem: str = "") -> None:
        """`problem`: the sentence that says why the value was not taken."""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self._saved.setVisible(can_undo and not problem)
        if problem:
            self.control.setAccessibleDescription(problem)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._resize()

    def _resize(self) -> None:
        width = ems(self, TITLE_EMS)
        self._names.setMinimumWidth(width)
        self._names.setMaximumWidth(ems(self, COLUMN_EMS) if self._is_narrow else width)


class Page(QScrollArea):
    """A page of settings; its column is at most as wide as reads well."""

    def __init__(self) -> None:
        super().__init__()
        self.title = self.also = ""
        """`also`: what else it is about, for the search."""
        self.rows: list[FieldRow] = []
        self._sections: list[tuple[QLabel, int]] = []
        """With the index of the first row below each."""
        self._sources: dict[str, str] = {}
        self._other_words = ""
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content = QWidget()
        self._column = QWidget()
        self.column = QVBoxLayout(self._column)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        self._outer = QHBoxLayout(content)
        self._outer.addWidget(self._column, 1)
        self._outer.addStretch()
        self._outer.setStretch(1, 0)
        self._is_narrow = False
        self._outer.setContentsMargins(_SIDE_PX, _TOP_PX, _SIDE_PX, _TOP_PX)
        self.setWidget(content)
        self._column.setMaximumWidth(ems(self, COLUMN_EMS))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._column.setMaximumWidth(ems(self, COLUMN_EMS))

    def arrange(self, *, is_narrow: bool) -> None:
        """Make do with the room there is."""
        side_px = _NARROW_SIDE_PX if is_narrow else _SIDE_PX
        self._outer.setContentsMargins(side_px, _TOP_PX, side_px, _TOP_PX)
        for row in self.rows:
            row.set_narrow(is_narrow=is_narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < ems(self, NARROW_EMS)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self.arrange(is_narrow=is_narrow)

    def set_title(self, title: str, words: str = "") -> None:
        self.title = title
        self.column.addWidget(label(title, "title"))
        if words:
            self.column.addWidget(label(words, "muted", wraps=True))
        self.column.addSpacing(4)

    def add_row(self, row: FieldRow) -> FieldRow:
        self.rows.append(row)
        self.column.addWidget(row)
        return row

    def add_section(self, text: str) -> None:
        """What heads the rows that follow; gone while a search shows none of them."""
        heading = section(text.upper())
        self._sections.append((heading, len(self.rows)))
        self.column.addWidget(heading)

    def tr(self, text: str, disambiguation: str | None = None, n: int = -1) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]  # Qt's has positions only
        """As Qt's; what was said is remembered with its source, for `learn`."""
        said = super().tr(text, disambiguation, n)
        self._sources[said] = text
        return said

    def learn(self, elsewhere: Callable[[str, str], str]) -> None:
        """Have everything found by its words in the other languages, too.

        Args:
            elsewhere: A text of a context in the language that is not shown; empty: it has none.
        """

        def others(said: str) -> str:
            if not (source := self._sources.get(said, "")):
                return ""
            contexts = (kind.__name__ for kind in type(self).__mro__)
            other = next(filter(None, (elsewhere(context, source) for context in contexts)), "")
            return f" {source} {other}".casefold()

        for row in self.rows:
            row.words += "".join(map(others, row.texts))
        shown = {text for row in self.rows for text in row.texts}
        self._other_words = "".join(others(said) for said in self._sources if said not in shown)

    def search_words(self) -> str:
        """Everything on the page that a search may find, besides its rows."""
        return f"{self.title} {self.also}".casefold()

    def show_found(self, text: str) -> bool:
        """Show only the rows that have all words of `text`; a page whose own words match shows all.

        Returns: whether anything did.
        """
        wanted = text.split()
        found = [row for row in self.rows if all(word in row.words for word in wanted)]
        for row in self.rows:
            row.setVisible(not found or row in found)
        shown = [not found or row in found for row in self.rows]
        starts = [at for _, at in self._sections]
        for (heading, start), end in zip(self._sections, [*starts[1:], len(shown)], strict=False):
            heading.setVisible(any(shown[start:end]))
        return bool(found) or all(word in self.search_words() + self._other_words for word in wanted)
