"""The language of the interface: chosen, loaded and changed without a restart (U22)."""

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app.chats.faults import SENTENCES as FAULTS
from app.providers.errors import SENTENCES as PROVIDER_SENTENCES
from app.providers.templates import BUILTIN_ENDPOINTS
from ui.kit.theme import RESOURCES
from ui.shell import commands, sentences

log = logging.getLogger(__name__)

TRANSLATIONS = RESOURCES / "translations"

Language = Literal["en", "zh_CN"]


def marked() -> Mapping[str, Iterable[str]]:
    """The texts that stand in tables, by translation context; lupdate finds only those in calls of `tr`."""
    told = [text for sentence in PROVIDER_SENTENCES.values() for text in (sentence.message, sentence.hint)]
    return {
        "Commands": dict.fromkeys([*commands.Section, *(row[2] for row in commands.TABLE)]),
        "Endpoints": [endpoint.name for endpoint in BUILTIN_ENDPOINTS],
        "Errors": dict.fromkeys(text for text in (*told, *sentences.SENTENCES) if text),
        "ImportWords": dict.fromkeys(FAULTS.values()),
        "Notices": dict.fromkeys([*sentences.TITLES.values(), sentences.UNTOLD]),
    }


def system_language() -> Language:
    """The first of the system's languages that we have."""
    for name in QLocale.system().uiLanguages():
        locale = QLocale(name)
        if locale.language() is QLocale.Language.Chinese:
            return "zh_CN"
        if locale.language() is QLocale.Language.English:
            return "en"
    return "en"


def is_compiled(language: Language, folder: Path | None = None) -> bool:
    """Whether the window can speak it; English needs no file but for its plurals."""
    return language == "en" or ((folder or TRANSLATIONS) / f"palimpsest_{language}.qm").is_file()


class Languages:
    """The translations that are installed. Each widget hears of a change as `QEvent.LanguageChange`.

    Args:
        folder: Holds `palimpsest_<language>.qm`, made by `make setup`; English does without.
    """

    def __init__(self, app: QCoreApplication, folder: Path = TRANSLATIONS) -> None:
        self._app = app
        self._folder = folder
        self._installed: tuple[QTranslator, ...] = ()
        self._wanted = ""
        self._other: dict[Language, QTranslator] = {}
        self.current: Language = "en"

    def elsewhere(self, context: str, text: str) -> str:
        """A text as the language says it that is not shown; empty: it has no other words for it."""
        other: Language = "en" if self.current == "zh_CN" else "zh_CN"
        if other not in self._other:
            self._other = {other: QTranslator(self._app)}
            self._other[other].load(f"palimpsest_{other}", str(self._folder))
        return self._other[other].translate(context, text) or ""

    def use(self, language: Literal["system", "en", "zh_CN"]) -> None:
        """Load it; again the same changes nothing, since every widget would set its texts anew."""
        if language == self._wanted:
            return
        self._wanted = language
        self.current = system_language() if language == "system" else language
        locale = QLocale(self.current) if language != "system" else QLocale.system()
        QLocale.setDefault(locale)
        for translator in self._installed:
            self._app.removeTranslator(translator)
        if not is_compiled(self.current, self._folder):
            log.warning("The window stays English: %s is not compiled; run `make setup`.", self.current)
        qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        self._installed = tuple(
            translator
            for name, folder in (("qtbase", qt_folder), ("palimpsest", str(self._folder)))
            if (translator := QTranslator(self._app)).load(f"{name}_{self.current}", folder)
        )
        for translator in self._installed:
            self._app.installTranslator(translator)
