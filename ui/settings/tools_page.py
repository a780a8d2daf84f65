"""The page of tools: which are given to models, what they may do unasked, and where."""

from collections.abc import Mapping, Sequence
from functools import partial

from pydantic import JsonValue
from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.core.approvals import Access
from ui.kit.controls import ElidedLabel, Switch
from ui.kit.inputs import LineInput
from ui.kit.theme import Theme
from ui.settings.rows import Choice, FieldRow, Page, button, label, section
from ui.settings.state import SettingsState, off_default
from ui.settings.tools_model import ToolFact, ToolsViewModel, tool_facts
from ui.settings.view_model import SettingsViewModel
from ui.settings.words import ProblemWords


class Lines(QWidget):
    """Texts, each with a way to be rid of it.

    Signals:
        removed(str)
    """

    removed = Signal(str)

    def __init__(self, none: str) -> None:
        super().__init__()
        self._none = none
        self._shown: tuple[str, ...] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(300)

    def draw(self, texts: tuple[str, ...]) -> None:
        if texts == self._shown:
            return
        self._shown = texts
        while item := self._column.takeAt(0):
            if widget := item.widget():
                widget.hide()  # it goes only when the loop runs
                widget.deleteLater()
        for text in texts:
            self._column.addWidget(self._line(text))
        if not texts:
            self._column.addWidget(label(self._none, "muted"))

    def _line(self, text: str) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        shown = ElidedLabel(text, mode=Qt.TextElideMode.ElideMiddle)
        row.addWidget(shown, 1)
        remove = button(self.tr("Remove"), "link")
        remove.setAccessibleName(self.tr("Remove {text}").format(text=text))
        remove.clicked.connect(partial(self.removed.emit, text))
        row.addWidget(remove)
        return line


class Folders(QWidget):
    """Folders, and a way to more of them.

    Signals:
        chosen(list): all of them, after a change of the person's.
    """

    chosen = Signal(list)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._folders: tuple[str, ...] = ()
        self.lines = Lines(self.tr("None"))
        self.lines.removed.connect(self._remove)
        self.add = button(self.tr("Add a folder…"))
        self.add.setAccessibleName(self.tr("Add a folder: {what}").format(what=title))
        self.add.clicked.connect(self._ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.lines)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)

    def draw(self, folders: tuple[str, ...]) -> None:
        self._folders = folders
        self.lines.draw(folders)

    def _ask(self) -> None:
        dialog = QFileDialog(self.window(), self._title)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.take)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take(self, folder: str) -> None:
        self.chosen.emit([*dict.fromkeys((*self._folders, folder))])

    def _remove(self, folder: str) -> None:
        self.chosen.emit([each for each in self._folders if each != folder])


