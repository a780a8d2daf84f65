"""The models page (A2): window with its source, prices, abilities, and what the person knows better."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.core.ids import ModelId
from app.settings import ModelOverride
from tests.ui.settings.conftest import Opener, Shown, settled
from ui.settings.models.list_model import Column

QWEN = ModelId("ollama/qwen3:8b")


def cells(shown: Shown, row: int) -> list[str]:
    table = shown.view.models.table.model()
    return [str(table.index(row, column).data() or "") for column in Column]


def row_of(shown: Shown, name: str) -> int:
    table = shown.view.models.table.model()
    return next(row for row in range(table.rowCount()) if cells(shown, row)[0] == name)


async def test_a_model_is_shown_with_window_prices_per_million_and_abilities(opened: Opener) -> None:
    shown = await opened("models")

    row = cells(shown, row_of(shown, "gpt-4.1"))

    assert row[1] == "OpenAI"
    assert row[2].replace(",", "") == "1047576"
    assert row[3:] == ["2.00", "8.00", "0.50", "tools · images · cache"]


async def test_the_table_is_searched_by_words(opened: Opener) -> None:
    shown = await opened("models")

    shown.view.models.search_input.setText("open mini")

    assert shown.view.models.table.model().rowCount() == 1
    assert cells(shown, 0)[0] == "gpt-4.1-mini"


async def test_an_unknown_window_can_be_set_and_undone(opened: Opener) -> None:
    """C1: what the person says stands above all else."""
    shown = await opened("models")
    page = shown.view.models
    shown.view.show_window(QWEN)
    assert page.window_input.hasFocus()
    assert page.source.text() == "window unknown · set…"

    page.window_input.setText("32,768")
    QTest.keyClick(page.window_input, Qt.Key.Key_Return)
    await settled()
    source = page.source.text()
    overrides = dict(shown.app.settings.model_overrides)
    page.window_row.undo_button.click()
    await settled()

    assert overrides == {QWEN: ModelOverride(window_tokens=32_768)}
    assert source.endswith("tokens · you set it")
    assert shown.app.settings.model_overrides == {}
    assert page.source.text() == "window unknown · set…"


async def test_a_window_too_small_is_refused_at_its_field(opened: Opener) -> None:
    shown = await opened("models")
    page = shown.view.models
    shown.view.show_window(QWEN)

    page.window_input.setText("12")
    page.set_button.click()
    await settled()

    assert page.window_row.problem.text() == "At least 256."
    assert page.window_input.text() == "12"


async def test_enter_on_a_model_makes_it_the_default(opened: Opener) -> None:
    shown = await opened("models")
    page = shown.view.models
    page.table.setFocus()
    page.table.selectRow(row_of(shown, "gpt-4.1-mini"))

    QTest.keyClick(page.table, Qt.Key.Key_Return)
    await settled()

    assert shown.app.settings.model == "openai/gpt-4.1-mini"
    assert page.default.text() == "gpt-4.1-mini · OpenAI"


async def test_the_table_is_as_high_as_its_rows_and_names_have_room(opened: Opener) -> None:
    """Four models stood above an empty half of the page, their names cut off in a small window."""
    shown = await opened("models")
    table = shown.view.models.table
    last = table.visualRect(table.model().index(table.model().rowCount() - 1, 0))

    shown.view.models.search_input.setText("nobody")
    is_there = table.isVisible()
    shown.view.models.search_input.setText("")

    assert table.viewport().height() - last.bottom() <= 4
    assert table.columnWidth(Column.NAME) > table.fontMetrics().horizontalAdvance("gpt-4.1-mini") + 6
    assert not is_there
    assert table.isVisible()


async def test_without_providers_the_table_says_so(opened: Opener) -> None:
    shown = await opened("models", endpoints=())

    assert shown.view.models.status.text() == "No provider is set up."
