"""Builds the window and the application behind it from a data folder; `main` and `tour` both begin here."""

from PySide6.QtWidgets import QApplication

from app.bootstrap.application import Application
from app.settings import Paths
from app.store.first_screen import first_screen
from ui.kit.icons import Icons
from ui.kit.theme import Mode, Theme
from ui.shell.languages import Languages
from ui.shell.notices import Notices
from ui.shell.presence import Presence
from ui.shell.workbench import Workbench


def build(qt: QApplication, paths: Paths, notices: Notices) -> Workbench:
    """The window with what can be shown at once; `Workbench.application.prepare` does the rest."""
    first = first_screen(paths)
    settings = first.settings
    theme = Theme(qt, Mode(settings.theme), zoom_percent=settings.zoom_percent)
    languages = Languages(qt)
    languages.use(settings.language)
    application = Application(
        paths, settings, language=lambda: languages.current[:2], on_error=notices.decide
    )
    workbench = Workbench(
        application, first, theme=theme, icons=Icons(theme), languages=languages, notices=notices
    )
    Presence(qt, application.attention.seen, parent=workbench)
    return workbench
