"""Amounts of money, and shares of a window, as people read them."""

import pytest
from PySide6.QtCore import QLocale

from ui.kit.figures import money, window_share

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


@pytest.mark.parametrize(
    ("use", "told"), [(0, "0"), (0.7499, "74"), (1.2, "120"), (9.999, "999"), (10, ">999"), (53.34, ">999")]
)
def test_a_window_that_is_far_too_small_is_told_as_such(use: float, told: str) -> None:
    """A model of 8K and a chat of 400K gave "5334%", which says nothing and fits no ring."""
    assert window_share(use) == told
