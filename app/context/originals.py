"""What a fold hides can be read again: its text, its address, and the way back from an address (M6).

Nothing that the transcript holds is copied: an address is the hash of a text that is rendered from the
entries, and is found again by rendering the entries of the folds that name it.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from app.context.transcript import groups
from app.core.entries import Entry, Origin
from app.core.folds import Deletion, Fold
from app.core.ids import EntryId
from app.core.parts import (
    Blob,
    Body,
    MediaPart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    blobs_of,
    body_of,
    file_name_of,
)
from app.vault.address import SHORT, Address, address, find_addresses

PathOf = Callable[[EntryId], tuple[Entry, ...]]


_TEXTS = ("text/", "application/json")


class _Place(NamedTuple):
    """A part, and the hash of what it holds."""

    entry_id: EntryId
    part: int
    sha256: str


_SPEAKERS = {
    Origin.USER: "User",
    Origin.ASSISTANT: "Assistant",
    Origin.TOOL: "Tool",
    Origin.NOTE: "Note",
    Origin.SYSTEM: "System",
}


def run_text(entries: Sequence[Entry]) -> str:
    """A run of entries as one readable text: who said what, calls with their arguments, results, reasoning."""
    return "\n\n".join(_entry_text(entry) for entry in entries)


def parts_text(parts: Sequence[Part]) -> str:
    """Parts of one entry as a readable text, as `run_text` has them."""
    return "\n\n".join(filter(None, map(_part_text, parts)))


def run_address(entries: Sequence[Entry]) -> Address:
    text = run_text(entries)
    return address(_hash(text), "history.md")


def ways_back(entries: Sequence[Entry]) -> tuple[Address, ...]:
    """To a run, and to each large text in it, which the run's own text only names: every word is one reading away."""
    blobs = (blob for entry in entries for blob in blobs_of(entry.parts))
    large = (address(blob.sha256, blob.name) for blob in blobs if blob.mime.startswith(_TEXTS))
    return tuple(dict.fromkeys((run_address(entries), *large)))


def part_address(part: Part, *, name: str = "") -> Address:
    """The address of a part's text; that of its blob where it lies in one."""
    body = _original(part)
    if isinstance(body, Blob):
        return address(body.sha256, body.name)
    return address(_hash(body), name or file_name_of(part))


class Originals:
    """The texts that a chat's addresses name; nothing else is reachable through it (C26).

    Cheap to make: folds and texts are indexed when they are first asked for, by the beginning of their hash,
    and the text of a run is rendered when it is read.
    """

    def __init__(
        self,
        entries: Mapping[EntryId, Entry],
        path_of: PathOf,
        folds: Iterable[Fold] = (),
        deletions: Iterable[Deletion] = (),
    ) -> None:
        """
        Args:
            entries: The chat's, its ancestors' up to the fork included.
            path_of: Root to an entry.
            folds: The chat's, undone ones too: what was once named stays readable.
            deletions: The chat's; what is deleted now can't be read.
        """
        self._entries = entries
        self._path_of = path_of
        self._folds = tuple(folds)
        self._deletions = tuple(deletions)
        self._gone = _with_groups(_deleted(self._deletions, None), entries)
        self._hashes: dict[int, str] = {}
        """Of what a fold hides, by the fold's number; the texts themselves are not kept."""

    def find(self, wanted: Address) -> str | Blob | None:
        """The text, or the blob, that an address names; None: nothing of this chat.

        Where two texts begin alike, the one that is named first; its whole hash names the other.
        """
        key = wanted.hash[:SHORT]
        for fold in self._by_name.get(key, ()):
            known = self._hashes.get(fold.rev, "")
            if wanted.names(known) or not known:
                found = self._covered(fold)
                if found is not None:
                    known = self._hashes[fold.rev] = known or _hash_of(found)
                    if wanted.names(known):
                        return found
        place = _first(self._blobs.get(key, ()), wanted) or _first(self._texts.get(key, ()), wanted)
        return _original(self._entries[place.entry_id].parts[place.part]) if place else None

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[Fold]]:
        found: dict[str, list[Fold]] = {}
        for fold in self._folds:
            for named in dict.fromkeys(
                named.hash[:SHORT] for part in fold.replacement for named in _named(part)
            ):
                found.setdefault(named, []).append(fold)
        return found

    @cached_property
    def _blobs(self) -> Mapping[str, Sequence[_Place]]:
        return self._places(lambda body: body.sha256 if isinstance(body, Blob) else None)

    @cached_property
    def _texts(self) -> Mapping[str, Sequence[_Place]]:
        """Only for an address that no fold names: every text is hashed, once."""
        return self._places(lambda body: _hash(body) if isinstance(body, str) and body else None)

    def _places(self, hash_of: Callable[[Body], str | None]) -> Mapping[str, Sequence[_Place]]:
        found: dict[str, list[_Place]] = {}
        for entry in self._entries.values():
            for index, part in enumerate(entry.parts) if entry.id not in self._gone else ():
                if sha256 := hash_of(_original(part)):
                    place = _Place(entry.id, index, sha256)
                    found.setdefault(sha256[:SHORT], []).append(place)
        return found

    def _covered(self, fold: Fold) -> str | Blob | None:
        """What a fold hides, as it was when the fold was made."""
        if fold.part is not None:
            entry = self._entries.get(fold.first)
            if entry is None or entry.id in self._gone or fold.part >= len(entry.parts):
                return None
            return _original(entry.parts[fold.part])
        path = self._path_of(fold.last)
        at = next((index for index, entry in enumerate(path) if entry.id == fold.first), len(path))
        gone = _deleted(self._deletions, fold.rev)
        run = [
            entry
            for group in groups(path[at:])
            if gone.isdisjoint(entry.id for entry in group)
            for entry in group
        ]
        return run_text(run) if run and self._gone.isdisjoint(entry.id for entry in run) else None


