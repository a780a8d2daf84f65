"""The context of an open chat: its reading, as messages, with the chain over them; grows by what is new.

A turn appends; nothing of what stands is read, rendered or hashed again (Q6). Folds, deletions, another
branch or another prelude build it anew.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.context.chain import extend_chain, prelude_hash, start_of_chain
from app.context.reading import Item, Shown, read
from app.context.render import opens_user_side, render, system_text
from app.core.entries import Entry, Origin
from app.core.folds import Deletion, Fold
from app.core.ids import EntryId, ModelId
from app.core.requests import Message, Prelude, Role
from app.models.families import UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    """A place from which the user's side begins: nothing before it changes when entries are appended."""

    n_items: int = 0
    n_messages: int = 0
    n_blocks: int = 0


class Context:
    """Read through `items`, `messages` and `chain`; `append` is the only change."""

    def __init__(
        self,
        path: tuple[Entry, ...],
        folds: Iterable[Fold] = (),
        deletions: Iterable[Deletion] = (),
        *,
        rev: int,
        model: ModelId,
        prelude: Prelude,
        reading: tuple[Item, ...] | None = None,
    ) -> None:
        """Args: as `read`, unless `reading` is what it gives; `prelude` is the chat's own, what leading system
        entries say comes after it."""
        self.rev = rev
        self.model = model
        self.asked = prelude
        if reading is None:
            reading = read(path, folds, deletions, rev=rev)
        own = system_text(reading)
        self.prelude = Prelude(system="\n\n".join(filter(None, (prelude.system, own))), tools=prelude.tools)
        self.prelude_hash = prelude_hash(self.prelude)
        self.items: list[Item] = []
        self.messages: list[Message] = []
        self.chain: list[bytes] = []
        self.n_sound, self.sound_for = 0, UNKNOWN
        """So many first messages were found to be without a fault for that family (`validate.py`)."""
        self.head: EntryId | None = path[-1].id if path else None
        self._start = start_of_chain(model, self.prelude_hash)
        self._mark = _Mark()
        self._n_rendered = 0
        at = _last_turn(reading)
        self._extend(reading[:at])
        self._extend(
            reading[at:]
        )  # marked there, so that the next append renders no more than that turn again

    @property
    def tip(self) -> str:
        return (self.chain[-1] if self.chain else self._start).hex()

    @property
    def n_settled(self) -> int:
        """So many first messages stay as they are whatever is appended; the user's side begins after them."""
        return self._mark.n_messages

    def holds_prefix(self, n_blocks: int, tip: str) -> bool:
        """Whether a request of `n_blocks` blocks that ended in `tip` is a prefix of this context."""
        return 0 < n_blocks <= len(self.chain) and self.chain[n_blocks - 1].hex() == tip

    def append(self, entry: Entry) -> None:
        """Take in a new head whose parent is the present one; no system entry, which may change the prelude."""
        self.rev = max(self.rev, entry.rev)
        self.head = entry.id
        last = self.items[-1] if self.items else None
        if isinstance(last, Shown) and _is_result(entry, last):
            self.items[-1] = Shown(
                entries=(*last.entries, entry), parts=(*last.parts, entry.parts), folds=(*last.folds, {})
            )
            self._extend(())
        else:
            self._extend((Shown(entries=(entry,), parts=(entry.parts,), folds=({},)),))

    def _extend(self, items: Iterable[Item]) -> None:
        """Add items and render from the mark, after moving it as far as it is safe."""
        for item in items:
            is_settled = self._n_rendered == len(self.items) and self.messages
            if is_settled and self.messages[-1].role is not Role.USER and opens_user_side(item, self.items):
                self._mark = _Mark(
                    n_items=len(self.items), n_messages=len(self.messages), n_blocks=len(self.chain)
                )
            self.items.append(item)
        mark = self._mark
        del self.messages[mark.n_messages :]
        del self.chain[mark.n_blocks :]
        tip = self.chain[-1] if self.chain else self._start
        new = tuple(render(self.items[mark.n_items :], is_start=mark.n_items == 0))
        self.messages.extend(new)
        self.chain.extend(extend_chain(tip, new))
        self._n_rendered = len(self.items)


def _last_turn(items: Sequence[Item]) -> int:
    """Where the person's side begins for the last time, after the model's."""
    before = list(items)
    while before:
        if opens_user_side(before.pop(), before) and before and _is_models(before[-1]):
            break
    return len(before)


def _is_models(item: Item) -> bool:
    return isinstance(item, Shown) and item.entries[0].origin in (Origin.ASSISTANT, Origin.TOOL)


def _is_result(entry: Entry, last: Shown) -> bool:
    """Whether the new `entry` belongs to the group that was `last`."""
    return (
        entry.origin is Origin.TOOL and bool(last.entries[0].calls) and last.entries[-1].id == entry.parent_id
    )
