"""A chat's originals for the person: what there is, how each stands in the context, and what of it the model read (U9).

An artifact is a text or a picture that lies in the vault, or one in the entries that a fold hides: both have an
address (M6), and both are opened by it.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from app.context.conversation import Conversation
from app.context.originals import Originals, part_address, run_address, run_text
from app.context.reading import Folded, Shown, read
from app.core.artifacts import LEAST_CHARS, Artifact, PartKey, Sight
from app.core.entries import Entry
from app.core.errors import OriginalLost
from app.core.folds import Fold
from app.core.ids import EntryId
from app.core.parts import Blob, MediaPart, Part, ToolResultPart, body_of, file_name_of
from app.tokens.estimate import estimate_body
from app.vault.address import Address, find_addresses, parse
from app.vault.lines import Lines
from app.vault.reading import lines_shown
from app.vault.vault import Vault

_TEXTS = ("text/", "application/json")
FILE_READ = "file_read"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRead:
    """A piece of an original that a call brought back into the context."""

    line_range: str
    pattern: str
    text: str

    def lines(self, n_lines: int) -> tuple[tuple[int, int], ...]:
        """First and last line of each stretch."""
        return lines_shown(self.text, self.line_range, self.pattern, n_lines=n_lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An original that can be looked at; nothing of it is in memory where it lies in the vault."""

    address: str
    name: str
    mime: str
    n_bytes: int
    blob: Blob | None
    read: Callable[[int, int], bytes]
    """Bytes from a place up to and without another; for threads."""
    reads: tuple[ModelRead, ...]

    @property
    def is_text(self) -> bool:
        return self.mime.startswith(_TEXTS)

    def lines(self) -> Lines:
        return Lines(self.read, self.n_bytes, sha256=self.blob.sha256 if self.blob else "")


class Artifacts:
    """The use cases on the originals of one open chat.

    Args:
        kept: Originals that are kept for ever.
    """

    def __init__(
        self, conversation: Conversation, *, vault: Vault, kept: Callable[[], Awaitable[tuple[Blob, ...]]]
    ) -> None:
        self._conversation = conversation
        self._vault = vault
        self._kept = kept

    async def list(self) -> tuple[Artifact, ...]:
        """Each once, in the order in which they were said; those of other branches last."""
        kept = frozenset(blob.sha256 for blob in await self._kept())
        return await asyncio.to_thread(_listed, self._conversation, kept)

    async def sights(self) -> Mapping[PartKey, Sight]:
        """Of the parts of the shown branch that are artifacts, by entry and index."""
        return await asyncio.to_thread(_sights, self._conversation)

    async def open(self, address: str) -> Opened:
        """
        Raises:
            OriginalLost: nothing of this chat has the address.
        """
        wanted = parse(address)
        found = await asyncio.to_thread(self._find, wanted) if wanted else None
        if wanted is None or found is None:
            raise OriginalLost(f"Nothing in this conversation has the address {address!r}.", name=address)
        reads = await asyncio.to_thread(_reads, self._conversation.path, wanted)
        if isinstance(found, Blob):
            return Opened(
                address=address,
                name=found.name,
                mime=found.mime,
                n_bytes=found.n_bytes,
                blob=found,
                read=self._vault.reader(found),
                reads=reads,
            )
        data = found.encode()
        return Opened(
            address=address,
            name=wanted.name,
            mime="text/markdown" if wanted.name.endswith(".md") else "text/plain",
            n_bytes=len(data),
            blob=None,
            read=lambda start, end: data[start:end],
            reads=reads,
        )

    def of_compaction(self, folds: Iterable[Fold]) -> frozenset[EntryId]:
        """The entries that some folds hide or change."""
        found: set[EntryId] = set()
        for fold in folds:
            path = self._conversation.transcript.path(fold.last)
            at = next((n for n, entry in enumerate(path) if entry.id == fold.first), len(path))
            found.update(entry.id for entry in path[at:])
        return frozenset(found)

    def _find(self, wanted: Address) -> str | Blob | None:
        entries = self._conversation.transcript
        folds, deletions = tuple(self._conversation.folds), tuple(self._conversation.deletions)
        return Originals({entry.id: entry for entry in entries}, entries.path, folds, deletions).find(wanted)


def _sights(conversation: Conversation) -> dict[PartKey, Sight]:
    found: dict[PartKey, Sight] = {}
    by_itself = {(fold.first, fold.part) for fold in conversation.folds if fold.part is not None}
    for item in _reading(conversation):
        if isinstance(item, Shown):
            found |= _of_shown(item, by_itself)
        else:
            found |= _of_folded(item, by_itself)
    return found


def _reading(conversation: Conversation) -> Iterable[Shown | Folded]:
    path, folds = tuple(conversation.path), tuple(conversation.folds)
    return read(path, folds, tuple(conversation.deletions), rev=conversation.chat.rev)


def _of_shown(item: Shown, by_itself: set[PartKey]) -> Iterator[tuple[PartKey, Sight]]:
    back = sum(
        _tokens(entry.parts[index]) - _replaced(fold)
        for entry, folds in zip(item.entries, item.folds, strict=True)
        for index, fold in folds.items()
    )
    for entry, folds in zip(item.entries, item.folds, strict=True):
        for key, part in _artifacts(entry, by_itself):
            fold = folds.get(key[1])
            tokens = _tokens(part)
            shown = _replaced(fold) if fold else tokens
            fate = fold.kind if fold else None
            yield (
                key,
                Sight(fate=fate, tokens=tokens, shown_tokens=shown, back_tokens=max(0, back)),
            )


