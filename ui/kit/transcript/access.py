"""What a screen reader is told about a transcript's items."""

from typing import assert_never

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from ui.kit.items import (
    AssistantItem,
    DividerItem,
    Item,
    NoticeItem,
    ReasoningItem,
    StatusItem,
    ToolItem,
    UserItem,
)
from ui.kit.transcript.look import Words

MAX_DESCRIBED_CHARS = 200


def describe(words: Words, item: Item) -> str:
    """Role and first line of an item."""
    match item:
        case UserItem() | AssistantItem() | DividerItem() | StatusItem():
            text = item.text
        case NoticeItem():
            text = f"{item.title} {item.text}"
        case ReasoningItem() | ToolItem():
            text = item.title
        case _:
            assert_never(item)
    first = text.strip().split("\n", 1)[0]
    return f"{words.role_of(type(item).__name__)}: {first[:MAX_DESCRIBED_CHARS]}"


def announce(widget: QWidget, text: str) -> None:
    """Say `text` once, without moving the reader's focus."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
