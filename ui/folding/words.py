"""Every sentence of the preview of a compression."""

from PySide6.QtCore import QLocale, QObject

from app.chats.fates import Fate
from app.chats.previewing import Preview
from app.context.budget import Category
from app.context.fact_check import Checked, Receipt
from app.context.spared import Spared
from app.core.folds import FoldKind
from ui.folding.state import PreviewState, Work, Worth, pays_back
from ui.kit.figures import compact, money
from ui.kit.links import visible
from ui.kit.steps import StepWords

_MOST_NAMES = 4
_NAME_CHARS = 36
_FACT_CHARS = 160


class PreviewWords(QObject):
    """In the present language and locale."""

    def title(self, chat: str) -> str:
        return self.tr("Compress “{chat}”").format(chat=chat) if chat else self.tr("Compress this chat")

    def status(self, state: PreviewState) -> str:
        """What is under way, or what must be known before anybody decides; empty: nothing."""
        if state.work is not Work.NONE:
            doing = self.tr("Looking") if state.work is Work.PLANNING else self.tr("Writing the summary")
            step = f"{doing}: {StepWords().name(state.step)}" if state.step else doing
            told = self.tr("{what}, {s} s").format(what=step, s=state.elapsed_s)
            return told if state.elapsed_s else f"{step} …"
        if state.error or state.preview is None:
            return state.error
        return self._verdict(state.preview, state.worth)

    def _verdict(self, preview: Preview, worth: Worth) -> str:
        locale = QLocale()
        before, freed = preview.tokens_before, preview.tokens_before - preview.tokens_after
        if worth is Worth.NOTHING:
            text = self.tr("Nothing can be folded that would make these {n} tokens fewer.")
            return text.format(n=compact(before, locale))
        if worth is Worth.LITTLE:
            text = self.tr("Only {n} of {before} tokens would be freed ({percent} %).")
            share = locale.toString(100 * freed / before, "f", 1)
            return text.format(n=compact(freed, locale), before=compact(before, locale), percent=share)
        return ""

    def tokens(self, n: int, *, is_about: bool = False) -> str:
        return ("≈ " if is_about else "") + compact(n, QLocale())

    # -- what happens

    def fate(self, row: Fate) -> tuple[str, str]:
        """What happens, and what stays."""
        if row.of is Category.REASONING:
            return self.tr("Old reasoning left out"), self.tr("its address stays")
        if row.of is Category.MEDIA:
            return self.tr("Pictures further back left out"), self.tr("name and address stay")
        return {
            FoldKind.SHORTENED: (self.tr("Long texts shortened"), self.tr("the lines that say most stay")),
            FoldKind.FILTERED: (self.tr("Tool results filtered"), self.tr("errors, head and tail stay")),
            FoldKind.VAULTED: (
                self.tr("Results moved to the vault"),
                self.tr("a line with the address stays"),
            ),
            FoldKind.MERGED: (self.tr("Repeated texts merged"), self.tr("the newest copy stays")),
            FoldKind.SUMMARISED: (
                self.tr("Oldest messages summarised"),
                self.tr("a summary in fourteen fields"),
            ),
            FoldKind.REMOVED: (
                self.tr("Finished work told in brief"),
                self.tr("a few lines and the address stay"),
            ),
            FoldKind.WHOLE: (self.tr("Shown whole"), self.tr("as it was said")),
        }[row.kind]

    # -- what is spared

    def spared(self, spared: Spared, preview: Preview) -> tuple[str, ...]:
        """A line each."""
        head = [self.tr("Your first message")] if spared.first else []
        if spared.pinned:
            head.append(self.tr("%n pinned message(s)", "", len(spared.pinned)))
        lines = [" · ".join(head)] if head else []
        if spared.tail:
            lines.append(self._tail(spared, preview))
        if spared.own:
            lines.append(self.tr("%n other recent message(s) of yours", "", len(spared.own)))
        if spared.named:
            lines.append(self.tr("Last to go: {names}").format(names=_few(spared.named)))
        if spared.failed:
            lines.append(self.tr("Last to go: failed calls of {names}").format(names=_few(spared.failed)))
        return tuple(lines)

    def _tail(self, spared: Spared, preview: Preview) -> str:
        told = self.tr("The last %n message(s)", "", len(spared.tail))
        window = preview.standing.fill.window.tokens
        if not window:
            return told
        share = 100 * spared.tail_tokens * preview.standing.fill.projection.scale / window
        part = self.tr("{percent} % of the window").format(percent=QLocale().toString(share, "f", 0))
        return self.tr("{what} ({part})").format(what=told, part=part)

    # -- is it worth it

    def costs(self, preview: Preview) -> tuple[tuple[str, str], ...]:
        """Names and values; in money where prices are known, else in tokens of input."""
        found, locale = preview.rewriting, QLocale()
        cost = self._signed(-found.cost_tokens, found.cost_usd, locale)
        saved = self._signed(found.saved_tokens, found.saved_usd, locale)
        turns = pays_back(preview)
        if turns is None:
            back = self.tr("never")
        else:
            back = self.tr("after %n turn(s)", "", turns) if turns else self.tr("at once")
        return (
            (self.tr("Rewriting the cache"), cost),
            (self.tr("Saved per turn"), saved),
            (self.tr("Pays back"), back),
        )

    def _signed(self, gain_tokens: float, usd: float | None, locale: QLocale) -> str:
        """What is won or lost, in money where that is known."""
        amount = money(abs(usd), locale) if usd is not None else ""
        amount = amount or self.tr("{n} tokens").format(n=compact(round(abs(gain_tokens)), locale))
        is_nothing = not usd if usd is not None else not round(gain_tokens)
        return amount if is_nothing else f"{'+' if gain_tokens > 0 else '−'} {amount}"

    def facts(self, receipt: Receipt, *, is_bound: bool) -> str:
        """Args: `is_bound`: a model's summary may hold more."""
        text = self.tr("≥ {n} of {of}") if is_bound else self.tr("{n} of {of}")
        return text.format(n=receipt.n_reachable, of=receipt.total)

    def fact(self, checked: Checked) -> tuple[str, str]:
        """What was looked for, and where it can be had."""
        if checked.is_direct:
            where = self.tr("in the context")
        else:
            where = checked.address or self.tr("in the transcript only")
        return visible(" ".join(checked.probe.text.split())[:_FACT_CHARS]), where


def _few(names: tuple[str, ...]) -> str:
    shown = [
        name if len(name) <= _NAME_CHARS else "…" + name[1 - _NAME_CHARS :] for name in names[:_MOST_NAMES]
    ]
    more = f" + {len(names) - _MOST_NAMES}" if len(names) > _MOST_NAMES else ""
    return visible(", ".join(shown)) + more
