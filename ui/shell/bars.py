"""What stands above the conversation when something concerns the whole window: a notice, being offline, a drop."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from ui.kit.icons import Icons
from ui.kit.items import Action
from ui.kit.theme import Theme
from ui.shell.notices import Notice

_DETAIL_PX = 150


class NoticeBar(QFrame):
    """One notice with its buttons, until it is closed or another comes; the same one again changes nothing.

    Signals:
        acted(Notice, str): the id of the action that was pressed.
    """

    acted = Signal(object, str)

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self._theme = theme
        self._icons = icons
        self._notice: Notice | None = None
        self._sign, self._text = QLabel(), QLabel()
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._title = QLabel()
        self._title.setProperty("role", "heading")
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._buttons = QHBoxLayout()
        self._details = QPushButton()
        self._details.setCheckable(True)
        self._details.setProperty("role", "quiet")
        self._close = QPushButton()
        self._close.setProperty("role", "quiet")
        self._detail = QPlainTextEdit()
        self._detail.setReadOnly(True)
        self._detail.setFixedHeight(_DETAIL_PX)
        self._build()
        self._details.toggled.connect(self._detail.setVisible)
        self._close.clicked.connect(self.dismiss)
        theme.changed.connect(self._dress)
        self._dress()
        self.retranslate()
        self.hide()

    @property
    def notice(self) -> Notice | None:
        """What is shown; None: nothing."""
        return self._notice

    def tell(self, notice: Notice) -> None:
        if notice == self._notice:
            return
        self._notice = notice
        self._title.setText(notice.title)
        self._text.setText("  ".join(part for part in (notice.text, notice.hint) if part))
        self._detail.setPlainText(notice.detail)
        self._details.setVisible(bool(notice.detail))
        self._details.setChecked(False)
        self._detail.hide()
        while item := self._buttons.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
        for action in notice.actions:
            self._buttons.addWidget(self._button(action))
        self.show()
        self.setAccessibleName(f"{notice.title}. {notice.text} {notice.hint}")
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.accessibleName()))

    def dismiss(self) -> None:
        self._notice = None
        self.hide()

    def retranslate(self) -> None:
        self._details.setText(self.tr("Details"))
        self._close.setAccessibleName(self.tr("Close"))
        self._close.setToolTip(self.tr("Close"))
        self._detail.setAccessibleName(self.tr("Details"))

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self._text)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        row.addLayout(self._buttons)
        row.addWidget(self._details)
        row.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 10, 10, 10)
        column.addLayout(row)
        column.addWidget(self._detail)

    def _button(self, action: Action) -> QPushButton:
        button = QPushButton(action.label)
        button.clicked.connect(lambda: self._notice and self.acted.emit(self._notice, action.id))
        return button

    def _dress(self) -> None:
        color, dpr = self._theme.tokens.critical_text, self.devicePixelRatioF()
        self._sign.setPixmap(self._icons.pixmap("warning", color, dpr=dpr))
        self._close.setIcon(self._icons.icon("close"))


class OfflineBar(QLabel):
    """Says that there is no network; goes when there is one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setMargin(5)
        self.retranslate()
        self.hide()

    def retranslate(self) -> None:
        self.setText(self.tr("This computer is offline. Models on it go on working."))
        self.setAccessibleName(self.text())


class DropSheet(QLabel):
    """Covers the window while files are held over it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self.setProperty("role", "drop")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.retranslate()
        self.hide()

    def cover(self) -> None:
        self.setGeometry(self._room.rect())
        self.show()
        self.raise_()

    def retranslate(self) -> None:
        self.setText(self.tr("Drop to attach files, or to import exported chats"))
