"""What the ring says: its tooltip, its name for a screen reader, and the names of what fills the window."""

from PySide6.QtCore import QLocale, QObject

from app.models.window import WindowSource
from ui.health.state import Health, RingState
from ui.kit.bands import CategoryWords, in_order
from ui.kit.figures import compact, thousands, window_share

N_TOOLTIP_CATEGORIES = 4


class HealthWords(QObject):
    """Sentences about a `RingState`; asked anew after the language changed."""

    def headline(self, state: RingState, locale: QLocale) -> str:
        if state.use is None or state.window_tokens is None:
            return self.tr("window unknown · set…")
        return self.tr("{percent} % · {used} / {window}").format(
            percent=window_share(state.use),
            used=compact(state.used_tokens, locale),
            window=compact(state.window_tokens, locale),
        )

    def turns_left(self, state: RingState) -> str:
        return "" if state.turns_left is None else self.tr("≈ %n turn(s) left", "", state.turns_left)

    def last_request(self, state: RingState, locale: QLocale) -> str:
        """Exactly as the provider reported it: never rounded, no ≈; empty: it has reported nothing."""
        if state.last_tokens is None:
            return ""
        return self.tr("Last request: {n}").format(n=locale.toString(state.last_tokens))

    def growth(self, state: RingState, locale: QLocale) -> str:
        """How many turns there is room for, and what one adds."""
        if state.turns_left is None:
            return ""
        left = self.turns_left(state)
        added = self.tr("+{n} / turn").format(n=compact(state.growth_tokens, locale))
        return f"{left} · {added}"

    def fork_tip(self) -> str:
        return self.tr("Go on in a new chat with a summary, your constraints and the newest messages")

    def source(self, source: WindowSource) -> str:
        return {
            WindowSource.YOU: self.tr("you set it"),
            WindowSource.SERVER: self.tr("the server says so"),
            WindowSource.REGISTRY: self.tr("model registry"),
            WindowSource.LEARNED: self.tr("learned from an error"),
            WindowSource.UNKNOWN: self.tr("unknown"),
        }[source]

    def tooltip(self, state: RingState, locale: QLocale) -> str:
        largest = sorted(in_order(state.composition), key=lambda item: -item[1])[:N_TOOLTIP_CATEGORIES]
        lines = [
            self.headline(state, locale),
            *(f"{CategoryWords().name(name)}  {compact(tokens, locale)}" for name, tokens in largest),
            self.turns_left(state),
            self.last_request(state, locale),
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
                percent=window_share(state.use),
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
