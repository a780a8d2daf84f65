"""Dialogs are awaited; other work runs on; yes is a verb."""

import asyncio

import pytest
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from ui.kit.dialogs import ConfirmDialog, confirmed, finished


async def settled() -> None:
    """Let tasks that are ready run."""
    for _ in range(3):
        await asyncio.sleep(0)


def question(window: QWidget) -> ConfirmDialog:
    (dialog,) = window.findChildren(ConfirmDialog)
    return dialog


def press(dialog: QDialog, text: str) -> None:
    next(button for button in dialog.findChildren(QPushButton) if button.text() == text).click()


@pytest.mark.parametrize(("pressed", "answer"), [("Delete", True), ("Cancel", False)])
async def test_a_question_waits_for_its_answer_while_others_run(
    qtbot: QtBot, pressed: str, answer: bool
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    ran: list[int] = []

    async with asyncio.TaskGroup() as group:
        asking = group.create_task(confirmed(window, title="Delete?", text="All of it.", verb="Delete"))
        await settled()
        ran.append(1)
        press(question(window), pressed)

    assert asking.result() is answer
    assert ran == [1]


async def test_cancelling_the_task_closes_the_dialog(qtbot: QtBot) -> None:
    dialog = QDialog()
    seen: list[bool] = []

    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(finished(dialog))
        await settled()
        seen.append(dialog.isVisible())
        waiting.cancel()
        await settled()
        seen.append(dialog.isVisible())

    assert seen == [True, False]


async def test_destroying_is_not_the_default(qtbot: QtBot) -> None:
    dialog = ConfirmDialog(None, title="Delete?", text="All.", verb="Delete for good", is_danger=True)
    qtbot.addWidget(dialog)

    defaults = [button.text() for button in dialog.findChildren(QPushButton) if button.isDefault()]

    assert defaults == ["Cancel"]


def test_a_chats_title_in_a_question_is_plain_text(qtbot: QtBot) -> None:
    """B67."""
    dialog = ConfirmDialog(None, title="Delete?", text="<img src=x><b>chat title</b>", verb="Delete")
    qtbot.addWidget(dialog)

    formats = {label.textFormat().name for label in dialog.findChildren(QLabel)}

    assert formats == {"PlainText"}
