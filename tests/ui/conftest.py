"""What tests of the window share: one theme dresses them all."""

import pytest
from PySide6.QtWidgets import QApplication

from ui.kit.icons import Icons
from ui.kit.showcase import Stage
from ui.kit.theme import Mode, Theme


@pytest.fixture(scope="session")
def stage(qapp: QApplication) -> Stage:
    """One for all tests: each new theme dresses every widget that is alive."""
    theme = Theme(qapp, Mode.LIGHT)
    return Stage(theme=theme, icons=Icons(theme))
