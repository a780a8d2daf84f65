"""Tools at work in the whole window: what waits for the person is found and answered by its keys."""

from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.app.agent.opening import HERE
from tests.app.agent.test_toolbox import calling
from tests.fakes import answer
from tests.ui.chat.conftest import Gateway
from tests.ui.e2e.conftest import Person, Program
from tests.ui.e2e.test_chat import started
from ui.chat.ask_card import AskCard
from ui.sidebar.state import ChatRow


def test_a_chat_that_waits_says_so_where_another_is_shown(
    program: Program, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A12: in the list, and with a word that leads there."""
    gateway, folder = Gateway(), tmp_path_factory.mktemp("workspace")
    gateway.say(
        calling(("ask_user", {"question": "Which?", "choices": ["this", "that"]})), answer("That, then.")
    )

    async def work(person: Person) -> None:
        await started(person)
        place = HERE.model_dump(mode="json")
        application = person.workbench.application
        await application.change(endpoints=[place], model="here/m", workspace=str(folder))
        person.write("Begin")
        gate = person.model
        person.enter()
        await person.until(lambda: gate.session.is_running)
        person.command("new_chat")
        await person.until(lambda: gate.state.is_waiting and person.chat.model is not gate)
        rows = person.workbench.sidebar_model.state.rows
        person.click("Open")
        await person.until(lambda: person.chat.model is gate)
        person.command("answer_2")
        await person.until(lambda: not gate.session.is_running)

        assert [row.id for row in rows if isinstance(row, ChatRow) and row.is_waiting] == [gate.id]
        assert person.said[-1] == "That, then."

    program(work, gateway)


def keys(person: Person, shortcut: str) -> None:
    """Press a shortcut where the keyboard is, as a person does."""
    QTest.keySequence(QApplication.focusWidget() or person.workbench.window, QKeySequence(shortcut))


async def at_work(person: Person, folder: Path) -> None:
    """A chat with a folder, and a model that is given tools."""
    await started(person)
    place = HERE.model_dump(mode="json")
    await person.workbench.application.change(
        endpoints=[place], model="here/m", workspace=str(folder), write_titles=False
    )
    window = person.workbench.window
    window.activateWindow()
    await person.until(window.isActiveWindow)
    person.chat.composer.input.setFocus()


@pytest.mark.parametrize(("n", "kept"), [(1, ""), (2, "allowed_here"), (3, "allowed_always"), (0, None)])
def test_a_question_is_answered_by_its_keys_while_the_keyboard_is_in_the_message(
    program: Program, tmp_path_factory: pytest.TempPathFactory, n: int, kept: str | None
) -> None:
    """A12: Alt with 1, 2, 3 allows once, in this chat, always; Alt with 0 refuses; Ctrl+J goes to it."""
    gateway, folder = Gateway(), tmp_path_factory.mktemp("workspace")
    gateway.say(calling(("file_write", {"path": "made.txt", "text": "x\n"})), answer("I see."))

    async def work(person: Person) -> None:
        await at_work(person, folder)
        person.write("Write it")
        person.enter()
        person.write("typed meanwhile")  # so that the keys stay here
        await person.until(lambda: person.model.state.is_waiting and person.model.session.is_running)
        model, card = person.model, person.chat.transcript
        await person.until(lambda: card.findChildren(AskCard))
        was_typing = person.chat.composer.input.hasFocus()
        keys(person, "Ctrl+J")
        has_keys = card.findChildren(AskCard)[0].hasFocus()
        person.chat.composer.input.setFocus()

        keys(person, f"Alt+{n}")
        await person.until(lambda: not model.session.is_running)

        settings = await person.workbench.application.settings_of(model.id)
        assert (was_typing, has_keys) == (True, True)
        assert (folder / "made.txt").exists() is (n > 0)
        found = [name for name in ("allowed_here", "allowed_always") if getattr(settings, name)]
        assert found == ([kept] if kept else [])
        assert person.chat.composer.input.text() == "typed meanwhile"

    program(work, gateway)


def test_into_the_chat_of_a_sub_agent_and_back_by_keyboard(
    program: Program, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """U13: it can be read, is not what the next start shows, and Alt+Left leads back."""
    gateway, folder = Gateway(), tmp_path_factory.mktemp("workspace")
    gateway.say(calling(("delegate", {"task": "Count"})), answer("Done: one."), answer("It is one."))

    async def work(person: Person) -> None:
        await at_work(person, folder)
        await person.ask("Have it counted")
        await person.until(lambda: not person.model.session.is_running and person.model.state.agents)
        parent = person.model
        child = parent.state.agents[0].stored.chat_id
        person.chat.transcript.flush()
        person.chat.transcript.setFocus()
        while person.chat.transcript.accessibleDescription() != "Open: Count":
            keys(person, "Tab")
        keys(person, "Return")
        await person.until(lambda: (model := person.chat.model) and model.id == child)
        shown = (person.said[-1], person.chat.composer.isVisible())
        keys(person, "Alt+Left")
        await person.until(lambda: person.chat.model is parent)

        assert shown == ("Done: one.", False)
        assert person.workbench.application.settings.last_chat == parent.id
        assert person.chat.composer.isVisible()

    program(work, gateway)
