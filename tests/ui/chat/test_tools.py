"""Tools at work, as a person sees and answers them: rows, questions, pauses (U13, A12)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import JsonValue
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.core.entries import Origin
from app.core.errors import ProviderError
from app.core.events import Accepted, TextArrived
from app.core.ids import ModelId
from tests.app.agent.opening import HERE
from tests.app.agent.test_toolbox import calling
from tests.fakes import answer, until
from tests.ui.chat.conftest import Desk
from tests.ui.widgets import unnamed
from ui.chat.ask_card import AskCard
from ui.chat.items import FAILURE, REVERT
from ui.chat.live import Phase
from ui.chat.model_picker import ModelChoice
from ui.chat.view import ChatView
from ui.chat.view_model import ChatViewModel
from ui.kit.items import ItemId, NoticeItem, ToolItem
from ui.kit.showcase import Stage

Key = Qt.Key


@pytest.fixture
def view(qtbot: QtBot, stage: Stage) -> Iterator[ChatView]:
    choices = (ModelChoice(id=ModelId("here/m"), name="m", group="Here"),)
    view = ChatView(stage.theme, stage.icons, QPushButton("ring"), lambda: choices)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    view.activateWindow()
    yield view
    view.leave()


@pytest.fixture
async def folder(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace, and a model that is given tools."""
    folder = tmp_path_factory.mktemp("workspace")
    (folder / "notes.txt").write_text("one\ntwo\n")
    await desk.application.change(
        endpoints=[HERE.model_dump(mode="json")], model="here/m", workspace=str(folder), write_titles=False
    )
    return folder


async def asked(model: ChatViewModel, view: ChatView) -> AskCard:
    """The card of the first question, once it is there."""
    await until(lambda: bool(cards(view)))
    return cards(view)[0]


def cards(view: ChatView) -> list[AskCard]:
    """Those that wait; one that was answered goes when the loop runs."""
    return [card for card in view.transcript.findChildren(AskCard) if card.isEnabled() and card.isVisible()]


def rows(model: ChatViewModel) -> list[ToolItem]:
    return [item for _, item in shown(model) if isinstance(item, ToolItem)]


def shown(model: ChatViewModel) -> list[tuple[ItemId, object]]:
    return [(item, model.items.content(item)) for item in model.items.ids()]


def edit(text: str = "three") -> tuple[str, dict[str, JsonValue]]:
    return "file_write", {"path": "made.txt", "text": f"{text}\n"}


async def ended(model: ChatViewModel) -> None:
    await until(lambda: not model.session.is_running and not model.state.is_busy and model.state.live is None)


def press_answer(view: ChatView, n: int) -> None:
    view.questions.answer(n)


