"""U14, U20: prompts are kept, changed and removed in the settings."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.settings import Prompt
from tests.fakes import until
from tests.ui.settings.conftest import Opener


async def test_a_prompt_is_added_changed_and_removed_and_comes_back(opened: Opener) -> None:
    shown = await opened("prompts")
    page = shown.view.prompts
    form = page.form

    page.add_button.click()
    QTest.keyClicks(form.name, "/re view")
    form.save_button.click()
    refused = form.problem.text()
    form.name.setText("/评审")
    form.words.set_text("Review {{file}}.")
    form.save_button.click()
    await until(lambda: shown.app.settings.prompts == (Prompt(name="评审", text="Review {{file}}."),))
    edit, remove = page.cards[0].findChildren(QPushButton)
    edit.click()
    form.words.set_text("Look at {{file}}.")
    form.save_button.click()
    await until(lambda: shown.app.settings.prompts == (Prompt(name="评审", text="Look at {{file}}."),))
    _, remove = page.cards[0].findChildren(QPushButton)
    remove.click()
    await until(lambda: shown.app.settings.prompts == ())
    page.undo_button.click()
    await until(lambda: len(shown.app.settings.prompts) == 1)

    assert refused
