"""The page of privacy: what leaves this computer, and what was allowed to."""

from ui.kit.theme import Theme
from ui.settings.fields import FieldsPage
from ui.settings.lines import Lines
from ui.settings.rows import FieldRow, label
from ui.settings.view_model import SettingsViewModel


class PrivacyPage(FieldsPage):
    def __init__(self, model: SettingsViewModel, theme: Theme) -> None:
        super().__init__("privacy", model, theme)
        self.also = self.tr("telemetry, tracking, hosts, links")
        self.set_title(
            self.tr("Privacy"),
            self.tr(
                "What you write goes to the provider of the chat's model, and to nobody else. There is no"
                " account and no telemetry, and nothing is looked up unless you set it up."
            ),
        )
        facts = (
            (self.tr("Chats"), self.tr("In one folder of this computer, for you alone to read")),
            (
                self.tr("Keys"),
                self.tr("In the system's keyring, or encrypted in a file; never in logs or exports"),
            ),
            (self.tr("Images in answers"), self.tr("Never fetched by themselves")),
        )
        for title, words in facts:
            self.column.addWidget(label(title))
            self.column.addWidget(label(words, "small", wraps=True))
            self.column.addSpacing(4)
        self.hosts = Lines(self.tr("None yet"))
        self.hosts.removed.connect(self._remove)
        self.add_field(
            "confirmed_hosts",
            FieldRow(
                self.tr("Links that open"), self.hosts, hint=self.tr("Without a question, at these hosts")
            ),
            lambda settings: self.hosts.draw(settings.confirmed_hosts),
        )
        self.finish()

    def _remove(self, host: str) -> None:
        kept = [each for each in self._model.state.settings.confirmed_hosts if each != host]
        self._model.change("confirmed_hosts", [*kept])