def click(button: QPushButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def button(card: AskCard, name: str) -> QPushButton:
    return next(each for each in card.findChildren(QPushButton) if each.accessibleName() == name)


# ---- rows


async def test_a_call_is_a_row_that_says_how_it_ended(desk: Desk, view: ChatView, folder: Path) -> None:
    """U13: the failed one is marked; a row opens to what was called and what came back."""
    desk.gateway.say(
        calling(("file_read", {"paths": ["notes.txt"]}), ("no_such_tool", {})), answer("Two lines.")
    )
    model = await desk.chat()
    view.show_chat(model)

    model.send("What stands in the notes?")
    await until(lambda: len(model.state.path) == 5)
    await ended(model)

    assert [row.state for row in rows(model)] == ["done", "failed"]
    assert "two" in rows(model)[0].body


async def test_while_a_command_runs_its_row_shows_the_end_of_what_it_writes(
    desk: Desk, view: ChatView, folder: Path
) -> None:
    """U13: lines as they come; the row stays one line until it is opened."""
    command = "echo first; while [ ! -e go ]; do sleep 0.02; done; echo last"
    desk.gateway.say(calling(("shell", {"command": command})), answer("Done."))
    model = await desk.chat()
    view.show_chat(model)

    model.send("Run it")
    click(button(await asked(model, view), "Allow once"))
    await until(lambda: rows(model)[0].body == "first")
    under_way = rows(model)[0]
    (folder / "go").touch()
    await ended(model)

    assert under_way.state == "running"
    assert under_way.figures
    assert rows(model)[0].state == "done"
    assert "last" in rows(model)[0].body


# ---- approvals


async def test_a_write_is_shown_as_a_diff_and_done_once_allowed(
    desk: Desk, view: ChatView, folder: Path
) -> None:
    """A12: the card names what, shows the whole diff, and every control has a name."""
    desk.gateway.say(calling(edit()), answer("Written."))
    model = await desk.chat()
    view.show_chat(model)

    model.send("Write it")
    card = await asked(model, view)
    state = rows(model)[0].state
    phase = model.state.live and model.state.live.phase
    detail = card.findChildren(QPlainTextEdit)[0].toPlainText()
    names = unnamed(card)
    is_there_before = (folder / "made.txt").exists()
    click(button(card, "Allow once"))
    await ended(model)

    assert (state, phase) == ("asking", Phase.ASKING)
    assert "+three" in detail
    assert "made.txt" in card.accessibleName()
    assert names == []
    assert not is_there_before
    assert (folder / "made.txt").read_text() == "three\n"
    assert cards(view) == []


@pytest.mark.parametrize(("n", "fields"), [(1, ()), (2, ("allowed_here",)), (3, ("allowed_always",))])
async def test_by_keyboard_it_is_allowed_once_or_from_now_on(
    desk: Desk, view: ChatView, folder: Path, n: int, fields: tuple[str, ...]
) -> None:
    """A12: once, for this chat, always."""
    desk.gateway.say(calling(edit()), answer("Written."))
    model = await desk.chat()
    view.show_chat(model)

    model.send("Write it")
    await asked(model, view)
    press_answer(view, n)
    await ended(model)

    settings = await desk.application.settings_of(model.id)
    kept = [name for name in ("allowed_here", "allowed_always") if getattr(settings, name)]
    assert kept == list(fields)
    assert (folder / "made.txt").exists()


async def test_a_refusal_takes_its_reason_to_the_model(desk: Desk, view: ChatView, folder: Path) -> None:
    """A12."""
    desk.gateway.say(calling(edit()), answer("I see."))
    model = await desk.chat()
    view.show_chat(model)

    model.send("Write it")
    card = await asked(model, view)
    QTest.keyClicks(card.text, "not there")
    click(card.refusal)
    await ended(model)

    assert not (folder / "made.txt").exists()
    assert "not there" in rows(model)[0].body
    assert rows(model)[0].state == "failed"


async def test_the_card_has_the_keys_unless_one_is_typing_and_enter_allows_nothing(
    desk: Desk, view: ChatView, folder: Path
) -> None:
    """A12: no key that was meant for the message answers a question."""
    model = await desk.chat()
    view.show_chat(model)
    view.composer.input.setFocus()
    desk.gateway.say(calling(edit()), answer("I see."), calling(edit("four")), answer("I see."))
    model.send("Write it")
    card = await asked(model, view)
    had_keys = QApplication.focusWidget() is card
    for key in (Key.Key_Return, Key.Key_Space):
        QTest.keyClick(card, key)
    waits = model.state.live is not None and model.state.live.phase is Phase.ASKING
    press_answer(view, 0)
    await ended(model)
    goes_back = QApplication.focusWidget() is view.composer.input

    QTest.keyClicks(view.composer.input, "Meanwhile")
    model.send("Again")
    await asked(model, view)
    stays = QApplication.focusWidget() is view.composer.input
    press_answer(view, 0)
    await ended(model)

    assert (had_keys, waits, goes_back, stays) == (True, True, True, True)


async def test_a_question_of_the_model_is_answered_by_choice_or_in_words(
    desk: Desk, view: ChatView, folder: Path
) -> None:
    """A10: `ask_user`."""
    choices: list[JsonValue] = ["main", "next"]
    first = calling(("ask_user", {"question": "Which branch?", "choices": choices}))
    second = calling(("ask_user", {"question": "And which name?"}))
    desk.gateway.say(first, answer("On next."), second, answer("On it."))
    model = await desk.chat()
    view.show_chat(model)

    model.send("Begin")
    await asked(model, view)
    press_answer(view, 2)
    await ended(model)
    model.send("Again")
    card = await asked(model, view)
    QTest.keyClicks(card.text, "a new one")
    QTest.keyClick(card.text, Key.Key_Return)
    await ended(model)

    assert [row.body.rsplit("\n", 1)[-1] for row in rows(model)] == ["next", "a new one"]


async def test_a_question_goes_with_its_chat_and_comes_back(desk: Desk, view: ChatView, folder: Path) -> None:
    desk.gateway.say(calling(edit()), answer("Written."))
    model, other = await desk.chat(), await desk.chat()
    view.show_chat(model)
    model.send("Write it")
    await asked(model, view)

    view.show_chat(other)
    n_elsewhere = len(cards(view))
    view.show_chat(model)
    press_answer(view, 1)
    await ended(model)

    assert n_elsewhere == 0
    assert (folder / "made.txt").exists()


async def test_who_looks_later_sees_what_a_turn_has_done_and_what_it_asks(
    desk: Desk, view: ChatView, folder: Path
) -> None:
    """U13: a chat that was read while its turn ran had lost the rounds before the present one."""
    desk.gateway.say(calling(("file_read", {"paths": ["notes.txt"]})), calling(edit()), answer("Written."))
    early = await desk.chat()
    view.show_chat(early)
    early.send("Write it")
    await asked(early, view)

    late = await desk.chat(early.id)
    view.show_chat(late)
    n_rows = len(rows(late))
    view.questions.answer(1)
    await ended(late)

    assert n_rows == 2
    assert late.state.path == early.state.path == tuple(late.session.conversation.path)


# ---- pauses, and turns that ended in the middle of their work


def notice(model: ChatViewModel) -> NoticeItem | None:
    last = model.items.content(model.items.ids()[-1])
    return last if isinstance(last, NoticeItem) else None


def act(view: ChatView, action: str) -> None:
    view.transcript.action_triggered.emit(FAILURE, action)


async def test_a_turn_that_asked_often_waits_and_goes_on_where_it_stands(
    desk: Desk, view: ChatView, folder: Path
) -> None:
    """A10: nothing is lost, nothing is done twice."""
    await desk.application.change(most_requests=1)
    desk.gateway.say(calling(("file_read", {"paths": ["notes.txt"]})), answer("Two lines."))
    model = await desk.chat()
    view.show_chat(model)

    model.send("Read it")
    await ended(model)
    told = notice(model)
    act(view, "go_on")
    await until(lambda: len(model.state.path) == 4)
    await ended(model)

    assert told
    assert [action.id for action in told.actions] == ["go_on"]
    assert [entry.origin for entry in model.state.path] == [
        Origin.USER,
        Origin.ASSISTANT,
        Origin.TOOL,
        Origin.ASSISTANT,
    ]
    assert notice(model) is None


async def test_try_again_after_a_failure_in_the_middle_keeps_what_was_done(
    desk: Desk, view: ChatView, folder: Path
) -> None:
    """A10: the file is not written a second time, and half an answer is not built upon."""
    error = ProviderError("Gone.")
    desk.gateway.say(
        calling(("file_read", {"paths": ["notes.txt"]})), (Accepted(), TextArrived(text="Half"), error)
    )
    model = await desk.chat()
    view.show_chat(model)
    model.send("Read it")
    await until(lambda: model.state.failure is not None)
    await ended(model)
    desk.gateway.say(answer("Whole."))

    act(view, "retry")
    await until(lambda: model.state.failure is None and model.state.path[-1].text == "Whole.")
    await ended(model)

    assert [entry.text for entry in model.state.path if entry.origin is Origin.ASSISTANT] == ["", "Whole."]
    assert len(rows(model)) == 1
    assert [entry.id for entry in model.state.path] == [entry.id for entry in model.session.conversation.path]


async def test_stop_while_a_tool_is_at_work_leaves_a_way_on(desk: Desk, view: ChatView, folder: Path) -> None:
    desk.gateway.say(calling(edit()))
    model = await desk.chat()
    view.show_chat(model)
    model.send("Write it")
    await asked(model, view)

    view.stop()
    await ended(model)
    told = notice(model)
    desk.gateway.say(answer("It was stopped."))
    act(view, "go_on")
    await until(lambda: model.state.path[-1].text == "It was stopped.")
    await ended(model)

    assert told
    assert [action.id for action in told.actions] == ["go_on"]
    assert len(rows(model)) == 1


# ---- the folder of a chat


async def test_a_chat_has_a_folder_of_its_own_and_a_new_one_has_none(
    desk: Desk, view: ChatView, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A13: chosen at its chip, given up there; the tools come and go with it."""
    folder = tmp_path_factory.mktemp("billing")
    model, other = await desk.chat(), await desk.chat()
    view.show_chat(model)
    before = view.header.folder.accessibleName()

    view.header.folder_chosen.emit(str(folder))
    await until(lambda: model.workplace.folder == str(folder))
    chosen = (view.header.folder.text(), (await desk.application.settings_of(other.id)).workspace)
    view.header.folder_chosen.emit("")
    await until(lambda: model.workplace.folder == "")

    assert before == "Choose a folder for this chat"
    assert folder.name[:5] in chosen[0]
    assert chosen[1] == ""
    assert view.header.folder.accessibleName() == before


# ---- taking back what a turn changed


async def test_what_a_turn_changed_of_files_is_taken_back_after_a_question_in_the_chat(
    desk: Desk, view: ChatView, folder: Path
) -> None:
    """A12: what it made goes, what it changed is as before, what somebody changed since is left alone."""
    await desk.application.change(access={"write": "allow"})
    read = calling(("file_read", {"paths": ["notes.txt", "other.txt"]}))
    (folder / "other.txt").write_text("as it was\n")
    desk.gateway.say(
        read,
        calling(
            edit(),
            ("file_write", {"path": "notes.txt", "text": "changed\n"}),
            ("file_write", {"path": "other.txt", "text": "changed\n"}),
        ),
        answer("Written."),
    )
    model = await desk.chat()
    view.show_chat(model)
    model.send("Write them")
    await until(lambda: model.state.path[-1:] != () and model.state.path[-1].text == "Written.", within_s=20)
    await ended(model)
    await until(lambda: bool(model.state.changed))
    (folder / "other.txt").write_text("by hand\n")
    last = model.state.path[-1].id
    offered = [action.id for action in model.items.content(last).footer.actions]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]  # an answer

    view.transcript.action_triggered.emit(last, "revert")
    asked_first = notice(model)
    view.transcript.action_triggered.emit(REVERT, "revert_now")
    await until(lambda: model.state.reverting is not None and model.state.reverting.done is not None)
    told = notice(model)
    view.transcript.action_triggered.emit(REVERT, "revert_not")

    assert "revert" in offered
    assert asked_first
    assert "3 file" in asked_first.title
    assert not (folder / "made.txt").exists()
    assert (folder / "notes.txt").read_text() == "one\ntwo\n"
    assert (folder / "other.txt").read_text() == "by hand\n"
    assert told
    assert [line.partition(":")[0] for line in told.text.splitlines()] == [
        "As before",
        "Removed, since the turn had made them",
        "Left alone, since they were changed again or are out of reach",
    ]
    assert notice(model) is None


async def test_the_task_board_is_counted_in_the_header_and_opens_live(
    desk: Desk, view: ChatView, folder: Path
) -> None:
    """A15: as the shown branch has it."""

    def board(**statuses: str) -> tuple[str, dict[str, JsonValue]]:
        return "task_board", {
            "tasks": [{"id": name, "title": f"Task {name}", "status": now} for name, now in statuses.items()]
        }

    desk.gateway.say(calling(board(a="open", b="open")), calling(board(a="done")), answer("On it."))
    model = await desk.chat()
    view.show_chat(model)
    was_shown = view.header.board.isVisible()

    model.send("Begin")
    await until(lambda: model.state.path[-1:] != () and model.state.path[-1].text == "On it.", within_s=20)
    await ended(model)
    QTest.mouseClick(view.header.board, Qt.MouseButton.LeftButton)
    popup = view.header.board.popup
    assert popup
    lines = [label.text() for label in popup.findChildren(QLabel) if label.text()]
    popup.close()

    assert not was_shown
    assert view.header.board.text() in ("1 of 2 tasks", "1 of 2 task(s)")
    assert lines == ["done", "Task a", "open", "Task b"]
