"""The settings, built when they are first opened, around one application."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.bootstrap.application import Application
from app.tasks import TaskScope
from ui.kit.icons import Icons
from ui.kit.theme import Theme
from ui.settings.hooks.view_model import HooksViewModel
from ui.settings.mcp.view_model import McpViewModel
from ui.settings.models.view_model import ModelsViewModel
from ui.settings.providers.view_model import ProvidersViewModel
from ui.settings.shortcuts.state import Binding
from ui.settings.storage.view_model import StorageViewModel
from ui.settings.tools_model import ToolsViewModel
from ui.settings.trash.view_model import TrashViewModel
from ui.settings.usage.view_model import UsageViewModel
from ui.settings.view import Outside, SettingsModels, SettingsView
from ui.settings.view_model import SettingsViewModel
from ui.shell.commands import FIXED, TABLE, said
from ui.shell.doors import browse, open_folder
from ui.shell.telling import sentence


def bindings() -> tuple[Binding, ...]:
    """The commands with the keys that they come with, in the present language."""
    return tuple(
        Binding(id=name, section=said(section), title=said(title), keys=shortcut, is_fixed=name in FIXED)
        for name, section, title, shortcut in TABLE
    )


def made_settings(
    app: Application,
    tasks: TaskScope,
    theme: Theme,
    icons: Icons,
    *,
    elsewhere: Callable[[str, str], str],
    parent: QObject,
) -> SettingsView:
    models = SettingsModels(
        settings=SettingsViewModel(app, tasks, parent),
        providers=ProvidersViewModel(app, tasks, parent),
        models=ModelsViewModel(app, tasks, parent),
        storage=StorageViewModel(app.paths, tasks, parent),
        trash=TrashViewModel(app.library, app, tasks, parent=parent),
        tools=ToolsViewModel(app.tools.has_sandbox, app.secrets, tasks, parent),
        mcp=McpViewModel(app, tasks, parent),
        hooks=HooksViewModel(app, tasks, parent),
        usage=UsageViewModel(app.store.spending, tasks, parent),
    )
    outside = Outside(
        say=sentence,
        open_link=browse,
        open_folder=open_folder,
        bindings=bindings,
        elsewhere=elsewhere,
    )
    return SettingsView(models, outside, theme=theme, icons=icons)
