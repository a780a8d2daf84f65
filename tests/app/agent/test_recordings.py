"""Recorded work is played through the turn loop: what repeats is caught, and nothing else is (C29, C30)."""

import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from app.agent.toolbox import ToolBox
from app.agent.tools.tool import Arguments, Given, Place, Tool
from app.core.approvals import Wish
from app.core.entries import Finish
from app.core.events import (
    Accepted,
    AnswerDropped,
    Finished,
    Pause,
    ToolCallArrived,
    TurnCompleted,
    TurnEvent,
    TurnPaused,
)
from app.core.parts import Blob, Body
from app.core.requests import ToolSpec
from app.models.registry import ModelFacts
from app.settings import Paths
from app.store.store import Store
from app.vault.vault import Vault
from tests.app.agent.opening import Opened, opened
from tests.app.agent.test_toolbox import box_ports
from tests.app.chats.reading import conversation
from tests.fakes import Step, answer

READS = frozenset(
    [
        "web_search",
        "web_fetch",
        "search",
        "visit",
        "search_direct_flight",
        "search_onestop_flight",
        "get_reservation_details",
        "get_user_details",
        "get_flight_status",
        "list_all_airports",
    ]
)
"""Names of recorded tools that only read whatever else is done."""


@dataclass(frozen=True, kw_only=True)
class Call:
    id: str
    name: str
    arguments: str
    result: str


Round = tuple[Call, ...]


@dataclass(frozen=True, kw_only=True)
class Recorded:
    asked: str
    rounds: tuple[Round, ...]


def recorded(name: str) -> tuple[Recorded, ...]:
    """Turns of a recording that call for tools."""
    messages: list[dict[str, Any]] = json.loads(conversation(name).read_text("utf-8"))["messages"]
    results = {item["tool_call_id"]: str(item["content"]) for item in messages if item["role"] == "tool"}
    turns: list[tuple[str, list[Round]]] = []
    for item in messages:
        if item["role"] == "user":
            turns.append((str(item["content"]), []))
        elif item.get("tool_calls") and turns:
            turns[-1][1].append(
                tuple(
                    Call(
                        id=call["id"],
                        name=call["function"]["name"],
                        arguments=call["function"]["arguments"],
                        result=results[call["id"]],
                    )
                    for call in item["tool_calls"]
                )
            )
    return tuple(Recorded(asked=asked, rounds=tuple(rounds)) for asked, rounds in turns if rounds)


def said(round_: Round) -> tuple[Step, ...]:
    calls = (
        ToolCallArrived(index=n, call_id=call.id, name=call.name, arguments=call.arguments)
        for n, call in enumerate(round_)
    )
    return (Accepted(), *calls, Finished(finish=Finish.TOOL_CALLS))


@dataclass(frozen=True, kw_only=True)
class Played:
    """A tool that gives what was recorded."""

    name: str
    results: dict[str, str]
    """By the call's id."""
    is_read_only: bool
    is_side_by_side: bool = False
    ran: list[str] = field(default_factory=list[str])

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(name=self.name, description="", schema="{}")

    async def wish(self, arguments: Arguments, place: Place) -> Wish | None:
        return None

    async def run(self, arguments: Arguments, place: Place) -> Given:
        made = next(entry for entry in reversed(place.path()) if entry.id == place.answer_id)
        call_id = made.calls[place.index].call_id
        self.ran.append(call_id)
        return Given(text=self.results[call_id])


@dataclass(kw_only=True)
class Session:
    chat: Opened
    vault: Vault
    ran: list[str]
    """Ids of calls that were carried out."""

    async def play(self, turn: Recorded) -> TurnEvent:
        self.chat.gateway.say(*map(said, turn.rounds), answer("Done."))
        return await self.chat.ask(turn.asked)

    @property
    def dropped(self) -> list[AnswerDropped]:
        return [event for event in self.chat.events if isinstance(event, AnswerDropped)]

    async def results(self) -> dict[str, str]:
        """What each call of the shown branch gave, whole, by its id."""
        parts = [part for entry in self.chat.session.conversation.path for part in entry.results]
        return {part.call_id: await self._whole(part.text) for part in parts}

    async def _whole(self, body: Body) -> str:
        return (await self.vault.get(body)).decode() if isinstance(body, Blob) else body


