"""The page of chats: how messages are sent, and what every model is asked for."""

from ui.kit.theme import Theme
from ui.settings.fields import FieldsPage
from ui.settings.view_model import SettingsViewModel


class ChatPage(FieldsPage):
    def __init__(self, model: SettingsViewModel, theme: Theme) -> None:
        super().__init__("chat", model, theme)
        self.also = self.tr("system prompt, sampling, thinking")
        self.set_title(self.tr("Chat"), self.tr("All of this holds from the next message on."))
        self.enter = self.add_switch(
            "enter_sends",
            self.tr("Enter sends"),
            self.tr("Off: Enter makes a new line, and Ctrl+Enter sends"),
        )
        self.instructions = self.add_text(
            "instructions",
            self.tr("Instructions"),
            self.tr("Every model reads them before a chat's first message"),
            placeholder=self.tr("How answers should be, who you are, what matters to you"),
        )
        self.titles = self.add_switch(
            "write_titles",
            self.tr("Write titles"),
            self.tr("A short request after the first answer; off: the first words are the title"),
        )
        self.add_section(self.tr("What models are asked for"))
        self.mode = self.add_choice(
            "prompt_mode",
            self.tr("System text"),
            (
                ("auto", self.tr("Automatic")),
                ("full", self.tr("Full")),
                ("lean", self.tr("Lean")),
                ("naked", self.tr("None")),
                ("search", self.tr("Search")),
            ),
            self.tr("Automatic: full where a chat works in a folder, else none"),
        )
        self.effort = self.add_choice(
            "reasoning_effort",
            self.tr("Reasoning"),
            (
                ("", self.tr("As the model does")),
                ("low", self.tr("Little")),
                ("medium", self.tr("Medium")),
                ("high", self.tr("Much")),
            ),
            self.tr("Models that can't set it go without"),
        )
        automatic = self.tr("automatic")
        self.longest = self.add_number(
            "max_tokens",
            self.tr("Longest answer"),
            self.tr("In tokens; empty: what the model can"),
            empty=None,
            placeholder=automatic,
        )
        self.temperature = self.add_number(
            "temperature",
            self.tr("Temperature"),
            self.tr("0 to 2, higher is more varied; empty: the model's own"),
            is_whole=False,
            empty=None,
            placeholder=automatic,
        )
        self.finish()
