"""The page of languages: the window's, and that in which models are told how to answer."""

from ui.kit.theme import Theme
from ui.settings.fields import FieldsPage
from ui.settings.view_model import SettingsViewModel


class LanguagePage(FieldsPage):
    def __init__(self, model: SettingsViewModel, theme: Theme) -> None:
        super().__init__("language", model, theme)
        self.set_title(self.tr("Language"))
        spoken = (("en", "English"), ("zh_CN", "简体中文"))
        self.language = self.add_choice(
            "language",
            self.tr("Language"),
            (("system", self.tr("As the system")), *spoken),
            self.tr("Changes at once"),
        )
        self.prompts = self.add_choice(
            "prompt_language",
            self.tr("Of instructions to models"),
            (("", self.tr("As the window")), ("en", "English"), ("zh", "简体中文")),
            self.tr("Fixed with a chat's first message. What a model answers in follows what you write."),
        )
        self.finish()
