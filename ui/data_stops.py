"""Stops of the tour at which chats come in and go out, and where one goes back to a backup."""

import json
import zipfile

from pydantic import JsonValue
from PySide6.QtWidgets import QDialog

from app.store.backups import back_up
from ui.guide import Guide, Stop
from ui.settings.storage.view import StoragePage
from ui.shell.importing import ImportReport
from ui.shell.work_bar import Progress


def _conversation(n: int) -> JsonValue:
    message: JsonValue = {"author": {"role": "user"}, "content": {"parts": [f"Question {n}"]}}
    return {"title": f"Conversation {n}", "mapping": {"n": {"message": message}}}


async def _page(guide: Guide) -> StoragePage:
    application = guide.workbench.application
    for kind, label in (
        ("upgrade", "0006-2026-11-27T08-00-00"),
        ("daily", "2026-11-27"),
        ("daily", "2026-11-28"),
    ):
        back_up(application.paths, kind, label)
    guide.workbench.open_settings("data")

    def pages() -> list[StoragePage]:
        return guide.workbench.window.findChildren(StoragePage)

    await guide.until(lambda: pages() and pages()[0].restore_buttons)
    return pages()[0]


async def data(guide: Guide) -> None:
    await _page(guide)


async def restore(guide: Guide) -> None:
    page = await _page(guide)
    page.restore_buttons[-1].click()


async def importing(guide: Guide) -> None:
    guide.workbench.close_settings()
    for dialog in guide.workbench.window.findChildren(QDialog):
        dialog.reject()
    bar = guide.workbench.doors.bar
    bar.follow(lambda: Progress(text="conversations.zip · 312", share=0.4), bar.done)


async def imported(guide: Guide) -> None:
    guide.workbench.doors.bar.done()
    path = guide.folder / "export.zip"
    broken: list[JsonValue] = [{"mapping": 7}, {"title": "Empty", "mapping": {}}, 7, {"mapping": None}]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([*map(_conversation, range(12)), *broken]))
    guide.workbench.doors.import_files([path])
    await guide.until(lambda: guide.workbench.window.findChildren(ImportReport))


DATA_STOPS: tuple[Stop, ...] = (
    Stop(name="data", shows="Where everything lies, what comes in and goes out, the backups.", bring=data),
    Stop(name="restore", shows="Going back to a backup, after a question.", bring=restore),
    Stop(name="importing", shows="An import under way, which can be cancelled.", bring=importing),
    Stop(name="imported", shows="What became of an export of many chats.", bring=imported, needs="importing"),
)
