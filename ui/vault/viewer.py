"""One original: its text as lines, a table or a tree, or the picture, with a search and what can be done with it."""

from functools import partial

from PySide6.QtCore import QBuffer, QByteArray, QEvent, QIODevice, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.core.artifacts import Artifact
from app.vault.kinds import Kind
from ui.kit.controls import Badge, ElidedLabel, FlowLayout
from ui.kit.icons import Icons
from ui.kit.inputs import LineInput
from ui.kit.theme import Theme
from ui.vault.json_view import JsonView
from ui.vault.lines_view import LinesView
from ui.vault.pager import Pager
from ui.vault.state import VaultState, Viewed
from ui.vault.words import VaultWords

_MOST_PX = 8_192
"""A larger picture is read smaller."""


class Viewer(QWidget):
    """
    Signals:
        sought(str, int): what is looked for, from a line on.
        stepped(int): to the next hit, or the one before.
        put_back_asked(Artifact), kept(Artifact, bool): what shall become of it.
        link_asked(str): its address, for the clipboard.
        save_asked(), reveal_asked(): as the words say.
        jump_asked(Artifact): to where it was said.
    """

    sought = Signal(str, int)
    stepped = Signal(int)
    put_back_asked = Signal(object)
    kept = Signal(object, bool)
    link_asked = Signal(str)
    save_asked = Signal()
    reveal_asked = Signal()
    jump_asked = Signal(object)

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icons = theme, icons
        self._words = VaultWords(self)
        self._artifact: Artifact | None = None
        self._viewed: Viewed | None = None
        self._pager: Pager | None = None
        self._is_plain = False
        """A table or a tree is shown as text."""
        self.lines = LinesView(theme)
        self.tree = JsonView(theme)
        self.picture = Picture()
        self._empty = QLabel()
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._stack = QStackedWidget()
        for widget in (self._empty, self.lines, self.tree, self.picture):
            self._stack.addWidget(widget)
        self._build()
        self._connect()
        self.retranslate()
        self.draw(VaultState())

    def _build(self) -> None:
        self._name, self._mime = ElidedLabel(), Badge(self._theme)
        self._name.setProperty("role", "heading")
        self._address = ElidedLabel()
        self._address.setProperty("role", "small")
        self._sight = QLabel()
        self._sight.setProperty("role", "small")
        self._status, self._found = ElidedLabel(), QLabel()
        for label in (self._status, self._found):
            label.setProperty("role", "small")
        self.search, self.line = LineInput(), LineInput()
        self.search.setClearButtonEnabled(True)
        self.line.setMaximumWidth(110)
        self.previous, self.next = QPushButton(), QPushButton()
        for button, icon in ((self.previous, "chevron-up"), (self.next, "chevron-down")):
            button.setProperty("role", "icon")
            button.setIcon(self._icons.icon(icon))
        self.wraps, self.plain = QPushButton(), QPushButton()
        for button in (self.wraps, self.plain):
            button.setProperty("role", "chip")
            button.setCheckable(True)
        self.wraps.setChecked(True)
        self.back, self.keep, self.link, self.save, self.reveal, self.jump = (QPushButton() for _ in range(6))
        self.keep.setCheckable(True)
        self._bar = QFrame()
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._name, 1)
        head.addWidget(self._mime)
        deeds = QWidget()
        flow = FlowLayout(deeds, gap_px=6)
        for button in (self.back, self.jump, self.keep, self.link, self.save, self.reveal):
            flow.addWidget(button)
        bar = QHBoxLayout(self._bar)
        bar.setContentsMargins(0, 0, 0, 0)
        bar.setSpacing(6)
        bar.addWidget(self.search, 1)
        for widget in (self._found, self.previous, self.next, self.line, self.wraps, self.plain):
            bar.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 10)
        column.setSpacing(8)
        self._head = QWidget()
        top = QVBoxLayout(self._head)
        top.setContentsMargins(0, 0, 0, 0)
        top.setSpacing(6)
        top.addLayout(head)
        top.addWidget(self._address)
        top.addWidget(self._sight)
        top.addWidget(deeds)
        column.addWidget(self._head)
        column.addWidget(self._bar)
        column.addWidget(self._stack, 1)
        column.addWidget(self._status)

    def _connect(self) -> None:
        self.search.textChanged.connect(self._seek)
        self.search.submitted.connect(self._step_on)
        self.search.stepped.connect(self.stepped)
        self.search.cancelled.connect(self._leave_search)
        self.line.cancelled.connect(self.focus_page)
        self.next.clicked.connect(partial(self.stepped.emit, 1))
        self.previous.clicked.connect(partial(self.stepped.emit, -1))
        self.line.submitted.connect(self._go)
        self.wraps.toggled.connect(self._wrap)
        self.plain.toggled.connect(self._show_plain)
        self.back.clicked.connect(self._put_back)
        self.keep.clicked.connect(self._keep)
        self.link.clicked.connect(self._link)
        self.save.clicked.connect(self.save_asked)
        self.reveal.clicked.connect(self.reveal_asked)
        self.jump.clicked.connect(self._jump)
        for keys, deed in (
            ("Ctrl+F", self._focus_search),
            ("Ctrl+G", self._focus_line),
            ("F3", self.next.click),
            ("Shift+F3", self.previous.click),
        ):
            QShortcut(
                QKeySequence(keys), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
            ).activated.connect(deed)

    # -- drawing

    def show_lines(self, pager: Pager | None) -> None:
        self._pager = pager
        self.plain.setChecked(False)
        self.search.clear()
        self.line.clear()
        self.lines.show_lines(pager, self._kind)
        self.picture.show_image(None)

    def show_picture(self, data: bytes) -> None:
        self.picture.show_image(read_image(data))

    def draw(self, state: VaultState) -> None:
        viewed, self._artifact = state.viewed, state.shown
        is_other = (viewed and (viewed.address, viewed.kind)) != (
            self._viewed and (self._viewed.address, self._viewed.kind)
        )
        self._viewed = viewed
        self._head.setVisible(viewed is not None)
        self._status.setVisible(viewed is not None)
        self._bar.setVisible(viewed is not None and self._pager is not None and not viewed.lost)
        self._stack.setCurrentWidget(self._page(viewed))
        self._empty.setText(self._told(state))
        if viewed is None:
            return
        if is_other:
            self.lines.set_kind(self._kind)
        self.plain.setVisible(viewed.kind is Kind.TABLE or viewed.has_tree)
        self.wraps.setVisible(self._stack.currentWidget() is not self.tree)
        self._draw_head(viewed)
        search, hit = viewed.search, self._pager.hit if self._pager else None
        self._found.setText(self._words.found(viewed))
        for button in (self.previous, self.next):
            button.setEnabled(search.n_found > 1)
        self.lines.set_marks(viewed.marks)
        self.lines.set_found(search.wanted, hit or 0)

    def _draw_head(self, viewed: Viewed) -> None:
        artifact, words = self._artifact, self._words
        self._name.setText(words.name(artifact) if artifact else viewed.name)
        self._mime.setText(viewed.mime)
        self._mime.setVisible(bool(viewed.mime))
        self._mime.updateGeometry()
        self._address.setText(viewed.address)
        self._sight.setText(words.sight(artifact.sight) if artifact else "")
        self._sight.setVisible(artifact is not None)
        self._status.setText(words.status(viewed))
        self._status.setProperty(
            "role", "critical" if viewed.lost or viewed.is_damaged or viewed.broken else "small"
        )
        self._status.style().polish(self._status)
        back = words.put_back(artifact.sight) if artifact else ""
        self.back.setText(back)
        self.back.setVisible(bool(back))
        has_blob = artifact is not None and artifact.blob is not None
        self.jump.setVisible(artifact is not None and artifact.sight is not None)
        self.keep.setVisible(has_blob)
        self.keep.setChecked(artifact is not None and artifact.is_kept)
        self.reveal.setVisible(has_blob)
        self.save.setVisible(not viewed.lost)

    def _page(self, viewed: Viewed | None) -> QWidget:
        if viewed is None or viewed.lost or viewed.kind is Kind.BINARY:
            return self._empty
        if viewed.has_tree and not self._is_plain:
            return self.tree
        return self.picture if viewed.kind is Kind.IMAGE else self.lines

    @property
    def page(self) -> QWidget:
        """What is shown: lines, the tree, the picture, or why there is none."""
        page = self._stack.currentWidget()
        assert page
        return page

    def _told(self, state: VaultState) -> str:
        viewed = state.viewed
        if viewed is None:
            return self.tr("Reading …") if state.current else self.tr("Choose an original to look at it.")
        if viewed.lost:
            return viewed.lost
        return self.tr("This is neither text nor a picture. Save it to open it with another program.")

    @property
    def _kind(self) -> Kind:
        kind = self._viewed.kind if self._viewed else Kind.TEXT
        return Kind.TEXT if self._is_plain else kind

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()

    def retranslate(self) -> None:
        self.search.setPlaceholderText(self.tr("Search in it"))
        self.search.setAccessibleName(self.tr("Search in it"))
        self.line.setPlaceholderText(self.tr("Go to line"))
        self.line.setAccessibleName(self.tr("Go to line"))
        for button, name in (
            (self.previous, self.tr("The hit before")),
            (self.next, self.tr("The next hit")),
        ):
            button.setAccessibleName(name)
            button.setToolTip(name)
        self.wraps.setText(self.tr("Wrap"))
        self.plain.setText(self.tr("As text"))
        self.keep.setText(self.tr("Keep for ever"))
        self.keep.setToolTip(self.tr("Stays even when its chats are deleted for good."))
        self.link.setText(self.tr("Copy link"))
        self.save.setText(self.tr("Save as…"))
        self.reveal.setText(self.tr("Show in folder"))
        self.jump.setText(self.tr("Go to its message"))
        self.lines.setAccessibleName(self.tr("The original"))
        self.tree.setAccessibleName(self.tr("The original as a tree"))

    # -- doing

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def focus_page(self) -> None:
        self.page.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _focus_line(self) -> None:
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def _seek(self, wanted: str) -> None:
        if wanted and self.page is self.tree:  # what is found are lines
            self.plain.setChecked(True)
        self.sought.emit(wanted, self.lines.top)

    def _step_on(self, _text: str) -> None:
        self.stepped.emit(1)

    def _leave_search(self) -> None:
        """Escape empties it first."""
        if self.search.text():
            self.search.clear()
        else:
            self.page.setFocus()

    def _go(self, text: str) -> None:
        number = text.strip().replace(",", "")
        if number.isdecimal() and self._pager:
            self.plain.setChecked(self.plain.isChecked() or self.page is self.tree)
            self.lines.go_to(min(max(int(number), 1), max(self._pager.n_lines, 1)))
            self.lines.setFocus()

    def _wrap(self) -> None:
        self.lines.set_wraps(wraps=self.wraps.isChecked())

    def _show_plain(self) -> None:
        self._is_plain = self.plain.isChecked()
        self.lines.set_kind(self._kind)
        self._stack.setCurrentWidget(self._page(self._viewed))
        self.wraps.setVisible(self.page is not self.tree)

    def _put_back(self) -> None:
        self.put_back_asked.emit(self._artifact)

    def _keep(self) -> None:
        if self._artifact:
            self.kept.emit(self._artifact, not self._artifact.is_kept)

    def _link(self) -> None:
        if self._viewed:
            self.link_asked.emit(self._viewed.address)

    def _jump(self) -> None:
        self.jump_asked.emit(self._artifact)


class Picture(QWidget):
    """A picture as large as there is room, never larger than it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image: QImage | None = None

    def show_image(self, image: QImage | None) -> None:
        self._image = image
        self.setAccessibleName(f"{image.width()}×{image.height()}" if image else "")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._image is None or self._image.isNull():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = self._image.size()
        if size.width() > self.width() or size.height() > self.height():
            size = size.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        rect = self.rect()
        rect.setSize(size)
        rect.moveCenter(self.rect().center())
        painter.drawImage(rect, self._image)
        painter.end()


def read_image(data: bytes) -> QImage:
    """Null where it is none; a huge one is read smaller."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    size = reader.size()
    if max(size.width(), size.height()) > _MOST_PX:
        reader.setScaledSize(size.scaled(QSize(_MOST_PX, _MOST_PX), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()
