"""What is known of one message: who wrote it and when, what it cost, and how long it took (U13)."""

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale, QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.agent.session import ChatSession
from app.core.entries import Entry
from app.core.ids import EntryId, ModelId
from app.core.parts import MediaPart
from app.core.records import RequestRecord
from app.core.usage import Usage
from ui.chat.parts import size
from ui.kit.figures import money, percent
from ui.kit.links import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """One message, with the request that an answer came from; None: it was said by the person, or imported."""

    entry: Entry
    record: RequestRecord | None
    failed: ModelId | None
    """The model that was asked first."""
    version: int
    n_versions: int


def details_of(session: ChatSession, entry_id: EntryId) -> Details:
    transcript = session.conversation.transcript
    siblings = transcript.siblings(entry_id)
    return Details(
        entry=transcript[entry_id],
        record=session.record_of(entry_id),
        failed=session.failed_before(entry_id),
        version=siblings.index(entry_id) + 1,
        n_versions=len(siblings),
    )


class DetailWords(QObject):
    """A `QObject` so that its sentences are found for translation."""

    def rows(self, details: Details) -> tuple[tuple[str, str], ...]:
        """Name and value of all that is known, in the order in which one asks for it."""
        entry, locale = details.entry, QLocale()
        model = (details.record and details.record.model) or entry.model or ""
        found = [
            (self.tr("Model"), model),
            (self.tr("Asked first, failed"), details.failed or ""),
            (self.tr("Written"), locale.toString(_local(entry.created_at), QLocale.FormatType.ShortFormat)),
            (self.tr("Length"), self._length(entry, locale)),
            *self._request(details.record, locale),
            *self._usage((details.record and details.record.usage) or entry.usage, locale),
            (self.tr("Version"), self._version(details)),
        ]
        return tuple((name, visible(value)) for name, value in found if value)

    def _length(self, entry: Entry, locale: QLocale) -> str:
        texts = [part for part in entry.parts if not isinstance(part, MediaPart)]
        n_files = len(entry.parts) - len(texts)
        chars = self.tr("{n} characters").format(n=locale.toString(sum(map(size, texts))))
        return f"{chars} · " + self.tr("%n file(s)", "", n_files) if n_files else chars

    def _request(self, record: RequestRecord | None, locale: QLocale) -> tuple[tuple[str, str], ...]:
        if record is None:
            return ()
        first_s, whole_s = record.time_to_first_token_s, record.duration_s
        seconds = self.tr("{s} s")
        price = self.tr("not known") if record.cost_usd is None else money(record.cost_usd, locale)
        return (
            (self.tr("Effort"), record.effort),
            (
                self.tr("To the first token"),
                "" if first_s is None else seconds.format(s=locale.toString(first_s, "f", 1)),
            ),
            (
                self.tr("Whole answer"),
                "" if whole_s is None else seconds.format(s=locale.toString(whole_s, "f", 1)),
            ),
            (self.tr("Price"), price),
        )

    def _usage(self, usage: Usage | None, locale: QLocale) -> tuple[tuple[str, str], ...]:
        if usage is None:
            return ()
        about = "≈ " if usage.is_estimate else ""
        share = percent(usage.cached_tokens / max(usage.prompt_tokens, 1))
        cached = f"{locale.toString(usage.cached_tokens)} ({share}{locale.percent()})"
        written, reasoned = usage.cache_write_tokens, usage.reasoning_tokens
        return (
            (self.tr("Tokens read"), about + locale.toString(usage.prompt_tokens)),
            (self.tr("of these from the cache"), "" if usage.is_estimate else cached),
            (self.tr("of these written to it"), locale.toString(written) if written else ""),
            (self.tr("Tokens written"), about + locale.toString(usage.completion_tokens)),
            (self.tr("of these reasoning"), locale.toString(reasoned) if reasoned else ""),
        )

    def _version(self, details: Details) -> str:
        if details.n_versions == 1:
            return ""
        return self.tr("{n} of {of}").format(n=details.version, of=details.n_versions)


class DetailsDialog(QDialog):
    """Ends itself; every value can be selected, and all of them copied."""

    def __init__(self, details: Details, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setWindowTitle(self.tr("Details of the message"))
        self.rows = DetailWords(self).rows(details)
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(self.rows):
            grid.addWidget(_label(name, role="small"), row, 0)
            shown = _label(value)
            shown.setAccessibleName(f"{name}: {value}")
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(shown, row, 1, Qt.AlignmentFlag.AlignRight)
        copy, close = QPushButton(self.tr("Copy")), QPushButton(self.tr("Close"))
        copy.clicked.connect(self._copy)
        close.clicked.connect(self.accept)
        close.setDefault(True)
        below = QHBoxLayout()
        below.addWidget(copy)
        below.addStretch(1)
        below.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 18, 22, 16)
        column.setSpacing(18)
        column.addLayout(grid)
        column.addLayout(below)
        close.setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(f"{name}: {value}" for name, value in self.rows))


def _label(text: str, *, role: str = "") -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        label.setProperty("role", role)
    return label


def _local(moment: datetime) -> QDateTime:
    return QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
