"""The page of tools and approvals (U20, A12): what is set there is set, by mouse and by keyboard."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.core.approvals import Access
from app.settings import Settings
from tests.ui.settings.conftest import Opener, Shown, settled
from tests.ui.widgets import unnamed
from ui.settings.tools_page import Lines


async def settings_after(shown: Shown, deed: Callable[[], object]) -> Settings:
    deed()
    await settled()
    return shown.app.settings


async def test_a_tool_is_switched_off_and_on_by_keyboard(opened: Opener) -> None:
    shown = await opened("tools")
    switch = shown.view.tools.switches["shell"]

    off = await settings_after(shown, lambda: QTest.keyClick(switch, Qt.Key.Key_Space))
    on = await settings_after(shown, lambda: QTest.keyClick(switch, Qt.Key.Key_Space))

    assert (off.tools_off, on.tools_off) == (("shell",), ())


async def test_each_kind_of_access_is_asked_allowed_or_refused_and_harm_is_never_allowed(
    opened: Opener,
) -> None:
    """A12."""
    shown = await opened("tools")
    choices = shown.view.tools.choices

    settings = await settings_after(shown, lambda: choices[Access.SHELL].chosen.emit("refuse"))

    assert settings.access == {"shell": "refuse"}
    assert choices[Access.DANGEROUS].values == ["ask", "refuse"]
    assert choices[Access.READ].currentText() == "Allow"


async def test_what_was_allowed_always_is_taken_back_and_comes_back_with_undo(opened: Opener) -> None:
    shown = await opened("tools")
    page = shown.view.tools
    await shown.app.change(allowed_always=["shell:git status", "write:/srv"])
    await settled()

    left = await settings_after(shown, lambda: page.rules.removed.emit("write:/srv"))
    back = await settings_after(shown, page.field("allowed_always").undo_button.click)

    assert left.allowed_always == ("shell:git status",)
    assert back.allowed_always == ("shell:git status", "write:/srv")


async def test_folders_are_added_once_and_removed(opened: Opener) -> None:
    """A13: inputs are read, outputs are written to with approval."""
    shown = await opened("tools")
    page = shown.view.tools

    await settings_after(shown, lambda: page.inputs.take("/projects/manuals"))
    twice = await settings_after(shown, lambda: page.inputs.take("/projects/manuals"))
    lines = page.inputs.findChildren(Lines)[0]
    gone = await settings_after(shown, lambda: lines.removed.emit("/projects/manuals"))

    assert (twice.input_folders, gone.input_folders) == (("/projects/manuals",), ())


async def test_a_number_of_requests_that_can_t_be_is_refused_in_words(opened: Opener) -> None:
    shown = await opened("tools")
    page = shown.view.tools

    page.requests.setText("often")
    settings = await settings_after(shown, lambda: page.requests.submitted.emit("often"))

    assert settings.most_requests == 100
    assert page.field("most_requests").problem.text() == "A whole number, please."


async def test_the_page_says_whether_commands_run_in_a_sandbox(opened: Opener) -> None:
    """A13: where there is none, that is said, and the switch does nothing."""
    shown = await opened("tools")
    page = shown.view.tools
    there = (page.network.isEnabled(), "run in a sandbox" in page.sandbox.text())

    page.show_sandbox(False)

    assert there == (True, True)
    assert not page.network.isEnabled()
    assert "no sandbox" in page.sandbox.text()


async def test_everything_on_the_page_has_a_name(opened: Opener) -> None:
    shown = await opened("tools")
    await shown.app.change(allowed_always=["shell:git status"], output_folders=["/projects/out"])
    await settled()

    assert unnamed(shown.view.tools) == []