class Opening:
    """Opens chats over recorded tools, and closes them."""

    def __init__(self, store: Store, vault: Vault, folder: Path) -> None:
        self._store, self._vault, self._folder = store, vault, folder
        self._open: list[tuple[Opened, ToolBox]] = []

    async def session(
        self,
        turns: Sequence[Recorded],
        *,
        most_requests: int = 10_000,
        window_tokens: int = 1_000_000,
    ) -> Session:
        vault = self._vault
        ran: list[str] = []
        calls = [call for turn in turns for round_ in turn.rounds for call in round_]
        tools: tuple[Tool, ...] = tuple(
            Played(
                name=name,
                results={call.id: call.result for call in calls if call.name == name},
                is_read_only=name in READS,
                ran=ran,
            )
            for name in sorted({call.name for call in calls})
        )
        ports, settings = box_ports(self._store, self._folder, vault, {"most_requests": most_requests})
        box = ToolBox(ports)
        chat = await opened(
            self._store,
            settings=settings[0],
            tools=box,
            offers=tools,
            vault=vault,
            facts=ModelFacts(window_tokens=window_tokens),
        )
        self._open.append((chat, box))
        return Session(chat=chat, vault=vault, ran=ran)

    async def aclose(self) -> None:
        for chat, box in self._open:
            await chat.session.aclose()
            await box.aclose()


@pytest.fixture
async def opening(store: Store, paths: Paths, tmp_path: Path) -> AsyncGenerator[Opening, None]:
    found = Opening(store, Vault(paths.vault), tmp_path)
    yield found
    await found.aclose()


@pytest.mark.parametrize(
    "name",
    [
        "deerflow-trends-2026",
        "openhands-ponylang__ponyc-4595",
        "sweagent-marshmallow-1867",
        "webdancer-12-questions",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in (
                "claude-code-cctrace-session",
                "deerflow-caren-landing-parallel",
                "deerflow-dataset-findings",
                "deerflow-suchao-website",
                "glaive-toolcall-zh-150",
                "holmes-k8s-unhealthy-pods",
                "holmes-multiple-root-causes",
                "holmes-negative-findings",
                "minisweagent-astropy__astropy-12907",
                "minisweagent-django__django-11138",
                "minisweagent-pylint-dev__pylint-6528",
                "minisweagent-scikit-learn__scikit-learn-25102",
                "minisweagent-sphinx-doc__sphinx-9258",
                "openhands-ponylang__ponyc-4588",
                "pi-mono-refactor-session",
                "pydantic-ai-multimodal-tools",
                "tau-airline-14-sessions",
                "tau-airline-task33",
                "tau2-airline-8-sessions",
                "tau2-retail-single",
            )
        ),
    ],
)
async def test_recorded_work_runs_to_its_end_and_each_call_has_what_was_recorded(
    opening: Opening, name: str
) -> None:
    """No call of a person's real session is taken for a circle, and none is left without its result."""
    turns = recorded(name)
    here = await opening.session(turns)

    ends = [await here.play(turn) for turn in turns]

    calls = {call.id: call for turn in turns for round_ in turn.rounds for call in round_}
    given = await here.results()
    assert [type(end) for end in ends] == [TurnCompleted] * len(turns)
    assert here.dropped == []
    assert sorted(given) == sorted(calls)  # those that only read are stored as they end
    assert {name: given[name] for name in here.ran} == {name: calls[name].result for name in here.ran}


