"""An open chat in memory: its tree, its folds, its requests, and the context of the branch that is shown."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from app.context.context import Context
from app.context.ports import ChatContents, Marks
from app.context.reading import Item
from app.context.transcript import Transcript
from app.core.entries import Chat, Entry, Origin
from app.core.folds import Deletion, Fold, Pin
from app.core.ids import ChatId, EntryId, ModelId
from app.core.records import Compaction, RequestKind, RequestRecord
from app.core.requests import Prelude

_QUICK = 200
"""So many entries become a context within a frame."""


_OF_THE_CHAT = (RequestKind.ANSWER, RequestKind.PROBE)


class Conversation:
    """What the store holds of a chat, kept up to date by whoever writes; reads nothing by itself."""

    def __init__(
        self,
        contents: ChatContents,
        requests: Iterable[RequestRecord] = (),
        compactions: Iterable[Compaction] = (),
    ) -> None:
        self.chat: Chat = contents.chat
        self.transcript = Transcript(contents.entries)
        self.folds: list[Fold] = list(contents.folds)
        self.pins: list[Pin] = list(contents.pins)
        self.deletions: list[Deletion] = list(contents.deletions)
        self.requests: list[RequestRecord] = [item for item in requests if item.kind in _OF_THE_CHAT]
        """Those that sent this conversation itself; summaries and titles are asked for in texts of their own."""
        self.compactions: list[Compaction] = list(compactions)
        if self.chat.head not in self.transcript:  # a dangling head never keeps a chat shut (TS1)
            self.chat = replace(self.chat, head=self.transcript.newest_leaf())
        self.path: list[Entry] = list(self.transcript.path(self.chat.head))
        """The branch that is shown, root to head; not to be changed by others."""
        self._context: Context | None = None
        self._read: tuple[Item, ...] | None = None
        """The reading of the shown branch, as a compaction left it."""

    @property
    def id(self) -> ChatId:
        return self.chat.id

    def n_until(self, entry_id: EntryId) -> int:
        """How many entries of the shown branch end with this one; 0 if it is elsewhere. Quick near the head."""
        path = self.path
        return next((n for n in range(len(path), 0, -1) if path[n - 1].id == entry_id), 0)

    def context(self, *, model: ModelId, prelude: Prelude) -> Context:
        """The context of the shown branch; the same object while only appends happened."""
        found = self._standing(model, prelude)
        if found is None:
            found = Context(
                tuple(self.path),
                self.folds,
                self.deletions,
                rev=self.chat.rev,
                model=model,
                prelude=prelude,
                reading=self._read,
            )
            self._context = found
        return found

    def _standing(self, model: ModelId, prelude: Prelude) -> Context | None:
        found = self._context
        is_it = found is not None and (found.model, found.head, found.asked) == (
            model,
            self.chat.head,
            prelude,
        )
        return found if is_it else None

    @property
    def items(self) -> tuple[Item, ...] | None:
        """The reading of the shown branch, where it is at hand."""
        found = self._context
        return tuple(found.items) if found and found.head == self.chat.head else None

    def is_quick(self, *, model: ModelId, prelude: Prelude) -> bool:
        """Whether `context` takes no time."""
        return self._standing(model, prelude) is not None or len(self.path) <= _QUICK

    async def build(self, *, model: ModelId, prelude: Prelude) -> None:
        """Build the context in a thread, so that `context` takes no time; 10,000 messages need 0.2 s."""
        while not self.is_quick(model=model, prelude=prelude):
            chat = self.chat
            built = await self.context_at(model=model, prelude=prelude)
            if self.chat is chat:  # nothing was written meanwhile
                self._context = built

    async def context_at(self, *, model: ModelId, prelude: Prelude) -> Context:
        """The context as another model would have it, made in a thread; it does not grow with the chat."""
        return await asyncio.to_thread(
            Context,
            tuple(self.path),
            tuple(self.folds),
            tuple(self.deletions),
            rev=self.chat.rev,
            model=model,
            prelude=prelude,
            reading=self._read,
        )

    def add(self, entry: Entry) -> None:
        """Take in a stored entry, which is the new head."""
        self._read = None
        self.transcript.add(entry)
        if entry.parent_id != self.chat.head:
            self.show(entry.id)
        else:
            if self._context and entry.origin is not Origin.SYSTEM:
                self._context.append(entry)
            else:  # what a leading system entry says belongs to the prelude
                self._context = None
            self.path.append(entry)
            if entry.parent_id and len(self.transcript.siblings(entry.id)) > 1:
                chosen = {**self.chat.chosen, entry.parent_id: entry.id}
                self.chat = replace(self.chat, chosen=chosen)
        self.chat = replace(self.chat, head=entry.id, rev=max(self.chat.rev, entry.rev))

    def show(self, head: EntryId | None) -> None:
        """Show another branch; None: the empty beginning of the chat."""
        self.path = list(self.transcript.path(head))
        chosen = dict(self.chat.chosen)
        for entry in self.path:
            if entry.parent_id:
                chosen[entry.parent_id] = entry.id
        self.chat = replace(self.chat, head=head, chosen=chosen)
        self._context = self._read = None

    def take_marks(self, marks: Marks, reading: tuple[Item, ...] | None = None) -> None:
        """Take over what the store holds after a fold, an undo, a pin or a deletion.

        Args:
            reading: Of the shown branch with them, where it is known.
        """
        self.chat = replace(self.chat, rev=max(self.chat.rev, marks.rev))
        self.folds = list(marks.folds)
        self.pins = list(marks.pins)
        self.deletions = list(marks.deletions)
        self._context, self._read = None, reading