class ToolsPage(Page):
    def __init__(self, model: SettingsViewModel, tools: ToolsViewModel, theme: Theme) -> None:
        super().__init__()
        self._model, self._theme = model, theme
        self._problems = ProblemWords(self)
        self._shown_requests = 0
        self._fields: dict[str, FieldRow] = {}
        self.switches: dict[str, Switch] = {}
        """Of each tool, by its name."""
        self.choices: dict[Access, Choice] = {}
        """Of each kind of access."""
        self.set_title(
            self.tr("Tools & approvals"),
            self.tr(
                "With tools a model reads in the folder you chose for a chat, and changes it or runs commands"
                " with your leave. Each tool it is given costs some tokens with every request."
            ),
        )
        self._build()
        model.changed.connect(self.draw)
        tools.changed.connect(self.show_sandbox)
        self.draw(model.state)

    def field(self, name: str) -> FieldRow:
        """The row of the setting called `name`."""
        return self._fields[name]

    # -- building

    def _build(self) -> None:
        self.uses_tools = Switch(self._theme)
        self._field("uses_tools", FieldRow(self.tr("Give models tools"), self.uses_tools))
        self.web = Switch(self._theme)
        hint = self.tr("Pages of public addresses are fetched, with your leave")
        self._field("web_tools", FieldRow(self.tr("Tools for the web"), self.web, hint=hint))
        self.requests = LineInput()
        self.requests.setFixedWidth(96)
        hint = self.tr("So often a turn asks the model before it asks you whether to go on")
        self._field("most_requests", FieldRow(self.tr("Requests a turn"), self.requests, hint=hint))
        self._build_access()
        self._build_places()
        self.column.addWidget(section(self.tr("Tools").upper()))
        for fact in tool_facts():
            self._add_tool(fact)
        self.reset_button = button(self.tr("Reset this page"))
        self.reset_button.clicked.connect(partial(self._model.reset, "tools"))
        self.column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch()
        # `clicked`, not `toggled`: drawing a state must not save it.
        self.uses_tools.clicked.connect(self._switch_tools)
        self.web.clicked.connect(self._switch_web)
        self.network.clicked.connect(self._switch_network)
        self.requests.submitted.connect(self._set_requests)
        self.requests.editingFinished.connect(self._requests_as_typed)

    def _build_access(self) -> None:
        self.column.addWidget(section(self.tr("Without a question").upper()))
        asked = ("ask", self.tr("Ask me"))
        allowed, refused = ("allow", self.tr("Allow")), ("refuse", self.tr("Refuse"))
        for access, (title, hint) in self._accesses().items():
            offered: Sequence[tuple[str, str]] = (asked, allowed, refused)
            if access is Access.DANGEROUS:  # each time anew, whatever was allowed
                offered = (asked, refused)
            choice = self.choices[access] = Choice(offered)
            choice.chosen.connect(partial(self._set_access, access))
            self.add_row(FieldRow(title, choice, hint=hint))
        self.rules = Lines(self.tr("Nothing is allowed always yet."))
        self.rules.removed.connect(self._remove_rule)
        hint = self.tr("What you answered with Always")
        self._field("allowed_always", FieldRow(self.tr("Always allowed"), self.rules, hint=hint))

    def _build_places(self) -> None:
        self.column.addWidget(section(self.tr("Places").upper()))
        self.inputs = Folders(self.tr("Folders to read"))
        self.inputs.chosen.connect(partial(self._model.change, "input_folders"))
        hint = self.tr("Every chat may read in them, beside its own folder")
        self._field("input_folders", FieldRow(self.tr("Folders to read"), self.inputs, hint=hint))
        self.outputs = Folders(self.tr("Folders to write"))
        self.outputs.chosen.connect(partial(self._model.change, "output_folders"))
        hint = self.tr("Every chat may write to them, with your leave")
        self._field("output_folders", FieldRow(self.tr("Folders to write"), self.outputs, hint=hint))
        self.network = Switch(self._theme)
        self._field("shell_network", FieldRow(self.tr("Commands reach the network"), self.network))
        self.sandbox = label("", "small", wraps=True)
        self.column.addWidget(self.sandbox)

    def _field(self, name: str, row: FieldRow) -> None:
        self._fields[name] = row
        self.add_row(row)
        row.undo_asked.connect(partial(self._model.undo, name))

    def _add_tool(self, fact: ToolFact) -> None:
        switch = self.switches[fact.name] = Switch(self._theme, name=fact.name)
        switch.clicked.connect(partial(self._switch_tool, fact.name))
        tokens = self.tr("≈ {n} tokens").format(n=QLocale().toString(fact.n_tokens))
        self.add_row(FieldRow(fact.name, switch, hint=f"{tokens}. {fact.description}"))

    def _accesses(self) -> Mapping[Access, tuple[str, str]]:
        return {
            Access.READ: (self.tr("Read"), self.tr("Files in the chat's folder, and in those below")),
            Access.WRITE: (self.tr("Change files"), self.tr("You are shown the change first")),
            Access.DELETE: (self.tr("Delete"), ""),
            Access.SHELL: (self.tr("Run commands"), self.tr("You are shown the whole command first")),
            Access.NETWORK: (self.tr("Reach other computers"), ""),
            Access.MCP: (
                self.tr("Tools of MCP servers"),
                self.tr("Whatever a server of yours does; each has a setting of its own beside this one"),
            ),
            Access.INSTALL: (self.tr("Install software"), ""),
            Access.DANGEROUS: (
                self.tr("What may do harm"),
                self.tr("Or can't be judged: never without a question"),
            ),
        }

    # -- drawing

    def draw(self, state: SettingsState) -> None:
        settings, refused = state.settings, state.problem
        self.uses_tools.setChecked(settings.uses_tools)
        self.web.setChecked(settings.web_tools)
        self.network.setChecked(settings.shell_network)
        if settings.most_requests != self._shown_requests:  # else what was typed stays, to be mended
            self._shown_requests = settings.most_requests
            self.requests.setText(str(settings.most_requests))
        for access, choice in self.choices.items():
            usual = "allow" if access is Access.READ else "ask"
            choice.show_value(settings.access.get(access, usual))
        self.rules.draw(settings.allowed_always)
        self.inputs.draw(settings.input_folders)
        self.outputs.draw(settings.output_folders)
        for name, switch in self.switches.items():
            switch.setChecked(name not in settings.tools_off)
            switch.setEnabled(settings.uses_tools)
        for name, row in self._fields.items():
            problem = self._problems.sentence(refused) if refused and refused.field == name else ""
            row.draw(can_undo=name in state.undo, problem=problem)
        self.reset_button.setEnabled(bool(off_default(settings, "tools")))

    def show_sandbox(self, has_sandbox: bool) -> None:  # noqa: FBT001  # the signal's argument
        """Say whether this system can keep commands from what they have no business with."""
        if has_sandbox:
            text = self.tr(
                "Commands run in a sandbox: they see the folders of their chat and the system alone."
            )
        else:
            text = self.tr(
                "This system has no sandbox for commands: what you allow can reach all that you can, and the"
                " network. Install bubblewrap to have one on Linux."
            )
        self.sandbox.setText(text)
        self.network.setEnabled(has_sandbox)

    def search_words(self) -> str:
        return f"{self.title} {self.tr('approval, permission, folder, sandbox, shell')}".casefold()

    # -- what the person does

    def _switch_tools(self) -> None:
        self._model.change("uses_tools", self.uses_tools.isChecked())

    def _switch_web(self) -> None:
        self._model.change("web_tools", self.web.isChecked())

    def _switch_network(self) -> None:
        self._model.change("shell_network", self.network.isChecked())

    def _switch_tool(self, name: str) -> None:
        off = [each for each in self._model.state.settings.tools_off if each != name]
        off += [] if self.switches[name].isChecked() else [name]
        self._model.change("tools_off", _values(off))

    def _set_access(self, access: Access, value: str) -> None:
        now = dict(self._model.state.settings.access)
        changed: dict[str, JsonValue] = {**now, access.value: value}
        self._model.change("access", changed)

    def _remove_rule(self, rule: str) -> None:
        kept = [each for each in self._model.state.settings.allowed_always if each != rule]
        self._model.change("allowed_always", _values(kept))

    def _requests_as_typed(self) -> None:
        self._set_requests(self.requests.text())

    def _set_requests(self, text: str) -> None:
        self._model.change("most_requests", int(text) if text.isdecimal() else text)


def _values(texts: Sequence[str]) -> list[JsonValue]:
    return [*texts]
