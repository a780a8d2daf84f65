"""One window per data folder (U24)."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from ui.shell.instance import Instance


def test_a_second_start_calls_the_first_one_and_ends(qtbot: QtBot, tmp_path: Path) -> None:
    first, second = Instance(tmp_path), Instance(tmp_path)
    assert first.begin()

    with qtbot.waitSignal(first.called):
        is_alone = second.begin()

    assert not is_alone


def test_another_folder_has_its_own_window(qtbot: QtBot, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    first, second = Instance(here), Instance(there)

    assert (first.begin(), second.begin()) == (True, True)
