"""The keys of a command in the tooltip of the button that does the same; a person may have changed them."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

KeysOf = Callable[[str], str]
"""The first keys that a command has at present, as this system writes them, by its id; empty: none."""


def no_keys(_command: str) -> str:
    """`KeysOf` where nothing is commanded."""
    return ""


def keyed(tip: str, keys: str) -> str:
    """`tip` with the keys behind it, where there are any."""
    if not keys:
        return tip
    return QCoreApplication.translate("Keys", "{tip} ({keys})").format(tip=tip, keys=keys)
