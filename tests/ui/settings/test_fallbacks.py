"""The list of models that are asked when one fails (A6): edited by mouse and keyboard, saved at once."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.core.ids import ModelId
from app.settings import Settings
from tests.ui.settings.conftest import Opener, Shown, settled
from tests.ui.widgets import unnamed
from ui.settings.models.fallbacks import FallbackList
from ui.settings.models.state import ModelsState, fallbacks, moved

MINI, QWEN, LLAMA = "openai/gpt-4.1-mini", "ollama/qwen3:8b", "ollama/llama3.2:3b"


def listed(shown: Shown) -> tuple[str, ...]:
    return shown.app.settings.fallback_models


def rows(shown: Shown) -> list[str]:
    found = editor(shown).list
    return [found.item(row).text() for row in range(found.count())]


def editor(shown: Shown) -> FallbackList:
    return shown.view.models.fallbacks


async def add(shown: Shown, *models: str) -> None:
    for model in models:
        shown.models.models.select(ModelId(model))
        editor(shown).add_button.click()
        await settled()


async def test_models_are_added_moved_and_removed_by_mouse_and_each_step_is_saved(opened: Opener) -> None:
    shown = await opened("models")
    assert editor(shown).none.isVisible()
    assert not editor(shown).add_button.isEnabled()  # nothing is chosen yet

    await add(shown, MINI, QWEN, LLAMA)
    added = rows(shown)
    editor(shown).list.setCurrentRow(2)
    editor(shown).up_button.click()
    await settled()
    up = listed(shown)
    editor(shown).up_button.click()  # the one that was moved is still the current one
    await settled()
    first = listed(shown)
    editor(shown).down_button.click()
    await settled()
    editor(shown).remove_button.click()
    await settled()

    assert added == ["1.  gpt-4.1-mini · OpenAI", "2.  qwen3:8b · Ollama", "3.  llama3.2:3b · Ollama"]
    assert (up, first) == ((MINI, LLAMA, QWEN), (LLAMA, MINI, QWEN))
    assert listed(shown) == (MINI, QWEN)
    assert editor(shown).list.currentRow() == 1


async def test_the_keyboard_does_the_same(opened: Opener) -> None:
    shown = await opened("models")
    await add(shown, MINI, QWEN)
    keys = editor(shown).list
    keys.setFocus()
    keys.setCurrentRow(1)

    QTest.keyClick(keys, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    await settled()
    up = listed(shown)
    QTest.keyClick(keys, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    await settled()
    down = listed(shown)
    QTest.keyClick(keys, Qt.Key.Key_Delete)
    await settled()

    assert (up, down, listed(shown)) == ((QWEN, MINI), (MINI, QWEN), (MINI,))
    assert keys.hasFocus()


async def test_a_change_can_be_undone(opened: Opener) -> None:
    shown = await opened("models")
    await add(shown, MINI, QWEN)

    shown.view.models.fallbacks_row.undo_button.click()
    await settled()

    assert listed(shown) == (MINI,)


async def test_a_model_twice_and_the_default_itself_are_refused_with_a_sentence(opened: Opener) -> None:
    shown = await opened("models")
    await shown.app.change(model=LLAMA)
    await add(shown, MINI)
    problem = shown.view.models.fallbacks_row.problem

    await add(shown, MINI)
    twice = problem.text()
    shown.view.models.table.selectRow(0)
    gone = problem.text()
    await add(shown, LLAMA)

    assert twice == "This model is in the list already."
    assert gone == ""
    assert problem.text() == "This is the default model: it is asked first anyway."
    assert listed(shown) == (MINI,)


async def test_a_model_that_is_not_set_up_any_more_is_shown_as_such_and_can_be_removed(
    opened: Opener,
) -> None:
    shown = await opened("models")
    await add(shown, MINI, QWEN)

    await shown.app.endpoints.remove("ollama")
    await settled()
    told = rows(shown)
    editor(shown).list.setCurrentRow(1)
    editor(shown).remove_button.click()
    await settled()

    assert told == ["1.  gpt-4.1-mini · OpenAI", "2.  ollama/qwen3:8b · not set up any more"]
    assert listed(shown) == (MINI,)


async def test_a_model_that_became_the_default_is_shown_as_such(opened: Opener) -> None:
    shown = await opened("models")
    await add(shown, MINI)

    await shown.app.change(model=MINI)
    await settled()

    assert rows(shown) == ["1.  gpt-4.1-mini · OpenAI · the default model, asked first"]


async def test_everything_in_it_can_be_heard(opened: Opener) -> None:
    shown = await opened("models")
    await add(shown, MINI)

    assert unnamed(shown.view) == []
    assert editor(shown).list.accessibleName() == "Models that are asked when one fails, in this order"


def test_nothing_is_called_gone_before_the_offers_are_known() -> None:
    (shown,) = fallbacks(ModelsState(), Settings(fallback_models=(MINI,)))

    assert not shown.is_gone


@given(st.lists(st.sampled_from("abcdef"), unique=True), st.integers(-1, 7), st.integers(-7, 7))
def test_moving_loses_no_model_and_comes_back(names: list[str], at: int, by: int) -> None:
    models = tuple(names)

    there = moved(models, at, by)

    assert sorted(there) == sorted(models)
    assert there == models or there[at + by] == models[at]
    assert there == models or moved(there, at + by, -by) == models
