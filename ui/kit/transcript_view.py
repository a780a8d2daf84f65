"""The transcript: a virtual list of items that a person reads, selects, copies and acts on."""

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from ui.kit.coalesced import Coalesced
from ui.kit.formulas import Formulas
from ui.kit.icons import Icons
from ui.kit.items import ItemId, ItemModel, ReadingPosition
from ui.kit.links import judge, plain_tip
from ui.kit.markdown.highlight import Highlighter
from ui.kit.theme import Theme
from ui.kit.transcript.access import announce, describe, install, tell_focus
from ui.kit.transcript.code_piece import CodePiece
from ui.kit.transcript.found import FoundHits
from ui.kit.transcript.look import Look, Words
from ui.kit.transcript.piece import Ink, Zone, ZoneKind
from ui.kit.transcript.places import Spot
from ui.kit.transcript.selectable import SelectableView

_COPIED_MS = 1_500


class TranscriptView(SelectableView):
    """A transcript of any length; only what is on and near the screen is laid out.

    Keys: PgUp, PgDn, Home, End, ↑, ↓; Alt+↑/↓ the person's own messages; Tab through links, actions and
    buttons on the screen, Enter uses one; Ctrl+C, Ctrl+A; the menu key asks for the context menu.

    Signals (and those of `Scroller`):
        link_activated(str): a link was clicked: http, https, mailto or vault. The kit opens nothing itself.
        image_requested(str): the chip of a remote image was clicked; its URL. Nothing was loaded.
        action_triggered(str, str): item id, action id (also `PREVIOUS_VERSION`, `NEXT_VERSION`).
        code_save_requested(str, str): item id, the code.
        toggled(str, bool): a tool row or reasoning was opened or closed by the person.
        context_menu_requested(str, QPoint): item id, global position.
        focused_changed(str): the item the keyboard is on.
    """

    link_activated = Signal(str)
    image_requested = Signal(str)
    action_triggered = Signal(str, str)
    code_save_requested = Signal(str, str)
    toggled = Signal(str, bool)
    context_menu_requested = Signal(str, QPoint)
    focused_changed = Signal(str)

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        install()
        self._highlighter = Highlighter()
        self._formulas = Formulas()
        super().__init__(Look(theme, icons, self._highlighter, self._formulas, Words()), parent)
        self._highlighter.setParent(self)
        self._formulas.setParent(self)
        self._stale: list[ItemId] = []
        self._refresh = Coalesced(self._update_stale, parent=self)
        self._hovered: ItemId | None = None
        self._focused: ItemId | None = None
        self._spot: Spot | None = None
        self.found = FoundHits(self)
        self._pressed: Spot | None = None
        self._copied: CodePiece | None = None
        self._copied_for = QTimer(self, interval=_COPIED_MS, singleShot=True)
        self._copied_for.timeout.connect(self._end_copied)
        self._hot: Spot | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(self.look.words.transcript())
        theme.changed.connect(self._restyle)
        self._highlighter.ready.connect(self.viewport().update)
        self._formulas.ready.connect(self._show_formulas)
        for worker in (self._highlighter, self._formulas):
            self.destroyed.connect(worker.close)

    # What is shown

    def set_model(self, model: ItemModel, position: ReadingPosition | None = None) -> None:
        """Show `model`, at `position` if given, else at the end and following."""
        self.selection.clear()
        self._hovered = self._focused = self._spot = self._hot = None
        self._stale.clear()
        self.column.set_model(model)
        self.restore(position or ReadingPosition())

    def items_changed(self) -> None:
        """`model.ids()` differs: items came, went or moved. The reading position stays."""
        before = self.column.ids[-1:]
        self.column.read_ids()
        if self.column.ids[-1:] != before and not self.is_following:
            self.newest.set_news(has_news=True)
        self.settle()

    def update_item(self, item: ItemId) -> None:
        """`item` has a new revision. May be called at any rate: drawn at most 25 times a second.

        Of a streaming answer only the last block is laid out again.
        """
        if item not in self._stale:
            self._stale.append(item)
        self._refresh.request()

    def flush(self) -> None:
        """Draw what `update_item` was told, now."""
        self._refresh.flush()

    def _update_stale(self) -> None:
        stale, self._stale = self._stale, []
        for item in stale:
            self.column.update(item)
        if not self.is_following and self.column.ids and self.column.ids[-1] in stale:
            self.newest.set_news(has_news=True)
        self.settle()

    def set_open(self, item: ItemId, *, is_open: bool) -> None:
        """Open or close a tool row or reasoning."""
        if is_open == self.is_open(item):
            return
        (self.column.open_items.add if is_open else self.column.open_items.discard)(item)
        self.column.rebuild(item)
        self.settle()

    def is_open(self, item: ItemId) -> bool:
        """Whether a tool row or reasoning is open."""
        return item in self.column.open_items

    def announce(self, item: ItemId) -> None:
        """Read an item to a screen reader once: an answer is complete."""
        index = self.column.index_of(item)
        if index is not None:
            announce(self, describe(self.look.words, self.column.layout(index).item))

    def _show_formulas(self) -> None:
        self.column.show_formulas()
        self.settle()

    def _restyle(self) -> None:
        self.look.forget()
        self._spot = None
        self.relay()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), self.look.tokens.paper)
        self.look.dpr = self.devicePixelRatioF()
        left = self.left
        last = len(self.column.ids) - 1
        for index, layout, y in self.column.between(self.top, self.top + self.page):
            item = self.column.ids[index]
            shows_actions = index == last or item in (self._hovered, self._focused)
            is_streaming = getattr(layout.item, "is_streaming", False)
            ink = Ink(
                top=self.top - y,
                bottom=self.top + self.page - y,
                found=self.found.find,
                is_hovered=item in (self._hovered, self._focused),
                shows_actions=shows_actions and not is_streaming,
            )
            offset = round(y) - self.top
            painter.translate(left, offset)
            spot = self._spot if item == self._focused and self.hasFocus() else None
            hot = self._hot if item == self._hovered else None
            hit = self.found.current_in(item)
            layout.paint(
                painter,
                ink,
                selected=self.selection.of(index),
                focused=spot,
                hot=hot,
                current=(hit.place, hit.end) if hit else None,
            )
            painter.translate(-left, -offset)
        painter.end()

    # Mouse

    def _spot_at(self, where: QPoint) -> tuple[ItemId | None, Spot | None]:
        if not self.column.ids or where.y() + self.top >= self.column.heights.total:
            return None, None
        index = self.column.heights.index_at(where.y() + self.top)
        y = where.y() + self.top - self.column.heights.top(index)
        return self.column.ids[index], self.column.layout(index).spot_at(where.x() - self.left, y)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        item, spot = self._spot_at(event.position().toPoint())
        self.focus_item(item)
        self._pressed = spot
        is_more = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.begin_selecting(event.position().toPoint(), is_more=is_more)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        where = event.position().toPoint()
        if event.buttons() & Qt.MouseButton.LeftButton and self.select_to(where):
            return
        item, spot = self._spot_at(where)
        if spot is not None:
            shape = Qt.CursorShape.PointingHandCursor
        elif abs(where.x() - self.left - self.column.width_px / 2) < self.column.width_px / 2:
            shape = Qt.CursorShape.IBeamCursor
        else:
            shape = Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        if (item, spot) != (self._hovered, self._hot):
            self._hovered, self._hot = item, spot
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.end_selecting()
        item, spot = self._spot_at(event.position().toPoint())
        is_click = spot is not None and spot == self._pressed and self.selection.is_empty
        self._pressed = None
        if is_click and item is not None and spot is not None:
            self._activate(item, spot)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.LanguageChange:
            self.setAccessibleName(self.look.words.transcript())
            self.relay()
        super().changeEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = self._hot = None
        self.viewport().update()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        sideways = event.pixelDelta().x() or event.angleDelta().x() // 2
        if not sideways and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            sideways = event.angleDelta().y() // 2
        item = self._spot_at(event.position().toPoint())[0]
        index = self.column.index_of(item) if item is not None else None
        if sideways and index is not None:
            y = event.position().y() + self.top - self.column.heights.top(index)
            code = self.column.layout(index).code_at(event.position().x() - self.left, y)
            if code is not None and code.scroll_by(-sideways):
                self.viewport().update()
                event.accept()
                return
        super().wheelEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        item = self._focused if is_key else self._spot_at(event.pos())[0]
        if item is not None:
            self.context_menu_requested.emit(item, event.globalPos())

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            spot = self._spot_at(event.pos())[1]
            QToolTip.showText(event.globalPos(), _tip(spot.zone) if spot else "", self)
            return True
        return super().viewportEvent(event)

    # Acting

    def _activate(self, item: ItemId, spot: Spot) -> None:
        zone = spot.zone
        match zone.kind:
            case ZoneKind.LINK:
                self.link_activated.emit(zone.value)
            case ZoneKind.IMAGE:
                self.image_requested.emit(zone.value)
            case ZoneKind.ACTION:
                self.action_triggered.emit(item, zone.value)
            case ZoneKind.COPY_CODE:
                self._copy_code(item, spot)
            case ZoneKind.SAVE_CODE:
                self.code_save_requested.emit(item, zone.value)
            case ZoneKind.TOGGLE:
                self.set_open(item, is_open=not self.is_open(item))
                self.toggled.emit(item, self.is_open(item))
            case ZoneKind.UNFOLD:
                self._toggle_fold(item, spot)

    def _copy_code(self, item: ItemId, spot: Spot) -> None:
        QGuiApplication.clipboard().setText(spot.zone.value)
        index = self.column.index_of(item)
        piece = (
            self.column.layout(index).stack.slots[spot.slot].pieces[spot.piece] if index is not None else None
        )
        if isinstance(piece, CodePiece):
            self._end_copied()
            self._copied = piece
            piece.is_copied = True
            self._copied_for.start()
            self.viewport().update()

    def _end_copied(self) -> None:
        if self._copied is not None:
            self._copied.is_copied = False
            self._copied = None
            self.viewport().update()

    def _toggle_fold(self, item: ItemId, spot: Spot) -> None:
        index = self.column.index_of(item)
        if index is not None:
            stack = self.column.layout(index).stack
            stack.set_unfolded(spot.slot, is_unfolded=not stack.slots[spot.slot].is_unfolded)
            self.column.resized(index)
            self.settle()

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif event.modifiers() == Qt.KeyboardModifier.AltModifier:
            step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
            if step:
                self.step_own(step)
            else:
                event.ignore()
        elif not self._scroll_key(event.key()):
            event.ignore()

    def _scroll_key(self, key: int) -> bool:
        page = self.page - self.line
        steps = {
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Up: -self.line,
            Qt.Key.Key_Down: self.line,
        }
        if key in steps:
            self.scroll_by(steps[Qt.Key(key)])
        elif key == Qt.Key.Key_Home:
            self.scroll_by(-self.top)
        elif key == Qt.Key.Key_End:
            self.follow()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._spot and self._focused:
            self._activate(self._focused, self._spot)
        elif key == Qt.Key.Key_Delete and self._focused is not None:
            self.action_triggered.emit(self._focused, "delete")
        else:
            return False
        return True

    def step_own(self, step: int) -> None:
        """The person's previous (-1) or next (1) own message goes to the top."""
        ids = self.column.ids
        if not ids:
            return
        here = self.column.index_of(self._focused) if self._focused is not None else None
        if here is None:
            here = self.column.heights.index_at(self.top) + (1 if step < 0 else -1)
        index = here + step
        while 0 <= index < len(ids) and not self.column.model.is_own(ids[index]):
            index += step
        if 0 <= index < len(ids):
            self.scroll_to(ids[index])
            self.focus_item(ids[index])

    def own_here(self) -> ItemId | None:
        """The person's message that is read, or answered, in the middle of the screen."""
        column = self.column
        if not column.ids:
            return None
        at = column.heights.index_at(min(self.top + self.page // 2, column.heights.total - 1))
        return next((item for item in reversed(column.ids[: at + 1]) if column.model.is_own(item)), None)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001  # Qt's signature
        """Tab goes through the zones on the screen before it leaves."""
        spots = [
            (self.column.ids[index], spot, y)
            for index, layout, y in self.column.between(self.top, self.top + self.page)
            for spot in layout.spots(self.top - y, self.top + self.page - y)
        ]
        now = [(item, spot) for item, spot, _ in spots]
        current = (self._focused, self._spot)
        at = now.index(current) if current in now else (-1 if next else len(now))  # pyright: ignore[reportArgumentType]  # a pair with None is in no list
        at += 1 if next else -1
        if not 0 <= at < len(now):
            self._spot = None
            return super().focusNextPrevChild(next)
        self.focus_item(now[at][0])
        self._spot = now[at][1]
        self.setAccessibleDescription(self._spot.zone.label)
        self.viewport().update()
        return True

    def focus_item(self, item: ItemId | None) -> None:
        """Put the keyboard on an item: its actions show, a screen reader reads it."""
        self._spot = None
        if item == self._focused:
            return
        self._focused = item
        if item is not None:
            index = self.column.index_of(item)
            if index is not None:
                self.setAccessibleDescription(describe(self.look.words, self.column.layout(index).item))
                tell_focus(self, index)
            self.focused_changed.emit(item)
        self.viewport().update()


def _tip(zone: Zone) -> str:
    is_address = zone.kind in (ZoneKind.LINK, ZoneKind.IMAGE)
    return plain_tip(judge(zone.value).target if is_address else zone.label)


def main() -> None:
    """`python -m ui.kit.transcript_view [--shot DIR] [--theme dark]`: sample states."""
    from ui.kit.transcript.samples import show  # only when run alone

    show(TranscriptView)


if __name__ == "__main__":
    main()
