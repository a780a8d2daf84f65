"""A guided tour of the real program, drawn offscreen: `python -m ui.tour DIR` writes a picture per stop and tour.md.

Every stop brings a state about as a person would: by commands, keys and clicks. Later work appends stops.
"""

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPoint, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion
from PySide6.QtWidgets import QApplication, QScrollBar, QWidget
from qasync import QEventLoop

from app.core.ids import ChatId
from app.providers.errors import SENTENCES, Fault, to_error
from app.settings import Endpoint, Paths
from ui.cache_stops import CACHE_STOPS
from ui.context_stops import LENS_STOPS, PREVIEW_STOPS
from ui.data_stops import DATA_STOPS
from ui.finding_stops import FINDING_STOPS
from ui.guide import Guide, Stop
from ui.health_stops import HEALTH_STOPS
from ui.kit.controls import Toast
from ui.kit.inputs import LineInput
from ui.kit.items import Item, ItemId, ReadingPosition
from ui.kit.theme import Mode
from ui.settings.state import PAGES, PageId
from ui.shell.building import build
from ui.shell.languages import is_compiled
from ui.shell.notices import Notices, say
from ui.shell.workbench import Workbench
from ui.talk_stops import TALK_STOPS
from ui.tool_stops import TOOL_STOPS
from ui.vault_stops import VAULT_STOPS

CARDS_A_PICTURE = 5
SCREEN = {"name": "tour", "x": 0, "y": 0, "width": 2560, "height": 1600, "logicalDpi": 96, "dpr": 1}
"""Large enough for any `--size`: popups are placed within their screen."""

SAMPLE = (
    ("user", "Round the invoice once, not per line. Show me the function and the three cases that were red."),
    (
        "assistant",
        "It rounded **per line**; the ledger wants *one* rounding at the end.\n\n"
        "```python\ndef prorate(lines: Sequence[Line], days: int) -> Money:\n"
        "    exact = sum(line.amount * days / line.period for line in lines)\n"
        "    return Money(exact).rounded()   # once, at the end\n```\n\n"
        "| case | before | after |\n|---|---:|---:|\n| three lines, 11 days | 33.34 | 33.33 |\n"
        "| leap year | 29.00 | 29.04 |\n| 季度账单 | 120.01 | 120.00 |\n\n"
        "- [x] `test_proration.py` is green\n- [ ] the report still shows two decimals\n",
    ),
    ("user", "And the report?"),
    (
        "assistant",
        "It formats with `round(x, 2)` before it adds up. Move the rounding behind the sum, as above.",
    ),
)


# ---- first steps


async def first_run(guide: Guide) -> None:
    await guide.settled()


async def empty_chat(guide: Guide) -> None:
    await guide.workbench.application.change(has_started=True, model="builtin/extractive")
    guide.command("new_chat")
    await guide.until(lambda: guide.workbench.window.page == "chat")


async def streaming(guide: Guide) -> None:
    await guide.ask("What can you do without a network, and what can't you?")
    await guide.until(lambda: _live_text(guide))


async def answered(guide: Guide) -> None:
    model = guide.workbench.chat.model
    assert model
    await guide.until(lambda: not model.session.is_running)


# ---- reading


async def code_and_table(guide: Guide) -> None:
    path = guide.folder / "Rounding in the billing ledger.json"
    messages = [{"role": role, "content": text} for role, text in SAMPLE]
    path.write_text(json.dumps({"messages": messages}), encoding="utf-8")
    await guide.import_chat(path)


async def long_chat(guide: Guide) -> None:
    if guide.chat_file is None:
        guide.notes.append("No long chat was given (`--chat FILE`), so this is the last one.")
        return
    await guide.import_chat(guide.chat_file)


