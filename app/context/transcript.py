"""A chat's tree in memory: which entries there are, which path is shown, what else stood there."""

from collections.abc import Iterable, Iterator, Mapping

from app.core.entries import Entry, Origin
from app.core.ids import EntryId


class Transcript:
    """The entries of one chat, its ancestors' included; grows, never changes."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries: dict[EntryId, Entry] = {}
        self._children: dict[EntryId | None, list[EntryId]] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Take in an entry; twice the same changes nothing."""
        if entry.id not in self._entries:
            self._entries[entry.id] = entry
            self._children.setdefault(entry.parent_id, []).append(entry.id)

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, entry_id: EntryId) -> Entry:
        return self._entries[entry_id]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def path(self, head: EntryId | None) -> tuple[Entry, ...]:
        """Root to `head`, both inclusive; a parent that is missing ends it, so that any chat opens (TS1)."""
        found: list[Entry] = []
        seen: set[EntryId] = set()
        here = self._entries.get(head) if head else None
        while here and here.id not in seen:
            seen.add(here.id)
            found.append(here)
            here = self._entries.get(here.parent_id) if here.parent_id else None
        return tuple(reversed(found))

    def siblings(self, entry_id: EntryId) -> tuple[EntryId, ...]:
        """The versions at this place, `entry_id` among them, in the order they were made."""
        return tuple(self._children.get(self._entries[entry_id].parent_id, ()))

    def leaf(self, entry_id: EntryId, chosen: Mapping[EntryId, EntryId]) -> EntryId:
        """The leaf shown when `entry_id` is chosen: the remembered child each time, else the newest (case B81)."""
        here = entry_id
        while children := self._children.get(here):
            remembered = chosen.get(here)
            here = remembered if remembered and remembered in children else children[-1]
        return here

    def newest_leaf(self) -> EntryId | None:
        """Where a chat opens whose head is gone; None for an empty chat."""
        leaves = (entry for entry in self._entries.values() if entry.id not in self._children)
        newest = max(leaves, key=lambda entry: entry.rev, default=None)
        return newest.id if newest else None


def groups(path: tuple[Entry, ...]) -> Iterator[tuple[Entry, ...]]:
    """The path cut into groups (M2): an assistant entry with calls and its results, or an entry alone."""
    at = 0
    while at < len(path):
        end = at + 1
        if path[at].calls:
            while end < len(path) and path[end].origin == Origin.TOOL:
                end += 1
        yield path[at:end]
        at = end
