"""What a person changes in what stands for a chat's old part: the lines of its ledger (C38).

No change is a change of the next request: it goes in when a compaction is made anyway.
"""

from collections.abc import Callable, Sequence

from app.context.conversation import Conversation
from app.context.engine import Engine
from app.context.ledger import added, edited, removed, superseded, undone
from app.core.ids import new_id
from app.core.ledger import LedgerItem, LedgerKind
from app.core.records import Changes, Fact

Change = Callable[[Sequence[LedgerItem], int], Sequence[LedgerItem]]


class LedgerEditing:
    """The ledger of one open chat. Each change returns its number, by which it is undone, in any order.

    Raises (all that change):
        LineRefused: told in words; nothing was changed.

    Args:
        publish: Told of every write.
    """

    def __init__(
        self, conversation: Conversation, engine: Engine, *, publish: Callable[[Changes], None]
    ) -> None:
        self._conversation = conversation
        self._engine = engine
        self._publish = publish

    async def lines(self) -> tuple[LedgerItem, ...]:
        """In the order in which they came; superseded ones among them, and what was said a moment ago."""
        return await self._engine.ledger()

    async def add(self, text: str, kind: LedgerKind) -> int:
        """A line of the person's own; lines that it contradicts are superseded."""
        return await self._change(lambda items, rev: added(items, text, kind=kind, item_id=_new(), rev=rev))

    async def edit(self, item_id: str, text: str) -> int:
        """Other words for a line; its source stays, and its old words do, superseded."""
        return await self._change(lambda items, rev: edited(items, item_id, text, new_id=_new(), rev=rev))

    async def supersede(self, item_id: str, *, by: str) -> int:
        """Give one line up for another that contradicts it."""
        return await self._change(lambda items, rev: superseded(items, item_id, by=by, rev=rev))

    async def remove(self, item_id: str) -> int:
        return await self._change(lambda items, rev: removed(items, item_id, rev=rev))

    async def undo(self, rev: int) -> None:
        """Take a change back; one whose line was changed again since stays, until that is undone."""
        await self._change(lambda items, _: undone(items, rev))

    async def _change(self, change: Change) -> int:
        rev = await self._engine.change_ledger(change)
        self._publish(Changes(facts=frozenset({Fact.LEDGER}), chats=frozenset({self._conversation.id})))
        return rev


def _new() -> str:
    return new_id("l")
