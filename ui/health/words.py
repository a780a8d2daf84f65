"""What the ring says: its tooltip, its name for a screen reader, and the names of what fills the window."""

from PySide6.QtCore import QLocale, QObject

from ui.health.state import Health, RingState
from ui.kit.bands import CategoryWords, in_order
from ui.kit.figures import compact, percent, thousands

N_TOOLTIP_CATEGORIES = 4


class HealthWords(QObject):
    """Sentences about a `RingState`; asked anew after the language changed."""

    def headline(self, state: RingState, locale: QLocale) -> str:
        if state.use is None or state.window_tokens is None:
            return self.tr("window unknown · set…")
        return self.tr("{percent} % · {used} / {window}").format(
            percent=percent(state.use),
            used=compact(state.used_tokens, locale),
            window=compact(state.window_tokens, locale),
        )

    def turns_left(self, state: RingState) -> str:
        return "" if state.turns_left is None else self.tr("≈ %n turn(s) left", "", state.turns_left)

    def tooltip(self, state: RingState, locale: QLocale) -> str:
        largest = sorted(in_order(state.composition), key=lambda item: -item[1])[:N_TOOLTIP_CATEGORIES]
        lines = [
            self.headline(state, locale),
            *(f"{CategoryWords().name(name)}  {compact(tokens, locale)}" for name, tokens in largest),
            self.turns_left(state),
            self.tr("Estimated") if state.is_estimate else "",
        ]
        return "\n".join(line for line in lines if line)

    def accessible_name(self, state: RingState, locale: QLocale) -> str:
        if state.use is None or state.window_tokens is None:
            name = self.tr("Context {used} thousand tokens, window unknown").format(
                used=thousands(state.used_tokens, locale)
            )
        else:
            name = self.tr("Context {percent} percent, {used} of {window} thousand tokens").format(
                percent=percent(state.use),
                used=thousands(state.used_tokens, locale),
                window=thousands(state.window_tokens, locale),
            )
        return self.tr("{name}, estimated").format(name=name) if state.is_estimate else name

    def health(self, health: Health) -> str:
        return {
            "inactive": self.tr("inactive"),
            "healthy": self.tr("healthy"),
            "warning": self.tr("warning"),
            "critical": self.tr("critical"),
        }[health]
