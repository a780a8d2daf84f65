"""What was said in a foreign conversation, grown into entries: branches stay branches, cycles are cut (case B87)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.chats.faults import Fault, FaultKind
from app.chats.kinds.kind import File, Imported
from app.chats.originals import Originals
from app.context.ports import NewEntry
from app.core.entries import Origin
from app.core.ids import EntryId, ModelId, new_id
from app.core.parts import Part, TextPart, clean_text

_TITLE_CHARS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """What becomes one entry."""

    origin: Origin
    parts: tuple[Part, ...]
    created_at: datetime | None = None
    model: ModelId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A message of a tree; one that says nothing hands its children to its parent."""

    key: str
    parent: str | None
    """None, or a key that is not there: the conversation begins with it."""
    speeches: tuple[Speech, ...]


def row(speeches: Iterable[Speech]) -> list[Node]:
    """A conversation without branches."""
    return [
        Node(key=str(n), parent=str(n - 1) if n else None, speeches=(speech,))
        for n, speech in enumerate(speeches)
    ]


def made(
    file: File,
    nodes: Sequence[Node],
    *,
    title: str,
    originals: Originals,
    faults: Iterable[Fault] = (),
    created_at: datetime | None = None,
    current: str | None = None,
) -> Imported:
    """The chat; where nothing was said in it a fault tells so.

    Args:
        title: Empty: how the first message begins.
        current: Key of the node that was shown; None: the last one.
    """
    entries, tips = _grown(nodes)
    told = [*file.faults, *faults]
    title = " ".join(clean_text(title).split()) or _beginning(entries) or file.name
    if not entries:
        told.append(Fault(kind=FaultKind.EMPTY_CHAT, detail=title))
    times = [entry.created_at for entry in entries if entry.created_at]
    return Imported(
        title=title,
        created_at=created_at or min(times, default=None),
        entries=tuple(entries),
        head=tips.get(current) or (entries[-1].id if entries else None),
        n_messages=len(entries),
        source="",
        faults=tuple(told),
        blobs=originals.blobs,
        bytes_of=originals.bytes_of,
    )


def _beginning(entries: Iterable[NewEntry]) -> str:
    """The first words of the person's."""
    said = (
        part.text
        for entry in entries
        if entry.origin is Origin.USER
        for part in entry.parts
        if isinstance(part, TextPart) and isinstance(part.text, str)
    )
    words = " ".join(next((text for text in said if text.strip()), "")[: 4 * _TITLE_CHARS].split())
    return words if len(words) <= _TITLE_CHARS else words[:_TITLE_CHARS].rsplit(" ", 1)[0] + "…"


def _grown(nodes: Sequence[Node]) -> tuple[list[NewEntry], dict[str | None, EntryId | None]]:
    """The entries, parents before children, and the last one of each node."""
    found: dict[str, Node] = {}
    for node in nodes:
        found.setdefault(node.key, node)
    children: dict[str | None, list[Node]] = {}
    for node in found.values():
        parent = node.parent if node.parent in found and node.parent != node.key else None
        children.setdefault(parent, []).append(node)
    entries: list[NewEntry] = []
    tips: dict[str | None, EntryId | None] = {None: None}
    starts: list[str | None] = [None, *found]  # what hangs on a cycle is reached from its first node
    for start in starts:
        if start is not None:
            if start in tips:
                continue
            _plant(found[start], None, entries, tips)
        waiting = [start]
        while waiting:
            waiting.extend(reversed(_below(waiting.pop(), children, entries, tips)))
    return entries, tips


def _below(
    key: str | None,
    children: dict[str | None, list[Node]],
    entries: list[NewEntry],
    tips: dict[str | None, EntryId | None],
) -> list[str]:
    """Plant what hangs on `key`. Returns: the keys of it.

    Results of tools that hang on the same answer are no alternatives, but follow each other.
    """
    new = [node for node in children.get(key, ()) if node.key not in tips]
    results = [node for node in new if node.speeches and _is_result(node)]
    tip = tips[key]
    for node in results:
        tip = _plant(node, tip, entries, tips)
    for node in results:
        tips[node.key] = tip
    for node in new:
        if node.key not in tips:
            _plant(node, tips[key], entries, tips)
    return [node.key for node in new]


def _is_result(node: Node) -> bool:
    return all(speech.origin is Origin.TOOL for speech in node.speeches)


def _plant(
    node: Node, parent: EntryId | None, entries: list[NewEntry], tips: dict[str | None, EntryId | None]
) -> EntryId | None:
    for speech in node.speeches:
        entry = NewEntry(
            id=EntryId(new_id("e")),
            parent_id=parent,
            origin=speech.origin,
            parts=speech.parts,
            model=speech.model,
            created_at=speech.created_at,
        )
        entries.append(entry)
        parent = entry.id
    tips[node.key] = parent
    return parent
