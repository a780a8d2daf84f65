"""The card in which a provider's key is given and tested."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.core.errors import AppError
from ui.kit.inputs import LineInput
from ui.kit.key_keeping import KeepingLine
from ui.onboarding.state import OnboardingState
from ui.onboarding.view_model import OnboardingViewModel

_NAMES_PX = 104


class KeyCard(QFrame):
    """Signals:
    link_asked(str): "Where do I get one?" was pressed; the address.
    """

    link_asked = Signal(str)

    def __init__(self, model: OnboardingViewModel, say: Callable[[AppError], str]) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._model = model
        self._say = say
        self._build()
        self._place()
        self._connect()

    def draw(self, state: OnboardingState) -> None:
        source = state.source
        is_provider = source is not None and source.kind == "provider"
        self.setVisible(is_provider or len(state.models) > 1)
        for part in (self._key_name, self.key, self.test_button, self.check, self.keeping):
            part.setVisible(is_provider)
        for part in (self._address_name, self.address):
            part.setVisible(state.needs_address)
        if state.key != self.key.text():
            self.key.setText(state.key)
        if state.address != self.address.text():
            self.address.setText(state.address)
        self.key.setPlaceholderText(self.tr("None needed? Leave it empty") if state.needs_address else "")
        self.link.setVisible(is_provider and bool(source and source.key_url))
        problem = self._say(state.error) if state.error else ""
        self.keeping.draw(place=state.secrets.place, reason=state.secrets.reason, problem=problem)
        self.test_button.setEnabled(state.can_test)
        self._draw_check(state)
        self._draw_models(state)

    def tab_order(self) -> tuple[QWidget, ...]:
        keeping = self.keeping
        return (
            self.address,
            self.key,
            self.test_button,
            self.models,
            keeping.passphrase,
            keeping.keep_button,
            keeping.start_over_button,
            keeping.retry_button,
            self.link,
        )

    def _draw_check(self, state: OnboardingState) -> None:
        role, text = self._check(state)
        self.check.setText(text)
        self.check.setProperty("role", role)
        self.check.style().unpolish(self.check)  # a style sheet reads a property once
        self.check.style().polish(self.check)

    def _check(self, state: OnboardingState) -> tuple[str, str]:
        """(role, sentence)."""
        if state.is_testing:
            return "small", self.tr("Testing…")
        if state.report is None:
            return "small", ""
        if error := state.report.error:
            return "critical", f"✕ {self._say(error)}"
        models = self.tr("%n model(s)", "", len(state.report.models))
        return "healthy", self.tr("✓ works · {models}").format(models=models)

    def _draw_models(self, state: OnboardingState) -> None:
        has_choice = len(state.models) > 1
        self._model_name.setVisible(has_choice)
        self.models.setVisible(has_choice)
        if [self.models.itemText(index) for index in range(self.models.count())] != list(state.models):
            self.models.clear()
            self.models.addItems(state.models)
        self.models.setCurrentText(state.model)

    def _build(self) -> None:
        self._address_name, self.address = QLabel(self.tr("Address")), LineInput(placeholder="https://…/v1")
        self._key_name, self.key = QLabel(self.tr("API key")), LineInput()
        self._model_name, self.models = QLabel(self.tr("Model")), QComboBox()
        for name, control in (
            (self._address_name, self.address),
            (self._key_name, self.key),
            (self._model_name, self.models),
        ):
            name.setBuddy(control)
            control.setAccessibleName(name.text())
        self.models.view().setAccessibleName(self._model_name.text())
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.test_button = QPushButton(self.tr("Test"))
        self.check = QLabel(wordWrap=True)
        self.check.setTextFormat(Qt.TextFormat.PlainText)
        self.keeping = KeepingLine()
        self.link = QPushButton(self.tr("Where do I get one?"))
        self.link.setProperty("role", "link")

    def _place(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(16, 16, 16, 14)
        grid.setColumnMinimumWidth(0, _NAMES_PX)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._address_name, 0, 0)
        grid.addWidget(self.address, 0, 1)
        grid.addWidget(self._key_name, 1, 0)
        grid.addWidget(self.key, 1, 1)
        grid.addWidget(self.test_button, 1, 2)
        foot = QHBoxLayout()
        foot.addWidget(self.keeping, 1)
        foot.addWidget(self.link, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.check, 2, 1, 1, 2)
        grid.addWidget(self._model_name, 3, 0)
        grid.addWidget(self.models, 3, 1)
        grid.addLayout(foot, 4, 0, 1, 3)

    def _connect(self) -> None:
        self.key.textChanged.connect(self._type)
        self.address.textChanged.connect(self._type)
        self.key.submitted.connect(self._model.test)
        self.address.submitted.connect(self._model.test)
        self.test_button.clicked.connect(self._model.test)
        self.models.textActivated.connect(self._model.choose_model)
        self.link.clicked.connect(self._ask_link)
        self.keeping.passphrase_given.connect(self._model.give_passphrase)
        self.keeping.start_over_asked.connect(self._model.start_over)
        self.keeping.retry_asked.connect(self._model.ask_keyring_again)

    def _type(self) -> None:
        self._model.type(key=self.key.text().strip(), address=self.address.text())

    def _ask_link(self) -> None:
        if source := self._model.state.source:
            self.link_asked.emit(source.key_url)
