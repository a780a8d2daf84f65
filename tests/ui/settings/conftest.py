"""A settings view on an application in memory, and on one with a data folder of its own."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest_asyncio
from pytestqt.qtbot import QtBot

from app.settings import Endpoint, Paths, Settings
from app.tasks import TaskScope
from ui.kit.showcase import Stage
from ui.settings.hooks.view_model import HooksViewModel
from ui.settings.mcp.view_model import McpViewModel
from ui.settings.models.view_model import ModelsViewModel
from ui.settings.providers.view_model import ProvidersViewModel
from ui.settings.samples import (
    BINDINGS,
    OLLAMA,
    OPENAI,
    SampleApplication,
    SampleTrash,
    sample_spending,
    trash_model,
)
from ui.settings.state import PageId
from ui.settings.storage.view_model import StorageViewModel
from ui.settings.tools_model import ToolsViewModel
from ui.settings.usage.view_model import UsageViewModel
from ui.settings.view import Outside, SettingsModels, SettingsView
from ui.settings.view_model import SettingsViewModel

USED_ON = date(2026, 11, 28)
"""Of the newest of `sample_spending`."""
ELSEWHERE = {"Reduce motion": "减少动画"}
"""What the language says that is not shown."""


async def sandboxed() -> bool:
    return True


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    app: SampleApplication
    models: SettingsModels
    view: SettingsView
    links: list[str]
    folders: list[Path]
    closed: list[bool]


class Opener:
    def __init__(self, stage: Stage, tasks: TaskScope, qtbot: QtBot, folder: Path) -> None:
        self._stage, self._tasks, self._qtbot, self._folder = stage, tasks, qtbot, folder

    async def __call__(
        self,
        page: PageId = "providers",
        *,
        endpoints: tuple[Endpoint, ...] = (OPENAI, OLLAMA),
        servers: tuple[Endpoint, ...] = (),
    ) -> Shown:
        app = SampleApplication(Settings(endpoints=endpoints), servers=servers)
        app.secrets.values["openai"] = "sk-sample-key-7Qx2"
        models = SettingsModels(
            settings=SettingsViewModel(app, self._tasks),
            providers=ProvidersViewModel(app, self._tasks),
            models=ModelsViewModel(app, self._tasks),
            storage=StorageViewModel(Paths(data=self._folder), self._tasks),
            trash=trash_model(SampleTrash("One", "Two", ""), self._tasks),
            tools=ToolsViewModel(sandboxed, app.secrets, self._tasks),
            mcp=McpViewModel(app, self._tasks),
            hooks=HooksViewModel(app, self._tasks),
            usage=UsageViewModel(sample_spending, self._tasks, today=lambda: USED_ON),
        )
        links: list[str] = []
        folders: list[Path] = []
        closed: list[bool] = []
        outside = Outside(
            say=lambda error: error.message,
            open_link=links.append,
            open_folder=folders.append,
            bindings=lambda: BINDINGS,
            elsewhere=lambda _context, text: ELSEWHERE.get(text, ""),
        )
        view = SettingsView(models, outside, theme=self._stage.theme, icons=self._stage.icons)
        view.closed.connect(lambda: closed.append(True))
        self._qtbot.addWidget(view)
        view.resize(1024, 700)
        with self._qtbot.waitExposed(view):
            view.show()
        view.activateWindow()
        view.show_page(page)
        await settled()
        return Shown(app=app, models=models, view=view, links=links, folders=folders, closed=closed)


@pytest_asyncio.fixture
async def opened(stage: Stage, qtbot: QtBot, tmp_path: Path) -> AsyncIterator[Opener]:
    async with TaskScope() as tasks:
        yield Opener(stage, tasks, qtbot, tmp_path)
