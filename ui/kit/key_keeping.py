"""How keys are kept, in one honest line; where there is no keyring, with the choice that the person has."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from ui.kit.inputs import LineInput


class KeepingLine(QWidget):
    """Signals:
    passphrase_given(str): for the encrypted file, which is made or opened by it.
    start_over_asked(str): the old passphrase is lost; a new file with this one.
    retry_asked(): the keyring may answer now.
    """

    passphrase_given = Signal(str)
    start_over_asked = Signal(str)
    retry_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = _small()
        self.problem = QLabel(wordWrap=True)
        self.problem.setProperty("role", "critical")
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self._choice = QWidget()
        self.passphrase = LineInput(placeholder=self.tr("Passphrase"))
        self.passphrase.setEchoMode(QLineEdit.EchoMode.Password)
        self.keep_button = QPushButton()
        self.start_over_button = QPushButton(self.tr("Start over"))
        self.start_over_button.setToolTip(self.tr("A new file; the keys in the old one are lost"))
        self.retry_button = QPushButton(self.tr("Ask the keyring again"))
        row = QHBoxLayout(self._choice)
        row.setContentsMargins(0, 4, 0, 0)
        row.addWidget(self.passphrase, 1)
        for button in (self.keep_button, self.start_over_button, self.retry_button):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for part in (self.sentence, self._choice, self.problem):
            column.addWidget(part)
        self.passphrase.submitted.connect(self._give)
        self.keep_button.clicked.connect(self._give)
        self.start_over_button.clicked.connect(self._start_over)
        self.retry_button.clicked.connect(self.retry_asked)
        self.draw(place="unknown")

    def draw(self, *, place: str, reason: str = "", problem: str = "") -> None:
        """Say how keys are kept.

        Args:
            place: `unknown`, `keyring`, `file`, `locked_file` or `session`.
            reason: Why not in the keyring: `missing`, `locked`, `silent` or `failed`.
            problem: Why the passphrase was not taken; a sentence.
        """
        why = {
            "locked": self.tr("The system's keyring is locked."),
            "silent": self.tr("The system's keyring does not answer."),
            "failed": self.tr("The system's keyring failed."),
        }.get(reason, self.tr("This system has no keyring."))
        kept = {
            "file": self.tr("Keys are kept in an encrypted file."),
            "locked_file": self.tr("Keys lie in an encrypted file; its passphrase opens it."),
            "session": self.tr("Keys last until the program ends, or are kept encrypted under a passphrase."),
        }.get(place)
        self.sentence.setText(f"{why} {kept}" if kept else self.tr("Kept in your system's keyring."))
        self._choice.setVisible(place in ("locked_file", "session"))
        self.keep_button.setText(self.tr("Open") if place == "locked_file" else self.tr("Keep encrypted"))
        self.start_over_button.setVisible(bool(problem) and place == "locked_file")
        self.retry_button.setVisible(reason in ("locked", "silent", "failed"))
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def _give(self) -> None:
        if text := self.passphrase.text():
            self.passphrase_given.emit(text)

    def _start_over(self) -> None:
        if text := self.passphrase.text():
            self.start_over_asked.emit(text)


def _small() -> QLabel:
    label = QLabel(wordWrap=True)
    label.setProperty("role", "small")
    return label
