"""What the panel's card of the prompt cache says: the popover's lines and what is behind them (U5)."""

from PySide6.QtCore import QLocale, QObject

from app.cache.warmth import Warmth
from app.health.cache import CacheCard
from app.models.families import CacheKind
from ui.health.cache_card import CacheState
from ui.health.cache_words import CacheWords, clock
from ui.health.panel.cards import Row
from ui.health.panel.figures import Figures


class CacheRows(QObject):
    """Sentences about a `CacheState`; asked anew after the language changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._figures, self._words = Figures(self), CacheWords(self)

    def title(self) -> str:
        return self.tr("Prompt cache")

    def empty(self) -> str:
        return self.tr("Nothing was asked yet. How much of each prompt came from the cache will stand here.")

    def rows(self, state: CacheState, locale: QLocale) -> tuple[Row, ...]:
        card, words = state.card, self._words
        first = Row(
            self.tr("State"),
            words.state(card, state.now),
            self.tr("Whether the provider likely still has the prompt, and for how many minutes"),
        )
        if card.warmth(state.now) is Warmth.NONE:
            return (first, *self._terms(card, locale))
        saved = words.amount(card.chat.saved, locale)
        broken = words.broke(card.last_break, locale) if card.last_break else self.tr("none")
        return (
            Row(
                self.tr("Hit rate"),
                words.rates(card, self._figures.share(card.hit_rate, locale)),
                self.tr(
                    "Input tokens read from the cache ÷ all input tokens of this chat; a model's first answer finds no cache"
                ),
            ),
            Row(
                self.tr("Saved here"),
                saved,
                self.tr("In this chat, against prompts without a cache; US dollars"),
            ),
            first,
            Row(
                self.tr("Next probe"),
                self._probe(state),
                self.tr("When the prompt is asked for once more so that it stays; minutes and seconds"),
            ),
            Row(
                self.tr("Last break"),
                broken,
                self.tr("Why less came from the cache than the request before had, and what that cost"),
            ),
            *self._more(card, locale),
            *self._terms(card, locale),
        )

    def _probe(self, state: CacheState) -> str:
        at = state.card.next_probe_at
        if at is None:
            has_met = state.card.has_met_limit
            return self.tr("none: today's limit is reached") if has_met else self.tr("none planned")
        return self.tr("in {time}").format(time=clock(max(0.0, (at - state.now).total_seconds())))

    def _more(self, card: CacheCard, locale: QLocale) -> tuple[Row, ...]:
        words, say, seen = self._words, self._figures, card.seen
        observed = self.tr("nothing reported")
        if seen:
            observed = self.tr("{cached} of {all} read from it").format(
                cached=say.tokens(seen.cached_tokens, locale), all=say.tokens(seen.prompt_tokens, locale)
            )
        return (
            Row(
                self.tr("Observed"),
                observed,
                self.tr("What the provider said of the last request, in tokens"),
            ),
            Row(
                self.tr("Calls"),
                locale.toString(card.n_calls),
                self.tr("Answers whose usage the provider reported"),
            ),
            Row(
                self.tr("Input · cached"),
                f"{say.tokens(card.input_tokens, locale)} · {say.tokens(card.cached_tokens, locale)}",
                self.tr("Tokens of all those requests, and those read from the cache"),
            ),
            Row(
                self.tr("Spent here"),
                words.amount(card.chat.spent, locale),
                self.tr("On requests of every kind in this chat; US dollars"),
            ),
            Row(
                self.tr("Keep-alive cost"),
                words.amount(card.chat.probes, locale),
                self.tr("Of it on probes; US dollars"),
            ),
            Row(
                self.tr("Today, all chats"),
                words.period(card.day, locale),
                self.tr("Saved by caches and spent since midnight; US dollars"),
            ),
        )

    def _terms(self, card: CacheCard, locale: QLocale) -> tuple[Row, ...]:
        source = self.tr("your setting") if card.is_own_mode else self.tr("as delivered")
        return (
            Row(self.tr("Strategy"), self._kind(card.kind), self.tr("How this provider keeps prompts")),
            Row(self.tr("Family"), card.family or "–", self.tr("Whose rules of caching hold for the model")),
            Row(
                self.tr("Kept for"),
                self.tr("{n} min").format(n=card.ttl_s // 60) if card.ttl_s else "–",
                self.tr("Minutes from its last use until the provider forgets a prompt"),
            ),
            Row(
                self.tr("Least length"),
                self._figures.tokens(card.minimum_tokens, locale),
                self.tr("Tokens below which a prompt is never kept"),
            ),
            Row(
                self.tr("Policy"),
                f"{self._mode(card.mode)} · {source}",
                self.tr("When prompts are kept warm, and whose choice that is"),
            ),
        )

    def _kind(self, kind: CacheKind) -> str:
        return {
            CacheKind.NONE: self.tr("none"),
            CacheKind.AUTOMATIC: self.tr("by itself"),
            CacheKind.MARKERS: self.tr("at marks we set"),
        }[kind]

    def _mode(self, mode: str) -> str:
        return {"off": self.tr("off"), "smart": self.tr("while it pays"), "always": self.tr("always")}.get(
            mode, "–"
        )
