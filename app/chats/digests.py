"""What a chat holds, as one number, so that importing the same again is noticed.

An imported chat keeps the digest that it had when it came, at the head of `Chat.source`, however it goes on.
"""

import json
from collections.abc import Iterable
from dataclasses import fields
from hashlib import sha256

from app.chats.kinds.kind import Imported
from app.context.ports import NewEntry
from app.core.ids import EntryId
from app.core.parts import Blob, Part

_HEAD = '{"digest": "'


def digest_of(imported: Imported) -> str:
    """Of its tree with its words and times; ids and the order of branches are of no account.

    Nor is its title, but where nothing says when it was: two such chats may well begin alike.
    """
    began = imported.created_at.isoformat() if imported.created_at else imported.title
    return _hash([began, str(imported.n_messages), *sorted(_of_entries(imported.entries).values())])


def with_digest(source: str, digest: str) -> str:
    """`Chat.source` with the digest at its head."""
    return f'{_HEAD}{digest}"' + (f", {source[1:]}" if source else "}")


def digest_in(source: str) -> str:
    """What `with_digest` put there; empty: nothing."""
    return source.removeprefix(_HEAD).partition('"')[0] if source.startswith(_HEAD) else ""


def _of_entries(entries: Iterable[NewEntry]) -> dict[EntryId | None, str]:
    found: dict[EntryId | None, str] = {None: ""}
    for entry in entries:
        at = entry.created_at.isoformat() if entry.created_at else ""
        parts = [_of_part(part) for part in entry.parts]
        found[entry.id] = _hash([found.get(entry.parent_id, ""), entry.origin, at, *parts])
    del found[None]
    return found


def _of_part(part: Part) -> str:
    held = [
        value.sha256 if isinstance(value := getattr(part, item.name), Blob) else value
        for item in fields(part)
    ]
    return json.dumps([type(part).__name__, *held])


def _hash(words: Iterable[str]) -> str:
    return sha256("\x1f".join(words).encode()).hexdigest()[:32]
