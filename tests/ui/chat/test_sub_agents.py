"""Sub-agents as a person sees them: cards under the call, each to be opened and ended alone (A14, U13)."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from pathlib import Path

import pytest
from pydantic import JsonValue
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.agent.ports import Target
from app.core.events import GatewayEvent
from app.core.requests import Request
from tests.app.agent.opening import HERE
from tests.app.agent.test_toolbox import calling
from tests.fakes import Step, answer, until
from tests.ui.chat.conftest import Desk, Gateway, desk_at
from ui.chat.agent_cards import OPEN, STOP
from ui.chat.ask_card import AskCard
from ui.chat.items import AGENTS
from ui.chat.view import ChatView
from ui.chat.view_model import ChatViewModel
from ui.kit.items import AgentCard, AgentsItem, AssistantItem
from ui.kit.showcase import Stage


class ByTask(Gateway):
    """Says to each chat what was scripted for the first words that its person, or its caller, said."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: dict[str, list[tuple[Step, ...]]] = {}

    async def stream(self, request: Request, target: Target) -> AsyncGenerator[GatewayEvent, None]:
        said = str(request.messages[0])
        task = next((task for task in self.scripts if task in said), "")
        if self.scripts.get(task):
            self.say_first(self.scripts[task].pop(0))
        async for event in super().stream(request, target):
            yield event


@pytest.fixture
async def desk(qapp: QApplication, tmp_path: Path) -> AsyncIterator[Desk]:
    desk = await desk_at(tmp_path / "data")
    desk.gateway = desk.application.gateway = ByTask()  # pyright: ignore[reportAttributeAccessIssue]  # the port's other adapter
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "notes.txt").write_text("one\n")
    await desk.application.change(
        endpoints=[HERE.model_dump(mode="json")], model="here/m", workspace=str(folder), write_titles=False
    )
    yield desk
    await desk.aclose()
    assert desk.errors == []


@pytest.fixture
def view(qtbot: QtBot, stage: Stage) -> Iterator[ChatView]:
    view = ChatView(stage.theme, stage.icons, QPushButton("ring"), tuple)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    view.activateWindow()
    yield view
    view.leave()


def scripts(desk: Desk) -> dict[str, list[tuple[Step, ...]]]:
    assert isinstance(desk.gateway, ByTask)
    return desk.gateway.scripts


def cards(model: ChatViewModel) -> tuple[AgentCard, ...]:
    item = next((item for item in model.items.ids() if item.startswith(AGENTS)), None)
    shown = model.items.content(item) if item else AgentsItem(cards=())
    assert isinstance(shown, AgentsItem)
    return shown.cards


async def ended(model: ChatViewModel) -> None:
    await until(lambda: not model.session.is_running and not model.state.is_busy and model.state.live is None)


def action(card: AgentCard, kind: str) -> str:
    return next(each.id for each in card.actions if each.id.startswith(kind))


def press(view: ChatView, label: str) -> None:
    """Go through the transcript by Tab to what is called so, and press Enter."""
    view.transcript.flush()
    view.transcript.setFocus()
    for _ in range(40):
        if view.transcript.accessibleDescription() == label:
            QTest.keyClick(view.transcript, Qt.Key.Key_Return)
            return
        QTest.keyClick(view.transcript, Qt.Key.Key_Tab)
    raise AssertionError(label)


async def two(desk: Desk, view: ChatView) -> tuple[ChatViewModel, asyncio.Event]:
    """A chat in which two sub-agents work: the first calls a command that takes its time, the second is told when."""
    told = asyncio.Event()
    scripts(desk)["Sort them"] = [
        calling(("delegate", {"task": "Read the notes"}), ("delegate", {"task": "Count the files"})),
        answer("Both are done."),
    ]
    await desk.application.change(access={"shell": "allow"})
    scripts(desk)["Read the notes"] = [calling(("shell", {"command": "sleep 60"}))]
    scripts(desk)["Count the files"] = [(told, *answer("Done: one file."))]
    model = await desk.chat()
    view.show_chat(model)
    model.send("Sort them")
    await until(lambda: [card.text[:5] for card in cards(model)] == ["shell", "Waiti"], within_s=20)
    return model, told


