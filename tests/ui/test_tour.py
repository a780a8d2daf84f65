"""The guided tour: a picture per stop, drawn by the real program in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.providers.errors import SENTENCES
from ui.shell import languages
from ui.tour import CARDS_A_PICTURE, STOPS, main

ROOT = Path(__file__).resolve().parents[2]


def take(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "ui.tour", str(folder), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return (folder / "tour.md").read_text(encoding="utf-8")


def test_the_names_of_stops_are_files_each_of_its_own() -> None:
    names = [stop.name for stop in STOPS]

    assert len(set(names)) == len(names)
    assert all(name.replace("-", "").isalnum() for name in names)


def test_a_stop_goes_on_from_one_before_it() -> None:
    names = [stop.name for stop in STOPS]

    assert [
        stop.name for stop in STOPS if stop.needs and stop.needs not in names[: names.index(stop.name)]
    ] == []


def test_every_code_of_a_failure_has_its_card_in_a_picture() -> None:
    n_pictures = sum(stop.name.startswith("errors-") for stop in STOPS)

    assert n_pictures * CARDS_A_PICTURE >= len(SENTENCES)


def test_from_the_first_start_to_an_answer_in_chinese(tmp_path: Path) -> None:
    """Q1: without a display, the tour stands for the window."""
    (tmp_path / "tour.md").write_text("![old](07-old.png)", encoding="utf-8")
    (tmp_path / "07-old.png").touch()
    names = ("first-run", "empty-chat", "streaming", "answered")

    told = take(
        tmp_path, "--theme", "dark", "--language", "zh_CN", "--size", "1024x700",
        *(part for name in names for part in ("--only", name)),
    )  # fmt: skip

    pictures = sorted(path.name for path in tmp_path.glob("*.png"))
    assert pictures == ["01-first-run.png", "02-empty-chat.png", "03-streaming.png", "04-answered.png"]
    image = QImage(str(tmp_path / pictures[-1]))
    assert (image.width(), image.height()) == (1024, 700)
    assert image.pixelColor(600, 350).lightness() < 60
    assert "Not reached" not in told
    assert all(f"]({name})" in told for name in pictures)


def test_a_language_that_is_not_compiled_is_refused_with_the_way_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pictures that are all English tell nobody that Chinese was asked for."""
    monkeypatch.setattr(languages, "TRANSLATIONS", tmp_path)

    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / "tour"), "--language", "zh_CN"])

    assert ended.value.code == 2
    assert "make setup" in capsys.readouterr().err
    assert not (tmp_path / "tour").exists()