async def test_a_recorded_search_that_was_made_before_is_answered_as_then_beside_new_ones(
    opening: Opening,
) -> None:
    """C29: in this session a sixth search of a message repeats one of the message before."""
    turn = next(item for item in recorded("tau2-airline-8-sessions") if _repeats(item))
    here = await opening.session([turn])

    await here.play(turn)

    again, earlier = _repeats(turn)[0]
    given = await here.results()
    assert again.id not in here.ran
    assert given[again.id] == given[earlier.id] == earlier.result
    assert len(here.ran) == sum(map(len, turn.rounds)) - 1


def _repeats(turn: Recorded) -> list[tuple[Call, Call]]:
    """Calls of tools that only read which were made before, each with the first one."""
    first: dict[tuple[str, str], Call] = {}
    calls = [call for round_ in turn.rounds for call in round_ if call.name in READS]
    return [
        (call, earlier)
        for call in calls
        if (earlier := first.setdefault((call.name, call.arguments), call)) is not call
    ]


def _stuttering(turn: Recorded) -> tuple[Round, ...]:
    """As a model would work that makes each round of calls once more."""
    return tuple(
        tuple(replace(call, id=f"{call.id}{mark}") for call in round_)
        for round_ in turn.rounds
        for mark in ("", "-again", "-again-again")
    )


def _searches() -> Recorded:
    """Rounds of a recording that search and read the web, as one turn."""
    turn = recorded("deerflow-trends-2026")[0]
    rounds = tuple(round_ for round_ in turn.rounds if all(call.name in READS for call in round_))
    assert len(rounds) > 6
    return replace(turn, rounds=rounds)


async def test_repeats_are_rolled_back_and_don_t_count_as_requests_of_the_turn(opening: Opening) -> None:
    """C29: a turn that may ask as often as it has different rounds comes to its end."""
    turn = _searches()
    stuttered = replace(turn, rounds=_stuttering(turn))
    here = await opening.session([stuttered], most_requests=len(turn.rounds) + 1)

    end = await here.play(stuttered)

    assert isinstance(end, TurnCompleted)
    assert here.ran == [call.id for round_ in turn.rounds for call in round_]
    assert len(here.dropped) == 2 * len(turn.rounds)
    stored = {entry.id for entry in await here.chat.stored()}
    assert {event.answer_id for event in here.dropped} < stored
    assert all("-again" not in text for text in here.chat.model_saw())


async def test_without_the_guard_the_same_transcript_burns_its_turns(opening: Opening) -> None:
    """C29: as tools of a server that doesn't say that they only read."""
    turn = _searches()
    rounds = tuple(
        tuple(replace(call, name=f"mcp__web__{call.name}") for call in round_) for round_ in _stuttering(turn)
    )
    stuttered = replace(turn, rounds=rounds)
    here = await opening.session([stuttered], most_requests=len(turn.rounds) + 1)

    end = await here.play(stuttered)

    assert isinstance(end, TurnPaused)
    assert end.why is Pause.REQUESTS
    assert len(here.ran) == len(turn.rounds) + 1
    assert sum("-again" in name for name in here.ran) > len(here.ran) / 2


async def test_what_was_folded_away_is_answered_as_then_when_it_is_asked_for_again(opening: Opening) -> None:
    """C29: forgetting is folding's doing; the page is not fetched a second time."""
    turn = _searches()
    page = max((round_ for round_ in turn.rounds if len(round_) == 1), key=lambda it: len(it[0].result))
    again = (replace(page[0], id="again"),)
    asked = replace(turn, rounds=(page, again))
    here = await opening.session([asked], window_tokens=16_000)

    end = await here.play(asked)

    given = await here.results()
    assert isinstance(end, TurnCompleted)
    assert here.ran == [page[0].id]
    assert given["again"] == given[page[0].id] == page[0].result
    assert here.dropped == []
    assert page[0].result not in here.chat.model_saw(1)[-1]  # S3 had shortened it
