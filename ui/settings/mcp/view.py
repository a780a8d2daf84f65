"""The page of servers of tools: what each runs, how it is, and what its tools cost."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.agent.mcp.servers import Status
from app.core.errors import AppError
from ui.kit.controls import Switch
from ui.kit.inputs import TextInput
from ui.kit.theme import Theme
from ui.settings.mcp.form_view import FormView
from ui.settings.mcp.state import McpState, ServerRow, starts
from ui.settings.mcp.view_model import McpViewModel
from ui.settings.rows import Page, button, label

_SAID_LINES = 6


class ServerCard(QFrame):
    """One server: what it runs, how it is, what can be done with it, and its tools where they are shown."""

    def __init__(self, model: McpViewModel, theme: Theme, server_id: str) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._model, self._id = model, server_id
        self._shown_hash = ""
        self._row: ServerRow | None = None
        self.name, self.starts = label("", "heading"), label("", "code", wraps=True)
        self.status, self.said = label("", "muted", wraps=True), label("", "code", wraps=True)
        self.starts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.warning = label("", "warning", wraps=True)
        self.tested = label("", "small", wraps=True)
        self.switch = Switch(theme)
        self.allow_button = button(self.tr("Allow and start"), "primary")
        self.tools_button, self.restart_button = (
            button(self.tr("Tools")),
            button(self.tr("Start anew and test")),
        )
        self.edit_button, self.remove_button = button(self.tr("Edit")), button(self.tr("Remove"))
        self._question = label(self.tr("Remove it and its values?"))
        self.yes_button, self.no_button = button(self.tr("Remove"), "danger"), button(self.tr("Keep"))
        head = QHBoxLayout()
        head.addWidget(self.name, 1)
        head.addWidget(self.switch)
        foot = QHBoxLayout()
        self._calm = (self.tools_button, self.restart_button, self.edit_button, self.remove_button)
        self._asking = (self._question, self.yes_button, self.no_button)
        for part in (self.allow_button, *self._calm, *self._asking):
            foot.addWidget(part)
        foot.addStretch()
        self._tools = QWidget()
        self._boxes = QVBoxLayout(self._tools)
        self._boxes.setContentsMargins(0, 4, 0, 0)
        self.boxes: dict[str, QCheckBox] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 12, 12)
        column.addLayout(head)
        for part in (self.starts, self.warning, self.status, self.tested, self.said):
            column.addWidget(part)
        column.addLayout(foot)
        column.addWidget(self._tools)
        self.switch.clicked.connect(self._switch)
        self.allow_button.clicked.connect(self._allow)
        self.tools_button.clicked.connect(partial(model.open, server_id))
        self.restart_button.clicked.connect(partial(model.test, server_id))
        self.edit_button.clicked.connect(partial(model.edit, server_id))
        self.remove_button.clicked.connect(partial(model.ask_removal, server_id))
        self.yes_button.clicked.connect(model.remove)
        self.no_button.clicked.connect(partial(model.ask_removal, ""))

    def draw(self, row: ServerRow, page: McpState) -> None:
        server, state = row.server, row.state
        is_open, is_asked = page.opened == server.id, page.removing == server.id
        is_unconfirmed = server.confirmed != server.start_hash
        self._row, self._shown_hash = row, server.start_hash
        self.name.setText(server.name)
        self.starts.setText(starts(server))
        self.warning.setText(
            self.tr("Not allowed yet: this program would run on your computer, with your rights.")
            if server.kind == "stdio"
            else self.tr("Not allowed yet: this address would be asked, with these headers.")
        )
        self.warning.setVisible(is_unconfirmed)
        self.allow_button.setVisible(is_unconfirmed and not is_asked)
        self.switch.setChecked(server.enabled)
        self.switch.setAccessibleName(self.tr("{name} is on").format(name=server.name))
        self.status.setText(self._status(row))
        self.said.setText("\n".join(state.said.splitlines()[-_SAID_LINES:]))
        self.said.setVisible(bool(state.said))
        took_s = page.tested.get(server.id)
        self.tested.setText(self._tested(row, took_s) if took_s is not None else "")
        self.tested.setVisible(took_s is not None and server.may_start)
        for act in (*self._calm, self.allow_button):
            act.setAccessibleName(f"{act.text()} {server.name}")
        for act in self._calm:
            act.setVisible(not is_asked)
        self.tools_button.setEnabled(bool(row.prices))
        self.restart_button.setVisible(server.may_start and not is_asked)
        self.restart_button.setEnabled(not page.testing)
        for part in self._asking:
            part.setVisible(is_asked)
        if is_asked and not self.no_button.hasFocus() and not self.yes_button.hasFocus():
            self.no_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._tools.setVisible(is_open)
        if is_open:
            self._draw_tools(row)

    def _draw_tools(self, row: ServerRow) -> None:
        names = [name for name, _ in row.prices]
        if list(self.boxes) != names:
            for box in self.boxes.values():
                box.deleteLater()
            self.boxes = {name: QCheckBox() for name in names}
            for name, box in self.boxes.items():
                self._boxes.addWidget(box)
                box.clicked.connect(partial(self._switch_tool, name))
        described = {tool.name: tool.description for tool in row.state.tools}
        for name, n_tokens in row.prices:
            price = self.tr("≈ {n} tokens").format(n=self.locale().toString(n_tokens))
            self.boxes[name].setText(f"{name}  ·  {price}".replace("&", "&&"))
            self.boxes[name].setAccessibleDescription(described[name][:300])
            self.boxes[name].setChecked(name not in row.server.tools_off)

    def _status(self, row: ServerRow) -> str:
        state = row.state
        said = {
            Status.OFF: self.tr("Off"),
            Status.UNCONFIRMED: self.tr("Waits for you"),
            Status.STARTING: self.tr("Starting…"),
            Status.RUNNING: self.tr("Running"),
            Status.WAITING: self.tr("Ended; it will be started again"),
            Status.FAILED: self.tr("Ended too often; it is left alone"),
        }[state.status]
        tools = self.tr("%n tool(s)", "", len(row.prices)) if row.prices else ""
        price = self.tr("≈ {n} tokens in each request").format(n=self.locale().toString(row.n_tokens))
        parts = (said, state.who, tools, price if tools else "", state.why)
        return " · ".join(part for part in parts if part)

    def _tested(self, row: ServerRow, took_s: float) -> str:
        seconds = self.locale().toString(took_s, "f", 1)
        if row.state.status is Status.RUNNING:
            text = self.tr("Tested: it was up after {s} s, with %n tool(s).", "", len(row.prices))
        else:
            text = self.tr("Tested: it failed after {s} s. {why}")
        return text.format(s=seconds, why=row.state.why).strip()

    def _switch(self) -> None:
        self._model.switch(self._id, is_on=self.switch.isChecked())

    def _allow(self) -> None:
        self._model.allow(self._id, self._shown_hash)

    def _switch_tool(self, name: str) -> None:
        self._model.switch_tool(self._id, name, is_on=self.boxes[name].isChecked())


class McpPage(Page):
    def __init__(self, model: McpViewModel, *, theme: Theme, say: Callable[[AppError], str]) -> None:
        super().__init__()
        self._model, self._theme, self._say = model, theme, say
        self.cards: dict[str, ServerCard] = {}
        self.set_title(
            self.tr("MCP servers"),
            self.tr(
                "Programs and addresses that bring tools of their own. Nothing starts before you allow it."
            ),
        )
        self.add_button, self.import_button = (
            button(self.tr("Add a server"), "primary"),
            button(self.tr("Import JSON")),
        )
        acts = QHBoxLayout()
        acts.addWidget(self.add_button)
        acts.addWidget(self.import_button)
        acts.addStretch()
        self.form = FormView(model)
        self.json = TextInput(
            placeholder='{"mcpServers": {"git": {"command": "uvx", "args": ["mcp-server-git"]}}}'
        )
        self.json.enter_submits = False
        self.json.setProperty("role", "boxed")
        self.json.setAccessibleName(self.tr("JSON of servers"))
        self.take_button, self.leave_button = button(self.tr("Import"), "primary"), button(self.tr("Cancel"))
        self._importing = QFrame()
        self._importing.setProperty("role", "card")
        column = QVBoxLayout(self._importing)
        column.addWidget(
            label(self.tr("As other programs keep them, under “mcpServers”."), "small", wraps=True)
        )
        column.addWidget(self.json)
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(self.leave_button)
        foot.addWidget(self.take_button)
        column.addLayout(foot)
        self.failure = label("", "critical", wraps=True)
        self._cards = QVBoxLayout()
        self.column.addLayout(acts)
        for part in (self.form, self._importing, self.failure):
            self.column.addWidget(part)
        self.column.addLayout(self._cards)
        self.column.addStretch()
        self.add_button.clicked.connect(model.begin)
        self.import_button.clicked.connect(partial(model.ask_import, is_wanted=True))
        self.leave_button.clicked.connect(partial(model.ask_import, is_wanted=False))
        self.json.cancelled.connect(partial(model.ask_import, is_wanted=False))
        self.take_button.clicked.connect(self._take)
        model.changed.connect(self.draw)
        self.draw(model.state)

    def search_words(self) -> str:
        names = (self.title, *(card.name.text() for card in self.cards.values()))
        return " ".join((*names, self.tr("tools, server, JSON, command"))).casefold()

    def draw(self, state: McpState) -> None:
        was_open, was_importing = self.form.isVisibleTo(self), self._importing.isVisibleTo(self)
        self.form.draw(state)
        self._importing.setVisible(state.is_importing)
        if state.form and not was_open:
            self.form.focus_first()
            self.ensureWidgetVisible(self.form)
        if state.is_importing and not was_importing:
            self.json.set_text("")
            self.json.setFocus(Qt.FocusReason.OtherFocusReason)
        self.failure.setText(self._say(state.failure) if state.failure else "")
        self.failure.setVisible(state.failure is not None)
        here = {row.server.id for row in state.rows}
        for gone in [name for name in self.cards if name not in here]:
            self.cards.pop(gone).deleteLater()
        for row in state.rows:
            name = row.server.id
            if name not in self.cards:
                self.cards[name] = ServerCard(self._model, self._theme, name)
                self._cards.addWidget(self.cards[name])
            self.cards[name].draw(row, state)

    def _take(self) -> None:
        self._model.take_over(self.json.text())
