"""S1: reasoning that leaves the request can be read again by its address (C6)."""

import asyncio
from dataclasses import replace

from app.context.originals import resolve
from app.context.reading import Shown
from app.context.steps.thinking import clean_thinking
from app.context.transcript import Transcript
from app.core.entries import Origin
from app.core.parts import TextPart, ThinkingPart
from app.models.families import OPENAI, Family, Replay, Thinking, family_of
from app.vault.address import find_addresses
from tests.app.context.histories import path_of
from tests.app.context.steps.compressing import NO_PORTS, Turn, proposal

LONG = "The port must be 8471, since 8470 is taken. " * 20
ALWAYS: Family = replace(OPENAI, thinking=Thinking(replay=Replay.ALWAYS))


def test_old_reasoning_leaves_its_address_and_what_is_hardly_longer_stays() -> None:
    path = path_of(
        (
            (Origin.USER, (TextPart(text="Which port?"),)),
            (Origin.ASSISTANT, (ThinkingPart(text=LONG), TextPart(text="8471."))),
            (Origin.ASSISTANT, (ThinkingPart(text="Hm."), TextPart(text="Yes."))),
            (Origin.USER, (TextPart(text="And now?"),)),
        )
    )
    context = proposal(path)
    facts = replace(Turn(target=10).facts(path), family=ALWAYS)

    found = context.with_folds(asyncio.run(clean_thinking(context, facts, NO_PORTS)).folds)

    said = [part for item in found.items if isinstance(item, Shown) for parts in item.parts for part in parts]
    assert ThinkingPart(text="Hm.") in said
    assert ThinkingPart(text=LONG) not in said
    (address,) = (
        one for part in said if isinstance(part, TextPart) for one in find_addresses(str(part.text))
    )
    assert resolve(address, {e.id: e for e in path}, Transcript(path).path, found.folds) == LONG


def test_only_finished_turns_lose_their_reasoning_and_only_at_a_rewrite() -> None:
    thought = (ThinkingPart(text=LONG), TextPart(text="8471."))
    asked, said = (Origin.USER, (TextPart(text="Which?"),)), (Origin.ASSISTANT, thought)
    path = path_of((asked, said, asked, said, asked, said, said))
    calm, sealed = Turn(target=0), Turn(target=10, n_sealed=2)

    def left(turn: Turn) -> list[str]:
        facts = replace(turn.facts(path), family=ALWAYS)
        return [fold.first for fold in asyncio.run(clean_thinking(proposal(path), facts, NO_PORTS)).folds]

    assert left(Turn(target=10)) == ["e1", "e3"]
    assert left(sealed) == ["e3"]
    assert left(calm) == []


def test_of_signed_thinking_all_of_a_message_leaves_or_none_and_that_of_the_running_loop_stays() -> None:
    long, short = (ThinkingPart(text=text, signature="s") for text in (LONG, "Hm."))
    asked = (Origin.USER, (TextPart(text="Which?"),))
    path = path_of(
        (
            asked,
            (Origin.ASSISTANT, (long, TextPart(text="8471."), long)),
            asked,
            (Origin.ASSISTANT, (long, TextPart(text="8471."), short)),
            asked,
            (Origin.ASSISTANT, (long, TextPart(text="8471."))),
        )
    )

    def left(name: str) -> list[tuple[str, int | None]]:
        facts = replace(Turn(target=10).facts(path), family=family_of("anthropic", name))
        folds = asyncio.run(clean_thinking(proposal(path), facts, NO_PORTS)).folds
        return [(fold.first, fold.part) for fold in folds]

    assert left("claude-opus-4-5") == [("e1", 0), ("e1", 2)]
    assert left("claude-sonnet-4-5") == []
