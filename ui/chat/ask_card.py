"""What a call asks the person: to be allowed, shown with all it would do, or to be told something (A12)."""

import sys
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.agent.tools.tool import Reply
from app.core.approvals import Access, Consent, Wish
from ui.kit.controls import Badge, FlowLayout
from ui.kit.inputs import LineInput
from ui.kit.items import Tone
from ui.kit.links import visible
from ui.kit.theme import FontRole, Theme

SHOWN_LINES = 12
"""Of a detail; the rest is scrolled to."""
_COLOURED_CHARS = 200_000
_WITH_KEYS = 3
"""So many answers have a key of their own."""


class AskCard(QFrame):
    """One wish. It takes the keyboard as a whole, so that no key that was meant for elsewhere answers it.

    Signals:
        replied(Reply): once.
    """

    replied = Signal(object)

    def __init__(self, wish: Wish, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.wish = wish
        self._theme = theme
        self._is_replied = False
        self.setProperty("role", "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 12, 16, 12)
        self._column.setSpacing(8)
        self.answers: list[QPushButton] = []
        """In the order of their keys, Alt+1 first."""
        self.refusal = QPushButton()
        """Alt+0."""
        self.text = LineInput()
        self._fill()

    # -- what the window's commands ask for

    def answer(self, n: int) -> None:
        """Press the `n`th answer, from 1; 0 refuses."""
        if n == 0:
            self.refusal.click()
        elif n <= len(self.answers):
            self.answers[n - 1].click()

    # -- building

    def _fill(self) -> None:
        wish = self.wish
        is_question = wish.access is Access.NONE
        title = self.tr("A question") if is_question else self._deed(wish.access)
        self._head(title)
        self._column.addWidget(_label(visible(wish.what), "" if is_question else "code"))
        if wish.on_behalf:
            told = self.tr("For the sub-agent “{task}”").format(task=" ".join(wish.on_behalf.split()))
            self._column.addWidget(_label(visible(told), "small"))
        if wish.detail:
            self._column.addWidget(Detail(wish.detail, self._theme, is_diff=_is_diff(wish)))
        if wish.also:
            others = ", ".join(self._deed(access) for access in wish.also)
            self._column.addWidget(_label(self.tr("It also does: {what}").format(what=others), "small"))
        self.setAccessibleName(f"{title}: {wish.what}")
        if is_question:
            self._fill_question()
        else:
            self._fill_approval()

    def _head(self, title: str) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(_label(title, "heading", wraps=False))
        is_harmful = self.wish.access in (Access.DANGEROUS, Access.DELETE)
        tone = Tone.WARNING if is_harmful else Tone.PLAIN
        row.addWidget(Badge(self._theme, self.wish.tool, tone))
        row.addStretch()
        self._column.addLayout(row)

    def _fill_approval(self) -> None:
        offered = [(Consent.ONCE, self.tr("Allow once"))]
        if self.wish.rules:
            offered += [(Consent.CHAT, self.tr("For this chat")), (Consent.ALWAYS, self.tr("Always"))]
            lasting = self.tr("In this chat, or always, would go without a question: {rules}")
            rules = " · ".join(self._rule(rule) for rule in self.wish.rules)
            self._column.addWidget(_label(visible(lasting.format(rules=rules)), "small"))
        buttons = self._buttons()
        for consent, name in offered:
            self._add(buttons, name, partial(self._allow, consent))
        self.refusal.setText(self._with_key(self.tr("Refuse"), 0))
        self.text.setPlaceholderText(self.tr("Why not? The model is told"))
        self.text.setAccessibleName(self.tr("Why you refuse; the model is told"))
        self.text.submitted.connect(self._refuse)
        self._end(self.text, self.refusal)

    def _fill_question(self) -> None:
        if self.wish.choices:
            buttons = self._buttons()
            for choice in self.wish.choices:
                self._add(buttons, visible(choice), partial(self._say, choice))
        self.refusal.setText(self._with_key(self.tr("No answer"), 0))
        self.text.setPlaceholderText(self.tr("Your answer"))
        self.text.setAccessibleName(self.tr("Your answer"))
        self.text.submitted.connect(self._say)
        send = QPushButton(self.tr("Answer"))
        send.clicked.connect(self._say_typed)
        self._end(self.text, send, self.refusal)

    def _buttons(self) -> FlowLayout:
        held = QWidget()
        flow = FlowLayout(held)
        self._column.addWidget(held)
        return flow

    def _add(self, flow: FlowLayout, name: str, deed: Callable[[], None]) -> None:
        n = len(self.answers) + 1
        button = QPushButton(self._with_key(name, n) if n <= _WITH_KEYS else name.replace("&", "&&"))
        button.setAccessibleName(name)
        button.clicked.connect(deed)
        self.answers.append(button)
        flow.addWidget(button)

    def _end(self, *parts: QWidget) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for part in parts:
            row.addWidget(part, 1 if part is self.text else 0)
        self.refusal.setAccessibleName(self.refusal.text().partition("  ")[0])
        self.refusal.clicked.connect(self._refuse_typed)
        self.text.cancelled.connect(self.setFocus)
        self._column.addLayout(row)

    def _with_key(self, name: str, n: int) -> str:
        return f"{name.replace('&', '&&')}  {key_text(n)}"

    # -- words

    def _deed(self, access: Access) -> str:
        return {
            Access.NONE: self.tr("Ask you"),
            Access.READ: self.tr("Read"),
            Access.WRITE: self.tr("Change a file"),
            Access.DELETE: self.tr("Delete"),
            Access.SHELL: self.tr("Run a command"),
            Access.NETWORK: self.tr("Reach another computer"),
            Access.MCP: self.tr("Use a tool of a server of yours"),
            Access.INSTALL: self.tr("Install software"),
            Access.DANGEROUS: self.tr("Run what may do harm, or can't be judged"),
        }[access]

    def _rule(self, rule: str) -> str:
        access, _, what = rule.partition(":")
        if access == Access.MCP:  # the hash of what the server was started as says nothing to people
            server, _, tool = what.partition(":")
            what = f"{server.partition('@')[0]}: {tool}"
        return f"{self._deed(Access(access))} ({what})" if access in set(Access) else rule

    # -- answering

    def _reply(self, consent: Consent, text: str = "") -> None:
        if not self._is_replied:
            self._is_replied = True
            self.setEnabled(False)
            self.replied.emit(Reply(consent=consent, text=text))

    def _allow(self, consent: Consent) -> None:
        self._reply(consent)

    def _refuse(self, why: str) -> None:
        self._reply(Consent.REFUSED, why.strip())

    def _refuse_typed(self) -> None:
        self._refuse(self.text.text())

    def _say(self, text: str) -> None:
        if text.strip():
            self._reply(Consent.ONCE, text.strip())

    def _say_typed(self) -> None:
        self._say(self.text.text())

    # -- looks

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = self._theme.size("card_radius_px")
        painter.setPen(self._theme.tokens.focus if self.hasFocus() else self._theme.tokens.accent)
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), radius, radius)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.updateGeometry()


