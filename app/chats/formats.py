"""The kinds of files a chat can come from, as data: a format is a line in `FORMATS` or `TEXTS`.

A file is read one conversation at a time, so that an export of years needs no more memory than its longest chat.
What one is like decides by its shape, never by its name (case B84): where the first items of a list are
conversations each is read by itself, and one that can't be read is told and stops no other (case B83); where they
are records or messages the list is one conversation.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path, PurePosixPath

import yaml
from pydantic import JsonValue, TypeAdapter, ValidationError

from app.chats.faults import Fault, FaultKind
from app.chats.kinds.agents import AGENTS
from app.chats.kinds.chatgpt import CHATGPT
from app.chats.kinds.claude import CLAUDE
from app.chats.kinds.kind import File, FileUnreadable, Format, Imported
from app.chats.kinds.ours import ENVELOPE, LIST, OWN
from app.chats.kinds.texts import TEXTS
from app.chats.kinds.threads import THREADS
from app.chats.packages import READ, Package, Watch
from app.chats.slices import Items
from app.chats.text_file import TextFile

__all__ = ["FORMATS", "READ", "FileUnreadable", "Imported", "conversations", "read_chunks", "read_file"]

log = logging.getLogger(__name__)

FORMATS: tuple[Format, ...] = (OWN, CHATGPT, CLAUDE, *AGENTS, *THREADS, ENVELOPE, LIST)
"""The first that fits is taken; the forms of which a file comes out to the letter fit nearly everything, so last."""

_LOOKED_AT = 20
"""Items of a list that are looked at to tell what it is a list of."""
_MOST_TEXT_BYTES = 64_000_000
"""Of a file that is no JSON, which is read at a stretch."""
_JSON: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)


def read_file(path: Path) -> tuple[Imported, ...]:
    """The chats in a file. For a thread: it never holds the interpreter for long.

    Raises:
        FileUnreadable: it can't be opened, is damaged, or is of no format we know.
    """
    return tuple(conversations(path, Watch()))


def conversations(path: Path, watch: Watch) -> Iterator[Imported]:
    """As `read_file`, one after the other, each when it is asked for; of a folder or a ZIP those of all its files.

    One that holds no entry has a fault that says why.

    Raises:
        FileUnreadable: nothing of it could be taken.
        ReadingStopped: `watch.stop` was set.
    """
    package = Package(path, watch)
    n_found = 0
    refused: FileUnreadable | None = None
    try:
        for name in package.names():
            try:
                for found in _read(package.chunks(name), name=name, beside=package.beside):
                    n_found += 1
                    yield found
            except FileUnreadable as error:
                if package.is_single:
                    raise
                refused = refused or error
    finally:
        package.close()
    if not n_found:
        raise refused or _unknown(path.name)


def read_chunks(chunks: Iterable[bytes], *, name: str) -> tuple[Imported, ...]:
    """As `read_file`, from what a file holds."""
    return tuple(_read(chunks, name=name))


def _nothing(_name: str) -> bytes | None:
    return None


def _read(
    chunks: Iterable[bytes], *, name: str, beside: Callable[[str], bytes | None] = _nothing
) -> Iterator[Imported]:
    texts = TextFile(chunks)
    pieces = iter(texts)
    start = next((piece for piece in pieces if piece.strip()), "")
    whole = chain([start], pieces)
    if start.lstrip()[:1] in ("[", "{", ""):
        yield from _Json(texts, whole, name, beside).read()
    else:
        yield from _read_text(texts, whole, name, beside)


class _Json:
    """Reads what JSON, or lines of JSON, hold."""

    def __init__(
        self, texts: TextFile, pieces: Iterable[str], name: str, beside: Callable[[str], bytes | None]
    ) -> None:
        self._texts, self._pieces = texts, pieces
        self._name, self._beside = name, beside
        self._title = PurePosixPath(name).stem
        self._cut: Exception | None = None
        """Why the file could not be read to its end."""

    def read(self) -> Iterator[Imported]:
        try:
            items = Items(self._pieces)
        except (ValueError, RecursionError) as error:
            raise _not_json(self._name, error) from error
        stream = self._as_far_as_it_goes(items)
        first = _first(stream)
        if items.is_list and (found := _of_any(first)):
            yield from self._each(first, stream, found, items)
            return
        value = [*first, *stream]
        if not items.is_list and len(value) == 1:
            yield from self._one(value[0], items)
        elif not items.is_list and (found := _of_any(first)):
            yield from self._each(value, iter(()), found, items)
        else:
            yield from self._one(value, items, is_lines=not items.is_list)

    def _as_far_as_it_goes(self, items: Items) -> Iterator[JsonValue]:
        """Raises: FileUnreadable: not even the first item can be read."""
        is_begun = False
        try:
            for value in items:
                is_begun = True
                yield value
        except (ValueError, RecursionError) as error:
            if not is_begun:
                raise _not_json(self._name, error) from error
            self._cut = error

    def _one(self, value: JsonValue, items: Items, *, is_lines: bool = False) -> Iterator[Imported]:
        """The value is one conversation, or something that holds a few."""
        found = _format_of(value)
        if found is None:
            raise _not_json(self._name, self._cut) if self._cut else _unknown(self._name)
        style = None if is_lines or self._cut else self._texts.style(items.end)
        faults = tuple(self._told(items))
        yield from found.read(
            File(name=self._title, json=value, style=style, faults=faults, beside=self._beside)
        )

    def _each(
        self, first: list[JsonValue], rest: Iterator[JsonValue], found: Format, items: Items
    ) -> Iterator[Imported]:
        """Each item is a conversation, whatever becomes of the others."""
        for n, value in enumerate(chain(first, rest), 1):
            one = found if found.detect(value) else _format_of(value)
            file = File(name=f"{self._title} {n}", json=value, style=None, beside=self._beside)
            yield from _safely(one, file, n)
        if told := self._told(items):
            yield _nothing_but(told, self._title)

    def _told(self, items: Items) -> list[Fault]:
        """What is to be said of the file as a whole."""
        faults = [Fault(kind=FaultKind.NOT_UTF8)] if self._texts.is_damaged else []
        if items.n_spoiled:
            faults.append(Fault(kind=FaultKind.BROKEN_LINES, n=items.n_spoiled))
        if self._cut:
            faults.append(Fault(kind=FaultKind.CUT_FILE))
        return faults


def _first(stream: Iterator[JsonValue]) -> list[JsonValue]:
    """Items up to the first few that are objects."""
    found: list[JsonValue] = []
    for value in stream:
        found.append(value)
        if len(found) >= _LOOKED_AT or (isinstance(value, dict) and len(found) >= 2):
            break
    return found


def _format_of(value: JsonValue) -> Format | None:
    return next((item for item in FORMATS if item.detect(value)), None)


def _of_any(values: list[JsonValue]) -> Format | None:
    """The format of the first item that is a conversation by itself."""
    return next((found for value in values if isinstance(value, dict) and (found := _format_of(value))), None)


def _safely(found: Format | None, file: File, n: int) -> Iterator[Imported]:
    """A conversation that nobody foresaw is told, logged, and stops no other."""
    broken = _nothing_but([Fault(kind=FaultKind.BROKEN_CHAT, n=n)], file.name)
    if found is None:
        yield broken
        return
    try:
        yield from found.read(file)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        log.info("Conversation %s could not be read: %r", n, error)
        yield broken


def _nothing_but(faults: list[Fault], title: str) -> Imported:
    return Imported(
        title=title,
        created_at=None,
        entries=(),
        head=None,
        n_messages=0,
        source="",
        faults=tuple(faults),
        blobs={},
        bytes_of={},
    )


# ---- text


def _read_text(
    texts: TextFile, pieces: Iterable[str], name: str, beside: Callable[[str], bytes | None]
) -> Iterator[Imported]:
    held: list[str] = []
    n_bytes = 0
    for piece in pieces:
        n_bytes += len(piece)
        if n_bytes > _MOST_TEXT_BYTES:
            raise _unknown(name)
        held.append(piece)
    text = "".join(held)
    faults = (Fault(kind=FaultKind.NOT_UTF8),) if texts.is_damaged else ()
    file = File(name=PurePosixPath(name).stem, json=None, style=None, faults=faults, beside=beside)
    if name.lower().endswith((".yaml", ".yml")):
        value = _yaml(text, name)
        if found := _format_of(value):
            yield from found.read(File(name=file.name, json=value, style=None, faults=faults, beside=beside))
            return
    for item in TEXTS:
        if item.detect(text):
            yield from item.read(file, text)
            return
    if name.lower().endswith(".json"):
        raise _not_json(name, ValueError("no bracket at the beginning"))
    raise _unknown(name)


def _yaml(text: str, name: str) -> JsonValue:
    """Without references: ten lines of them unpack to more than any memory holds (Q23)."""
    try:
        return _JSON.validate_python(None if _has_references(text) else yaml.load(text, yaml.CSafeLoader))
    except (yaml.YAMLError, ValidationError, ValueError, RecursionError) as error:
        raise _unknown(name) from error


def _has_references(text: str) -> bool:
    loader = yaml.CSafeLoader(text)
    try:
        while not isinstance(event := loader.get_event(), yaml.StreamEndEvent):
            if isinstance(event, yaml.AliasEvent):
                return True
        return False
    finally:
        loader.dispose()


def _not_json(name: str, error: Exception) -> FileUnreadable:
    return FileUnreadable(f"The file {name!r} is not JSON.", detail=str(error), file=name)


def _unknown(name: str) -> FileUnreadable:
    return FileUnreadable(
        f"The file {name!r} holds no conversation of a kind that can be read.",
        hint="Exports of ChatGPT and Claude, sessions of agents, chats as JSON or Markdown, "
        "and what Palimpsest exported can be read.",
        file=name,
    )
