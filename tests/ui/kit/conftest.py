"""A theme and its icons for tests of the kit, and the fault cases by id."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from ui.kit.icons import Icons
from ui.kit.theme import Mode, Theme

CASES = Path(__file__).resolve().parents[2] / "data" / "cases.json"


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    theme = Theme(qapp, Mode.LIGHT)
    yield theme
    qapp.setStyleSheet("")
    theme.deleteLater()


@pytest.fixture
def icons(theme: Theme) -> Icons:
    return Icons(theme)


@pytest.fixture(scope="session")
def cases() -> dict[str, Any]:
    rows: list[dict[str, Any]] = json.loads(CASES.read_text(encoding="utf-8"))
    return {row["id"]: row for row in rows}
