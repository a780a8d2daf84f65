"""The story of tests/story.py through the real store, which is closed and opened in between."""

import asyncio
import shutil
import tempfile
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

import pytest
from hypothesis import settings
from hypothesis.stateful import rule

from app.context.ports import NewEntry, NewFold
from app.core.entries import Entry
from app.core.ids import CompactionId, EntryId
from app.settings import Paths
from app.store.store import Store
from app.store.upgrade import upgrade
from tests.app.store.making import CHAT, a_chat, a_compaction
from tests.story import Story

T = TypeVar("T")


class StoredStory(Story):
    """Each step is the store's; what it then says is what the story's claims are checked on."""

    empty: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._paths = Paths(data=Path(self._folder.name))
        shutil.copy(self.empty, self._paths.database)
        self._runner = asyncio.Runner()
        self._store = self._run(Store.open(self._paths))
        self._run(self._store.create_chat(a_chat()))

    def teardown(self) -> None:
        self._run(self._store.aclose())
        self._runner.close()
        self._folder.cleanup()

    @rule()
    def close_and_open(self) -> None:
        self._run(self._store.aclose())
        self._store = self._run(Store.open(self._paths))
        before = (self.entries, self.folds, self.deletions, self.head, self.rev)

        self._look()

        assert (self.entries, self.folds, self.deletions, self.head, self.rev) == before

    def append(self, new: Sequence[NewEntry]) -> None:
        stored = self._run(self._store.append(CHAT, new))
        self._look()
        assert stored == tuple(self.entries[-len(new) :])

    def move(self, head: EntryId) -> None:
        self._run(self._store.move_head(CHAT, head))
        self._look()

    def commit(self, compaction: CompactionId, folds: Sequence[NewFold]) -> None:
        stored = self._run(self._store.commit(a_compaction(compaction), folds, planned_rev=self.rev))
        self._look()
        assert stored == tuple(self.folds[-len(folds) :])

    def undo(self, compaction: CompactionId) -> None:
        self._run(self._store.undo(CHAT, compaction))
        self._look()

    def delete(self, entry_id: EntryId) -> None:
        self._run(self._store.delete_group(CHAT, entry_id))
        self._look()

    def undelete(self, entry_id: EntryId) -> None:
        self._run(self._store.delete_group(CHAT, entry_id, undo=True))
        self._look()

    def path(self) -> tuple[Entry, ...]:
        found = super().path()
        assert found == self._run(self._store.tail(CHAT, 1_000))
        return found

    def _look(self) -> None:
        contents = self._run(self._store.load(CHAT))
        self.entries, self.folds = list(contents.entries), list(contents.folds)
        self.deletions = list(contents.deletions)
        self.head, self.rev = contents.chat.head, contents.chat.rev

    def _run(self, work: Coroutine[object, object, T]) -> T:
        return self._runner.run(work)


@pytest.fixture(scope="module", autouse=True)
def empty(tmp_path_factory: pytest.TempPathFactory) -> None:
    paths = Paths(data=tmp_path_factory.mktemp("stories"))
    upgrade(paths)
    StoredStory.empty = paths.database


class TestStoredStory(StoredStory.TestCase):
    settings = settings(max_examples=8, stateful_step_count=20)


@pytest.mark.slow
@pytest.mark.timeout(1_800)
class TestManyStoredStories(StoredStory.TestCase):
    settings = settings(max_examples=300, stateful_step_count=30)
