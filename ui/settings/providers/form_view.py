"""The form of one endpoint: address, key, and what a network may ask for."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QWidget

from app.providers.endpoints import normalised_url
from ui.kit.inputs import LineInput, TextInput
from ui.kit.key_keeping import KeepingLine
from ui.settings.providers.state import EndpointForm, ProvidersState, ProxyMode, template
from ui.settings.providers.view_model import ProvidersViewModel
from ui.settings.providers.words import ProviderWords
from ui.settings.rows import Choice, FormCard, beside, button, label
from ui.settings.words import ProblemWords

_MODES: tuple[ProxyMode, ...] = ("system", "direct", "custom")


class FormView(FormCard):
    """Draws an `EndpointForm` and tells the view model of every key typed.

    Signals:
        link_asked(str): "Where do I get one?" was pressed; the address.
    """

    link_asked = Signal(str)

    def __init__(self, model: ProvidersViewModel, words: ProviderWords) -> None:
        super().__init__()
        self._model = model
        self._words = words
        self._problems = ProblemWords(self)
        self._shown: EndpointForm | None = None
        self._untried = label(self.tr("Not tried live by us yet: only its requests are tested."), "small")
        self.column.insertWidget(1, self._untried)
        self._build_inputs()
        self.column.addLayout(self._build_foot())
        self._connect()

    def draw(self, state: ProvidersState) -> None:
        form = state.form
        self.setVisible(form is not None)
        if form is None:
            self._shown = None
            return
        if self._shown is None or (self._shown.id, self._shown.kind) != (form.id, form.kind):
            self._fill(form)
        self._shown = form
        row = template(form.kind)
        self.title.setText(form.name if form.id else self.tr("Add {name}").format(name=row.name))
        self._untried.setVisible(not row.is_tried)
        address = normalised_url(form.base_url) or row.base_url
        self.final.setText(self.tr("Requests go to {address}").format(address=address) if address else "")
        self.final.setVisible(bool(address))
        self.key_link.setVisible(bool(row.key_url))
        problem = self._words.say(state.secrets_error) if state.secrets_error else ""
        self.keeping.draw(place=state.secrets.place, reason=state.secrets.reason, problem=problem)
        self.proxy_url.setVisible(form.proxy_mode == "custom")
        for name, line in self._problem_lines.items():
            refused = state.problem
            line.setText(self._problems.sentence(refused) if refused and refused.field == name else "")
            line.setVisible(bool(line.text()))
        self._words.draw_check(self.check, state.checks.get(""))

    def problems(self) -> dict[str, str]:
        """The sentences that stand at fields now."""
        return {name: line.text() for name, line in self._problem_lines.items() if line.text()}

    def focus_field(self, field: str) -> None:
        """Put the cursor where something is missing: `name`, `base_url`, `key`, `headers`, `proxy`."""
        self._inputs()[field].setFocus(Qt.FocusReason.OtherFocusReason)

    def _inputs(self) -> dict[str, QWidget]:
        return {
            "name": self.name,
            "base_url": self.base_url,
            "key": self.key,
            "headers": self.headers,
            "proxy": self.proxy_url,
            "ca_file": self.ca_file,
        }

    def _build_inputs(self) -> None:
        self._problem_lines = {
            name: label("", "critical", wraps=True) for name in ("name", "base_url", "proxy", "headers")
        }
        self.name = LineInput(placeholder=self.tr("Name"))
        self.base_url = LineInput(placeholder="https://…/v1")
        self.final = label("", "small")
        self.key = LineInput()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key_link = button(self.tr("Where do I get one?"), "link")
        self.keeping = KeepingLine()
        self.headers = TextInput(placeholder=self.tr("One per line, as Name: value"))
        self.headers.enter_submits = False
        self.headers.setProperty("role", "boxed")
        self.proxy = Choice(
            (
                ("system", self.tr("As the system")),
                ("direct", self.tr("None")),
                ("custom", self.tr("This one:")),
            )
        )
        self.proxy_url = LineInput(placeholder="http://host:8080")
        self.ca_file = LineInput(placeholder=self.tr("The system's certificates"))
        self.browse = button(self.tr("Choose…"))
        self._add(self.tr("Name"), self.name, self._problem_lines["name"])
        self._add(self.tr("Address"), self.base_url, self.final, self._problem_lines["base_url"])
        self._add(self.tr("API key"), beside(self.key, self.key_link), self.keeping, buddy=self.key)
        self._add(self.tr("Extra headers"), self.headers, self._problem_lines["headers"])
        proxy = beside(self.proxy, self.proxy_url)
        self._add(self.tr("Proxy"), proxy, self._problem_lines["proxy"], buddy=self.proxy)
        self._add(self.tr("CA file"), beside(self.ca_file, self.browse), buddy=self.ca_file)
        self.proxy.view().setAccessibleName(self.tr("Proxy"))
        self.proxy_url.setAccessibleName(self.tr("Address of the proxy"))

    def _add(self, title: str, control: QWidget, *below: QWidget, buddy: QWidget | None = None) -> None:
        row = self.grid.rowCount()
        name = label(title)
        name.setBuddy(buddy or control)
        (buddy or control).setAccessibleName(title)
        self.grid.addWidget(name, row, 0)
        self.grid.addWidget(control, row, 1)
        for offset, part in enumerate(below, start=1):
            self.grid.addWidget(part, row + offset, 1)

    def _build_foot(self) -> QHBoxLayout:
        self.save_button = button(self.tr("Save"), "primary")
        self.test_button = button(self.tr("Test"))
        self.cancel_button = button(self.tr("Cancel"))
        self.check = label("", wraps=True)
        foot = QHBoxLayout()
        for part in (self.test_button, self.check, self.cancel_button, self.save_button):
            foot.addWidget(part, 1 if part is self.check else 0)
        return foot

    def _connect(self) -> None:
        for line in (self.name, self.base_url, self.key, self.proxy_url, self.ca_file):
            line.textChanged.connect(self._type)
            line.submitted.connect(self._save)
            line.cancelled.connect(self._model.close_form)
        self.headers.textChanged.connect(self._type)
        self.headers.cancelled.connect(self._model.close_form)
        self.proxy.chosen.connect(self._type)
        self.key_link.clicked.connect(self._ask_link)
        self.keeping.passphrase_given.connect(self._model.give_passphrase)
        self.keeping.start_over_asked.connect(self._model.start_over)
        self.keeping.retry_asked.connect(self._model.ask_keyring_again)
        self.browse.clicked.connect(self._browse)
        self.test_button.clicked.connect(self._model.test_form)
        self.save_button.clicked.connect(self._save)
        self.cancel_button.clicked.connect(self._model.close_form)

    def _fill(self, form: EndpointForm) -> None:
        self._shown = None  # what is filled in here was not typed
        self.name.setText(form.name)
        self.base_url.setText(form.base_url)
        self.key.setText(form.key)
        stored = self.tr("•••••••• {last}, kept").format(last=form.key_hint)
        self.key.setPlaceholderText(stored if form.key_hint else "")
        self.headers.set_text(form.headers)
        self.proxy.show_value(form.proxy_mode)
        self.proxy_url.setText(form.proxy_url)
        self.ca_file.setText(form.ca_file)

    def _type(self) -> None:
        if self._shown is None:
            return
        self._model.type(
            replace(
                self._shown,
                name=self.name.text(),
                base_url=self.base_url.text(),
                key=self.key.text().strip(),
                headers=self.headers.text(),
                proxy_mode=_MODES[self.proxy.currentIndex()],
                proxy_url=self.proxy_url.text(),
                ca_file=self.ca_file.text(),
            )
        )

    def _save(self) -> None:
        self._model.save()
        if problem := self._model.state.problem:
            self.focus_field(problem.field)

    def _ask_link(self) -> None:
        if self._shown:
            self.link_asked.emit(template(self._shown.kind).key_url)

    def _browse(self) -> None:
        dialog = QFileDialog(self, self.tr("CA file"))
        dialog.fileSelected.connect(self.ca_file.setText)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
