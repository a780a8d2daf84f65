"""The settings, built when they are first opened, around one application."""

from PySide6.QtCore import QObject

from app.bootstrap.application import Application
from app.tasks import TaskScope
from ui.kit.icons import Icons
from ui.kit.theme import Theme
from ui.settings.hooks.view_model import HooksViewModel
from ui.settings.mcp.view_model import McpViewModel
from ui.settings.models.view_model import ModelsViewModel
from ui.settings.providers.view_model import ProvidersViewModel
from ui.settings.storage.view_model import StorageViewModel
from ui.settings.tools_model import ToolsViewModel
from ui.settings.trash.view_model import TrashViewModel
from ui.settings.view import Outside, SettingsModels, SettingsView
from ui.settings.view_model import SettingsViewModel
from ui.shell.doors import browse, open_folder
from ui.shell.telling import sentence


def made_settings(
    app: Application, tasks: TaskScope, theme: Theme, icons: Icons, *, parent: QObject
) -> SettingsView:
    models = SettingsModels(
        settings=SettingsViewModel(app, tasks, parent),
        providers=ProvidersViewModel(app, tasks, parent),
        models=ModelsViewModel(app, tasks, parent),
        storage=StorageViewModel(app.paths, tasks, parent),
        trash=TrashViewModel(app.library, app, tasks, parent=parent),
        tools=ToolsViewModel(app.tools.has_sandbox, tasks, parent),
        mcp=McpViewModel(app, tasks, parent),
        hooks=HooksViewModel(app, tasks, parent),
    )
    outside = Outside(say=sentence, open_link=browse, open_folder=open_folder)
    return SettingsView(models, outside, theme=theme, icons=icons)
