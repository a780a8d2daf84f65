"""Runs one view alone, with sample states: on the screen, or as pictures in a folder."""

import argparse
import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLocale, QSize
from PySide6.QtWidgets import QApplication, QWidget
from qasync import QEventLoop

from ui.kit.icons import Icons
from ui.kit.theme import Mode, Theme

SIZES = (QSize(1024, 700), QSize(1440, 900))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What a sample is built with."""

    theme: Theme
    icons: Icons


def showcase(samples: Mapping[str, Callable[[Stage], QWidget]], *, sizes: tuple[QSize, ...] = SIZES) -> None:
    """Show the first sample (or the one named on the command line), or with `--shot DIR` picture them all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sample", nargs="?", default=next(iter(samples)), choices=tuple(samples))
    parser.add_argument("--shot", type=Path, metavar="DIR")
    parser.add_argument("--theme", type=Mode, default=Mode.LIGHT, choices=tuple(Mode))
    parser.add_argument("--zoom", type=int, default=100)
    given = parser.parse_args()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme = Theme(app, given.theme, zoom_percent=given.zoom)
    stage = Stage(theme=theme, icons=Icons(theme))
    with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
        if given.shot is None:
            runner.run(_show(samples[given.sample], stage, app))
        else:
            given.shot.mkdir(parents=True, exist_ok=True)
            for name, build in samples.items():
                for size in sizes:
                    runner.run(
                        _picture(build, stage, size, given.shot / f"{name}-{given.theme}-{size.width()}.png")
                    )


async def _show(build: Callable[[Stage], QWidget], stage: Stage, app: QApplication) -> None:
    closed = asyncio.Event()
    app.setQuitOnLastWindowClosed(False)
    app.lastWindowClosed.connect(closed.set)
    view = build(stage)
    view.resize(SIZES[0])
    view.show()
    await closed.wait()


async def _picture(build: Callable[[Stage], QWidget], stage: Stage, size: QSize, path: Path) -> None:
    view = build(stage)
    view.resize(size)
    view.show()
    await asyncio.sleep(0.05)
    view.grab().save(str(path))
    view.close()
    view.deleteLater()
