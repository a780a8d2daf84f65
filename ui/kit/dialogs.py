"""Dialogs that are awaited, so that no nested event loop ever runs."""

import asyncio

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget


async def finished(dialog: QDialog) -> int:
    """Open `dialog` and wait for its result code; other tasks run on."""
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def resolve(code: int) -> None:
        if not answer.done():
            answer.set_result(code)

    dialog.finished.connect(resolve)
    dialog.open()
    try:
        return await answer
    finally:
        dialog.close()
        dialog.deleteLater()


class ConfirmDialog(QDialog):
    """A question with a verb to say yes by; Cancel has the focus when the verb destroys something."""

    def __init__(
        self,
        parent: QWidget | None,
        *,
        title: str,
        text: str,
        verb: str,
        detail: str = "",
        is_danger: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setModal(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 20, 22, 18)
        column.setSpacing(10)
        for words, role in ((title, "title"), (text, ""), (detail, "small")):
            if words:
                column.addWidget(_label(words, role))
        column.addSpacing(6)
        buttons = QHBoxLayout()
        buttons.addStretch()
        cancel, accept = QPushButton(self.tr("Cancel")), QPushButton(verb)
        accept.setProperty("role", "danger" if is_danger else "primary")
        cancel.clicked.connect(self.reject)
        accept.clicked.connect(self.accept)
        for button in (cancel, accept):
            buttons.addWidget(button)
        (cancel if is_danger else accept).setDefault(True)
        (cancel if is_danger else accept).setFocus()
        column.addLayout(buttons)


def _label(text: str, role: str) -> QLabel:
    label = QLabel(text)
    # A chat's title or a model's words may stand in a question: never read as rich text (case B67).
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setMinimumWidth(380)
    label.setProperty("role", role)
    return label


async def confirmed(
    parent: QWidget | None, *, title: str, text: str, verb: str, detail: str = "", is_danger: bool = False
) -> bool:
    """Whether the person said yes. `verb` is what will be done ("Delete for good"), never "OK"."""
    dialog = ConfirmDialog(parent, title=title, text=text, verb=verb, detail=detail, is_danger=is_danger)
    return await finished(dialog) == QDialog.DialogCode.Accepted
