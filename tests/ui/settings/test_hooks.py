"""The page of hooks (U20, A16): a command is shown before it may run, tried with an example, and told how it ended."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.agent.hooks import EXAMPLES, tried
from app.settings import Hook
from tests.ui.settings.conftest import Opener, Shown, settled
from tests.ui.widgets import unnamed
from ui.settings.hooks.state import EVENTS, HookForm, problem_in, with_form
from ui.settings.samples import HOOKS


async def with_hooks(opened: Opener) -> Shown:
    shown = await opened("hooks")
    await shown.app.change(hooks=[hook.model_dump(mode="json") for hook in HOOKS])
    await settled()
    return shown


async def test_a_hook_is_added_by_keyboard_and_stays_off(opened: Opener) -> None:
    """A16: off by default; what is missing is said at the form."""
    shown = await opened("hooks")
    page = shown.view.hooks

    QTest.keyClick(page.add_button, Qt.Key.Key_Space)
    QTest.keyClick(page.form.timeout, Qt.Key.Key_Return)
    refused = page.form.problem.text()
    QTest.keyClicks(page.form.command, "make lint")
    page.form.event_.chosen.emit("after_answer")
    page.form.timeout.setText("601")
    page.form.save_button.click()
    too_long = page.form.problem.text()
    page.form.timeout.setText("30")
    QTest.keyClick(page.form.timeout, Qt.Key.Key_Return)
    await settled()

    assert (refused, too_long) == ("It needs a command.", "More than 0 seconds, at most 600.")
    assert shown.app.settings.hooks == (Hook(event="after_answer", command="make lint", timeout_s=30),)
    assert not shown.app.settings.hooks[0].enabled
    assert not page.form.isVisible()
    assert unnamed(page) == []


async def test_a_command_is_shown_and_agreed_to_before_it_is_turned_on(opened: Opener) -> None:
    """A16: the switch alone turns nothing on; off it goes at once."""
    shown = await with_hooks(opened)
    card = shown.view.hooks.cards[1]

    QTest.keyClick(card.switch, Qt.Key.Key_Space)
    await settled()
    asked = (card.warning.isVisibleTo(card), card.command.text(), shown.app.settings.hooks[1].enabled)
    QTest.keyClick(card.allow_button, Qt.Key.Key_Space)
    await settled()
    is_on = shown.app.settings.hooks[1].enabled
    QTest.keyClick(shown.view.hooks.cards[1].switch, Qt.Key.Key_Space)
    await settled()

    assert asked == (True, "python3 ~/hooks/no_pushes.py", False)
    assert is_on
    assert not shown.app.settings.hooks[1].enabled


async def test_another_command_has_to_be_turned_on_anew_and_another_patience_does_not(opened: Opener) -> None:
    """A16: what was agreed to is what runs."""
    shown = await with_hooks(opened)
    page = shown.view.hooks

    page.cards[0].edit_button.click()
    page.form.timeout.setText("20")
    page.form.save_button.click()
    await settled()
    with_patience = shown.app.settings.hooks[0]
    page.cards[0].edit_button.click()
    page.form.command.set_text("rm -rf ~")
    page.form.save_button.click()
    await settled()

    assert (with_patience.timeout_s, with_patience.enabled) == (20, True)
    assert (shown.app.settings.hooks[0].command, shown.app.settings.hooks[0].enabled) == ("rm -rf ~", False)


async def test_a_hook_is_tried_and_removed_after_a_question(opened: Opener) -> None:
    shown = await with_hooks(opened)
    card = shown.view.hooks.cards[0]

    QTest.keyClick(card.try_button, Qt.Key.Key_Space)
    await settled()
    told, said = card.outcome.text(), card.said.text()
    card.remove_button.click()
    asked = card.no_button.isVisibleTo(card)
    card.yes_button.click()
    await settled()

    assert told.startswith("Tried: it ended well after")
    assert said == "As it was told."
    assert asked
    assert shown.app.settings.hooks == HOOKS[1:]


@pytest.mark.parametrize("event", EVENTS)
async def test_a_hook_that_is_tried_is_told_an_example_of_its_event(event: str, tmp_path: Path) -> None:
    """A16: whether it is on or not."""
    hook = Hook.model_validate({"event": event, "command": "cat", "timeout_s": 20})

    done = await tried(hook, cwd=tmp_path)

    assert done.code == 0
    assert f'"event": "{event}"' in done.text
    assert set(EXAMPLES) == set(EVENTS)


@pytest.mark.parametrize("timeout_s", ["", "0", "-1", "nan", "ten", "600.5"])
def test_a_patience_that_is_none_is_refused(timeout_s: str) -> None:
    assert problem_in(HookForm(command="true", timeout_s=timeout_s)) == "timeout"


def test_a_form_without_a_problem_is_a_hook() -> None:
    form = HookForm(index=1, event="before_tool", command=" true ", timeout_s="0.5")

    assert with_form(HOOKS, form)[1] == Hook(event="before_tool", command="true", timeout_s=0.5)
