"""A person at the whole program: every word is there afterwards (M7, M8, U14, U15)."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollBar, QWidget

from app.agent.session import ChatSession
from app.core.entries import Finish
from app.core.events import Accepted, TextArrived
from app.core.ids import ChatId
from tests.fakes import answer
from tests.ui.chat.conftest import Gateway
from tests.ui.e2e.conftest import Person, Program
from ui.kit.items import PREVIOUS_VERSION, AssistantItem
from ui.kit.theme import Mode

LONG = Path(__file__).parents[2] / "data" / "conversations" / "pi-mono-refactor-session.json"


def report(what: str, stalls_ms: list[float]) -> None:
    worst = sorted(stalls_ms, reverse=True)[:5]
    late = sum(stall > 16 for stall in stalls_ms)
    print(f"{what}: {len(stalls_ms)} beats, {late} over 16 ms, worst", [round(ms) for ms in worst])


async def started(person: Person) -> None:
    """Through the first run to a chat with what is built in."""
    await person.until(lambda: person.workbench.window.page == "first_run")
    await person.until(lambda: person.is_prepared)
    person.click("Built-in responder")
    person.click("Start chatting")
    await person.until(lambda: person.chat.model and person.workbench.window.page == "chat")


def test_from_the_first_start_to_an_answer_and_a_second_start(program: Program) -> None:
    async def first(person: Person) -> None:
        await started(person)
        assert person.chat.greeting.isVisible()
        person.click("Explain code")
        await person.ask("x = 1")
        assert person.said[0].startswith("Explain")
        assert "built-in responder" in person.said[1]
        person.write("Not said yet")

    async def second(person: Person) -> None:
        assert person.chat.transcript.isVisible()  # before the store is open
        await person.until(lambda: person.chat.model)
        assert len(person.said) == 2
        assert person.chat.composer.input.text() == "Not said yet"

    program(first)
    program(second)


def test_a_click_leads_from_the_settings_to_a_chat_that_is_painted_before_all_of_it_is_read(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q8: the painter waited for the thread that reads, with each of its calls."""

    unread = list[ChatId]()

    async def first(person: Person) -> None:
        await started(person)
        await person.ask("Hello")
        unread.append(person.model.id)
        person.workbench.new_chat()
        await person.until(lambda: person.chat.model and person.model.id not in unread)
        await person.ask("And here")

    async def second(person: Person) -> None:
        bench, seen = person.workbench, list[tuple[str, int]]()
        read = bench.application.session
        await person.until(lambda: person.chat.model)
        bench.open_settings()
        painted = Painted(person.chat.transcript.viewport())

        async def session(chat_id: ChatId) -> ChatSession:
            seen.append((bench.window.page, painted.n))
            return await read(chat_id)

        monkeypatch.setattr(bench.application, "session", session)
        bench.open_chat(unread[0])
        await person.until(lambda: person.chat.model and person.model.id in unread)
        page, n_painted = seen[0]
        assert page == "chat"
        assert n_painted > 0

    program(first)
    program(second)


