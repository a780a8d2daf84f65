"""How a test of an endpoint went, in words and with its sign."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel

from app.core.errors import AppError
from ui.settings.providers.state import Check


class ProviderWords(QObject):
    """`say` tells an error in the person's language."""

    def __init__(self, say: Callable[[AppError], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.say = say

    def draw_check(self, shown: QLabel, check: Check | None) -> None:
        """Say `check` in `shown`, in the colour that belongs to it."""
        role, text = self.check(check)
        shown.setText(text)
        shown.setProperty("role", role)
        shown.style().unpolish(shown)  # a style sheet reads a property once
        shown.style().polish(shown)

    def check(self, check: Check | None) -> tuple[str, str]:
        """(role, sentence)."""
        if check is None:
            return "small", ""
        if check.report is None:
            return "small", self.tr("Testing…")
        if error := check.report.error:
            return "critical", f"✕ {self.say(error)}"
        models = self.tr("%n model(s)", "", len(check.report.models))
        return "healthy", self.tr("✓ works · {models} · {ms} ms").format(
            models=models, ms=check.report.latency_ms
        )
