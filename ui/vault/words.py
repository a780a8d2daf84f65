"""What the page of originals says, in the present language."""

from typing import assert_never

from PySide6.QtCore import QLocale, QObject

from app.core.artifacts import Artifact, Sight
from app.core.folds import FoldKind
from app.vault.json_index import Why
from app.vault.kinds import Kind
from ui.kit.figures import compact, percent
from ui.vault.state import Broken, VaultState, Viewed, total_bytes

ICONS = {
    Kind.TEXT: "file",
    Kind.LOG: "log",
    Kind.JSON: "braces",
    Kind.JSON_LINES: "braces",
    Kind.TABLE: "table",
    Kind.IMAGE: "image",
    Kind.BINARY: "file",
}


class VaultWords(QObject):
    """A `QObject` so that its sentences are found for translation."""

    def name(self, artifact: Artifact) -> str:
        return self.tr("History") if artifact.is_run else artifact.name

    def extent(self, n_bytes: int, n_lines: int) -> str:
        lines = self.tr("{n} lines").format(n=QLocale().toString(n_lines)) if n_lines else ""
        return " · ".join(filter(None, (QLocale().formattedDataSize(n_bytes), lines)))

    def sight(self, sight: Sight | None) -> str:
        """Whether the model sees it, in few words."""
        locale = QLocale()
        if sight is None:
            return self.tr("on another branch")
        if sight.fate is None:
            return self.tr("in the context")
        if sight.shown_tokens:
            shown = compact(sight.shown_tokens, locale), compact(sight.tokens, locale)
            return self.tr("{shown} of {whole} tokens in the context").format(shown=shown[0], whole=shown[1])
        if sight.fate is FoldKind.SUMMARISED:
            return self.tr("in a summary")
        return self.tr("not in the context")

    def row(self, artifact: Artifact) -> str:
        """All of a row, for who can't see it."""
        kept = self.tr("kept for ever") if artifact.is_kept else ""
        extent = self.extent(artifact.n_bytes, artifact.n_lines)
        return ", ".join(filter(None, (self.name(artifact), extent, self.sight(artifact.sight), kept)))

    def total(self, state: VaultState) -> str:
        listed = state.listed
        n = self.tr("%n original(s)", "", len(listed))
        size = total_bytes(listed)
        told = self.tr("{size} in the vault").format(size=QLocale().formattedDataSize(size)) if size else ""
        return " · ".join(filter(None, (n, told)))

    def empty(self, state: VaultState) -> str:
        if state.is_loading:
            return self.tr("Reading …")
        if state.artifacts:
            return self.tr("Nothing is called that.")
        return self.tr(
            "Long results, pastes, pictures and what a compression folds away will stand here, as they were."
        )

    def status(self, viewed: Viewed) -> str:
        """Below the text: how long it is, or how far it is read."""
        if viewed.lost:
            return viewed.lost
        if viewed.is_damaged:
            return self.tr("Damaged: this is not what was put here; its hash differs.")
        if viewed.broken:
            return self.broken(viewed.broken)
        found = [self.extent(viewed.n_bytes, viewed.n_lines)]
        if viewed.kind not in (Kind.IMAGE, Kind.BINARY) and viewed.read_share < 1:
            found.append(self.tr("{share}% read").format(share=percent(viewed.read_share)))
        if viewed.marks:
            n = sum(last - first + 1 for first, last in viewed.marks)
            found.append(self.tr("the model read %n line(s) again", "", n))
        return " · ".join(found)

    def broken(self, broken: Broken) -> str:
        line = QLocale().toString(broken.line)
        match broken.why:
            case Why.CUT:
                told = self.tr("No tree: the JSON ends too early, at line {line}.")
            case Why.UNEXPECTED:
                told = self.tr("No tree: at line {line} stands what JSON does not allow there.")
            case Why.TRAILING:
                told = self.tr("No tree: at line {line} something follows the end of the JSON.")
            case Why.DEEP:
                told = self.tr("No tree: at line {line} the JSON is nested too deep.")
            case _:
                assert_never(broken.why)
        return told.format(line=line)

    def found(self, viewed: Viewed) -> str:
        search = viewed.search
        if not search.wanted:
            return ""
        if not search.n_found:
            return self.tr("Searching …") if search.is_running else self.tr("Not found")
        locale = QLocale()
        of = locale.toString(search.n_found) + ("+" if search.is_cut or search.is_running else "")
        return self.tr("{n} of {of}").format(n=locale.toString(search.at), of=of)

    def put_back(self, sight: Sight | None) -> str:
        """Empty: it can't be, or needn't."""
        if sight is None or sight.fate is None or not sight.back_tokens:
            return ""
        return self.tr("Put back in context (+{n})").format(n=compact(sight.back_tokens, QLocale()))
