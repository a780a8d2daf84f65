"""What the card of compressions says, and under "more" how well the context is used (U5, A18)."""

from collections import Counter
from datetime import datetime

from PySide6.QtCore import QLocale, QObject

from app.context.budget import Growth
from app.core.records import AlertKind
from app.health.compaction import CompactionCard
from app.health.information import Information
from app.health.log import HealthFacts
from app.health.metrics import Metrics
from ui.health.panel.cards import Row
from ui.health.panel.figures import Figures
from ui.kit.figures import money


class CompactionWords(QObject):
    """Sentences about `HealthFacts`; asked anew after the language changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._figures = Figures(self)

    def title(self) -> str:
        return self.tr("Compaction")

    def empty(self) -> str:
        return self.tr("Nothing was compressed in this chat yet. What it saved and cost will stand here.")

    def rows(self, facts: HealthFacts, now: datetime, locale: QLocale) -> tuple[Row, ...]:
        card = facts.compaction
        made = self._made(card, now, locale) if card.n_runs or card.n_undone else ()
        return (
            *made,
            *self._growth(facts.growth, locale),
            *self._metrics(facts.metrics, facts.information, locale),
        )

    def _made(self, card: CompactionCard, now: datetime, locale: QLocale) -> tuple[Row, ...]:
        say, last = self._figures, card.last
        ago = say.ago(last.created_at, now) if last else self.tr("none stands")
        saved, net = say.tokens(card.saved_tokens, locale), say.tokens(card.net_saved_tokens, locale)
        receipt = card.receipt
        facts = self.tr("{n} of {total}, {direct} directly").format(
            n=receipt.n_reachable, total=receipt.total, direct=receipt.n_direct
        )
        return (
            Row(
                self.tr("Runs · last"),
                f"{card.n_runs} · {ago}",
                self.tr("Compressions that stand, and when the last one was made"),
            ),
            Row(
                self.tr("Saved (net)"),
                f"{saved} ({net})",
                self.tr("Tokens that requests have less since; net of what was read again or put back"),
            ),
            Row(
                self.tr("Efficiency"),
                say.share(card.efficiency, locale),
                self.tr("Saved tokens ÷ (saved + tokens left in their place)"),
            ),
            Row(
                self.tr("Read again"),
                f"{card.n_reads} · {say.share(card.read_again_share, locale)}",
                self.tr("Readings of what was folded; share of folded items that were read again"),
            ),
            Row(
                self.tr("Facts kept"),
                facts if receipt.total else self.tr("not checked"),
                self.tr("Exact values of the last checked compression: in the context or one reading away"),
            ),
            *self._more(card, locale),
        )

    def _more(self, card: CompactionCard, locale: QLocale) -> tuple[Row, ...]:
        say, last = self._figures, card.last
        cost = money(card.spent_usd, locale)
        if card.n_unpriced:
            cost = self.tr("{sum}, in part unknown").format(sum=cost)
        return (
            Row(
                self.tr("Dedup gain"),
                say.tokens(card.dedup_tokens, locale),
                self.tr("Tokens spared by showing once what stood twice"),
            ),
            Row(
                self.tr("Integrity guarded"),
                self.tr("%n call(s)", "", card.n_calls_kept),
                self.tr("Calls that were folded only together with all of their results"),
            ),
            Row(
                self.tr("Read or put back"),
                say.tokens(card.read_again_tokens + card.put_back_tokens, locale),
                self.tr("Tokens that came back into the context"),
            ),
            Row(
                self.tr("Duration, mean · last"),
                f"{say.span(card.mean_ms, locale)} · {say.span(last.elapsed_ms if last else 0, locale)}",
                self.tr("From the plan to the stored result"),
            ),
            Row(
                self.tr("Summaries stored"),
                locale.toString(card.n_summaries),
                self.tr("Compressions that wrote a summary; each can be read, edited and undone"),
            ),
            Row(self.tr("Writing cost"), cost, self.tr("Paid to models for summaries, in US dollars")),
            Row(
                self.tr("Undone"),
                locale.toString(card.n_undone),
                self.tr("Compressions that were taken back; they count for nothing above"),
            ),
        )

    def _growth(self, growth: Growth, locale: QLocale) -> tuple[Row, ...]:
        say = self._figures
        sign = "+" if growth.acceleration >= 0 else ""
        return (
            Row(
                self.tr("Growth per turn"),
                say.tokens(growth.tokens_per_turn, locale),
                self.tr("Tokens a turn adds, over the last five; a turn that was compressed doesn't count"),
            ),
            Row(
                self.tr("Its change"),
                sign + say.tokens(growth.acceleration, locale),
                self.tr("By how many tokens the growth changes from turn to turn"),
            ),
        )

    def _metrics(self, found: Metrics, worth: Information, locale: QLocale) -> tuple[Row, ...]:
        say = self._figures
        tokens = "–" if found.tokens_per_turn is None else say.tokens(found.tokens_per_turn, locale)
        speed = (
            "–" if found.output_tokens_per_min is None else say.tokens(found.output_tokens_per_min, locale)
        )
        refused = "–" if found.overflow_rate is None else locale.toString(found.overflow_rate, "f", 1)
        return (
            Row(
                self.tr("New information"),
                say.share(worth.effective, locale),
                self.tr(
                    "Tokens in lines that were not seen before and are no boilerplate ÷ all in the context; below 50 % is low"
                ),
            ),
            Row(
                self.tr("Repeated results"),
                say.share(worth.repeated, locale),
                self.tr("Tokens of tool results that an earlier one said already ÷ all of tool results"),
            ),
            Row(
                self.tr("Stale"),
                say.share(worth.stale, locale),
                self.tr(
                    "Tokens older than 20 turns, not pinned, no name of which was used since ÷ all in the context"
                ),
            ),
            Row(
                self.tr("Wait index"),
                say.times(found.slowness, locale),
                self.tr("Last wait for a first token ÷ what this chat lets expect; 2 and more is slow"),
            ),
            Row(
                self.tr("Overflows"),
                self.tr("{n} of 100").format(n=refused),
                self.tr("Requests that were refused for their length"),
            ),
            Row(
                self.tr("Tokens per task"),
                tokens,
                self.tr("Read and written for each finished turn; summaries, probes, sub-agents included"),
            ),
            Row(
                self.tr("Output per minute"),
                speed,
                self.tr("Tokens the provider wrote each minute of the last answer, from the first one on"),
            ),
            Row(
                self.tr("Alerts"),
                self._alerts(found) or self.tr("none"),
                self.tr("Surges of 10,000 tokens, thresholds, refusals, slow starts and loops in this chat"),
            ),
        )

    def _alerts(self, found: Metrics) -> str:
        n = Counter(alert.kind for alert in found.alerts)
        told = {
            AlertKind.SURGE: self.tr("%n surge(s)", "", n[AlertKind.SURGE]),
            AlertKind.SOFT: self.tr("%n time(s) at 70 %", "", n[AlertKind.SOFT]),
            AlertKind.HARD: self.tr("%n time(s) nearly full", "", n[AlertKind.HARD]),
            AlertKind.SLOW: self.tr("%n slow start(s)", "", n[AlertKind.SLOW]),
            AlertKind.LOOP: self.tr("%n loop(s)", "", n[AlertKind.LOOP]),
        }
        return " · ".join(text for kind, text in told.items() if n[kind])
