"""What tests of the window share: one theme dresses them all."""

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from tests.leftovers import delete_widgets
from ui.kit.icons import Icons
from ui.kit.showcase import Stage
from ui.kit.theme import Mode, Theme


@pytest.fixture(scope="session")
def stage(qapp: QApplication) -> Stage:
    """One for all tests: each new theme dresses every widget that is alive."""
    theme = Theme(qapp, Mode.LIGHT)
    return Stage(theme=theme, icons=Icons(theme))


@pytest.fixture(autouse=True)
def _collected_here() -> Iterator[None]:
    """As `ui.shell.collecting`: no thread of a test ends what Qt made."""
    gc.disable()
    yield
    delete_widgets()
    gc.collect(1)  # all that the test made: nothing was collected, so nothing has grown old
    gc.enable()
