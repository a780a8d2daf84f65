"""How keys are kept, in one honest line; where there is no keyring, with the choice that the person has."""

from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from ui.kit.inputs import LineInput

Keeping = Literal["keyring", "file", "locked", "session", "none"]
"""`file`: encrypted, and open; `locked`: its passphrase is not given yet; `none`: not chosen yet."""


class KeepingLine(QWidget):
    """Signals:
    passphrase_given(str): for the encrypted file, which is made or opened by it.
    session_chosen(): keys are to be forgotten when the program ends.
    """

    passphrase_given = Signal(str)
    session_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentence = QLabel(wordWrap=True)
        self._sentence.setProperty("role", "small")
        self._choice = QWidget()
        self.passphrase = LineInput(placeholder=self.tr("Passphrase"))
        self.passphrase.setEchoMode(QLineEdit.EchoMode.Password)
        self.passphrase.submitted.connect(self._give)
        self.keep_button = QPushButton(self.tr("Keep encrypted"))
        self.keep_button.clicked.connect(self._give_typed)
        self.session_button = QPushButton(self.tr("Only for this session"))
        self.session_button.clicked.connect(self.session_chosen)
        row = QHBoxLayout(self._choice)
        row.setContentsMargins(0, 4, 0, 0)
        row.addWidget(self.passphrase, 1)
        row.addWidget(self.keep_button)
        row.addWidget(self.session_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._sentence)
        column.addWidget(self._choice)
        self.draw("keyring")

    def draw(self, keeping: Keeping) -> None:
        self._sentence.setText(
            {
                "keyring": self.tr("Kept in your system's keyring."),
                "file": self.tr("Kept in an encrypted file, since this system has no keyring."),
                "locked": self.tr("Keys lie in an encrypted file. Its passphrase opens it."),
                "session": self.tr("Kept until the program ends, since this system has no keyring."),
                "none": self.tr(
                    "This system has no keyring. A passphrase keeps keys in an encrypted file; "
                    "without one they last for this session."
                ),
            }[keeping]
        )
        self.keep_button.setText(self.tr("Open") if keeping == "locked" else self.tr("Keep encrypted"))
        self._choice.setVisible(keeping in ("locked", "none"))

    def _give_typed(self) -> None:
        self._give(self.passphrase.text())

    def _give(self, text: str) -> None:
        if text:
            self.passphrase.clear()
            self.passphrase_given.emit(text)
