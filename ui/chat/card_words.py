"""What the card of an original says, in the present language (U9)."""

from PySide6.QtCore import QLocale, QObject

from app.context.originals import part_address
from app.core.artifacts import Sight
from app.core.folds import FoldKind
from app.core.parts import Blob, Part, file_name_of
from app.vault.address import address
from app.vault.kinds import Kind, kind_of
from ui.chat.texts import Beginning
from ui.kit.figures import compact
from ui.kit.items import Action, NoticeItem, Tone

ICONS = {
    Kind.TEXT: "file",
    Kind.LOG: "log",
    Kind.JSON: "braces",
    Kind.JSON_LINES: "braces",
    Kind.TABLE: "table",
    Kind.IMAGE: "image",
    Kind.BINARY: "file",
}
_SHOWN_LINES, _SHOWN_CHARS = 3, 200


class CardWords(QObject):
    def open(self) -> Action:
        return Action(id="open", label=self.tr("Open"), icon="eye")

    def blob(self, blob: Blob, sight: Sight | None, beginning: Beginning | None) -> NoticeItem:
        """Of an original in the vault. `beginning`: None while it is read."""
        lines = beginning.lines if beginning else ""
        lost = beginning.lost if beginning else ""
        kind = kind_of(blob.mime, blob.name, lines)
        actions = (self.open(), *self._back(sight), self._link(), self._save(), self._reveal())
        reading = "" if beginning or kind in (Kind.IMAGE, Kind.BINARY) else self.tr("Reading …")
        return NoticeItem(
            icon=ICONS[kind],
            title=blob.name,
            chip=blob.mime,
            figures=self._extent(blob.n_bytes, blob.n_lines),
            address=str(address(blob.sha256, blob.name)),
            text=lost or self.stands(sight),
            excerpt=reading or _first_lines(lines),
            tone=Tone.CRITICAL if lost else Tone.PLAIN,
            actions=(self._link(), self._reveal()) if lost else actions,
        )

    def text(self, part: Part, text: str, sight: Sight | None) -> NoticeItem:
        """Of one in the chat's own entries; of a picture that was never fetched its address."""
        if not text or text.startswith(("http://", "https://")):
            return NoticeItem(icon="image", title=self.tr("Image"), text=text)
        name = file_name_of(part)
        return NoticeItem(
            icon=ICONS[kind_of("text/plain", name, text[:4_000])],
            title=name,
            chip="text/plain",
            figures=self._extent(len(text.encode()), text.count("\n") + 1),
            address=str(part_address(part)),
            text=self.stands(sight),
            excerpt=_first_lines(text),
            actions=(self.open(), *self._back(sight), self._link(), self._save()),
        )

    def stands(self, sight: Sight | None) -> str:
        """What the model sees of it."""
        locale = QLocale()
        if sight is None or sight.fate is None:
            return ""
        if sight.shown_tokens:
            text = self.tr("The model sees {shown} of {whole} tokens of it.")
            return text.format(shown=compact(sight.shown_tokens, locale), whole=compact(sight.tokens, locale))
        if sight.fate is FoldKind.SUMMARISED:
            return self.tr("A summary stands for it in the context.")
        return self.tr("It is not in the context; the model can read it by its address.")

    def _back(self, sight: Sight | None) -> tuple[Action, ...]:
        if sight is None or sight.fate is None or not sight.back_tokens:
            return ()
        label = self.tr("Put back in context (+{n})").format(n=compact(sight.back_tokens, QLocale()))
        return (Action(id="put_back", label=label),)

    def _link(self) -> Action:
        return Action(id="copy_link", label=self.tr("Copy link"))

    def _save(self) -> Action:
        return Action(id="save_original", label=self.tr("Save as…"))

    def _reveal(self) -> Action:
        return Action(id="reveal", label=self.tr("Show in folder"))

    def _extent(self, n_bytes: int, n_lines: int) -> str:
        lines = self.tr("{n} lines").format(n=QLocale().toString(n_lines)) if n_lines else ""
        return " · ".join(filter(None, (QLocale().formattedDataSize(n_bytes), lines)))


def _first_lines(text: str) -> str:
    lines = (line.rstrip() for line in text[: 20 * _SHOWN_CHARS].splitlines())
    found = [line[:_SHOWN_CHARS] for line in lines if line.strip()]
    return "\n".join(found[:_SHOWN_LINES])