async def test_two_at_work_stand_side_by_side_and_one_is_ended_by_keyboard(
    desk: Desk, view: ChatView
) -> None:
    """A14, U13: Stop ends that one; the other goes on, and the turn with what both gave."""
    model, told = await two(desk, view)
    working = cards(model)

    press(view, "Stop: Read the notes")
    await until(lambda: cards(model)[0].state == "stopped")
    one_left = cards(model)
    told.set()
    await ended(model)
    await until(lambda: cards(model)[1].state == "done")
    last = model.items.content(model.items.ids()[-1])

    assert [card.title for card in working] == ["Read the notes", "Count the files"]
    assert [card.state for card in working] == ["running", "running"]
    assert working[0].text == "shell  sleep 60"
    assert one_left[1].state == "running"
    assert [[each.label for each in card.actions] for card in cards(model)] == [["Open"], ["Open"]]
    assert [card.figures for card in cards(model)] == [
        "",
        "12 tokens",
    ]  # a call that was cut off reports nothing
    assert isinstance(last, AssistantItem)
    assert last.text == "Both are done."


async def test_after_a_restart_the_cards_show_what_is_stored(
    desk: Desk, view: ChatView, tmp_path: Path
) -> None:
    """A14."""
    model, told = await two(desk, view)
    told.set()
    await until(lambda: cards(model)[1].state == "done")
    view.transcript.action_triggered.emit("", action(cards(model)[0], STOP))
    await ended(model)
    await until(lambda: cards(model)[0].state == "stopped")
    before = cards(model)
    view.leave()
    await desk.aclose()
    desk.models.clear()
    again = await desk_at(tmp_path / "data")

    after = cards(await again.chat(model.id))
    await again.aclose()
    desk.application = again.application

    assert after == before
    assert [card.state for card in after] == ["stopped", "done"]


async def test_what_a_sub_agent_asks_names_its_task_and_is_answered_in_either_chat(
    desk: Desk, view: ChatView
) -> None:
    """A12, A14: the card in the one chat goes when the other has the answer."""
    write: tuple[str, dict[str, JsonValue]] = ("file_write", {"path": "made.txt", "text": "two\n"})
    scripts(desk)["Have it written"] = [calling(("delegate", {"task": "Write the file"})), answer("Written.")]
    scripts(desk)["Write the file"] = [calling(write), answer("Done: made.txt.")]
    model = await desk.chat()
    view.show_chat(model)
    model.send("Have it written")
    await until(lambda: bool(view.transcript.findChildren(AskCard)), within_s=20)
    card = view.transcript.findChildren(AskCard)[0]
    told = [label.text() for label in card.findChildren(QLabel)]
    asking = cards(model)
    child = await desk.chat(model.state.agents[0].stored.chat_id)
    view.show_chat(child)
    await until(lambda: bool(view.transcript.findChildren(AskCard)))

    view.questions.answer(1)
    await ended(model)

    assert "For the sub-agent “Write the file”" in told
    assert asking[0].state == "asking"
    assert model.state.path[-1].text == "Written."
    assert child.state.live is None


async def test_the_chat_of_a_sub_agent_is_read_and_has_a_way_back(desk: Desk, view: ChatView) -> None:
    """U13: nothing can be said there; Stop and the way back can be had by keyboard and by name."""
    model, told = await two(desk, view)
    opened: list[str] = []
    view.agent_opened.connect(opened.append)
    press(view, "Open: Read the notes")
    child = await desk.chat(model.state.agents[0].stored.chat_id)

    view.show_chat(child)
    shown = (view.composer.isVisible(), view.called.isVisible(), view.called.stop.isVisible())
    back = (view.header.back.isVisible(), view.header.back.accessibleName())
    child.send("Do something else")
    child.retry()
    view.setFocus()
    has_keys = view.transcript.hasFocus()
    view.called.stop.click()
    await until(lambda: cards(model)[0].state == "stopped")
    told.set()
    await ended(model)

    assert opened == [child.id]
    assert shown == (False, True, True)
    assert back == (True, "Back to “Sort them”")
    assert has_keys
    assert [entry.text for entry in child.state.path if entry.text == "Do something else"] == []
    assert child.session.draft.queue == ()
    view.show_chat(model)
    assert (view.composer.isVisible(), view.called.isVisible(), view.header.back.isVisible()) == (
        True,
        False,
        False,
    )
    assert action(cards(model)[0], OPEN).endswith(child.id)
