"""What tests ask of any tree of widgets."""

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
