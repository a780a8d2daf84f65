"""Shortcuts are changed, given back, and never shared unseen (U23)."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QKeySequence

from tests.ui.settings.conftest import Opener, settled
from ui.settings.samples import BINDINGS
from ui.settings.shortcuts.state import conflicts, keys_of, with_keys

_KEYS = st.sampled_from(["Ctrl+K", "Ctrl+N", "Ctrl++", "Ctrl+=", "F7", "Ctrl+,", ""])
_STEPS = st.lists(st.tuples(st.sampled_from([each.id for each in BINDINGS]), _KEYS | st.none()), max_size=8)


@given(_STEPS)
def test_whatever_is_given_no_two_commands_share_a_key(steps: list[tuple[str, str | None]]) -> None:
    own: dict[str, str] = {}

    for name, keys in steps:
        own = with_keys(BINDINGS, own, name, keys)
        binding = next(each for each in BINDINGS if each.id == name)
        assert keys_of(binding, own) == (binding.keys if keys is None else keys)

    assert conflicts(BINDINGS, own) == {}


@given(_STEPS)
def test_giving_all_keys_back_leaves_nothing_of_ones_own(steps: list[tuple[str, str | None]]) -> None:
    own: dict[str, str] = {}
    for name, keys in steps:
        own = with_keys(BINDINGS, own, name, keys)

    for each in BINDINGS:
        own = with_keys(BINDINGS, own, each.id, None)

    assert own == {}


async def test_keys_of_another_command_are_told_and_taken_only_when_that_is_wanted(opened: Opener) -> None:
    shown = await opened("shortcuts")
    page = shown.view.shortcuts
    page.table.setCurrentCell(0, 0)

    page.keys.setKeySequence(QKeySequence("Ctrl+K"))
    await settled()
    assert page.warning.text() == "Ctrl+K belong to “Find anything”."
    assert shown.app.settings.shortcuts == {}
    page.take_button.click()
    await settled()

    assert shown.app.settings.shortcuts == {"new_chat": "Ctrl+K", "find": ""}
    assert [page.table.model().index(row, 1).data() for row in (0, 1)] == ["Ctrl+K", ""]
    page.field("shortcuts").undo_button.click()
    await settled()
    assert shown.app.settings.shortcuts == {}


async def test_keys_that_are_free_are_given_at_once_and_those_of_questions_stay(opened: Opener) -> None:
    shown = await opened("shortcuts")
    page = shown.view.shortcuts
    page.table.setCurrentCell(4, 0)

    page.keys.setKeySequence(QKeySequence("F7"))
    await settled()
    page.table.setCurrentCell(3, 0)

    assert shown.app.settings.shortcuts == {"fork": "F7"}
    assert not page.keys.isEnabled()
    assert page.reset_button.isEnabled()