class Painted(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.n = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.n += event.type() is QEvent.Type.Paint
        return False


def test_stopped_edited_retried_switched_and_quit_in_an_answer_every_word_is_there(program: Program) -> None:
    gateway = Gateway()
    gateway.say(
        answer("One."),
        (Accepted(), TextArrived(text="Half an"), asyncio.Event()),
        answer("Edited."),
        answer("Again."),
        (Accepted(), TextArrived(text="Cut off by the"), asyncio.Event()),
    )

    async def first(person: Person) -> None:
        keys = person.chat.composer.input
        await started(person)
        await person.ask("First")
        person.write("Second")
        person.enter()
        await person.until(lambda: person.model.state.live and person.model.state.live.text)
        QTest.keyClick(keys, Qt.Key.Key_Escape)
        await person.until(lambda: not person.model.session.is_running)
        assert person.model.state.path[-1].finish is Finish.STOPPED

        QTest.keyClick(keys, Qt.Key.Key_Up)
        assert keys.text() == "Second"
        person.write(", better")
        person.enter()
        await person.until(lambda: person.said[-1] == "Edited." and not person.model.session.is_running)

        person.command("regenerate")
        await person.until(lambda: person.said[-1] == "Again." and not person.model.session.is_running)
        last = person.model.state.path[-1].id
        shown = person.model.items.content(last)
        assert isinstance(shown, AssistantItem)
        assert (shown.footer.version, shown.footer.n_versions) == (2, 2)
        person.chat.transcript.action_triggered.emit(last, PREVIOUS_VERSION)
        await person.until(lambda: person.said[-1] == "Edited.")

        await person.workbench.application.change(theme=Mode.DARK)
        person.write("Third")
        person.enter()
        await person.until(lambda: person.model.state.live and person.model.state.live.text)

    async def second(person: Person) -> None:
        await person.until(lambda: person.chat.model)
        assert person.said == ["First", "One.", "Second, better", "Edited.", "Third", "Cut off by the"]
        assert person.model.state.path[-1].finish in (Finish.STOPPED, Finish.INTERRUPTED)
        others = {entry.text for entry in person.model.session.conversation.transcript}
        assert {"Second", "Half an", "Again."} <= others

    report("a talk", program(first, gateway).stalls_ms)
    program(second, Gateway())


def test_an_answer_goes_on_in_a_chat_that_is_not_shown(program: Program) -> None:
    gate = asyncio.Event()
    gateway = Gateway()
    gateway.say((Accepted(), TextArrived(text="One, "), gate, TextArrived(text="two."), answer()[-1]))

    async def work(person: Person) -> None:
        await started(person)
        person.write("Count")
        person.enter()
        await person.until(lambda: person.model.state.live and person.model.state.live.text)
        counting = person.model
        person.write("A draft")

        person.command("new_chat")
        await person.until(lambda: person.chat.model and person.chat.model is not counting)
        assert person.chat.composer.input.text() == ""
        await person.ask("Another")
        gate.set()
        await person.until(lambda: not counting.session.is_running)
        person.workbench.open_chat(counting.id)
        await person.until(lambda: person.chat.model is counting)

        assert person.said == ["Count", "One, two."]
        assert person.chat.composer.input.text() == "A draft"

    program(work, gateway)


def test_a_message_sent_before_the_store_is_open_arrives_once(program: Program) -> None:
    async def first(person: Person) -> None:
        await started(person)
        await person.ask("Hello?")

    async def second(person: Person) -> None:
        assert person.chat.model is None
        person.write("Early")
        person.enter()
        person.enter()
        assert person.chat.composer.input.text() == "Early"
        await person.until(lambda: person.chat.model and len(person.said) == 4)
        await person.until(lambda: not person.model.session.is_running)
        assert person.said[2:] == ["Early", "Fine."]
        assert person.chat.composer.input.text() == ""

    gateway = Gateway()
    program(first, Gateway())
    program(second, gateway)

    assert len(gateway.requests) == 1


def test_a_long_import_opens_at_its_end_and_scrolls(program: Program) -> None:
    """U15, U16: 981 messages of a real session."""

    async def work(person: Person) -> None:
        await started(person)
        person.stalls_ms.clear()
        person.workbench.doors.import_files([LONG])
        await person.until(lambda: person.chat.model and len(person.said) > 900)
        await asyncio.sleep(0.3)
        transcript = person.chat.transcript
        assert transcript.is_at_end
        report("import", person.stalls_ms)

        person.stalls_ms.clear()
        bar = transcript.verticalScrollBar()
        for step in range(40):
            bar.setValue(round(bar.maximum() * (1 - step / 40)))
            await asyncio.sleep(0.02)
        bar.triggerAction(QScrollBar.SliderAction.SliderToMinimum)
        await asyncio.sleep(0.05)
        assert transcript.top == 0
        report("scroll", person.stalls_ms)

        person.stalls_ms.clear()
        await person.ask("Where were we?")
        assert person.said[-1] == "Fine."
        report("one more", person.stalls_ms)
        assert sorted(person.stalls_ms)[len(person.stalls_ms) // 2] < 100

    program(work, Gateway())


def _labels(person: Person) -> list[QLabel]:
    return [label for label in person.workbench.window.findChildren(QLabel) if label.isVisible()]


def test_what_another_start_names_is_imported_or_shown(program: Program) -> None:
    """U24: an exported conversation by its path, a chat by its address; an address of nothing is told."""

    async def work(person: Person) -> None:
        await started(person)
        first = person.model.id
        person.workbench.doors.come_in([LONG.as_uri()])
        await person.until(lambda: person.chat.model and len(person.said) > 900)

        person.workbench.doors.come_in([f"palimpsest://chat/{first}"])
        await person.until(lambda: person.model.id == first)

        person.workbench.doors.come_in(["palimpsest://chat/../../etc"])
        await person.until(lambda: any("not here" in label.text() for label in _labels(person)))
        assert person.model.id == first

    program(work, Gateway())
