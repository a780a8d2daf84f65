"""What tests of the window share: one theme dresses them all."""

import pytest
from PySide6.QtWidgets import QApplication

from ui.kit.icons import Icons
from ui.kit.showcase import Stage
from ui.kit.theme import Mode, Theme


@pytest.fixture
def stage(qapp: QApplication) -> Stage:
    theme = Theme(qapp, Mode.LIGHT)
    return Stage(theme=theme, icons=Icons(theme))
