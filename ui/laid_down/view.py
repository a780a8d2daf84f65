"""Summaries as readable cards and a form, the ledger as lines with their sources; never raw JSON (U8, C38)."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.chats.summary_editing import Version
from app.context.summary.fields import changes
from app.core.errors import AppError
from app.core.ledger import LedgerItem, LedgerKind
from ui.kit.inputs import LineInput, TextArea
from ui.kit.theme import Theme
from ui.laid_down.state import FIELDS, PAIRS, SINGLE, LaidDownState, SummaryState, from_texts, to_text
from ui.laid_down.view_model import LaidDownViewModel

_SIZE_PX = (700, 600)


class LaidDownDialog(QDialog):
    """
    Args:
        say: An error in words.

    Signals:
        jumped(str): to the entry in which a line of the ledger was said.
    """

    jumped = Signal(str)

    def __init__(
        self,
        model: LaidDownViewModel,
        theme: Theme,
        say: Callable[[AppError], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._model, self._say = model, say
        self.setWindowTitle(self.tr("Summaries and ledger"))
        self.tabs = QTabWidget()
        self._summaries, self._lines = _Column(), _Column()
        self.tabs.addTab(self._summaries, self.tr("Summary"))
        self.tabs.addTab(self._lines, self.tr("Ledger"))
        self.forms: dict[str, SummaryForm] = {}
        self.rows: list[LedgerRow] = []
        self.told = _label("", "critical")
        self.told.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.told)
        self.resize(*(round(theme.px(px)) for px in _SIZE_PX))
        self.new_line, self.new_kind = LineInput(placeholder=self.tr("Add a line …")), self._kinds()
        model.changed.connect(self.draw)
        model.refused.connect(self.refuse)
        self.draw(model.state)

    def draw(self, state: LaidDownState) -> None:
        self.told.hide()
        self._summaries.clear()
        self.forms = {}
        for number, summary in enumerate(state.summaries, 1):
            form = self.forms[summary.compaction_id] = SummaryForm(summary, number, self._model)
            self._summaries.add(form)
        if not state.summaries and not state.is_loading:
            text = self.tr("This chat has no summary yet. A compression that needs room writes one.")
            self._summaries.add(_label(text, "muted"))
        self._draw_lines(state.lines)

    def show_summary(self, compaction_id: str) -> None:
        self.tabs.setCurrentIndex(0)
        if form := self.forms.get(compaction_id):
            self._summaries.ensureWidgetVisible(form)

    def show_ledger(self) -> None:
        self.tabs.setCurrentIndex(1)

    def refuse(self, error: AppError) -> None:
        self.told.setText(self._say(error))
        self.told.show()

    def _draw_lines(self, lines: tuple[LedgerItem, ...]) -> None:
        typed = self.new_line.text()
        self._lines.clear()
        told = self.tr("The ledger is sent with the next compression; a change of it breaks no cache.")
        self._lines.add(_label(told, "small"))
        self.new_line, self.new_kind = LineInput(placeholder=self.tr("Add a line …")), self._kinds()
        self.new_line.setText(typed)
        self.new_line.submitted.connect(self._add)
        adding = QHBoxLayout()
        adding.addWidget(self.new_line, 1)
        adding.addWidget(self.new_kind)
        self._lines.column.addLayout(adding)
        self.rows = []
        for line in lines:
            row = LedgerRow(line, self._model, self._kind(line.kind))
            row.jumped.connect(self.jumped)
            self.rows.append(row)
            self._lines.add(row)
        if not lines:
            text = self.tr("Your constraints and decisions will stand here, word for word.")
            self._lines.add(_label(text, "muted"))

    def _kinds(self) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(self.tr("Kind of the line"))
        for kind in LedgerKind:
            box.addItem(self._kind(kind), kind)
        return box

    def _kind(self, kind: LedgerKind) -> str:
        names = {
            LedgerKind.CONSTRAINT: self.tr("Constraint"),
            LedgerKind.DECISION: self.tr("Decision"),
            LedgerKind.VALUE: self.tr("Value"),
        }
        return names[kind]

    def _add(self, text: str) -> None:
        self.new_line.clear()
        self._model.add(text, LedgerKind(self.new_kind.currentData()))


class SummaryForm(QFrame):
    """A summary to be read; Edit makes fields of it, a version can be looked at and compared with the one before."""

    def __init__(self, state: SummaryState, number: int, model: LaidDownViewModel) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._state, self._model = state, model
        self._fields: dict[str, TextArea] = {}
        self.versions = QComboBox()
        self.versions.setAccessibleName(self.tr("Version"))
        for at, version in enumerate(state.versions):
            self.versions.addItem(self._name(version), at)
        self.versions.setCurrentIndex(state.versions.index(state.newest))
        self.versions.setVisible(len(state.versions) > 1)
        self.edit, self.save, self.cancel, self.undo = (QPushButton() for _ in range(4))
        for button, text, deed in (
            (self.edit, self.tr("Edit"), self._begin),
            (self.save, self.tr("Save"), self._save),
            (self.cancel, self.tr("Cancel"), self._read),
            (self.undo, self.tr("Undo this version"), self._undo),
        ):
            button.setText(text)
            button.clicked.connect(deed)
        self.save.setProperty("role", "primary")
        head = QHBoxLayout()
        head.addWidget(_label(self.tr("Compression {n}").format(n=number), "heading"), 1)
        for widget in (self.versions, self.undo, self.edit, self.cancel, self.save):
            head.addWidget(widget)
        self._body = QVBoxLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.addLayout(head)
        if not state.is_shown:
            column.addWidget(_label(self.tr("The model does not see this summary any more."), "small"))
        column.addLayout(self._body)
        self.versions.currentIndexChanged.connect(self._read)
        self._read()

    @property
    def version(self) -> Version:
        return self._state.versions[max(0, self.versions.currentIndex())]

    def texts(self) -> dict[str, str]:
        """What stands in the form."""
        return {field: area.toPlainText() for field, area in self._fields.items()}

    def set_text(self, field: str, text: str) -> None:
        self._fields[field].setPlainText(text)

    def _read(self) -> None:
        """As a card, with how it differs from the version before."""
        _empty(self._body)
        self._fields = {}
        version = self.version
        at = self._state.versions.index(version)
        self._offer(is_editing=False)
        self.undo.setVisible(version.written_at is not None and not version.is_undone)
        for field in FIELDS:
            if text := to_text(version.summary, field):
                self._body.addWidget(_label(self._title(field), "section"))
                self._body.addWidget(_label(text, ""))
        if at:
            self._body.addWidget(_label(self.tr("Changes"), "heading"))
            for change in changes(self._state.versions[at - 1].summary, version.summary):
                self._body.addWidget(_label(self._title(change.field), "section"))
                for line in change.gone:
                    self._body.addWidget(_label(f"− {line}", "critical"))
                for line in change.new:
                    self._body.addWidget(_label(f"+ {line}", "healthy"))

    def _begin(self) -> None:
        _empty(self._body)
        self._offer(is_editing=True)
        self._body.addWidget(_label(self.tr("What you write is sent from the next compression on."), "small"))
        for field in FIELDS:
            area = self._fields[field] = TextArea()
            area.setProperty("role", "boxed")
            area.setTabChangesFocus(True)
            area.setPlainText(to_text(self.version.summary, field))
            area.setAccessibleName(self._title(field))
            n_rows = min(6, max(1 if field in SINGLE else 2, area.toPlainText().count("\n") + 1))
            area.setFixedHeight(area.fontMetrics().lineSpacing() * n_rows + 26)
            self._body.addWidget(_label(self._title(field), "section"))
            if field in PAIRS:
                self._body.addWidget(_label(self._hint(field), "small"))
            self._body.addWidget(area)
        self._fields[FIELDS[0]].setFocus(Qt.FocusReason.OtherFocusReason)

    def _save(self) -> None:
        self._model.write(self._state.compaction_id, from_texts(self.texts()))

    def _undo(self) -> None:
        self._model.undo_version(self.version.rev)

    def _offer(self, *, is_editing: bool) -> None:
        self.edit.setVisible(not is_editing and self._state.is_shown)
        self.undo.setVisible(False)
        self.cancel.setVisible(is_editing)
        self.save.setVisible(is_editing)

    def _name(self, version: Version) -> str:
        if version.written_at is None:
            return self.tr("The compression's own")
        at = QDateTime.fromSecsSinceEpoch(round(version.written_at.timestamp()))
        when = QLocale().toString(at, QLocale.FormatType.ShortFormat)
        told = self.tr("Yours, {when}").format(when=when)
        return f"{told} · {self.tr('undone')}" if version.is_undone else told

    def _hint(self, field: str) -> str:
        if field == "key_decisions":
            return self.tr("One a line; what and why parted by “ | ”.")
        return self.tr("One a line; error and fix parted by “ | ”.")

    def _title(self, field: str) -> str:
        return {
            "user_goal": self.tr("Goal"),
            "active_task": self.tr("Active task"),
            "constraints_and_preferences": self.tr("Constraints and preferences"),
            "key_decisions": self.tr("Decisions"),
            "completed_actions": self.tr("Done"),
            "active_state": self.tr("State"),
            "key_findings": self.tr("Findings"),
            "errors_and_fixes": self.tr("Errors and fixes"),
            "resolved_questions": self.tr("Resolved questions"),
            "pending_user_asks": self.tr("Open requests"),
            "files_modified": self.tr("Files"),
            "last_action": self.tr("Last action"),
            "blocked_items": self.tr("Blocked"),
            "next_steps": self.tr("Next steps"),
        }[field]


class LedgerRow(QFrame):
    """
    Signals:
        jumped(str): to the entry in which it was said.
    """

    jumped = Signal(str)

    def __init__(self, line: LedgerItem, model: LaidDownViewModel, kind: str) -> None:
        super().__init__()
        self._line, self._model = line, model
        is_held = line.superseded_rev is None
        self.text = LineInput()
        self.text.setText(line.text)
        self.text.setAccessibleName(kind)
        self.text.setEnabled(is_held)
        self.text.submitted.connect(partial(model.edit, line.id))
        source = QPushButton(self.tr("Go to where it was said"))
        source.setProperty("role", "link")
        source.setVisible(line.entry_id is not None)
        source.clicked.connect(self._jump)
        told = kind if is_held else f"{kind} · {self.tr('no longer holds')}"
        self.remove = QPushButton(self.tr("Remove"))
        self.remove.setVisible(is_held)
        self.remove.clicked.connect(partial(model.remove, line.id))
        row = QHBoxLayout()
        row.addWidget(self.text, 1)
        row.addWidget(self.remove)
        foot = QHBoxLayout()
        foot.addWidget(_label(told if line.entry_id else f"{told} · {self.tr('yours')}", "small"))
        foot.addWidget(source)
        foot.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(2)
        column.addLayout(row)
        column.addLayout(foot)

    def _jump(self) -> None:
        self.jumped.emit(self._line.entry_id)


class _Column(QScrollArea):
    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        inner = QWidget()
        self.column = QVBoxLayout(inner)
        self.column.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.column.setSpacing(8)
        self.setWidget(inner)

    def add(self, widget: QWidget) -> None:
        self.column.addWidget(widget)

    def clear(self) -> None:
        _empty(self.column)


def _empty(layout: QLayout) -> None:
    while item := layout.takeAt(0):
        if widget := item.widget():
            widget.hide()  # it goes only when the loop runs
            widget.deleteLater()
        elif inner := item.layout():
            _empty(inner)


def _label(text: str, role: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)  # a model's words are never read as rich text (case B67)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setWordWrap(True)
    label.setProperty("role", role)
    return label
