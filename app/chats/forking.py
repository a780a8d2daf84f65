"""Going on in a new chat: with all of what was said, or with a summary, the ledger and the tail of it (U10, C34)."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from app.chats.folding import Folding, TooLittle
from app.chats.library import Library
from app.context.step import Report
from app.core.ids import ChatId, EntryId
from app.core.records import Changes, Compaction
from app.tasks import uncancelled


class ForkKind(StrEnum):
    FULL = "full"
    """The model sees what it saw there."""
    SUMMARY = "summary"
    """A summary and the ledger stand for all but the head and the tail: room is free again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forked:
    chat_id: ChatId
    compaction: Compaction | None = None
    """What a summary stands for in it; None: a full copy, or so little was said that no summary would be shorter."""


class Forking:
    """
    Args:
        folding: The use cases on the folds of a chat.
        publish: Told of every write.
    """

    def __init__(
        self,
        library: Library,
        *,
        folding: Callable[[ChatId], Awaitable[Folding]],
        publish: Callable[[Changes], None],
    ) -> None:
        self._library = library
        self._folding = folding
        self._publish = publish

    async def fork(
        self,
        chat_id: ChatId,
        at: EntryId,
        *,
        title: str,
        kind: ForkKind = ForkKind.FULL,
        report: Report = lambda name: None,
    ) -> Forked:
        """A new chat up to and with the group of `at`; the other one stays as it is.

        Cancelled or failed, there is no new chat.

        Args:
            report: Told the name of each step of the compaction as it begins.
        """
        fork_id, changes = await self._library.fork(chat_id, at, title=title)
        made: Compaction | None = None
        if kind is ForkKind.SUMMARY:
            try:
                made = await self._summed_up(fork_id, report)
            except BaseException:  # whatever it is that ends it
                await uncancelled(self._drop(fork_id))
                raise
        self._publish(changes)
        return Forked(chat_id=fork_id, compaction=made)

    async def _summed_up(self, fork_id: ChatId, report: Report) -> Compaction | None:
        try:
            return await (await self._folding(fork_id)).sum_up(report=report)
        except TooLittle:
            return None

    async def _drop(self, fork_id: ChatId) -> None:
        self._publish(await self._library.delete_for_good(fork_id))
