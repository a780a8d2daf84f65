"""Amounts of money as people read them."""

import pytest
from PySide6.QtCore import QLocale

from ui.kit.figures import money

ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)


@pytest.mark.parametrize(
    ("usd", "told"),
    [
        (0, "$0"),
        (0.0004, "<$0.001"),
        (-0.0004, ">−$0.001"),
        (0.021, "$0.021"),
        (-0.021, "−$0.021"),
        (0.9999, "$1.000"),
        (1.84, "$1.84"),
        (1234.5, "$1,234.50"),
    ],
)
def test_money_is_never_rounded_to_nothing(usd: float, told: str) -> None:
    assert money(usd, ENGLISH) == told
