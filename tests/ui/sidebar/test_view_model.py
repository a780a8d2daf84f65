"""What a person does with a chat in the list reaches the store, and comes back as a new state."""
# A test may look inside.
# pyright: reportPrivateUsage=false

from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import pytest_asyncio

from app.chats.library import Library, Period
from app.core.errors import AppError
from app.core.ids import ChatId
from app.core.records import Changes, Fact
from app.settings import Paths
from app.store.store import Store
from app.tasks import SystemClock
from app.vault.vault import Vault
from ui.sidebar.samples import Wishes
from ui.sidebar.state import Caption, ChatRow
from ui.sidebar.view_model import SidebarViewModel


class Bench:
    """A view model over a real store, as the window wires it."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.wishes = Wishes()
        self.errors: list[BaseException] = []
        self.model = SidebarViewModel(
            library,
            self.wishes,
            publish=self.hear,
            on_error=self.errors.append,
        )

    def hear(self, changes: Changes) -> None:
        self.model.take(changes)

    async def add(self, *titles: str) -> list[ChatId]:
        ids = [(await self.library.new_chat(title=title))[0] for title in titles]
        await self.model.load()
        return ids

    async def settled(self, until: Callable[[], bool]) -> None:
        """Wait until the deed is done and its change has been read."""
        for _ in range(400):
            if until():
                return
            await SystemClock().sleep(0.005)
        raise AssertionError(self.titles)

    @property
    def titles(self) -> list[str]:
        return [row.title for row in self.model.state.rows if isinstance(row, ChatRow)]


@pytest_asyncio.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    store = await Store.open(Paths(data=tmp_path))
    bench = Bench(Library(store=store, vault=Vault(tmp_path / "vault"), clock=SystemClock()))
    yield bench
    await bench.model.aclose()
    await store.aclose()


async def test_a_new_title_is_stored_and_shown(bench: Bench) -> None:
    (chat_id,) = await bench.add("Trip")

    bench.model.rename(chat_id, "  Trip  to Kyoto ")
    await bench.settled(lambda: bench.titles == ["Trip to Kyoto"])

    assert [chat.title for chat in await bench.library.chats()] == ["Trip to Kyoto"]


async def test_a_pinned_chat_goes_to_the_top(bench: Bench) -> None:
    old, _new = await bench.add("old", "new")

    bench.model.pin(old, is_pinned=True)
    await bench.settled(lambda: bench.titles == ["old", "new"])

    assert [chat.title for chat in await bench.library.chats() if chat.is_pinned] == ["old"]


async def test_a_deleted_chat_comes_back_by_undo(bench: Bench) -> None:
    """U1: delete with undo."""
    (chat_id,) = await bench.add("Trip")
    bench.model.trash(chat_id)
    await bench.settled(lambda: not bench.titles and bench.wishes.undo is not None)
    assert bench.wishes.said == ["Deleted “Trip”"]

    assert bench.wishes.undo
    bench.wishes.undo()

    await bench.settled(lambda: bench.titles == ["Trip"])


async def test_deleting_the_open_chat_opens_the_next_one(bench: Bench) -> None:
    old, new = await bench.add("old", "new")
    bench.model.set_current(new)

    bench.model.trash(new)
    await bench.settled(lambda: bool(bench.wishes.opened))

    assert bench.wishes.opened == [old]


async def test_deleting_the_only_chat_begins_a_new_one(bench: Bench) -> None:
    (only,) = await bench.add("only")
    bench.model.set_current(only)

    bench.model.trash(only)
    await bench.settled(lambda: bench.wishes.n_new == 1)

    assert bench.wishes.opened == []


async def test_a_copy_is_named_so_and_opened(bench: Bench) -> None:
    (chat_id,) = await bench.add("Trip")

    bench.model.duplicate(chat_id)
    await bench.settled(lambda: len(bench.titles) == 2)

    assert sorted(bench.titles) == ["Trip", "Trip (copy)"]
    assert bench.wishes.opened != [chat_id]
    assert len(bench.wishes.opened) == 1


async def test_an_export_is_written_where_it_was_asked_for(bench: Bench, tmp_path: Path) -> None:
    (chat_id,) = await bench.add("Trip")

    bench.model.export(chat_id, tmp_path / "trip.json")
    await bench.settled(lambda: bench.wishes.said == ["Saved as trip.json"])

    assert b"Trip" in (tmp_path / "trip.json").read_bytes()


async def test_an_export_that_fails_is_told(bench: Bench, tmp_path: Path) -> None:
    (chat_id,) = await bench.add("Trip")
    (tmp_path / "file").touch()

    bench.model.export(chat_id, tmp_path / "file" / "trip.json")
    await bench.settled(lambda: bool(bench.errors))

    assert isinstance(bench.errors[0], AppError)
    assert bench.errors[0].code == "file_unwritable"


async def test_only_changes_of_the_list_are_read_again(bench: Bench) -> None:
    await bench.add("one")
    await bench.library.new_chat(title="two")
    heard = list[object]()
    bench.model.changed.connect(heard.append)

    bench.model.take(Changes(facts=frozenset({Fact.SETTINGS})))
    await SystemClock().sleep(0.02)
    assert heard == []
    bench.model.take(Changes(facts=frozenset({Fact.CHATS})))

    await bench.settled(lambda: len(bench.titles) == 2)


async def test_stepping_opens_the_next_chat(bench: Bench) -> None:
    """U23: Ctrl+Tab."""
    old, new = await bench.add("old", "new")
    bench.model.set_current(new)

    bench.model.step(1)

    assert bench.wishes.opened == [old]


async def test_a_chat_without_a_title_is_named_in_words(bench: Bench) -> None:
    (chat_id,) = await bench.add("")

    assert bench.model.title(chat_id) == "New chat"


async def test_midnight_moves_todays_chats(bench: Bench) -> None:
    await bench.add("late")
    now = SystemClock().now().astimezone()
    bench.model._now = lambda: now + timedelta(days=1)

    bench.model.redate()

    assert bench.model.state.rows[0] == Caption(period=Period.YESTERDAY)
