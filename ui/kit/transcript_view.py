"""The virtual list of a transcript: draws the items near the screen and keeps the reader's place."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from ui.kit.icons import Icons
from ui.kit.items import ItemId, ItemModel, ReadingPosition
from ui.kit.theme import Theme


class TranscriptView(QAbstractScrollArea):
    """A transcript of any length.

    Signals:
        link_activated(str): a link was clicked: http, https, mailto or vault. The kit opens nothing itself.
        image_requested(str): the chip of a remote image was clicked; its URL. Nothing was loaded.
        action_triggered(str, str): item id, action id (also `PREVIOUS_VERSION`, `NEXT_VERSION`).
        toggled(str, bool): a tool row or reasoning was opened or closed by the person.
        context_menu_requested(str, QPoint): item id, global position.
        following_changed(bool): whether the view follows the end.
        visible_changed(str, str): first and last item on the screen.
        focused_changed(str): the item the keyboard is on.
    """

    link_activated = Signal(str)
    image_requested = Signal(str)
    action_triggered = Signal(str, str)
    toggled = Signal(str, bool)
    context_menu_requested = Signal(str, object)
    following_changed = Signal(bool)
    visible_changed = Signal(str, str)
    focused_changed = Signal(str)

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons = icons

    def set_model(self, model: ItemModel, position: ReadingPosition | None = None) -> None:
        """Show `model`, at `position` if given, else at the end and following."""

    def items_changed(self) -> None:
        """`model.ids()` differs: items came, went or moved. The reading position stays."""

    def update_item(self, item: ItemId) -> None:
        """`item` has a new revision; of a streaming answer only the last block is laid out again."""

    def position(self) -> ReadingPosition:
        """Where the person reads, to be stored per chat."""
        return ReadingPosition()

    def follow(self) -> None:
        """Go to the end and stay there: the person sent something, or asked for the newest."""

    def scroll_to(self, item: ItemId) -> None:
        """Show `item` at the top and stop following (find, jump)."""

    def set_open(self, item: ItemId, *, is_open: bool) -> None:
        """Open or close a tool row or reasoning."""

    def is_open(self, item: ItemId) -> bool:
        """Whether a tool row or reasoning is open."""
        return False

    def mark_found(self, text: str) -> None:
        """Mark each occurrence of `text` (find in chat); empty marks nothing."""

    def selected_text(self) -> str:
        """Whole messages as their stored Markdown, parts of messages as plain text."""
        return ""

    def copy(self) -> None:
        """Put `selected_text()` on the clipboard, if there is any."""
