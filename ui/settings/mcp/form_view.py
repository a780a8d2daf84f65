"""The form of one server of tools."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.kit.controls import Segmented
from ui.kit.inputs import LineInput, TextInput
from ui.settings.mcp.state import McpState, ServerForm
from ui.settings.mcp.view_model import McpViewModel
from ui.settings.rows import Choice, FormCard, button, label


class FormView(FormCard):
    """Draws a `ServerForm` and tells the view model of every key typed."""

    def __init__(self, model: McpViewModel) -> None:
        super().__init__()
        self._model = model
        self._shown: ServerForm | None = None
        self._of_kind: dict[str, list[QWidget]] = {"stdio": [], "http": []}
        self._build()
        self.problem = label("", "critical", wraps=True)
        self.column.addWidget(self.problem)
        foot = QHBoxLayout()
        self.cancel_button, self.save_button = button(self.tr("Cancel")), button(self.tr("Save"), "primary")
        foot.addStretch()
        foot.addWidget(self.cancel_button)
        foot.addWidget(self.save_button)
        self.column.addLayout(foot)
        self._connect()

    def draw(self, state: McpState) -> None:
        form = state.form
        self.setVisible(form is not None)
        if form is None:
            self._shown = None
            return
        if self._shown is None or self._shown.id != form.id:
            self._fill(form)
        self._shown = form
        self.title.setText((form.name or form.id) if form.id else self.tr("Add a server"))
        for kind, parts in self._of_kind.items():
            for part in parts:
                part.setVisible(kind == form.kind)
        problems = {
            "name": self.tr("It needs a name."),
            "command": self.tr("It needs a command; each quote in it has to be closed."),
            "url": self.tr("An address looks like https://host/mcp."),
            "env": self.tr("One variable per line, as NAME=value."),
            "headers": self.tr("One header per line, as Name: value."),
            "numbers": self.tr("Between 1 and 3600 seconds, and 1000 and 16000000 characters."),
            "": "",
        }
        self.problem.setText(problems[state.problem])
        self.problem.setVisible(bool(state.problem))

    def focus_first(self) -> None:
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _build(self) -> None:
        kept = self.tr(
            "Values are kept with your keys. A name with nothing behind it keeps the value it has."
        )
        self.kind = Segmented([("stdio", self.tr("A program here")), ("http", self.tr("An address"))])
        self.name = LineInput()
        self.command = LineInput(placeholder="uvx mcp-server-git")
        self.cwd = LineInput(placeholder=self.tr("The program's own"))
        self.env, self.headers = TextInput(placeholder="NAME=value"), TextInput(placeholder="Name: value")
        for text in (self.env, self.headers):
            text.enter_submits = False
            text.setProperty("role", "boxed")
        self.url = LineInput(placeholder="https://…/mcp")
        self.timeout, self.limit = LineInput(), LineInput()
        self.approval = Choice(
            (("ask", self.tr("Ask before each tool")), ("allow", self.tr("Use its tools without asking")))
        )
        self._add(self.tr("Kind"), self.kind)
        self._add(self.tr("Name"), self.name)
        self._add(self.tr("Command"), self.command, kind="stdio")
        self._add(self.tr("Working folder"), self.cwd, kind="stdio")
        self._add(self.tr("Environment"), self.env, kind="stdio", hint=kept)
        self._add(self.tr("Address"), self.url, kind="http")
        self._add(self.tr("Headers"), self.headers, kind="http", hint=kept)
        self._add(self.tr("Patience in seconds"), self.timeout)
        self._add(self.tr("Characters of a result"), self.limit)
        self._add(self.tr("Approval"), self.approval)
        self.approval.view().setAccessibleName(self.tr("Approval"))

    def _add(self, title: str, control: QWidget, *, kind: str = "", hint: str = "") -> None:
        row = self.grid.rowCount()
        name = label(title)
        name.setBuddy(control)
        control.setAccessibleName(title)
        parts: list[QWidget] = [name, control]
        self.grid.addWidget(name, row, 0)
        self.grid.addWidget(control, row, 1)
        if hint:
            below = label(hint, "small", wraps=True)
            self.grid.addWidget(below, row + 1, 1)
            parts.append(below)
        if kind:
            self._of_kind[kind] += parts

    def _connect(self) -> None:
        for line in (self.name, self.command, self.cwd, self.url, self.timeout, self.limit):
            line.textChanged.connect(self._type)
            line.submitted.connect(self._model.save)
            line.cancelled.connect(self._model.close_form)
        for text in (self.env, self.headers):
            text.textChanged.connect(self._type)
            text.cancelled.connect(self._model.close_form)
        self.kind.chosen.connect(self._choose_kind)
        self.approval.chosen.connect(self._type)
        self.save_button.clicked.connect(self._model.save)
        self.cancel_button.clicked.connect(self._model.close_form)

    def _fill(self, form: ServerForm) -> None:
        self._shown = None  # what is filled in here was not typed
        self.kind.choose(form.kind)
        for line, text in (
            (self.name, form.name),
            (self.command, form.command),
            (self.cwd, form.cwd),
            (self.url, form.url),
            (self.timeout, form.timeout_s),
            (self.limit, form.max_output_chars),
        ):
            line.setText(text)
        self.env.set_text(form.env)
        self.headers.set_text(form.headers)
        self.approval.show_value(form.approval)

    def _choose_kind(self, kind: str) -> None:
        if self._shown:
            self._model.type(replace(self._shown, kind="http" if kind == "http" else "stdio"))

    def _type(self) -> None:
        if self._shown is None:
            return
        self._model.type(
            replace(
                self._shown,
                name=self.name.text(),
                command=self.command.text(),
                cwd=self.cwd.text(),
                env=self.env.text(),
                url=self.url.text(),
                headers=self.headers.text(),
                timeout_s=self.timeout.text(),
                max_output_chars=self.limit.text(),
                approval="allow" if self.approval.currentIndex() else "ask",
            )
        )
