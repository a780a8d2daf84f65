"""Tests of the palette and the page of everything while a person types: the newest question wins (U15)."""

import asyncio
from dataclasses import dataclass, field, replace

import pytest

from app.core.entries import Chat
from app.core.ids import ChatId
from app.finding.found import Findings, Found
from app.tasks import TaskScope
from tests.app.store.making import a_chat
from tests.fakes import until
from tests.ui.finding.test_state import a_message, option
from ui.finding.state import Kind, Option
from ui.finding.view_model import EverythingModel, FindingPorts, PaletteModel


@dataclass(slots=True)
class Shop:
    """What the models ask for; a search waits until it is told to end."""

    asked: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    answers: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])
    n_found: int = 1
    opened: list[object] = field(default_factory=list[object])

    async def find(self, typed: str, limit: int) -> Findings:
        self.asked.append((typed, limit))
        if typed in self.answers:
            await self.answers[typed].wait()
        found = tuple(a_message(f"{typed} {n}") for n in range(min(limit, self.n_found)))
        return Findings(found=found, has_more=self.n_found > limit)

    def chats(self) -> tuple[Chat, ...]:
        return (a_chat("one", title="Rounding"), a_chat("two"))

    def open_message(self, found: Found, typed: str) -> None:
        self.opened.append((found.entry_id, typed))

    @property
    def ports(self) -> FindingPorts:
        return FindingPorts(
            find=self.find,
            chats=self.chats,
            options=lambda: [option("Round up", Kind.COMMAND)],
            open_chat=self.opened.append,
            open_message=self.open_message,
            run=lambda option: self.opened.append(option.id),
            untitled=lambda: "New chat",
        )


def titles(model: PaletteModel) -> list[str]:
    return [row.title for row in model.state.rows if isinstance(row, Option)]


async def test_options_stand_there_at_once_and_messages_follow() -> None:
    shop = Shop()
    async with TaskScope() as tasks:
        model = PaletteModel(shop.ports, tasks)
        model.open()
        before = titles(model)

        model.type("rou")
        at_once = titles(model)
        await until(lambda: not model.state.is_looking)

    assert before == ["Rounding", "New chat"]
    assert at_once == ["Rounding", "Round up", "rou"]
    assert titles(model) == ["Rounding", "Round up", "Bills", "rou"]


async def test_of_what_is_typed_quickly_only_the_last_is_looked_for_and_a_late_answer_loses() -> None:
    shop = Shop(answers={"slow": asyncio.Event()})
    async with TaskScope() as tasks:
        model = PaletteModel(shop.ports, tasks)
        model.open()
        for typed in ("s", "sl", "slow"):
            model.type(typed)
        await until(lambda: bool(shop.asked))

        model.type("quick")
        shop.answers["slow"].set()
        await until(lambda: not model.state.is_looking)

    assert [typed for typed, _ in shop.asked] == ["slow", "quick"]
    assert [row.id for row in model.state.rows if isinstance(row, Option) and row.found] == ["quick 0"]


@pytest.mark.parametrize(
    ("chosen", "opened"),
    [
        (option("one"), ChatId("one")),
        (option("Round up", Kind.COMMAND), "Round up"),
        (replace(option("e", Kind.MESSAGE), found=a_message()), ("e", "rou")),
    ],
)
async def test_what_is_chosen_is_opened_and_the_palette_is_done(chosen: Option, opened: object) -> None:
    shop = Shop()
    done: list[bool] = []
    async with TaskScope() as tasks:
        model = PaletteModel(shop.ports, tasks)
        model.done.connect(lambda: done.append(True))
        model.open()
        model.type("rou")

        model.choose(chosen)

    assert (shop.opened, done) == ([opened], [True])


async def test_the_page_of_everything_asks_for_twice_as_many_at_its_end() -> None:
    shop = Shop(n_found=120)
    async with TaskScope() as tasks:
        model = EverythingModel(shop.ports, tasks)
        model.type("word")
        await until(lambda: len(model.state.found) == 50)
        model.more()
        await until(lambda: len(model.state.found) == 100)
        model.more()
        await until(lambda: len(model.state.found) == 120)
        model.more()

    assert [limit for _, limit in shop.asked] == [50, 100, 200]
    assert not model.state.has_more
