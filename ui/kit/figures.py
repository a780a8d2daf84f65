"""Tokens and money as people read them: short, and with the decimal sign of their locale."""

from math import floor

from PySide6.QtCore import QLocale


def compact(n: int, locale: QLocale) -> str:
    """`n` as 999, 1.2K, 152.1K, 200K (exactly), 1.2M."""
    if n < 1000:
        return locale.toString(n)
    unit, size = ("K", 1000) if n < 999_950 else ("M", 1_000_000)
    return locale.toString(n / size, "f", 0 if n % size == 0 else 1) + unit


def percent(use: float) -> int:
    """`use` in whole percents, rounded down, so that the figure never shows a threshold that isn't reached."""
    return floor(use * 100 + 1e-9)


def window_share(use: float) -> str:
    """`use` of a window in percents: 76; >999 where a window is so small that the figure says nothing more."""
    return str(percent(use)) if use < _MOST_USE else f">{percent(_MOST_USE) - 1}"


def thousands(n: int, locale: QLocale) -> str:
    """`n` in thousands, to be read aloud: 84, 0.5."""
    return locale.toString(n / 1000, "f", 0 if n % 1000 == 0 or n >= 10_000 else 1)


def money(usd: float, locale: QLocale) -> str:
    """`usd` as $1.84, $0.021, <$0.001, −$0.02; never rounded to nothing."""
    size = abs(usd)
    if size < _LEAST_USD:
        return (
            "$" + locale.toString(0) if not usd else ("<" if usd > 0 else ">−") + _dollars(_LEAST_USD, locale)
        )
    return ("−" if usd < 0 else "") + _dollars(size, locale)


def _dollars(usd: float, locale: QLocale) -> str:
    return "$" + locale.toString(usd, "f", 2 if usd >= 1 else 3)


_LEAST_USD = 0.001
_MOST_USE = 10.0