def resolve(
    wanted: Address,
    entries: Mapping[EntryId, Entry],
    path_of: PathOf,
    folds: Iterable[Fold],
    deletions: Iterable[Deletion] = (),
) -> str | Blob | None:
    """As `Originals.find`, for a single address."""
    return Originals(entries, path_of, folds, deletions).find(wanted)


def _first(places: Iterable[_Place], wanted: Address) -> _Place | None:
    return next((place for place in places if wanted.names(place.sha256)), None)


def _deleted(deletions: Iterable[Deletion], rev: int | None) -> frozenset[EntryId]:
    """Entries that were deleted as of `rev`; None: now."""
    return frozenset(
        item.entry_id
        for item in deletions
        if (item.undone_rev is None if rev is None else item.rev <= rev < (item.undone_rev or rev + 1))
    )


def _with_groups(ids: frozenset[EntryId], entries: Mapping[EntryId, Entry]) -> frozenset[EntryId]:
    """With all of the groups that one of `ids` is in; results stand below their call."""
    found = set(ids)
    for entry_id in ids:
        here = entries.get(entry_id)
        while here and here.origin is Origin.TOOL and here.parent_id:
            found.add(here.parent_id)
            here = entries.get(here.parent_id)
    for entry in entries.values() if found else ():
        if entry.origin is Origin.TOOL and entry.parent_id in found:
            found.add(entry.id)
    return frozenset(found)


def _original(part: Part) -> Body:
    return part.source if isinstance(part, MediaPart) else body_of(part)


def _hash_of(body: Body) -> str:
    return body.sha256 if isinstance(body, Blob) else _hash(body)


def _named(part: Part) -> tuple[Address, ...]:
    body = "" if isinstance(part, MediaPart) else body_of(part)
    return find_addresses(body) if isinstance(body, str) else ()


def _entry_text(entry: Entry) -> str:
    pieces = [f"## {_SPEAKERS[entry.origin]}"]
    pieces.extend(filter(None, map(_part_text, entry.parts)))
    return "\n".join(pieces)


def _part_text(part: Part) -> str:
    match part:
        case TextPart(text=text):
            return _inline(text)
        case ThinkingPart(text=text, redacted=redacted):
            return "" if redacted else f"(reasoning)\n{_inline(text)}"
        case ToolCallPart(name=name, arguments=arguments):
            return f"→ {name} {_inline(arguments)}"
        case ToolResultPart(name=name, text=text, is_error=is_error):
            return f"← {name}{' (error)' if is_error else ''}\n{_inline(text)}"
        case MediaPart(source=source, mime=mime):
            return f"[{mime}: {_inline(source)}]"
        case _:
            return f"[{part.kind}] {part.json}"


def _inline(body: Body) -> str:
    return str(address(body.sha256, body.name)) if isinstance(body, Blob) else body


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
