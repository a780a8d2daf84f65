"""A chat whose tools wait for the person, while they look at another one."""

import pytest

from tests.app.agent.opening import HERE
from tests.app.agent.test_toolbox import calling
from tests.fakes import answer
from tests.ui.chat.conftest import Gateway
from tests.ui.e2e.conftest import Person, Program
from tests.ui.e2e.test_chat import started
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
