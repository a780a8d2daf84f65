"""What a band of a context is called, what became of it, and how a screen reader says it."""

from PySide6.QtCore import QLocale, QObject

from app.context.budget import Category
from app.core.folds import FoldKind
from app.health.lens import Band
from ui.kit.figures import compact
from ui.kit.links import visible


class BandWords(QObject):
    """In the present language."""

    def kind(self, band: Band) -> str:
        """Without its own words."""
        if band.kind is Category.TOOLS:
            return self.tr("%n tool definition(s)", "", band.n_entries)
        if band.kind is Category.SYSTEM and band.entry_id is None:
            return self.tr("System prompt")
        if band.fate is FoldKind.SUMMARISED and band.kind is Category.NOTES:
            return self.tr("Summary of %n message(s)", "", band.n_entries)
        if band.kind is Category.NOTES and band.fate:
            return self.tr("%n message(s) in brief", "", band.n_entries)
        return {
            Category.YOU: self.tr("You"),
            Category.DRAFT: self.tr("You · now"),
            Category.ASSISTANT: self.tr("Assistant"),
            Category.TOOL_RESULTS: self.tr("Tool result"),
            Category.NOTES: self.tr("Note to the model"),
            Category.MEDIA: self.tr("Picture"),
            Category.SYSTEM: self.tr("System text"),
        }.get(band.kind, "")

    def name(self, band: Band) -> str:
        """In one line."""
        label = visible(band.label)
        is_named = bool(label) and not (band.kind is Category.NOTES and band.fate)
        if band.kind is Category.TOOL_RESULTS and is_named:
            return label
        return f"{self.kind(band)} · {label}" if is_named else self.kind(band)

    def fate(self, fate: FoldKind) -> str:
        return {
            FoldKind.SHORTENED: self.tr("shortened"),
            FoldKind.FILTERED: self.tr("filtered"),
            FoldKind.VAULTED: self.tr("vaulted"),
            FoldKind.MERGED: self.tr("merged"),
            FoldKind.SUMMARISED: self.tr("summarised"),
            FoldKind.REMOVED: self.tr("in brief"),
            FoldKind.WHOLE: self.tr("whole"),
        }[fate]

    def told(self, band: Band, tokens: int, *, is_cached: bool) -> str:
        """Name, tokens and marks, as they are read aloud and stand in a tooltip."""
        marks = [self.tr("{n} tokens").format(n=compact(tokens, QLocale()))]
        if band.fate:
            marks.append(self.fate(band.fate))
        if is_cached:
            marks.append(self.tr("served from cache"))
        if band.is_pinned:
            marks.append(self.tr("pinned"))
        return " · ".join((self.name(band), *marks))
