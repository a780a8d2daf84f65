"""The whole program on its own loop, from `ui.main.run` to its end, driven by keys and clicks."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import thread_time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from qasync import QEventLoop

import ui.main
from app.settings import Paths
from tests.ui.chat.conftest import Gateway
from ui.chat.view import ChatView
from ui.chat.view_model import ChatViewModel
from ui.shell.notices import Notices
from ui.shell.workbench import Workbench

PATIENCE_S = 30


@dataclass(slots=True)
class Person:
    """Somebody at the window."""

    workbench: Workbench
    is_prepared: bool = False
    """The store is open."""
    stalls_ms: list[float] = field(default_factory=list[float])

    @property
    def chat(self) -> ChatView:
        return self.workbench.chat

    @property
    def model(self) -> ChatViewModel:
        assert self.chat.model
        return self.chat.model

    @property
    def said(self) -> list[str]:
        return [entry.text for entry in self.model.state.path]

    async def until(self, is_so: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():  # noqa: ASYNC110  # a window tells nobody that it looks otherwise
                await asyncio.sleep(0.01)

    def write(self, text: str) -> None:
        self.chat.composer.input.insertPlainText(text)

    def enter(self) -> None:
        QTest.keyClick(self.chat.composer.input, Qt.Key.Key_Return)

    async def ask(self, text: str) -> None:
        """Say it, and read the answer to its end."""
        n = len(self.model.state.path)
        self.write(text)
        self.enter()
        await self.until(lambda: len(self.model.state.path) >= n + 2 and not self.model.session.is_running)

    def click(self, name: str) -> None:
        """Press the visible button whose text or name begins with `name`."""
        buttons = self.workbench.window.findChildren(QAbstractButton)
        found = [each for each in buttons if each.isVisible() and _is_named(each, name)]
        found[0].click()

    def command(self, name: str) -> None:
        self.workbench.window.command(name).run()

    async def beat(self) -> None:
        """Note every 5 ms how long this thread has worked since: its own time, whatever else the machine does."""
        while True:
            began = thread_time()
            await asyncio.sleep(0.005)
            self.stalls_ms.append((thread_time() - began) * 1000)


def _is_named(button: QAbstractButton, name: str) -> bool:
    return button.text().startswith(name) or button.accessibleName().startswith(name)


Work = Callable[[Person], Awaitable[None]]
Program = Callable[..., Person]


@pytest.fixture
def program(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Start it, let a person work, close the window, wait for its end; again and again on one folder."""

    async def whole(work: Work, gateway: Gateway | None) -> Person:
        built: list[Person] = []
        build = ui.main.build

        def keep(qt: QApplication, paths: Paths, notices: Notices) -> Workbench:
            workbench = build(qt, paths, notices)
            if gateway:
                workbench.application.gateway = gateway  # pyright: ignore[reportAttributeAccessIssue]  # the port's other adapter
            person, prepared = Person(workbench), workbench.prepared

            async def note() -> None:
                await prepared()
                person.is_prepared = True

            workbench.prepared = note
            built.append(person)
            return workbench

        with monkeypatch.context() as patch:
            patch.setattr(ui.main, "build", keep)
            async with asyncio.TaskGroup() as group:
                group.create_task(ui.main.run(qapp, Paths(data=tmp_path), Notices("test")))
                await asyncio.sleep(0)
                (person,) = built
                beat = group.create_task(person.beat())
                try:
                    await work(person)
                finally:
                    beat.cancel()
                    person.workbench.window.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert others == set(), others
        person.workbench.window.deleteLater()
        return person

    def run(work: Work, gateway: Gateway | None = None) -> Person:
        with asyncio.Runner(loop_factory=lambda: QEventLoop(qapp)) as runner:
            return runner.run(whole(work, gateway))

    return run
