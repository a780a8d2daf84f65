"""The window in its states, to be looked at: `python -m ui.shell --shot DIR`."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.providers.errors import Fault, to_error
from app.settings import Endpoint
from ui.kit.showcase import Stage, showcase
from ui.shell.commands import TABLE, commands
from ui.shell.languages import Languages
from ui.shell.layout import WindowLayout
from ui.shell.notices import Notices, say
from ui.shell.window import MainWindow
from ui.sidebar.samples import sample_view


def sample_window(stage: Stage, size: QSize = QSize(1440, 900)) -> MainWindow:  # noqa: B008  # read only
    """A window with the sample chats and nothing in the middle."""
    layout = WindowLayout(width=size.width(), height=size.height())
    window = MainWindow(stage.theme, stage.icons, layout=layout, save=lambda _layout: None)
    deeds: dict[str, Callable[[], object]] = {row[0]: lambda: None for row in TABLE}
    window.set_commands(commands(deeds | {"sidebar": window.toggle_sidebar, "panel": window.toggle_panel}))
    sidebar = sample_view(stage)
    if button := window.menu_button():
        sidebar.set_corner(button)
    window.set_sidebar(sidebar)
    page, column = QFrame(), QVBoxLayout()
    page.setProperty("role", "paper")
    page.setLayout(column)
    column.addWidget(QLabel("What stands in the middle"))
    window.add_page("chat", page)
    window.set_title("Migrate billing to ledger v2")
    return window


def _with_notice(stage: Stage) -> QWidget:
    window = sample_window(stage)
    endpoint = Endpoint(id="anthropic", kind="anthropic", name="Anthropic")
    fault = Fault(code="key_wrong", detail="invalid x-api-key (request req_011CSHoEeqs5C35K2UUqR7Fy)")
    window.tell(say(to_error(fault, endpoint=endpoint, model="claude-sonnet")))
    window.set_offline(is_offline=True)
    window.say("Deleted “Trip to Kyoto”", action="Undo")
    return window


def _with_crash(stage: Stage) -> QWidget:
    window = sample_window(stage)
    window.tell(Notices("0.1.0").crash(RuntimeError("the row is gone")))
    return window


def _without_sidebar(stage: Stage) -> QWidget:
    window = sample_window(stage)
    window.toggle_sidebar()
    return window


def _shortcuts(stage: Stage) -> QWidget:
    return sample_window(stage).show_shortcuts()


def _chinese(stage: Stage) -> QWidget:
    app = QCoreApplication.instance()
    assert app
    Languages(app).use("zh_CN")
    return _with_notice(stage)


SAMPLES: Mapping[str, Callable[[Stage], QWidget]] = {
    "window": sample_window,
    "notice": _with_notice,
    "crash": _with_crash,
    "no-sidebar": _without_sidebar,
    "shortcuts": _shortcuts,
    "chinese": _chinese,
}
"""The Chinese one last: the language stays."""


def main() -> None:
    showcase(SAMPLES)