def _of_folded(item: Folded, by_itself: set[PartKey]) -> Iterator[tuple[PartKey, Sight]]:
    for entry in item.entries:
        back = sum(map(_tokens, entry.parts))
        for key, part in _artifacts(entry, by_itself):
            yield (
                key,
                Sight(fate=item.fold.kind, tokens=_tokens(part), shown_tokens=0, back_tokens=back),
            )


def _artifacts(entry: Entry, by_itself: set[PartKey]) -> Iterator[tuple[PartKey, Part]]:
    for index, part in enumerate(entry.parts):
        body = _original(part)
        if isinstance(body, Blob) or len(body) >= LEAST_CHARS or (entry.id, index) in by_itself:
            yield (entry.id, index), part


def _listed(conversation: Conversation, kept: frozenset[str]) -> tuple[Artifact, ...]:
    """Texts of entries are among them only where the model does not see them whole."""
    sights = _sights(conversation)
    entries = {entry.id: entry for entry in conversation.transcript}
    found: dict[str, Artifact] = {}
    for item in _reading(conversation):
        if isinstance(item, Folded) and (run := _run(item.fold, conversation.path)):
            found.setdefault(run.address, run)
    for key, sight in sights.items():
        part = entries[key[0]].parts[key[1]]
        if isinstance(_original(part), Blob) or sight.fate is not None:
            artifact = _artifact(key, part, sight, kept)
            found.setdefault(artifact.address, artifact)
    order = {entry.id: n for n, entry in enumerate(conversation.path)}
    shown = sorted(found.values(), key=lambda artifact: order.get(artifact.entry_id, 0))
    others = [
        _artifact((entry.id, index), part, None, kept)
        for entry in entries.values()
        if entry.id not in order
        for index, part in enumerate(entry.parts)
        if isinstance(_original(part), Blob)
    ]
    known = set(found)
    return (*shown, *{each.address: each for each in others if each.address not in known}.values())


def _run(fold: Fold, path: Sequence[Entry]) -> Artifact | None:
    """All that a fold stands for; None: what it says instead doesn't name it, as where more was hidden since."""
    ids = [entry.id for entry in path]
    run = path[ids.index(fold.first) : ids.index(fold.last) + 1]
    text, address = run_text(run), run_address(run)
    bodies = (body for part in fold.replacement if isinstance(body := _original(part), str))
    if address not in (named for body in bodies for named in find_addresses(body)):
        return None
    tokens = estimate_body(text)
    return Artifact(
        address=str(address),
        name=address.name,
        mime="text/markdown",
        n_bytes=len(text.encode()),
        n_lines=text.count("\n") + 1,
        entry_id=run[0].id,
        blob=None,
        sight=Sight(fate=fold.kind, tokens=tokens, shown_tokens=_replaced(fold), back_tokens=0),
        is_run=True,
    )


def _artifact(key: PartKey, part: Part, sight: Sight | None, kept: frozenset[str]) -> Artifact:
    body = _original(part)
    blob = body if isinstance(body, Blob) else None
    text = body if isinstance(body, str) else ""
    return Artifact(
        address=str(part_address(part)),
        name=blob.name if blob else file_name_of(part),
        mime=blob.mime if blob else "text/plain",
        n_bytes=blob.n_bytes if blob else len(text.encode()),
        n_lines=blob.n_lines if blob else text.count("\n") + 1,
        entry_id=key[0],
        blob=blob,
        sight=sight,
        is_kept=blob is not None and blob.sha256 in kept,
    )


def _reads(path: Iterable[Entry], wanted: Address) -> tuple[ModelRead, ...]:
    """By calls of `file_read` whose results are here."""
    asked: dict[str, tuple[list[str], str, str]] = {}
    found: list[ModelRead] = []
    for entry in path:
        asked |= {
            call.call_id: _asked(call.arguments)
            for call in entry.calls
            if call.name == FILE_READ and isinstance(call.arguments, str)
        }
        for result in entry.results:
            if result.call_id in asked and not result.is_error and isinstance(result.text, str):
                found.extend(_pieces(result, *asked[result.call_id], wanted))
    return tuple(found)


def _asked(arguments: str) -> tuple[list[str], str, str]:
    """Paths, range and pattern of a call; a model may write what it likes."""
    try:
        given = cast("object", json.loads(arguments))
    except ValueError:
        given = None
    if not isinstance(given, dict):
        return [], "", ""
    values = cast("dict[str, object]", given)
    paths = values.get("paths")
    named = [str(path) for path in cast("list[object]", paths)] if isinstance(paths, list) else []
    return named, str(values.get("line_range") or ""), str(values.get("pattern") or "")


def _pieces(
    result: ToolResultPart, paths: list[str], line_range: str, pattern: str, wanted: Address
) -> Iterator[ModelRead]:
    text = str(result.text)
    for at, path in enumerate(paths):
        named = parse(path.rstrip("/"))
        if named is None or not (named.hash.startswith(wanted.hash) or wanted.hash.startswith(named.hash)):
            continue
        if len(paths) > 1:
            _, _, text = str(result.text).partition(f"== {path}\n")
            if at + 1 < len(paths):
                text = text.partition(f"\n\n== {paths[at + 1]}\n")[0]
        if not text.startswith("[error]"):
            yield ModelRead(line_range=line_range, pattern=pattern, text=text)


def _original(part: Part) -> str | Blob:
    return part.source if isinstance(part, MediaPart) else body_of(part)


def _tokens(part: Part) -> int:
    return 0 if isinstance(part, MediaPart) else estimate_body(body_of(part))


def _replaced(fold: Fold) -> int:
    return sum(map(_tokens, fold.replacement))
