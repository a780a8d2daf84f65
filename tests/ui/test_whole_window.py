"""The real window as a whole: every page of it can be heard and reached."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from qasync import QEventLoop

from app.settings import Paths
from tests.ui.widgets import unnamed
from ui.settings.state import PAGES
from ui.shell.building import build
from ui.shell.notices import Notices
from ui.shell.workbench import Workbench

Use = Callable[[Callable[[Workbench], Awaitable[None]]], None]


@pytest.fixture
def use(qapp: QApplication, tmp_path: Path) -> Use:
    """Opens the program on an empty folder and ends it as `main` does."""

    async def whole(work: Callable[[Workbench], Awaitable[None]]) -> None:
        workbench = build(qapp, Paths(data=tmp_path), Notices("test"))
        workbench.window.show()
        try:
            await workbench.application.prepare()
            await workbench.prepared()
            await work(workbench)
        finally:
            workbench.window.close()
            await workbench.aclose()
            await workbench.application.aclose()
            workbench.window.deleteLater()

    def run(work: Callable[[Workbench], Awaitable[None]]) -> None:
        with asyncio.Runner(loop_factory=lambda: QEventLoop(qapp)) as runner:
            runner.run(whole(work))

    return run


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not is_so():  # noqa: ASYNC110  # a window tells nobody that it looks otherwise
            await asyncio.sleep(0.01)


def test_every_control_of_every_page_has_a_name(use: Use) -> None:
    """U2: screen-reader names on every control."""
    nameless: dict[str, list[str]] = {}

    async def work(workbench: Workbench) -> None:
        nameless["first run"] = unnamed(workbench.window)
        workbench.new_chat()
        await until(lambda: workbench.window.page == "chat")
        nameless["chat"] = unnamed(workbench.window)
        for page in PAGES:
            workbench.open_settings(page)
            nameless[page] = unnamed(workbench.window)

    use(work)

    assert {page: found for page, found in nameless.items() if found} == {}


def test_the_language_changes_on_every_page_at_once(use: Use) -> None:
    """U22."""
    seen: list[str] = []

    async def work(workbench: Workbench) -> None:
        workbench.new_chat()
        await until(lambda: workbench.window.page == "chat")
        workbench.open_settings("appearance")
        await workbench.application.change(language="zh_CN")
        await until(lambda: "新对话" in _buttons(workbench))
        seen.extend(_buttons(workbench))
        await workbench.application.change(language="en")
        await until(lambda: "New chat" in _buttons(workbench))

    use(work)

    assert {"设置", "重置本页"} <= set(seen)


def test_what_the_window_remembers_comes_back_at_the_next_start(use: Use) -> None:
    """U24: window state restored."""
    sizes: list[tuple[int, int]] = []

    async def first(workbench: Workbench) -> None:
        workbench.window.resize(760, 540)
        await until(lambda: workbench.application.settings.window_layout.get("width") == 760)

    async def second(workbench: Workbench) -> None:
        sizes.append((workbench.window.width(), workbench.window.height()))

    use(first)
    use(second)

    assert sizes == [(760, 540)]


def _buttons(workbench: Workbench) -> set[str]:
    return {button.text() for button in workbench.window.findChildren(QPushButton) if button.text()}


def test_the_keep_alive_is_told_in_which_chat_somebody_writes(use: Use) -> None:
    """P7: nobody writes where the composer has not the keyboard."""
    told: list[object] = []

    async def work(workbench: Workbench) -> None:
        attention = workbench.application.attention
        workbench.window.activateWindow()
        workbench.new_chat()
        await until(lambda: attention.writing_in)
        told.append(workbench.chat.model and attention.writing_in == workbench.chat.model.id)
        workbench.open_settings()
        await until(lambda: attention.writing_in is None)
        workbench.close_settings()
        await until(lambda: attention.writing_in)

    use(work)

    assert told == [True]
