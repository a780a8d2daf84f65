"""The real window as a whole: every page of it can be heard and reached."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from pydantic import JsonValue
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget
from qasync import QEventLoop

from app.providers.templates import TEMPLATES
from app.settings import Paths
from tests.ui.widgets import spoken, unnamed
from ui.settings.about_page import PARTS
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


async def every_page(workbench: Workbench) -> AsyncIterator[str]:
    """Shows one page after the other: the first run, a chat, the palette (which lists all others), everything that was said, each of the settings."""
    yield "first run"
    workbench.new_chat()
    await until(lambda: workbench.window.page == "chat")
    yield "chat"
    workbench.finding.open_palette()
    await until(lambda: workbench.finding.palette)
    yield "palette"
    assert workbench.finding.palette
    workbench.finding.palette.close()
    workbench.finding.open_everything()
    yield "everything"
    for page in PAGES:
        workbench.open_settings(page)
        await asyncio.sleep(0.05)  # what it reads comes
        yield page


def test_whatever_takes_the_focus_has_a_name_on_every_page(use: Use) -> None:
    """U2, U24: the tree that a screen reader gets."""
    nameless: dict[str, list[str]] = {}
    n_heard: dict[str, int] = {}

    async def work(workbench: Workbench) -> None:
        async for page in every_page(workbench):
            heard = list(spoken(workbench.window))
            n_heard[page] = len(heard)
            nameless[page] = [role.name for role, name, _, is_reached in heard if is_reached and not name]
            nameless[page] += unnamed(workbench.window)

    use(work)

    assert {page: found for page, found in nameless.items() if found} == {}
    assert min(n_heard.values()) > 5


_NAMES = re.compile(
    r"""Palimpsest | PySide6 | English | ≈?[\d,. ]*Token | /.*
        | (Ctrl|Alt|Shift|Meta|F\d+|Esc|Tab|[+,/; ] | [A-Z\d=-])+  # keys
        | \w+(_\w+)+ | shell | note | delegate                     # tools
        | https?://\S+ | SearXNG | Tavily | Brave | extractive.* | smollm2.*""",
    re.VERBOSE,
)
"""What is said in Latin letters in any language: names, units, keys, paths."""


def test_no_english_is_left_on_any_page_in_chinese(use: Use) -> None:
    """U22: switched while the window is open, so that no page keeps what it said before."""
    names = {template.name for template in TEMPLATES} | {"Qt"} | {part for pair in PARTS for part in pair}
    left: dict[str, set[str]] = {}

    async def work(workbench: Workbench) -> None:
        async for _page in every_page(workbench):
            pass
        await workbench.application.change(language="zh_CN", search_engine="searxng")
        await until(lambda: "新对话" in _buttons(workbench))
        async for page in every_page(workbench):
            widgets = [part for part in workbench.window.findChildren(QWidget) if part.isVisible()]
            said = {text for _, name, value, _ in spoken(workbench.window) for text in (name, value)}
            said |= {part.toolTip() for part in widgets}
            said |= {part.placeholderText() for part in widgets if isinstance(part, QLineEdit)}
            latin = {re.sub("</?span>", "", text) for text in said if not re.search("[一-鿿]", text)}
            latin = {text for text in latin - names if re.search("[A-Za-z]{2}", text)}
            left[page] = {text for text in latin if not _NAMES.fullmatch(text)}
        await workbench.application.change(language="en")
        await until(lambda: "New chat" in _buttons(workbench))

    use(work)

    assert {page: found for page, found in left.items() if found} == {}


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


def test_what_is_typed_after_a_sign_is_found_in_the_application_and_put_in(use: Use, tmp_path: Path) -> None:
    """U14: commands and the person's prompts by `/`, files of the chat's folder and other chats by `@`."""
    offered: list[list[str]] = []
    folder = tmp_path / "work"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "main.py").write_text("print(1)")

    async def work(workbench: Workbench) -> None:
        app, field = workbench.application, workbench.chat.composer.input
        completing = workbench.chat.composer.completing
        await app.change(prompts=[{"name": "review", "text": "Review {{file}}."}], workspace=str(folder))
        other, _ = await app.library.new_chat()
        await app.library.rename(other, "Ledger")
        workbench.window.activateWindow()
        workbench.new_chat()
        await until(lambda: field.hasFocus() and workbench.chat.model)
        for typed in ("/re", "@main", "@ledg"):
            field.set_text("")
            QTest.keyClicks(field, typed)
            await until(lambda: completing.shown)
            offered.append([each.title for each in completing.shown])
            QTest.keyClick(field, Qt.Key.Key_Return)
            await until(lambda: field.text() and field.text()[0] not in "/@")
            offered.append([field.text()])

    use(work)

    assert offered == [
        ["review", "retry", "compress", "preview"],
        ["Review {{file}}."],
        ["src/main.py"],
        ["File: main.py\n\nprint(1)"],
        ["Ledger"],
        ["File: Ledger.md\n\n"],
    ]


def test_every_tooltip_names_the_keys_that_a_person_chose(use: Use) -> None:
    """U23: the model's chip, the composer's buttons, the panel's, the toggles, and what `/` lists."""

    async def work(workbench: Workbench) -> None:
        workbench.new_chat()
        await until(lambda: workbench.window.page == "chat" and workbench.chat.model)
        workbench.health.toggle()
        own: dict[str, JsonValue] = {
            "model": "F7",
            "attach": "F8",
            "write_large": "F9",
            "compress": "F6",
            "panel": "",
            "lens": "F10",
        }

        await workbench.application.change(shortcuts=own)

        panel = workbench.health.panel
        assert panel
        await until(lambda: "F7" in workbench.chat.header.model.toolTip())
        told = {
            tip
            for each in workbench.window.findChildren(QWidget)
            if (tip := each.toolTip()) and "Ctrl" in tip
        }
        named = " ".join(each.toolTip() for each in workbench.chat.findChildren(QPushButton))
        assert all(key in named for key in ("(F7)", "(F8)", "(F9)", "(F10)"))
        assert "(F6)" in panel.head.compress.toolTip()
        assert not any(key in tip for tip in told for key in ("Ctrl+M", "Ctrl+Shift+K", "Ctrl+Shift+A"))
        assert "()" not in named
        listed = workbench.suggesting.commands()
        assert next(each.detail for each in listed if each.id == "model").endswith("F7")

    use(work)
