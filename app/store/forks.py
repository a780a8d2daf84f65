"""A fork: another chat that shares its ancestors' entries and takes copies of what stood there (M11)."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from sqlmodel import Session

from app.context.ledger import at_fork
from app.context.reading import counts_at
from app.context.transcript import Transcript
from app.core.entries import Chat
from app.core.errors import StoreError
from app.core.folds import Deletion, Pin
from app.core.ids import ChatId, EntryId, new_id
from app.store.chats import Chats
from app.store.entries import Entries
from app.store.folds import Folds
from app.store.settings import StoredSettings
from app.store.small import Small

Mark = TypeVar("Mark", Pin, Deletion)


class Forks:
    def __init__(self, session: Session, now: datetime) -> None:
        self._now = now
        self._chats = Chats(session, now)
        self._entries = Entries(session, now)
        self._folds = Folds(session, now)
        self._settings = StoredSettings(session)
        self._small = Small(session, now)

    def fork(self, chat_id: ChatId, at: EntryId, *, title: str) -> Chat:
        """A new chat whose head is the last entry of the group of `at`; its counter goes on from the other's.

        What the model sees in it is what it saw there: the folds that stood just before the next entry of the
        path was stored (cases B78, B79). What is deleted or pinned now is so in the fork too, and so is what the
        person changed in ledger and summaries.
        """
        chat = self._chats.get(chat_id)
        transcript = Transcript(self._entries.contents(chat))
        if at not in transcript:
            raise StoreError("This message does not exist any more.")
        head = self._entries.group(at)[-1].id
        moment = self._just_before_the_next(chat, transcript, head)
        fork = Chat(
            id=ChatId(new_id("chat_")),
            title=title,
            created_at=self._now,
            updated_at=self._now,
            rev=chat.rev,
            head=head,
            parent_id=chat_id,
            fork_entry_id=head,
            is_title_manual=chat.is_title_manual,
            model=chat.model,
        )
        self._chats.create(fork)
        path = {entry.id for entry in transcript.path(head)}
        self._copy_folds(chat_id, fork.id, path, moment)
        self._folds.add_pins(fork.id, _standing(self._folds.pins(chat_id), path))
        self._folds.add_deletions(fork.id, _standing(self._folds.deletions(chat_id), path))
        later = {entry.rev for entry in transcript if entry.id not in path}
        self._small.save_ledger(fork.id, at_fork(self._small.ledger(chat_id), path, later=later))
        for name, value in self._settings.of_chat(chat_id).items():
            self._settings.save(chat=fork.id, name=name, value=value)
        return fork

    def _copy_folds(self, chat_id: ChatId, fork_id: ChatId, path: set[EntryId], moment: int) -> None:
        live = [
            replace(fold, undone_rev=None)
            for fold in self._folds.of(chat_id)
            if counts_at(fold, moment) and {fold.first, fold.last, fold.anchor} <= path
        ]
        made_by = {fold.compaction_id for fold in live}
        for compaction in self._folds.compactions(chat_id):
            if compaction.id in made_by:
                # The other chat paid for it.
                self._folds.add_compaction(replace(compaction, chat_id=fork_id, cost_usd=0.0))
        self._folds.add(fork_id, live)
        written = self._folds.summary_versions(chat_id)
        self._folds.add_summary_versions(
            fork_id, (item for item in written if item.compaction_id in made_by and item.undone_rev is None)
        )

    def _just_before_the_next(self, chat: Chat, transcript: Transcript, head: EntryId) -> int:
        """The number before that of the entry after `head`: on the shown path, else as last chosen, else newest."""
        leaf = chat.head if chat.head else head
        shown = [entry.id for entry in transcript.path(leaf)]
        if head not in shown:
            shown = [entry.id for entry in transcript.path(transcript.leaf(head, chat.chosen))]
        after = shown[shown.index(head) + 1 :]
        return transcript[after[0]].rev - 1 if after else chat.rev


def _standing(marks: Iterable[Mark], path: set[EntryId]) -> tuple[Mark, ...]:
    return tuple(mark for mark in marks if mark.undone_rev is None and mark.entry_id in path)
