"""What a person does with a chat's folds: look, compress, take back, put back, pin (context.md, G)."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.context.budget import Fill
from app.context.conversation import Conversation
from app.context.engine import Engine, Standing, Wish
from app.context.plan import MANUAL_TARGET
from app.context.ports import Clock, NewFold, Store, Writer
from app.context.spending import Spending
from app.context.step import Report
from app.context.transcript import groups
from app.core.errors import AppError
from app.core.folds import FoldKind
from app.core.ids import CompactionId, EntryId, new_id
from app.core.records import PUT_BACK, Changes, Compaction, Fact

if TYPE_CHECKING:
    from app.chats.previewing import Preview
    from app.context.summary.fields import Summary

_HALF = 0.5
"""Of a chat that is compressed although its window has room, so much stays at most."""


class TooLittle(AppError):
    """Nothing could be folded that would make the request smaller; told with the figure."""

    code = "too_little"


class Folding:
    """The use cases on one open chat.

    Args:
        standing: How the chat stands with its model, counted exactly.
        writer: Who may write a summary of so many tokens; None: nobody can.
        publish: Told of every write.
    """

    def __init__(
        self,
        conversation: Conversation,
        engine: Engine,
        *,
        store: Store,
        clock: Clock,
        standing: Callable[[], Awaitable[Standing]],
        writer: Callable[[int], Awaitable[Writer | None]],
        publish: Callable[[Changes], None],
    ) -> None:
        self._conversation = conversation
        self._engine = engine
        self._store = store
        self._clock = clock
        self._standing = standing
        self._writer = writer
        self._publish = publish

    async def preview(
        self, *, topic: str = "", target_tokens: int | None = None, report: Report = lambda name: None
    ) -> "Preview":
        """Dry: the same pipeline, without a model and without a trace."""
        standing = await self._standing()
        target = manual_target(standing.fill) if target_tokens is None else target_tokens
        wish = Wish(is_asked_for=True, topic=topic, target_tokens=target)
        return await self._previewed(standing, wish, None, report=report)

    async def write_summary(self, preview: "Preview", *, report: Report = lambda name: None) -> "Preview":
        """The same with the summary that a model writes now, kept until it is applied; the chat is as it was."""
        writer = await self._writer(preview.tokens_before)
        wish = replace(preview.wish, summary="")
        spent = Spending(writer) if writer else None
        return await self._previewed(await self._standing(), wish, spent, report=report)

    async def edited(self, preview: "Preview", fields: "Summary") -> "Preview":
        """The same with the summary in the person's words.

        Raises:
            SummaryRefused: it says nothing, or the preview has none.
        """
        from app.chats.previewing import with_summary  # as below

        wish = replace(preview.wish, summary=with_summary(preview, fields))
        return await self._previewed(await self._standing(), wish, preview.spent)

    async def apply(self, preview: "Preview", *, report: Report = lambda name: None) -> Compaction:
        """Store what was previewed as it is; of a chat that has changed, its summary and what is due now.

        A summary that is only priced yet is written first.

        Raises:
            TooLittle: nothing would be won; nothing was changed.
        """
        if preview.summing:
            preview = await self.write_summary(preview, report=report)
        planned, record = preview.planned, preview.compaction
        if not record or not planned.is_smaller:
            raise _too_little(preview.tokens_before)
        stored = await self._engine.commit(
            preview.standing,
            preview.decision,
            planned,
            elapsed_ms=record.elapsed_ms,
            spent=preview.spent,
        )
        if stored is None:
            wish = replace(preview.wish, summary=planned.summary)
            return await self._compact(await self._standing(), wish, report)
        self._told()
        return stored

    async def _previewed(
        self, standing: Standing, wish: Wish, spent: Spending | None, *, report: Report = lambda name: None
    ) -> "Preview":
        from app.chats.previewing import previewed, priced  # all steps and patterns, that no start waits for

        began_s = self._clock.monotonic()
        decision = await self._engine.decision(standing, wish)
        writes = None if wish.summary else spent
        made = await self._engine.planned(standing, wish, decision, writer=writes, report=report)
        elapsed_ms = (self._clock.monotonic() - began_s) * 1000
        record = None
        if made.proposal.proposed:
            record = await self._engine.recorded(standing, decision, made, elapsed_ms=elapsed_ms, spent=spent)
        writer = None
        if made.summary and not spent and not wish.summary:
            writer = await self._writer(standing.fill.projection.projected_tokens)
        return await asyncio.to_thread(
            previewed,
            standing=standing,
            wish=wish,
            decision=decision,
            planned=made,
            compaction=record,
            spent=spent,
            summing=priced(made, standing, is_warm=writer.warm is not None) if writer else None,
            spared=await self._engine.spared(standing, wish, decision),
        )

    async def compress(
        self, *, topic: str = "", target_tokens: int | None = None, report: Report = lambda name: None
    ) -> Compaction:
        """Compress now, whatever the stage. Cancelled, nothing of it is stored.

        Args:
            target_tokens: Of the whole request; None: see `manual_target`.
        Raises:
            TooLittle: nothing would be won; nothing was changed.
        """
        standing = await self._standing()
        target = manual_target(standing.fill) if target_tokens is None else target_tokens
        wish = Wish(is_asked_for=True, topic=topic, target_tokens=target)
        return await self._compact(standing, wish, report)

    async def sum_up(self, *, topic: str = "", report: Report = lambda name: None) -> Compaction:
        """Have a summary and the ledger stand for all but the head and the tail, however much room there is.

        Raises:
            TooLittle: there is nothing before the tail that a summary would tell in fewer tokens.
        """
        standing = await self._standing()
        target = manual_target(standing.fill)
        wish = Wish(is_asked_for=True, topic=topic, target_tokens=target, wants_summary=True)
        return await self._compact(standing, wish, report)

    async def _compact(self, standing: Standing, wish: Wish, report: Report) -> Compaction:
        decision = await self._engine.decision(standing, wish)
        writer = await self._writer(standing.fill.projection.projected_tokens)
        made = await self._engine.compact(standing, wish, decision, writer=writer, report=report)
        if made is None:
            raise _too_little(standing.fill.projection.projected_tokens)
        self._told()
        return made

    async def undo(self, compaction_id: CompactionId) -> None:
        """Take a compaction back, in any order; the newest gives the context of the moment before it (C34)."""
        await self._store.undo(self._conversation.id, compaction_id)
        await self._renew()

    async def put_back(self, entry_id: EntryId, last: EntryId | None = None) -> Compaction | None:
        """Show a group, or a run of them, as it was said; undone like any compaction. None: it is not on the path.

        Args:
            last: An entry of the run's last group; None: of one group.
        """
        path = tuple(self._conversation.path)
        ends = {entry_id, last or entry_id}
        found = [group for group in groups(path) if not ends.isdisjoint(entry.id for entry in group)]
        if not found:
            return None
        fold = NewFold(
            compaction_id=CompactionId(new_id("c")),
            kind=FoldKind.WHOLE,
            first=found[0][0].id,
            last=found[-1][-1].id,
            anchor=path[-1].id,
        )
        compaction = Compaction(
            id=fold.compaction_id,
            chat_id=self._conversation.id,
            rev=0,
            trigger=PUT_BACK,
            reason="You asked for it.",
            tokens_before=0,
            tokens_after=0,
            elapsed_ms=0.0,
            created_at=self._clock.now(),
        )
        await self._store.commit(compaction, [fold], planned_rev=self._conversation.chat.rev)
        await self._renew()
        return compaction

    async def pin(self, entry_id: EntryId, *, is_pinned: bool) -> None:
        """A pinned group is never folded but by an emergency's last measures."""
        await self._store.pin(self._conversation.id, entry_id, undo=not is_pinned)
        await self._renew()

    async def delete(self, entry_id: EntryId, *, is_deleted: bool) -> None:
        """A deleted group is shown neither to the person nor to the model, until that is undone (M10)."""
        await self._store.delete_group(self._conversation.id, entry_id, undo=not is_deleted)
        await self._renew()

    async def _renew(self) -> None:
        self._conversation.take_marks(await self._store.marks(self._conversation.id))
        self._told()

    def _told(self) -> None:
        self._publish(Changes(facts=frozenset({Fact.FOLDS}), chats=frozenset({self._conversation.id})))


def manual_target(fill: Fill) -> int:
    """What a person's own compression aims at, where they say nothing else: a quarter of the window (C2)."""
    target = _HALF * fill.projection.projected_tokens
    return round(min(target, MANUAL_TARGET * fill.window.tokens) if fill.window.tokens else target)


def _too_little(tokens: int) -> TooLittle:
    return TooLittle(f"There is nothing to fold that would make these {tokens} tokens fewer.", tokens=tokens)
