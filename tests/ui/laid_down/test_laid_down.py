"""Summaries are read, written anew and taken back; lines of the ledger are added, changed and removed (U8, C38)."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.bootstrap.application import Application
from app.context.summary.fields import Summary
from app.settings import Paths
from tests.app.chats.test_artifacts import DATA, imported
from tests.fakes import until
from tests.ui.widgets import unnamed
from ui.kit.showcase import Stage
from ui.laid_down.state import FIELDS, from_texts, to_text
from ui.laid_down.view import LaidDownDialog, LedgerRow
from ui.laid_down.view_model import LaidDownViewModel

WORDS = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20)


def _summary(goal: str, done: list[str], pairs: list[tuple[str, str]]) -> Summary:
    decisions = [{"what": what, "why": why} for what, why in pairs]
    values = {"user_goal": goal, "completed_actions": done, "key_decisions": decisions}
    return Summary.model_validate(values)


PAIRS = st.lists(st.tuples(WORDS, WORDS | st.just("")), max_size=4)
SUMMARIES = st.builds(_summary, WORDS, st.lists(WORDS, max_size=4), PAIRS)


@given(SUMMARIES)
def test_what_is_edited_and_not_changed_is_the_same_summary(summary: Summary) -> None:
    assert from_texts({field: to_text(summary, field) for field in FIELDS}) == summary


@pytest.fixture
async def dialog(qtbot: QtBot, stage: Stage, tmp_path: Path) -> AsyncIterator[LaidDownDialog]:
    """Of a chat that was summed up."""
    application = await Application.open(Paths(data=tmp_path / "data"))
    await application.change(model="builtin/extractive")
    chat_id = await imported(application, DATA / "minisweagent-astropy__astropy-12907.json")
    await (await application.uses.folding(chat_id)).sum_up()
    errors: list[BaseException] = []
    model = LaidDownViewModel(
        (await application.session(chat_id)).conversation,
        await application.uses.summaries(chat_id),
        await application.uses.ledger(chat_id),
        errors.append,
    )
    application.watch(model.on_changes)
    dialog = LaidDownDialog(model, stage.theme, lambda error: error.message)
    qtbot.addWidget(dialog)
    await model.read()
    dialog.show()
    yield dialog
    await model.aclose()
    await application.aclose()
    assert errors == []


def shown(dialog: LaidDownDialog) -> str:
    (form,) = dialog.forms.values()
    return "\n".join(label.text() for label in form.findChildren(QLabel) if not label.isHidden())


def lines(dialog: LaidDownDialog) -> dict[str, LedgerRow]:
    return {row.text.text(): row for row in dialog.rows}


async def test_a_summary_is_read_as_words_and_written_anew_with_what_differs(dialog: LaidDownDialog) -> None:
    (form,) = dialog.forms.values()
    before = shown(dialog)
    assert "{" not in before.split("\n")[1]
    assert unnamed(dialog) == []

    form.edit.click()
    assert len(form.texts()) == 14
    form.set_text("user_goal", "Mend the separability matrix")
    form.save.click()
    await until(lambda: next(iter(dialog.forms.values())).versions.count() == 2)

    (form,) = dialog.forms.values()
    assert "Mend the separability matrix" in shown(dialog)
    assert "+ Mend the separability matrix" in shown(dialog)
    form.undo.click()
    await until(lambda: next(iter(dialog.forms.values())).version.written_at is None)
    assert "Mend the separability matrix" not in shown(dialog)


async def test_an_empty_summary_is_refused_in_words(dialog: LaidDownDialog) -> None:
    (form,) = dialog.forms.values()
    form.edit.click()
    for field in FIELDS:
        form.set_text(field, "")

    form.save.click()
    await until(lambda: not dialog.told.isHidden())

    assert dialog.told.text() == "A summary can't be empty."


async def test_lines_of_the_ledger_are_added_changed_and_removed_by_keys(dialog: LaidDownDialog) -> None:
    dialog.show_ledger()
    QTest.keyClicks(dialog.new_line, "Never push to main")
    QTest.keyClick(dialog.new_line, Qt.Key.Key_Return)
    await until(lambda: "Never push to main" in lines(dialog))

    field = lines(dialog)["Never push to main"].text
    field.setText("Never push to main or release")
    QTest.keyClick(field, Qt.Key.Key_Return)
    await until(lambda: _held(dialog) and lines(dialog)["Never push to main or release"].text is not field)
    lines(dialog)["Never push to main or release"].remove.click()
    await until(lambda: not _held(dialog))


def _held(dialog: LaidDownDialog) -> bool:
    row = lines(dialog).get("Never push to main or release")
    return row is not None and row.text.isEnabled()
