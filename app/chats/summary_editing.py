"""A summary in the person's own words: versions, none of which changes a request before the next compaction (U8, C38)."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from app.context.conversation import Conversation
from app.context.ports import Store
from app.context.reading import Folded, read
from app.context.summary.fields import KeptSummary, Summary, with_fields
from app.context.summary.rendering import read_back
from app.context.summary.run import summary_text
from app.core.errors import AppError
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId
from app.core.records import Changes, Fact


class SummaryRefused(AppError):
    """The summary can't be written like that; it is as it was."""

    code = "summary_refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One wording of a summary."""

    rev: int
    summary: KeptSummary
    written_at: datetime | None = None
    """When the person wrote it; None: it is the compaction's own."""
    is_undone: bool = False


class SummaryEditing:
    """The summaries of one open chat.

    Args:
        publish: Told of every write.
    """

    def __init__(
        self, conversation: Conversation, *, store: Store, publish: Callable[[Changes], None]
    ) -> None:
        self._conversation = conversation
        self._store = store
        self._publish = publish

    async def standing(self) -> tuple[CompactionId, ...]:
        """Compactions whose summaries the model is shown, in the order in which they stand."""
        folds = await asyncio.to_thread(_shown, self._conversation)
        return tuple(fold.compaction_id for fold in folds)

    async def versions(self, compaction_id: CompactionId) -> tuple[Version, ...]:
        """The compaction's own summary, then what the person made of it; the newest that is not undone is sent.

        Empty: the compaction made none, or none that can be read.
        """
        made = (fold for fold in self._conversation.folds if fold.compaction_id == compaction_id)
        fold = next((fold for fold in made if fold.kind is FoldKind.SUMMARISED), None)
        own = read_back(summary_text(Folded(fold=fold, entries=()))) if fold else None
        if fold is None or own is None:
            return ()
        written = await self._store.summary_versions(self._conversation.id)
        return (
            Version(rev=fold.rev, summary=own),
            *(
                Version(
                    rev=item.rev,
                    summary=with_fields(own, Summary.model_validate_json(item.summary)),
                    written_at=item.created_at,
                    is_undone=item.undone_rev is not None,
                )
                for item in written
                if item.compaction_id == compaction_id
            ),
        )

    async def write(self, compaction_id: CompactionId, fields: Summary) -> int:
        """One more version, which is sent from the next compaction on. Returns: its number, for `undo`.

        Raises:
            SummaryRefused: it says nothing, or the model is not shown this summary any more.
        """
        if fields.is_empty:
            raise SummaryRefused("A summary can't be empty.", hint="Undo the compaction to be rid of it.")
        if compaction_id not in await self.standing():
            raise SummaryRefused("This summary is not in the context any more.")
        written = await self._store.write_summary(
            self._conversation.id, compaction_id, fields.model_dump_json(include=set(Summary.model_fields))
        )
        self._publish(Changes(facts=frozenset({Fact.LEDGER}), chats=frozenset({self._conversation.id})))
        return written.rev

    async def undo(self, rev: int) -> None:
        """Without the version of this number; what a compaction took up already goes with that compaction's undo."""
        self._publish(await self._store.undo_summary(self._conversation.id, rev))


def _shown(conversation: Conversation) -> Iterable[Fold]:
    items = read(
        tuple(conversation.path), tuple(conversation.folds), conversation.deletions, rev=conversation.chat.rev
    )
    return [item.fold for item in items if isinstance(item, Folded) and summary_text(item)]