async def scrolled(guide: Guide) -> None:
    bar = guide.workbench.chat.transcript.verticalScrollBar()
    bar.triggerAction(QScrollBar.SliderAction.SliderPageStepSub)
    bar.setValue(bar.maximum() // 2)


async def sample(guide: Guide) -> None:
    await guide.open_sample()


async def ring(guide: Guide) -> None:
    guide.command("composer")
    guide.workbench.chat.composer.input.insertPlainText("A draft that the ring counts while it is typed.")
    await guide.settled()
    guide.workbench.ring.click()


async def compressing(guide: Guide) -> None:
    if popover := guide.workbench.ring.popover:
        popover.close()
    guide.workbench.chat.composer.input.clear()
    guide.command("compress")
    model = guide.workbench.chat.model
    assert model
    await guide.until(lambda: model.state.compressing is not None)


async def compressed(guide: Guide) -> None:
    model = guide.workbench.chat.model
    assert model
    await guide.until(lambda: model.state.compressing is None)
    guide.workbench.chat.transcript.follow()


async def models(guide: Guide) -> None:
    """Another model, of a smaller window: what would become of the chat there is said before it is chosen."""
    acme = Endpoint(id="acme", kind="openai", name="Acme", models=("gpt-4.1", "gpt-4.1-mini"))
    window_tokens = 256 if guide.chat_file is None else 128_000
    await guide.workbench.application.change(
        endpoints=[acme.model_dump(mode="json")],
        model_overrides={"acme/gpt-4.1-mini": {"window_tokens": window_tokens}},
        fallback_models=["acme/gpt-4.1"],
    )
    await (
        guide.workbench.application.endpoints.offers()
    )  # the list of all models is read once, which takes a while
    await guide.settled()
    guide.command("model")
    picker = guide.workbench.chat.header.picker
    assert picker
    picker.search.setText("mini")
    await guide.until(lambda: any(sign.isdigit() for sign in picker.prospect.text()))


async def switched(guide: Guide) -> None:
    picker = guide.workbench.chat.header.picker
    model = guide.workbench.chat.model
    assert model
    if picker:
        picker.close()
    guide.workbench.chat.header.model_chosen.emit("acme/gpt-4.1-mini")
    await guide.until(lambda: model.state.switch)


async def searching(guide: Guide) -> None:
    guide.workbench.sidebar.focus_search()
    field = guide.workbench.window.focusWidget()
    assert isinstance(field, LineInput)
    field.insert("bill")


async def deleted(guide: Guide) -> None:
    if field := guide.workbench.window.focusWidget():
        guide.press(field, Qt.Key.Key_Escape)
    model = guide.workbench.chat.model
    assert model
    guide.workbench.sidebar_model.trash(model.id)
    await guide.until(lambda: guide.workbench.chat.model is not model)


async def shortcuts(guide: Guide) -> None:
    guide.command("shortcuts")


async def zoomed(guide: Guide) -> None:
    guide.command("zoom_in")


async def narrow(guide: Guide) -> None:
    await guide.workbench.application.change(zoom_percent=100)
    guide.workbench.window.resize(800, 600)


# ---- settings


def settings_page(page: PageId) -> Callable[[Guide], Awaitable[None]]:
    async def bring(guide: Guide) -> None:
        guide.workbench.window.resize(guide.size)
        guide.workbench.open_settings(page)
        await guide.settled()

    return bring


# ---- what goes wrong


@dataclass(frozen=True, slots=True)
class Cards:
    """Error cards as the items of a transcript."""

    items: dict[ItemId, Item]

    def ids(self) -> Sequence[ItemId]:
        return tuple(self.items)

    def revision(self, item: ItemId) -> int:
        return 0

    def n_chars(self, item: ItemId) -> int:
        return 120

    def content(self, item: ItemId) -> Item:
        return self.items[item]

    def is_own(self, item: ItemId) -> bool:
        return False


def error_cards(codes: Sequence[str]) -> Callable[[Guide], Awaitable[None]]:
    async def bring(guide: Guide) -> None:
        endpoint = Endpoint(id="acme", kind="compatible", name="Acme", base_url="https://llm.example/v1")
        faults = [Fault(code=code, detail="…", facts={"seconds": 30}) for code in codes]
        errors = [to_error(fault, endpoint=endpoint, model="acme-large") for fault in faults]
        chat = guide.workbench.chat
        chat.leave()
        top = ReadingPosition(item=codes[0], is_following=False)
        chat.transcript.set_model(Cards({error.code: say(error).card() for error in errors}), top)
        guide.workbench.window.show_page("chat")
        guide.notes.append("Codes: " + ", ".join(f"`{code}`" for code in codes))

    return bring


async def offline(guide: Guide) -> None:
    guide.workbench.open_chat(ChatId(guide.workbench.application.settings.last_chat))
    guide.workbench.window.set_offline(is_offline=True)


async def crash(guide: Guide) -> None:
    guide.workbench.window.set_offline(is_offline=False)
    guide.workbench.window.tell(guide.notices.crash(RuntimeError("an example of a fault")))
    guide.click(QCoreApplication.translate("NoticeBar", "Details"))


# ---- other clothes


def other_theme(mode: Mode) -> Callable[[Guide], Awaitable[None]]:
    async def bring(guide: Guide) -> None:
        guide.workbench.window.tell(None)
        await guide.workbench.application.change(theme=mode)
        guide.workbench.window.show_page("chat")

    return bring


async def other_language(guide: Guide) -> None:
    application = guide.workbench.application
    await application.change(language="en" if application.settings.language == "zh_CN" else "zh_CN")


_CODES = tuple(SENTENCES)

STOPS: tuple[Stop, ...] = (
    Stop(name="first-run", shows="The first start: one page that leads to a model.", bring=first_run),
    Stop(name="empty-chat", shows="A new chat, ready to be written in.", bring=empty_chat),
    Stop(
        name="streaming",
        shows="The built-in responder answers; no key, no network.",
        bring=streaming,
        needs="empty-chat",
    ),
    Stop(name="answered", shows="The whole answer, and its figures.", bring=answered, needs="streaming"),
    Stop(name="code-and-table", shows="Code, a table and a task list in an answer.", bring=code_and_table),
    Stop(name="long-chat", shows="A long chat right after its import.", bring=long_chat),
    Stop(
        name="scrolled",
        shows="The same chat, scrolled to its middle.",
        bring=scrolled,
        needs="code-and-table",
    ),
    Stop(name="sample", shows="The sample chat: an agent's work, with all its figures.", bring=sample),
    Stop(
        name="ring",
        shows="What fills the window, the draft as it is typed, and the prompt cache.",
        bring=ring,
        needs="sample",
    ),
    *PREVIEW_STOPS,
    Stop(name="compressing", shows="Room is made: which step, and Stop.", bring=compressing, needs="sample"),
    Stop(
        name="compressed",
        shows="The line that a compression leaves, with Undo.",
        bring=compressed,
        needs="compressing",
    ),
    *LENS_STOPS,
    *HEALTH_STOPS,
    Stop(name="models", shows="The models, and what choosing one would do.", bring=models, needs="sample"),
    Stop(
        name="switched",
        shows="What the next message will do, beside the ring.",
        bring=switched,
        needs="models",
    ),
    *TALK_STOPS,
    *TOOL_STOPS,
    *CACHE_STOPS,
    *FINDING_STOPS,
    *DATA_STOPS,
    *VAULT_STOPS,
    Stop(name="search", shows="Titles are filtered while one types.", bring=searching),
    Stop(name="undo", shows="A deleted chat can be taken back.", bring=deleted, needs="code-and-table"),
    Stop(name="shortcuts", shows="Every shortcut, under Ctrl+/.", bring=shortcuts),
    Stop(name="zoom", shows="Larger text, and the way back.", bring=zoomed),
    Stop(name="narrow", shows="A narrow window: the list makes room.", bring=narrow),
    *(Stop(name=f"settings-{page}", shows=f"Settings: {page}.", bring=settings_page(page)) for page in PAGES),
    *(
        Stop(
            name=f"errors-{at // CARDS_A_PICTURE + 1}",
            shows="How failures are told, with what can be done about them.",
            bring=error_cards(_CODES[at : at + CARDS_A_PICTURE]),
        )
        for at in range(0, len(_CODES), CARDS_A_PICTURE)
    ),
    Stop(name="offline", shows="Without a network.", bring=offline),
    Stop(name="crash", shows="A fault of the program, with its report.", bring=crash),
    Stop(
        name="other-theme",
        shows="The other theme, changed while the window is open.",
        bring=other_theme(Mode.DARK),
    ),
    Stop(name="other-language", shows="The other language, changed likewise.", bring=other_language),
)


# ---- the way


async def walk(workbench: Workbench, notices: Notices, options: argparse.Namespace, folder: Path) -> int:
    """Go to every stop; one that can't be reached is told, and the others are gone to. Returns: how many failed."""
    out: Path = options.dir
    width, _, height = options.size.partition("x")
    size = QSize(int(width), int(height))
    guide = Guide(workbench, notices, size, options.chat, folder)
    told = ["# Guided tour", ""]
    n_failed = 0
    workbench.window.resize(size)
    workbench.window.show()
    await workbench.application.prepare()
    await workbench.application.change(theme=options.theme, language=options.language)
    await workbench.prepared()
    stops = [stop for stop in STOPS if not options.only or stop.name in options.only]
    reached = set[str]()
    for n, stop in enumerate(stops, start=1):
        guide.notes.clear()
        for toast in workbench.window.findChildren(Toast):
            toast.hide()  # what was said at the last stop
        for widget in _over():
            widget.close()
        try:
            await _reach(stop, guide, reached)
        except (AssertionError, LookupError, StopIteration, TimeoutError, RuntimeError) as error:
            n_failed += 1
            guide.notes.append(f"**Not reached:** {type(error).__name__} {error}")
        if stop.name != "streaming":  # there, a moment later is another moment
            await guide.settled()
        name = f"{n:02}-{stop.name}.png"
        picture(workbench.window).save(str(out / name))
        told += [f"## {n}. {stop.shows}", "", f"![{stop.shows}]({name})", "", *guide.notes, ""]
        print(f"{name}  {stop.shows}", *guide.notes, sep="\n    ")
    (out / "tour.md").write_text("\n".join(told), encoding="utf-8")
    return n_failed


async def _reach(stop: Stop, guide: Guide, reached: set[str]) -> None:
    """Go to a stop, and before that to the one that it goes on from."""
    if stop.needs and stop.needs not in reached:
        await _reach(next(each for each in STOPS if each.name == stop.needs), guide, reached)
        for widget in _over():
            widget.close()
    await stop.bring(guide)
    reached.add(stop.name)


def picture(window: QWidget) -> QPixmap:
    """The window with the popups and dialogs that lie over it."""
    whole = window.grab()
    painter = QPainter(whole)
    for other in _over():
        at = other.mapToGlobal(QPoint()) - window.mapToGlobal(QPoint())
        if other.windowType() is Qt.WindowType.Dialog:  # where a desktop would put it
            at = window.rect().center() - other.rect().center()
        edge = QRegion(other.rect()) if other.mask().isEmpty() else other.mask()
        painter.setClipRegion(edge.translated(at))
        painter.drawPixmap(at, other.grab())
    painter.end()
    return whole


def _live_text(guide: Guide) -> str:
    model = guide.workbench.chat.model
    assert model
    live = model.state.live
    return live.text if live else ("" if model.session.is_running else "over already")


def _over() -> list[QWidget]:
    """The popups and dialogs that are open."""
    kinds = (Qt.WindowType.Popup, Qt.WindowType.Dialog)
    return [
        each for each in QApplication.topLevelWidgets() if each.isVisible() and each.windowType() in kinds
    ]


async def _run(qt: QApplication, options: argparse.Namespace, folder: Path) -> int:
    notices = Notices("tour")
    notices.install(asyncio.get_running_loop())
    workbench = build(qt, Paths(data=folder / "data"), notices)
    try:
        return await walk(workbench, notices, options, folder)
    finally:
        await workbench.aclose()
        await workbench.application.aclose()


def _forget(folder: Path) -> None:
    """Take away the pictures of an earlier tour, and only those."""
    told = folder / "tour.md"
    if told.exists():
        for name in re.findall(r"\]\((\d\d-[\w-]+\.png)\)", told.read_text(encoding="utf-8")):
            (folder / name).unlink(missing_ok=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="ui.tour", description="Pictures of Palimpsest at work.")
    parser.add_argument("dir", type=Path, metavar="DIR")
    parser.add_argument("--theme", choices=tuple(Mode), default=Mode.LIGHT)
    parser.add_argument("--language", choices=("en", "zh_CN"), default="en")
    parser.add_argument("--size", default="1440x900", metavar="WxH")
    parser.add_argument("--chat", type=Path, metavar="FILE", help="a conversation to import")
    parser.add_argument("--only", action="append", metavar="STOP", help="go to this stop; may be given again")
    options = parser.parse_args(arguments)
    if not is_compiled(options.language):
        parser.error(
            f"{options.language} is not compiled, so all pictures would be English: run `make setup`"
        )
    options.dir.mkdir(parents=True, exist_ok=True)
    _forget(options.dir)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        screens = Path(folder) / "screens.json"
        screens.write_text(json.dumps({"screens": [SCREEN]}), encoding="utf-8")
        os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={screens}"
        qt = QApplication.instance() or QApplication([])
        assert isinstance(qt, QApplication)
        with asyncio.Runner(loop_factory=lambda: QEventLoop(qt)) as runner:
            return min(runner.run(_run(qt, options, Path(folder))), 1)


if __name__ == "__main__":
    sys.exit(main())