class Detail(QPlainTextEdit):
    """A diff with its colours, or a command, whole; as high as it is long, up to `SHOWN_LINES`."""

    def __init__(self, text: str, theme: Theme, *, is_diff: bool) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setProperty("role", "boxed")
        self.setTabChangesFocus(True)
        self.setLineWrapMode(
            QPlainTextEdit.LineWrapMode.NoWrap if is_diff else QPlainTextEdit.LineWrapMode.WidgetWidth
        )
        self.setAccessibleName(self.tr("What would change") if is_diff else self.tr("All of it"))
        self._theme = theme
        text = text.rstrip("\n")
        self._n_lines = text.count("\n") + 1
        if is_diff and len(text) <= _COLOURED_CHARS:
            self._colours = _DiffColours(self, theme)
        self.setPlainText("\n".join(visible(line) for line in text.split("\n")))
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFont(self._theme.font(FontRole.CODE))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().lineSpacing()
        n_lines = min(SHOWN_LINES, max(self._n_lines, self.blockCount()))
        if self.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth:
            room = max(self.viewport().width(), 200)
            longest = self.fontMetrics().horizontalAdvance(max(self.toPlainText().split("\n"), key=len))
            n_lines = min(SHOWN_LINES, n_lines + longest // room)
        bar = self.horizontalScrollBar().sizeHint().height()
        return QSize(super().sizeHint().width(), line * n_lines + bar + 20)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())


class _DiffColours(QSyntaxHighlighter):
    """Lines that come and go; their signs stay, for people who don't see colours."""

    def __init__(self, shown: QPlainTextEdit, theme: Theme) -> None:
        super().__init__(shown.document())
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        color = self._color(text)
        if color:
            style = QTextCharFormat()
            style.setForeground(color)
            if text.startswith(("+++", "---")):
                style.setFontWeight(QFont.Weight.DemiBold)
            self.setFormat(0, len(text), style)

    def _color(self, line: str) -> QColor | None:
        tokens = self._theme.tokens
        if line.startswith("@@"):
            return tokens.muted_text
        if line.startswith(("+++", "---")):
            return tokens.ink
        return {"+": tokens.syntax_inserted, "-": tokens.syntax_deleted}.get(line[:1])


def key_text(n: int) -> str:
    """The key of the `n`th answer as it stands on a button."""
    return QKeySequence(answer_key(n)).toString(QKeySequence.SequenceFormat.NativeText)


def answer_key(n: int) -> str:
    """Portable text of the key of the `n`th answer; 0: that of refusing. Nothing is typed by it anywhere."""
    return f"Meta+{n}" if sys.platform == "darwin" else f"Alt+{n}"


def _is_diff(wish: Wish) -> bool:
    return wish.access in (Access.WRITE, Access.DELETE) and "\n@@ " in f"\n{wish.detail}"


def _label(text: str, role: str, *, wraps: bool = True) -> QLabel:
    label = QLabel(text, wordWrap=wraps)
    label.setTextFormat(Qt.TextFormat.PlainText)  # a model's words are never read as rich text (case B67)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if role:
        label.setProperty("role", role)
    return label
