"""What the card of the prompt cache says."""

from datetime import datetime
from math import ceil
from typing import assert_never

from PySide6.QtCore import QLocale, QObject

from app.cache.warmth import Warmth
from app.core.records import BreakCause
from app.health.cache import Amount, CacheCard, Period, ToldBreak
from ui.kit.figures import money, percent

_LONG_S = 90
_NAMES_CHARS = 30


class CacheWords(QObject):
    """Sentences about a `CacheCard`; asked anew after the language changed."""

    def rows(self, card: CacheCard, now: datetime, locale: QLocale) -> tuple[tuple[str, str], ...]:
        """Names and values, from above, a value in one line or two; nothing where nothing is known yet."""
        found = [(self.tr("State"), self.state(card, now))]
        if card.warmth(now) is Warmth.NONE:
            return tuple(found)
        if card.next_probe_at:
            left_s = max(0.0, (card.next_probe_at - now).total_seconds())
            found.append((self.tr("Next probe"), self.tr("in {time}").format(time=clock(left_s))))
        elif card.has_met_limit:
            found.append((self.tr("Next probe"), self.tr("none: today's limit is reached")))
        if card.hit_rate is not None:
            found.append((self.tr("Hit rate"), self.rates(card, f"{percent(card.hit_rate)} %")))
        if card.n_calls:
            found += self._sums(card, locale)
        if card.last_break:
            found.append((self.tr("Last break"), self.broke(card.last_break, locale)))
        return tuple(found)

    def state(self, card: CacheCard, now: datetime) -> str:
        warmth = card.warmth(now)
        match warmth:
            case Warmth.NONE:
                return self.tr("this model offers no cache")
            case Warmth.UNKNOWN:
                return self.tr("unknown")
            case Warmth.SMALL if card.held.tokens < card.minimum_tokens:
                return self.tr("not kept: below the model's minimum")
            case Warmth.SMALL:
                return self.tr("not kept by the provider")
            case Warmth.WARM:
                return self.tr("likely warm · {time}").format(time=clock(card.left_s(now)))
            case Warmth.COLD:
                return self.tr("expired")
            case _:
                assert_never(warmth)

    def rates(self, card: CacheCard, hit_rate: str) -> str:
        """The hit rate, and, where only first answers make it low, what it is without them."""
        if card.excused_rate is None:
            return hit_rate
        later = percent(card.excused_rate)
        return self.tr("{rate} · {later} % without first answers").format(rate=hit_rate, later=later)

    def amount(self, amount: Amount, locale: QLocale) -> str:
        if amount.is_unknown:
            return self.tr("unknown")
        told = money(amount.usd, locale)
        return self.tr("{sum}, in part unknown").format(sum=told) if amount.n_unpriced else told

    def broke(self, told: ToldBreak, locale: QLocale) -> str:
        found = told.found
        price = self.tr("price unknown") if found.cost_usd is None else money(found.cost_usd, locale)
        turn = self.tr("turn {n}").format(n=told.turn)
        return f"{self._cause(told)}, {turn}\n{price}"

    def _sums(self, card: CacheCard, locale: QLocale) -> list[tuple[str, str]]:
        periods = (
            (self.tr("Last turn"), card.turn),
            (self.tr("This chat"), card.chat),
            (self.tr("Today, all chats"), card.day),
        )
        return [(name, self.period(period, locale)) for name, period in periods]

    def period(self, period: Period, locale: QLocale) -> str:
        told = self.tr("saved {saved} · spent {spent}").format(
            saved=self.amount(period.saved, locale), spent=self.amount(period.spent, locale)
        )
        if period.probes.n_priced or period.probes.n_unpriced:
            probes = self.amount(period.probes, locale)
            told += "\n" + self.tr("probes {cost}").format(cost=probes)
        return told

    def _cause(self, told: ToldBreak) -> str:
        found = told.found
        message, names = {"n": found.message}, found.detail
        if len(names) > _NAMES_CHARS:
            names = names[:_NAMES_CHARS] + "…"
        words = {
            BreakCause.MODEL: self.tr("model switched"),
            BreakCause.PROVIDER: self.tr("provider switched"),
            BreakCause.SYSTEM: self.tr("the system text changed"),
            BreakCause.TOOLS: self.tr("tools changed: {names}").format(names=names),
            BreakCause.SCHEMA: self.tr("a tool is described otherwise: {names}").format(names=names),
            BreakCause.COMPACTION: self.tr("a compression changed message {n}").format(**message),
            BreakCause.UNDO: self.tr("an undo changed message {n}").format(**message),
            BreakCause.EDIT: self.tr("message {n} was edited").format(**message),
            BreakCause.SETTING: self.tr("the reasoning effort changed"),
            BreakCause.EXPIRED: self.tr("expired after {time}").format(time=self._span(found.idle_s)),
            BreakCause.SMALL: self.tr("below the model's minimum"),
            BreakCause.THEIRS: self.tr("the provider no longer had it"),
        }
        return words[found.cause]

    def _span(self, seconds: float) -> str:
        if seconds < _LONG_S:
            return self.tr("{n} s").format(n=round(seconds))
        return self.tr("{n} min").format(n=round(seconds / 60))


def clock(seconds: float) -> str:
    """2:18"""
    minutes, rest = divmod(ceil(seconds), 60)
    return f"{minutes}:{rest:02}"
