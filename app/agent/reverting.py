"""Taking back what a turn changed of files: each one as it was before, unless somebody changed it since (A12)."""

import asyncio
import hashlib
from collections.abc import Collection
from dataclasses import dataclass, replace

from app.agent.paths import Roots, Use, remove_file, write_whole
from app.agent.tools.files import read_whole
from app.context.ports import Clock, Store, Vault
from app.core.errors import AppError
from app.core.ids import ChatId, EntryId


@dataclass(frozen=True, slots=True, kw_only=True)
class Reverted:
    """Paths, by what became of them."""

    restored: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    """The turn had made them."""
    left: tuple[str, ...] = ()
    """Changed since by somebody else, or out of reach now; not touched."""


async def changed_files(chat_id: ChatId, store: Store) -> dict[EntryId, tuple[str, ...]]:
    """The paths that calls of a chat's answers changed, by answer, as long as that was not taken back."""
    found: dict[EntryId, dict[str, None]] = {}
    for item in await store.file_changes(chat_id):
        if not item.reverted_at:
            found.setdefault(item.entry_id, {})[item.path] = None
    return {answer: tuple(paths) for answer, paths in found.items()}


async def revert(
    chat_id: ChatId, answers: Collection[EntryId], roots: Roots, *, store: Store, vault: Vault, clock: Clock
) -> Reverted:
    """Undo the changes that calls of these answers made, newest first.

    Raises:
        StoreError: what a file held can't be read any more; nothing after it was touched.
    """
    made = [
        item
        for item in await store.file_changes(chat_id)
        if item.entry_id in answers and not item.reverted_at
    ]
    restored: dict[str, None] = {}
    removed: dict[str, None] = {}
    left: dict[str, None] = {}
    for change in reversed(made):
        held = await vault.get(change.before) if change.before else None
        if change.path in left or not await asyncio.to_thread(
            _put_back, roots, change.path, held, change.after_sha256
        ):
            left[change.path] = None
            continue
        await store.save_file_change(replace(change, reverted_at=clock.now()))
        (removed if held is None else restored)[change.path] = None
    return Reverted(
        restored=tuple(path for path in restored if path not in removed),
        removed=tuple(removed),
        left=tuple(left),
    )


def _put_back(roots: Roots, path: str, held: bytes | None, after_sha256: str) -> bool:
    """Whether the file was as the change had left it, and is as before now."""
    try:
        now = read_whole(roots, path, Use.WRITE)
        if hashlib.sha256(now).hexdigest() != after_sha256:
            return False
        if held is None:
            remove_file(roots, path)
        else:
            write_whole(roots, path, held)
    except (AppError, OSError):
        return False
    return True
