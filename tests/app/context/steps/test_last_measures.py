"""C37: a request always ends below the window, with no model and no network, whoever wrote what is too long."""

import asyncio
import json

import pytest

from app.context.budget import room_for_answer
from app.context.facts import Trigger
from app.context.originals import resolve
from app.context.proposal import Proposal, shown
from app.context.reading import Folded
from app.context.render import render
from app.context.steps.last_measures import last_measures
from app.context.transcript import Transcript
from app.context.validate import faults
from app.core.entries import Entry, Origin
from app.core.ids import ModelId
from app.core.parts import MediaPart, TextPart, ToolCallPart, ToolResultPart, body_of
from app.core.requests import Prelude, Request
from app.vault.address import find_addresses
from tests.app.context.counts import CONVERSATIONS
from tests.app.context.histories import path_of
from tests.app.context.planning import Chat, ports
from tests.app.context.steps.compressing import real, tokens

QUICK = ("holmes-multiple-root-causes", "deerflow-dataset-findings")
NAMES = [
    name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
    for name in sorted(path.stem for path in CONVERSATIONS.glob("*.json"))
]
WINDOW = 4_000
LONG = "\n".join(f"line {n} of what was pasted here" for n in range(2_000))


def text_of(context: Proposal) -> str:
    parts = (
        part
        for item in context.items
        for part in (
            item.fold.replacement if isinstance(item, Folded) else [p for ps in item.parts for p in ps]
        )
    )
    bodies = ("" if isinstance(part, MediaPart) else body_of(part) for part in parts)
    return "\n".join(body for body in bodies if isinstance(body, str))


def system_tokens(path: tuple[Entry, ...]) -> int:
    return sum(tokens(part) for entry in path if entry.origin is Origin.SYSTEM for part in entry.parts)


def after(path: tuple[Entry, ...], *, put_back: int | None = None) -> tuple[Proposal, str]:
    chat = Chat.of(path)
    if put_back is not None:
        chat.put_back.add(path[put_back].id)
    facts = chat.facts(0.45, trigger=Trigger.EMERGENCY, window_tokens=WINDOW)

    result = asyncio.run(last_measures(chat.proposal, facts, ports()))

    made = chat.proposal.with_folds(result.folds)
    assert facts.request_tokens(made) <= WINDOW - room_for_answer(WINDOW, None)
    return made, result.why


@pytest.mark.parametrize("window", [8_000, 16_000])
@pytest.mark.parametrize("name", NAMES)
def test_every_conversation_ends_below_a_small_window_valid_and_with_all_of_it_reachable(
    name: str, window: int
) -> None:
    path = real(name)
    chat = Chat.of(path)
    fixed = system_tokens(path)
    limit = window - room_for_answer(window, None)
    facts = chat.facts(0.45, trigger=Trigger.EMERGENCY, window_tokens=window, fixed_tokens=fixed)

    made = chat.compress(facts)

    assert made.tokens_after <= limit or fixed > 0.75 * limit
    messages = tuple(render(made.proposal.items, is_start=True))
    assert not faults(Request(model=ModelId("own/m"), prelude=Prelude(system=""), messages=messages))
    entries, path_of_ = {entry.id: entry for entry in path}, Transcript(path).path
    named = dict.fromkeys(find_addresses(text_of(made.proposal)))
    said = text_of(Chat.of(path).proposal)
    lost = [one for one in named if resolve(one, entries, path_of_, made.proposal.folds) is None]
    assert [str(one) for one in lost if str(one) not in said] == []


@pytest.mark.parametrize("origin", [Origin.USER, Origin.ASSISTANT])
def test_a_huge_text_keeps_its_ends_whoever_wrote_it(origin: Origin) -> None:
    path = path_of(
        (
            (Origin.USER, (TextPart(text="Look."),)),
            (origin, (TextPart(text=LONG),)),
            (Origin.USER, (TextPart(text="And now?"),)),
        )
    )

    made, why = after(path)

    assert "line 0 of" in text_of(made)
    assert "line 1999 of" in text_of(made)
    assert why == "Texts over a quarter of the window keep their beginning and end."


def test_a_huge_first_message_is_cut_too_and_read_again_by_its_address() -> None:
    path = path_of(((Origin.USER, (TextPart(text=LONG),)),))

    made, _ = after(path)

    (address,) = find_addresses(text_of(made))
    assert resolve(address, {e.id: e for e in path}, Transcript(path).path, made.folds) == LONG


@pytest.mark.parametrize("arguments", [json.dumps({"path": "a.py", "text": LONG}), f"no object {LONG}"])
def test_huge_arguments_stay_an_object(arguments: str) -> None:
    """C32."""
    path = path_of(
        (
            (Origin.USER, (TextPart(text="Write it."),)),
            (Origin.ASSISTANT, (ToolCallPart(call_id="c", name="write", arguments=arguments),)),
            (Origin.TOOL, (ToolResultPart(call_id="c", name="write", text="done"),)),
        )
    )

    made, _ = after(path)

    (call,) = (
        part
        for item in shown(made.items)
        for parts in item.parts
        for part in parts
        if isinstance(part, ToolCallPart)
    )
    assert isinstance(call.arguments, str)
    assert isinstance(json.loads(call.arguments), dict)


def test_what_was_put_back_goes_last_and_is_told() -> None:
    """M12."""
    text = "\n".join(f"row {n}" for n in range(400))
    said = [(Origin.ASSISTANT, (TextPart(text=f"{n}\n{text}"),)) for n in range(3)]
    path = path_of(
        ((Origin.USER, (TextPart(text="Go."),)), *said, (Origin.USER, (TextPart(text="And now?"),)))
    )

    made, why = after(path, put_back=2)

    assert (path[2].parts,) in [item.parts for item in shown(made.items)]
    assert "put back" not in why


def test_a_request_that_fits_is_left_alone() -> None:
    path = path_of(((Origin.USER, (TextPart(text="Hi."),)),))

    made, why = after(path)

    assert (made.proposed, why) == ((), "")
