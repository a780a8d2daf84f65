"""What the timeline of compressions says."""

from datetime import datetime

from PySide6.QtCore import QLocale, QObject

from app.context.facts import Trigger
from app.health.log import Made
from ui.health.panel.figures import Figures
from ui.kit.figures import money


class TimelineWords(QObject):
    """Sentences about a `Made`; asked anew after the language changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._figures = Figures(self)

    def title(self) -> str:
        return self.tr("Timeline")

    def empty(self) -> str:
        return self.tr("Each compression will stand here, with what it saved and a way back.")

    def line(self, made: Made, now: datetime, locale: QLocale) -> str:
        item, say = made.compaction, self._figures
        ago = say.ago(item.created_at, now)
        if made.is_put_back:
            return self.tr("Put back · {ago}").format(ago=ago) + self._undone(made)
        before, after = say.tokens(item.tokens_before, locale), say.tokens(item.tokens_after, locale)
        return f"{before} → {after} · {ago}{self._undone(made)}\n{self._trigger(item.trigger)}"

    def tip(self, made: Made, locale: QLocale) -> str:
        """What each step saved, how long it took, and what was paid."""
        item = made.compaction
        lines = [
            f"{step.step}: −{self._figures.tokens(step.tokens_saved, locale)}"
            for step in item.steps
            if step.tokens_saved > 0
        ]
        lines.append(self._figures.span(item.elapsed_ms, locale))
        if item.cost_usd:
            lines.append(money(item.cost_usd, locale))
        return "\n".join(lines)

    def _undone(self, made: Made) -> str:
        return " · " + self.tr("undone") if made.is_undone else ""

    def _trigger(self, trigger: str) -> str:
        return (
            {
                Trigger.SEND: self.tr("before a message"),
                Trigger.IDLE: self.tr("between messages"),
                Trigger.MANUAL: self.tr("you asked for it"),
                Trigger.EMERGENCY: self.tr("the window was nearly full"),
            }.get(Trigger(trigger), "")
            if trigger in set(Trigger)
            else ""
        )
