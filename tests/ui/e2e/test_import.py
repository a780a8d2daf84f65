"""Importing in the window (U21): progress with Cancel, what is here already, and what could not be taken."""

import json
import zipfile
from pathlib import Path

from pydantic import JsonValue

from tests.ui.e2e.conftest import Person, Program
from tests.ui.e2e.test_chat import started
from ui.kit.controls import Toast
from ui.shell.importing import ImportReport


def _conversation(text: str) -> JsonValue:
    message: JsonValue = {"author": {"role": "user"}, "content": {"parts": [text]}, "create_time": 1772625600}
    return {"title": text[:20], "create_time": 1772625600, "mapping": {"n": {"message": message}}}


def _export(path: Path, *conversations: JsonValue) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(conversations))
        archive.writestr("user.json", "{}")
    return path


def _toast(person: Person) -> str:
    return " ".join(toast.accessibleName() for toast in person.workbench.window.findChildren(Toast))


def test_an_export_comes_in_is_known_the_next_time_and_comes_again_when_asked_for(
    program: Program, tmp_path: Path
) -> None:
    path = _export(tmp_path / "export.zip", _conversation("One of them"), _conversation("Another"))

    async def work(person: Person) -> None:
        await started(person)
        library = person.workbench.application.library
        before = len(await library.chats())

        person.workbench.doors.import_files([path])
        await person.until(lambda: "2 chats imported" in _toast(person))
        assert len(await library.chats()) == before + 2
        assert person.workbench.doors.bar.isHidden()

        person.workbench.doors.import_files([path])
        await person.until(lambda: "2 chats are here already" in _toast(person))
        assert len(await library.chats()) == before + 2

        person.click("Import again")
        await person.until(lambda: "2 chats imported" in _toast(person))
        assert len(await library.chats()) == before + 4

    program(work)


def test_an_import_shows_how_far_it_is_and_keeps_what_it_has_when_it_is_cancelled(
    program: Program, tmp_path: Path
) -> None:
    path = _export(tmp_path / "export.zip", *(_conversation(f"{n} " + "x" * 200_000) for n in range(60)))

    async def work(person: Person) -> None:
        await started(person)
        library, bar = person.workbench.application.library, person.workbench.doors.bar
        before = len(await library.chats())

        person.workbench.doors.import_files([path])
        await person.until(lambda: bar.isVisible() and "chat" in bar.label.text())
        assert "export.zip" in bar.label.text()
        person.click("Cancel")
        await person.until(bar.isHidden)

        n_came = len(await library.chats()) - before
        assert 0 < n_came < 60
        assert "cancelled" in _toast(person)

    program(work)


def test_what_could_not_be_taken_is_listed(program: Program, tmp_path: Path) -> None:
    bad: JsonValue = {"mapping": 7}
    path = _export(tmp_path / "export.zip", _conversation("Good"), bad, bad, bad, bad)

    async def work(person: Person) -> None:
        await started(person)
        person.workbench.doors.import_files([path])
        await person.until(lambda: person.workbench.window.findChildren(ImportReport))
        (report,) = person.workbench.window.findChildren(ImportReport)
        text = report.text.toPlainText()
        assert "export.zip" in text
        assert "4 chats were left out." in text
        assert text.count("could not be read and was left out") == 4
        report.accept()

    program(work)
