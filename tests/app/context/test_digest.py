"""A digest says the most telling of a run in the room it has, the person's words before all else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.digest import digest, text_of
from app.context.proposal import Proposal
from app.core.entries import Origin
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from tests.app.context.histories import History, Said, histories, path_of
from tests.app.context.steps.compressing import proposal, real, tokens

FILLER = "well that is a nice thing to hear and we can talk about it some more if you like. "


def said(origin: Origin, text: str) -> Said:
    return origin, (TextPart(text=text),)


def of(*items: Said, limit: int) -> str:
    return digest(proposal(path_of(items)).items, limit, tokens=tokens)


def test_the_persons_fact_stays_when_all_around_it_goes() -> None:
    chat = [said(Origin.ASSISTANT, FILLER * 5) for _ in range(20)]
    chat.insert(7, said(Origin.USER, f"{FILLER} I was pre-approved for $350,000 by Wells Fargo. {FILLER}"))

    found = of(*chat, limit=60)

    assert "I was pre-approved for $350,000 by Wells Fargo." in found
    assert tokens(TextPart(text=found)) <= 60


def test_a_chinese_fact_stays_too() -> None:
    filler = "嗯，这个事情我们可以慢慢聊，不用着急。"
    chat = [said(Origin.ASSISTANT, filler * 12) for _ in range(20)]
    chat.insert(5, said(Origin.USER, f"{filler}我最近在看《觉醒年代》。{filler}"))

    assert "User: 我最近在看《觉醒年代》。" in of(*chat, limit=60)


def test_each_line_says_whose_it_is_and_a_result_follows_its_call() -> None:
    call = ToolCallPart(call_id="a", name="get_user", arguments='{"user_id": "mia_li_3668"}')
    result = ToolResultPart(call_id="a", name="get_user", text='{"zip": "77271", "city": "Houston"}')

    found = of(
        said(Origin.USER, "Who is she?"),
        (Origin.ASSISTANT, (call,)),
        (Origin.TOOL, (result,)),
        said(Origin.ASSISTANT, "Mia Li."),
        limit=200,
    )

    assert found.splitlines() == [
        "User: Who is she?",
        "→ get_user user_id: mia_li_3668",
        "← zip: 77271, city: Houston",
        "Assistant: Mia Li.",
    ]


def test_a_result_whose_call_is_not_kept_still_says_what_was_called() -> None:
    call = ToolCallPart(call_id="a", name="look", arguments='{"at": "the list"}')
    result = ToolResultPart(call_id="a", name="look", text="id: HAT253-77X")
    again = [said(Origin.USER, "the list") for _ in range(30)]

    found = of((Origin.ASSISTANT, (call,)), (Origin.TOOL, (result,)), *again, limit=22)

    assert "← look at: the list: id: HAT253-77X" in found


def test_what_stands_beside_the_digest_is_not_told_again() -> None:
    items = proposal(
        path_of([said(Origin.USER, "order W2586676 paid"), said(Origin.USER, "order W7777777 paid")])
    ).items

    found = digest(items, 12, tokens=tokens, covered=[TextPart(text="order W7777777 was paid")])

    assert found == "User: order W2586676 paid"


def test_without_room_a_digest_is_empty() -> None:
    assert of(said(Origin.USER, "Hello there, how are you?"), limit=0) == ""


@pytest.mark.parametrize("limit", [200, 2_000])
@pytest.mark.parametrize("name", ["opencua-spotify", "tau-airline-task33", "holmes-multiple-root-causes"])
def test_a_digest_fills_its_room_and_is_always_the_same(name: str, limit: int) -> None:
    items = proposal(real(name)).items

    found = digest(items, limit, tokens=tokens)

    assert found == digest(items, limit, tokens=tokens)
    told = (part for item in items for entry in item.entries for part in entry.parts if text_of(part))
    whole = sum(map(tokens, told))
    assert tokens(TextPart(text=found)) <= limit
    assert tokens(TextPart(text=found)) >= min(0.9 * limit, 0.4 * whole)


@given(history=histories(), limit=st.integers(0, 300))
def test_any_history_has_a_digest_within_its_room(history: History, limit: int) -> None:
    context = Proposal.of(history.path, history.folds, history.deletions, rev=history.context().rev)

    found = digest(context.items, limit, tokens=tokens)

    assert not found or tokens(TextPart(text=found)) <= limit
