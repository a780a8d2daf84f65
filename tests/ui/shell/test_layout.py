"""Which panes stand beside the conversation, and what is kept of it."""

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from ui.shell.layout import Panes, WindowLayout

_LAYOUTS = st.builds(
    WindowLayout,
    x=st.integers(-9000, 9000),
    y=st.integers(-9000, 9000),
    width=st.integers(0, 9000),
    height=st.integers(0, 9000),
    is_maximized=st.booleans(),
    sidebar_px=st.integers(200, 600),
    has_sidebar=st.booleans(),
    has_panel=st.booleans(),
)
_ANYTHING = st.one_of(st.none(), st.integers(), st.floats(), st.text(), st.lists(st.integers()))


@given(_LAYOUTS)
def test_a_layout_comes_back_as_it_was_stored(layout: WindowLayout) -> None:
    assert WindowLayout.from_stored(layout.to_stored()) == layout


@given(st.dictionaries(st.sampled_from([*WindowLayout().to_stored(), "other"]), _ANYTHING))
def test_whatever_was_stored_there_is_a_layout(stored: dict[str, JsonValue]) -> None:
    layout = WindowLayout.from_stored(stored)

    assert abs(layout.width) < 1 << 16
    assert isinstance(layout.has_sidebar, bool)


def test_a_narrow_window_hides_the_chats_and_a_wide_one_brings_them_back() -> None:
    """U1: narrow windows collapse them."""
    wide = Panes()

    assert wide.at(1200).has_sidebar
    assert not wide.at(899).has_sidebar
    assert wide.at(899).at(1200).has_sidebar


def test_chats_opened_in_a_narrow_window_stay_until_it_was_wide() -> None:
    narrow = Panes().at(800).toggle_sidebar()

    assert narrow.at(780).has_sidebar
    assert not narrow.at(1200).at(800).has_sidebar


def test_hiding_the_chats_is_kept_however_the_window_is_dragged() -> None:
    hidden = Panes().at(1200).toggle_sidebar()

    assert not hidden.at(800).at(1200).has_sidebar


def test_where_it_is_tight_the_panel_takes_the_chats_place_and_gives_it_back() -> None:
    """U5: beside both a page would be cut."""
    tight = Panes().at(1024)

    with_panel = tight.toggle_panel()

    assert (with_panel.has_sidebar, with_panel.has_panel) == (False, True)
    assert with_panel.toggle_panel() == tight
    assert with_panel.toggle_sidebar() == tight
    assert with_panel.at(1200) == Panes().at(1200)


@given(st.lists(st.one_of(st.integers(300, 2000), st.sampled_from(["sidebar", "panel"]))))
def test_a_width_seen_twice_changes_nothing(steps: list[int | str]) -> None:
    panes = Panes()
    for step in steps:
        match step:
            case int():
                panes = panes.at(step)
                assert panes.at(step) == panes
            case "sidebar":
                before = panes.has_sidebar
                panes = panes.toggle_sidebar()
                assert panes.has_sidebar is not before
            case _:
                before = panes.has_panel
                panes = panes.toggle_panel()
                assert panes.has_panel is not before
