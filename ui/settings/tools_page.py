"""The page of tools: which are given to models, what they may do unasked, and where."""

from collections.abc import Mapping, Sequence
from functools import partial

from pydantic import JsonValue
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QLineEdit

from app.core.approvals import Access
from app.settings import Settings
from ui.kit.controls import Switch
from ui.kit.inputs import LineInput
from ui.kit.theme import Theme
from ui.settings.fields import FieldsPage
from ui.settings.lines import Folders, Lines
from ui.settings.rows import Choice, FieldRow, beside, button, label
from ui.settings.state import SettingsState
from ui.settings.tool_words import ToolWords
from ui.settings.tools_model import ToolFact, ToolsViewModel, tool_facts
from ui.settings.view_model import SettingsViewModel

_ADDRESS_PX = 300


class ToolsPage(FieldsPage):
    def __init__(self, model: SettingsViewModel, tools: ToolsViewModel, theme: Theme) -> None:
        super().__init__("tools", model, theme)
        self._tools = tools
        self.switches: dict[str, Switch] = {}
        """Of each tool, by its name."""
        self.choices: dict[Access, Choice] = {}
        """Of each kind of access."""
        self.also = self.tr("approval, permission, folder, sandbox, shell, search engine")
        self.set_title(
            self.tr("Tools & approvals"),
            self.tr(
                "With tools a model reads in the folder you chose for a chat, and changes it or runs commands"
                " with your leave. Each tool it is given costs some tokens with every request."
            ),
        )
        self.uses_tools = self.add_switch("uses_tools", self.tr("Give models tools"))
        self.requests = self.add_number(
            "most_requests",
            self.tr("Requests a turn"),
            self.tr("So often a turn asks the model before it asks you whether to go on"),
        )
        self._build_access()
        self._build_places()
        self._build_web()
        self.add_section(self.tr("Tools"))
        words = ToolWords(self).sentences()
        for fact in tool_facts():
            self._add_tool(fact, words[fact.name])
        self.finish()
        tools.changed.connect(self.show_sandbox)
        tools.key_read.connect(self.show_key)

    # -- building

    def _build_web(self) -> None:
        self.add_section(self.tr("Web"))
        self.web = self.add_switch(
            "web_tools",
            self.tr("Tools for the web"),
            self.tr("Pages of public addresses are fetched, with your leave"),
        )
        self.engine = self.add_choice(
            "search_engine",
            self.tr("Web search"),
            (("", self.tr("None")), ("searxng", "SearXNG"), ("tavily", "Tavily"), ("brave", "Brave")),
            self.tr("Who is asked when a model searches the web"),
        )
        self.address = LineInput(placeholder="https://search.example")
        self.address.setAccessibleName(self.tr("Address of the search server"))
        self.address.setFixedWidth(_ADDRESS_PX)
        self.address.submitted.connect(self._set_address)
        self.address.editingFinished.connect(self._address_as_typed)
        self.address_row = self.add_field(
            "search_url",
            FieldRow(
                self.tr("Search server"), self.address, hint=self.tr("Of SearXNG: yours, or one you trust")
            ),
            self._draw_address,
        )
        self.key = LineInput()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setAccessibleName(self.tr("Key of the web search"))
        self.key_button = button(self.tr("Save"))
        self.key_button.clicked.connect(self._save_key)
        self.key.submitted.connect(self._save_key)
        self.key_row = self.add_row(
            FieldRow(
                self.tr("Search key"),
                beside(self.key, self.key_button),
                hint=self.tr("Kept where the keys of providers are"),
            )
        )

    def _build_access(self) -> None:
        self.add_section(self.tr("Without a question"))
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
        self.add_field(
            "allowed_always",
            FieldRow(self.tr("Always allowed"), self.rules, hint=self.tr("What you answered with Always")),
            lambda settings: self.rules.draw(settings.allowed_always),
        )

    def _build_places(self) -> None:
        self.add_section(self.tr("Places"))
        self.inputs = self._add_folders(
            "input_folders",
            self.tr("Folders to read"),
            self.tr("Every chat may read in them, beside its own folder"),
        )
        self.outputs = self._add_folders(
            "output_folders",
            self.tr("Folders to write"),
            self.tr("Every chat may write to them, with your leave"),
        )
        self.network = self.add_switch("shell_network", self.tr("Commands reach the network"))
        self.sandbox = label("", "small", wraps=True)
        self.column.addWidget(self.sandbox)

    def _add_folders(self, name: str, title: str, hint: str) -> Folders:
        folders = Folders(title)
        folders.chosen.connect(partial(self._model.change, name))
        self.add_field(
            name, FieldRow(title, folders, hint=hint), lambda settings: folders.draw(getattr(settings, name))
        )
        return folders

    def _add_tool(self, fact: ToolFact, words: str) -> None:
        switch = self.switches[fact.name] = Switch(self._theme, name=fact.name)
        switch.clicked.connect(partial(self._switch_tool, fact.name))
        tokens = self.tr("≈ {n} tokens").format(n=QLocale().toString(fact.n_tokens))
        self.add_row(FieldRow(fact.name, switch, hint=f"{words} · {tokens}"))

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
        super().draw(state)
        settings = state.settings
        for access, choice in self.choices.items():
            usual = "allow" if access is Access.READ else "ask"
            choice.show_value(settings.access.get(access, usual))
        for name, switch in self.switches.items():
            switch.setChecked(name not in settings.tools_off)
            switch.setEnabled(settings.uses_tools)
        engine = settings.search_engine
        self.address_row.setEnabled(engine == "searxng")
        self.key_row.setEnabled(engine not in ("", "searxng"))
        self._tools.read_key(engine)

    def _draw_address(self, settings: Settings) -> None:
        if settings.search_url != self.address.text() and not self.address.hasFocus():
            self.address.setText(settings.search_url)

    def show_key(self, last: str) -> None:
        """`last`: the end of the key that is kept; empty: there is none."""
        self.key.clear()
        self.key.setPlaceholderText(f"•••• {last}" if last else "")

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

    # -- what the person does

    def _address_as_typed(self) -> None:
        self._set_address(self.address.text())

    def _set_address(self, text: str) -> None:
        self._model.change("search_url", text.strip())

    def _save_key(self) -> None:
        self._tools.save_key(self._model.state.settings.search_engine, self.key.text().strip())

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


def _values(texts: Sequence[str]) -> list[JsonValue]:
    return [*texts]
