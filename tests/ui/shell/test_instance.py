"""One window per data folder (U24)."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from ui.shell.instance import Instance, named

_scalar = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
_json = st.recursive(
    _scalar, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner)
)


def test_a_second_start_calls_the_first_one_and_ends(qtbot: QtBot, tmp_path: Path) -> None:
    first, second = Instance(tmp_path), Instance(tmp_path)
    assert first.begin()

    heard: list[list[str]] = []
    first.called.connect(heard.append)
    with qtbot.waitSignal(first.called):
        is_alone = second.begin(["/a/b c.json", "palimpsest://chat/c_1"])

    assert not is_alone
    assert heard == [["/a/b c.json", "palimpsest://chat/c_1"]]


@given(st.binary(max_size=40) | _json.map(json.dumps).map(str.encode))
def test_whatever_another_program_says_names_texts_or_nothing(said: bytes) -> None:
    assert all(isinstance(item, str) for item in named(said))


def test_the_lock_is_for_this_user_alone(qtbot: QtBot, tmp_path: Path) -> None:
    """Q22."""
    instance = Instance(tmp_path)
    assert instance.begin()

    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600]


def test_another_folder_has_its_own_window(qtbot: QtBot, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    first, second = Instance(here), Instance(there)

    assert (first.begin(), second.begin()) == (True, True)
