"""Every sentence of the Lens but the names of bands."""

from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale, QObject

from app.chats.folding import PUT_BACK
from app.chats.lensing import LensItem, Text, Why
from app.context.facts import Trigger
from app.core.records import Compaction
from ui.kit.figures import compact, percent, window_share
from ui.kit.steps import StepWords
from ui.lens.state import LensState


class LensWords(QObject):
    """In the present language and locale."""

    def request(self, state: LensState) -> str:
        return self.tr("Request {n} of {of}").format(n=state.n, of=state.of) if state.of else ""

    def about(self, state: LensState) -> str:
        """When, by whom, and how much of it was served from the cache."""
        if state.error or not state.look:
            return state.error
        look, locale = state.look, QLocale()
        tokens = self.tr("{n} tokens").format(n=compact(look.total_tokens, locale))
        if look.is_next:
            found = [self.tr("exactly what the model will see on the next turn"), f"≈ {tokens}"]
        else:
            record = look.moment.record
            assert record
            when = locale.toString(_local(record.created_at), QLocale.FormatType.ShortFormat)
            turn = self.tr("turn {n}").format(n=look.moment.turn)
            found = [turn, when, record.model.partition("/")[2], tokens]
        if look.cached_tokens and look.total_tokens:
            share = percent(min(1.0, look.cached_tokens / look.total_tokens))
            cached = (
                self.tr("{percent} % likely served from cache")
                if look.is_next
                else self.tr("{percent} % served from cache")
            )
            found.append(cached.format(percent=share))
        return " · ".join(found)

    def size(self, text: Text, *, is_original: bool) -> str:
        """What a pane shows, and how much it is."""
        what = self.tr("The original") if is_original else self.tr("What the model sees")
        tokens = self.tr("{n} tokens").format(n=compact(text.tokens, QLocale()))
        lines = self.tr("%n line(s)", "", text.n_lines) if text.n_lines > 1 else ""
        cut = self.tr("its beginning is shown") if text.is_cut else ""
        return " · ".join(filter(None, (what, tokens, lines, cut)))

    def put_back(self, tokens: int) -> str:
        return self.tr("Put back (+{n})").format(n=compact(tokens, QLocale()))

    def why(self, item: LensItem | None, window_tokens: int) -> tuple[str, ...]:
        """A line each."""
        if item is None:
            return ()
        if item.why is None:
            return (self.tr("It is shown as it was said."),) if item.first else ()
        return tuple(
            filter(None, (self._when(item.why, window_tokens), self._step(item.why), self._read(item.why)))
        )

    def _when(self, why: Why, window_tokens: int) -> str:
        found = [self.tr("Turn {n}").format(n=why.turn)] if why.turn else []
        if why.compaction is None:
            found.append(self.tr("before it was first sent"))
        else:
            found.append(self._trigger(why.compaction))
            if window_tokens:
                share = window_share(why.compaction.tokens_before / window_tokens)
                found.append(self.tr("at {percent} % of the window").format(percent=share))
        text = " · ".join(found)
        return text[:1].upper() + text[1:]

    def _trigger(self, made: Compaction) -> str:
        return {
            Trigger.SEND: self.tr("room was made before a request"),
            Trigger.IDLE: self.tr("room was made between turns"),
            Trigger.MANUAL: self.tr("you asked for room"),
            Trigger.EMERGENCY: self.tr("the window was nearly full"),
            PUT_BACK: self.tr("you put it back"),
        }.get(made.trigger, made.trigger)

    def _step(self, why: Why) -> str:
        told = self.tr("Step: {step}").format(step=StepWords().name(why.step))
        made = why.compaction
        report = next((step for step in made.steps if step.step == why.step), None) if made else None
        if report is None:
            return told
        counts = self.tr("{n} of {of} candidates folded").format(n=report.folded, of=report.candidates)
        return f"{told} · {counts}"

    def _read(self, why: Why) -> str:
        return (
            self.tr("Read again %n time(s) since", "", why.n_read)
            if why.n_read
            else self.tr("Not read again since")
        )


def _local(moment: datetime) -> QDateTime:
    return QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
