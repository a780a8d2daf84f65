"""What tests ask of any tree of widgets."""

from collections.abc import Iterator

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTextEdit,
    QWidget,
)

_CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
)


def unnamed(root: QWidget) -> list[str]:
    """The controls of `root` that a person can reach at this moment and a screen reader has no name for."""
    return [
        f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
        for widget in root.findChildren(QWidget)
        if isinstance(widget, _CONTROLS)
        and widget.isVisibleTo(root)
        and not isinstance(widget, QScrollBar)
        and not isinstance(widget.parentWidget(), QLineEdit)  # its clear button; Escape does the same
        and not widget.objectName().startswith("qt_")
        and not widget.accessibleName()
        and not (isinstance(widget, QAbstractButton) and widget.text())
    ]


def nameless(root: QWidget) -> list[str]:
    """What below `root` takes the focus or is pressed, and has no name for a screen reader (U24)."""
    return [role.name for role, name, _, is_reached in spoken(root) if is_reached and not name] + unnamed(
        root
    )


_WORDLESS = (QAccessible.Role.ScrollBar, QAccessible.Role.Grip, QAccessible.Role.Separator)


def spoken(root: QWidget) -> Iterator[tuple[QAccessible.Role, str, str, bool]]:
    """What a screen reader meets below `root`, in its order: role, name, value, and whether it takes the focus."""
    return _spoken(QAccessible.queryAccessibleInterface(root))


def _spoken(at: QAccessibleInterface | None) -> Iterator[tuple[QAccessible.Role, str, str, bool]]:
    if at is None or not at.isValid() or at.state().invisible:
        return
    if at.role() not in _WORDLESS:
        name, value = at.text(QAccessible.Text.Name), at.text(QAccessible.Text.Value)
        yield at.role(), name, value, bool(at.state().focusable)
    for n in range(at.childCount()):
        yield from _spoken(at.child(n))
