"""What the card of pruning says (U5)."""

from PySide6.QtCore import QLocale, QObject

from app.health.pruning import BackOff, Deferral, PruningCard, Signal
from ui.health.panel.cards import Row
from ui.health.panel.figures import Figures


class PruningWords(QObject):
    """Sentences about a `PruningCard`; asked anew after the language changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._figures = Figures(self)

    def title(self) -> str:
        return self.tr("Pruning")

    def empty(self) -> str:
        return self.tr("Nothing was shortened yet. Long texts that leave the context will be counted here.")

    def rows(self, card: PruningCard, locale: QLocale) -> tuple[Row, ...]:
        say = self._figures
        artifacts = self.tr("%n artifact(s)", "", card.n_artifacts)
        return (
            Row(
                self.tr("Signal"),
                self.signal(card.signal),
                self.tr("The first thing there is to say of pruning"),
            ),
            Row(
                self.tr("In the vault"),
                f"{artifacts} · {say.size(card.n_bytes, locale)}",
                self.tr("Originals that requests name instead of saying them, and their size"),
            ),
            Row(
                self.tr("Return on pruning"),
                say.times(card.gain, locale),
                self.tr("Saved tokens ÷ (restored + rewritten at the price of writing to the cache)"),
            ),
            Row(
                self.tr("Saved (net)"),
                f"{say.tokens(card.saved_tokens, locale)} ({say.tokens(card.net_tokens, locale)})",
                self.tr("Tokens each request has less by what is left out; net of what was restored"),
            ),
            Row(
                self.tr("Back-off"),
                ", ".join(map(self.back_off, card.backs_off)) or self.tr("none"),
                self.tr("Why pruning by itself holds back"),
            ),
            *self._more(card, locale),
        )

    def _more(self, card: PruningCard, locale: QLocale) -> tuple[Row, ...]:
        say = self._figures
        asked = (card.n_asked, card.n_allowed, card.n_refused)
        return (
            Row(
                self.tr("Written · reused"),
                f"{card.n_written} · {card.n_reused}",
                self.tr("Long texts stored in the vault, and those that lay there already, byte for byte"),
            ),
            Row(
                self.tr("Shortened · replaced"),
                f"{card.n_shortened} · {card.n_vaulted}",
                self.tr("Texts that keep their telling lines, and those that an address stands for"),
            ),
            Row(
                self.tr("Failed"), str(card.n_failed), self.tr("Texts that the vault did not take; they stay")
            ),
            Row(
                self.tr("Deferred"),
                self._deferred(card) or "0",
                self.tr("Results that stay whole although room is wanted, by reason"),
            ),
            Row(
                self.tr("Restores"),
                self.tr("{asked} asked · {allowed} allowed · {refused} refused").format(
                    asked=asked[0], allowed=asked[1], refused=asked[2]
                ),
                self.tr("Calls of the model for an original"),
            ),
            Row(
                self.tr("Restored"),
                say.tokens(card.restored_tokens, locale),
                self.tr("Tokens that were read again or put back"),
            ),
            Row(
                self.tr("Restore cost"),
                say.share(card.restore_cost, locale),
                self.tr("Restored ÷ saved tokens; from 50 % on it did not pay"),
            ),
            Row(
                self.tr("Rewritten"),
                say.tokens(card.rewritten_tokens, locale),
                self.tr("Tokens the cache had held and that were read anew after a compression"),
            ),
            Row(
                self.tr("Re-fetch ratio"),
                say.share(card.read_share, locale),
                self.tr("Calls for originals ÷ texts that were shortened or replaced"),
            ),
        )

    def signal(self, signal: Signal) -> str:
        return {
            Signal.FAILED: self.tr("a text was not stored"),
            Signal.REFUSED: self.tr("a restore was refused"),
            Signal.BACK_OFF: self.tr("holding back"),
            Signal.COSTLY: self.tr("restores are costly"),
            Signal.COLD: self.tr("pruned while cold"),
            Signal.HOT: self.tr("held while hot"),
            Signal.DEFERRED: self.tr("some deferred"),
            Signal.SHORTENED: self.tr("some shortened"),
            Signal.WATCHING: self.tr("watching"),
            Signal.INACTIVE: self.tr("nothing to do"),
        }[signal]

    def back_off(self, reason: BackOff) -> str:
        return {
            BackOff.READ_AGAIN: self.tr("much was read again"),
            BackOff.SAVED_LITTLE: self.tr("the last two saved little"),
            BackOff.WRITER: self.tr("the writer failed lately"),
        }[reason]

    def _deferred(self, card: PruningCard) -> str:
        names = {
            Deferral.HOT: self.tr("{n} hot"),
            Deferral.FOCUS: self.tr("{n} in focus"),
            Deferral.TAIL: self.tr("{n} newest"),
            Deferral.PROTECTED: self.tr("{n} protected"),
            Deferral.FAILED: self.tr("{n} not stored"),
        }
        return " · ".join(
            text.format(n=n) for reason, text in names.items() if (n := card.deferred.get(reason, 0))
        )
