"""The list of a chat's originals: names, sizes, and what the model sees of each."""

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.core.artifacts import Artifact
from app.vault.kinds import kind_of
from ui.kit.icons import Icons
from ui.kit.inputs import LineInput
from ui.kit.theme import FontRole, Theme
from ui.vault.state import VaultState
from ui.vault.words import ICONS, VaultWords

_Index = QModelIndex | QPersistentModelIndex
ARTIFACT = int(Qt.ItemDataRole.UserRole) + 1
_ROW_PX, _ICON_PX = 50, 16


class ArtifactModel(QAbstractListModel):
    def __init__(self, words: VaultWords, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.artifacts: tuple[Artifact, ...] = ()

    def show(self, artifacts: tuple[Artifact, ...]) -> None:
        if artifacts != self.artifacts:
            self.beginResetModel()
            self.artifacts = artifacts
            self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(self.artifacts)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        artifact = self.artifacts[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._words.name(artifact)
            case Qt.ItemDataRole.ToolTipRole:
                return artifact.address
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._words.row(artifact)
            case _:
                return artifact if role == ARTIFACT else None


class ArtifactDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, icons: Icons, words: VaultWords, parent: QObject) -> None:
        super().__init__(parent)
        self._theme, self._icons, self._words = theme, icons, words

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(160, round(self._theme.px(_ROW_PX)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        artifact = index.data(ARTIFACT)
        assert isinstance(artifact, Artifact)
        ground = QStyleOptionViewItem(option)
        self.initStyleOption(ground, index)
        ground.text = ""  # pyright: ignore[reportAttributeAccessIssue]  # Qt's own field
        style = QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, ground, painter)
        tokens, px = self._theme.tokens, self._theme.px
        rect = QRect(option.rect).adjusted(round(px(8)), round(px(6)), -round(px(8)), -round(px(6)))  # pyright: ignore[reportAttributeAccessIssue]  # Qt's own field
        size = round(px(_ICON_PX))
        icon = ICONS[kind_of(artifact.mime, artifact.name)]
        painter.drawPixmap(
            rect.left(), rect.top() + 1, self._icons.pixmap(icon, tokens.muted_text, size_px=size)
        )
        if artifact.is_kept:
            pin = self._icons.pixmap("pin", tokens.accent, size_px=size)
            painter.drawPixmap(rect.right() - size, rect.top() + 1, pin)
        text = rect.adjusted(size + round(px(8)), 0, -(size + 4 if artifact.is_kept else 0), 0)
        half = text.height() // 2
        self._draw(painter, QRect(text.left(), text.top(), text.width(), half), self._words.name(artifact))
        size_words = self._words.extent(artifact.n_bytes, 0)
        told = f"{size_words} · {self._words.sight(artifact.sight)}"
        self._draw(painter, QRect(text.left(), text.top() + half, text.width(), half), told, is_small=True)

    def _draw(self, painter: QPainter, rect: QRect, text: str, *, is_small: bool = False) -> None:
        tokens = self._theme.tokens
        painter.setFont(self._theme.font(FontRole.SMALL if is_small else FontRole.TEXT))
        painter.setPen(tokens.muted_text if is_small else tokens.ink)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, shown)


class Browser(QFrame):
    """
    Signals:
        chosen(str): the address of the one that shall be looked at.
        sought(str): what is sought among the names.
        all_wanted(): not only those of one compression.
    """

    chosen = Signal(str)
    sought = Signal(str)
    all_wanted = Signal()

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._words = VaultWords(self)
        self._state = VaultState()
        self._model = ArtifactModel(self._words, self)
        self.search = LineInput()
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self.sought)
        self.search.cancelled.connect(self.search.clear)
        self.list = QListView()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setModel(self._model)
        self.list.setItemDelegate(ArtifactDelegate(theme, icons, self._words, self))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.selectionModel().currentChanged.connect(self._choose)
        self._total, self._empty = QLabel(), QLabel()
        self._total.setProperty("role", "small")
        self._empty.setProperty("role", "small")
        self._empty.setWordWrap(True)
        self._all = QPushButton()
        self._all.setProperty("role", "link")
        self._all.clicked.connect(self.all_wanted)
        foot = QHBoxLayout()
        foot.addWidget(self._total, 1)
        foot.addWidget(self._all)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(8)
        column.addWidget(self.search)
        column.addWidget(self._empty)
        column.addWidget(self.list, 1)
        column.addLayout(foot)
        self.retranslate()

    def draw(self, state: VaultState) -> None:
        self._state = state
        self._model.show(state.listed)
        addresses = [each.address for each in self._model.artifacts]
        at = addresses.index(state.current) if state.current in addresses else -1
        if at != self.list.currentIndex().row():
            self.list.selectionModel().blockSignals(True)  # noqa: FBT003  # Qt's own signature
            self.list.setCurrentIndex(self._model.index(at))
            self.list.selectionModel().blockSignals(False)  # noqa: FBT003  # Qt's own signature
            self.list.viewport().update()
        self._total.setText(self._words.total(state) if state.listed else "")
        self._empty.setText(self._words.empty(state))
        self._empty.setVisible(not state.listed)
        self._all.setVisible(state.only is not None)

    def retranslate(self) -> None:
        self.search.setPlaceholderText(self.tr("Search the names"))
        self.search.setAccessibleName(self.tr("Search the names"))
        self.list.setAccessibleName(self.tr("Originals of this chat"))
        self._all.setText(self.tr("Show all"))
        self.draw(self._state)

    def _choose(self, now: QModelIndex) -> None:
        artifact = now.data(ARTIFACT)
        if isinstance(artifact, Artifact):
            self.chosen.emit(artifact.address)
