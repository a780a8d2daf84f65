"""S8 with a model: what it is asked, which answers count, and how long a turn waits for them."""

import asyncio
from dataclasses import replace

import pytest

from app.context.budget import Stage
from app.context.facts import Trigger
from app.context.proposal import Proposal
from app.context.steps.summarise import summarise
from app.context.summary.fields import KeptSummary
from app.context.summary.rendering import read_back
from app.core.entries import Finish
from app.core.errors import RateLimited
from app.core.parts import TextPart
from tests.app.context.histories import path_of
from tests.app.context.summary.making import (
    FILLER,
    ScriptedWriter,
    answer,
    assistant,
    facts,
    ports,
    proposal,
    reply,
    summary_of,
    summed_up,
    talk,
    tokens,
    user,
)
from tests.fakes import FakeClock, until

_ITEMS = " ".join(f"#{2000 + at}" for at in range(12))


async def test_a_good_answer_is_the_summary() -> None:
    path = talk()
    writer = ScriptedWriter(
        [answer(user_goal="Tidy the whole house", next_steps=["sweep"], key_findings=[_ITEMS])]
    )
    context = proposal(path)

    result = await summarise(context, facts(path), ports(writer=writer))

    kept = KeptSummary.model_validate_json(result.summary)
    assert (kept.user_goal, kept.next_steps, kept.is_offline) == ("Tidy the whole house", ("sweep",), False)
    assert kept.history in summary_of(context.with_folds(result.folds))
    assert len(writer.requests) == 1


async def test_a_writer_is_given_no_more_than_its_own_count_of_the_chat_leaves_room_for() -> None:
    """C17: of Chinese its vocabulary may make three times as many tokens as ours, as it has reported by then."""
    path = talk(60)
    measured = facts(path)
    window = 2 * measured.window_tokens
    sent: list[list[str]] = []
    for ratio in (1.0, 3.0):
        writer = ScriptedWriter([answer(key_findings=[_ITEMS])], window_tokens=window)
        await summarise(proposal(path), replace(measured, ratio=ratio), ports(writer=writer))
        sent.append([text for _, text, _ in writer.requests])

    as_we_count, as_it_counts = ([3 * tokens(TextPart(text=text)) for text in texts] for texts in sent)
    assert max(as_we_count) > window
    assert max(as_it_counts) < window


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "   \n",
        "I'm sorry, I can't help with that.",
        reply("## Goal\nfix the", Finish.LENGTH),
        RateLimited("429 rate limit"),
        "Error: service unavailable",
    ],
)
async def test_a_bad_answer_leaves_it_to_the_rules_and_says_so(bad: object) -> None:
    """Case B35: history is never replaced by such a text."""
    path = talk()
    writer = ScriptedWriter([bad])  # pyright: ignore[reportArgumentType]  # each is one of its kinds

    result = await summarise(proposal(path), facts(path), ports(writer=writer))

    assert KeptSummary.model_validate_json(result.summary).is_offline
    assert result.why.endswith("made by rule instead.")
    assert "Made by rule" in str(result.folds[0].replacement)


async def test_a_turn_waits_twenty_seconds_for_a_model_and_no_longer() -> None:
    """C18, M9."""
    path = talk()
    clock = FakeClock()

    class Silent(ScriptedWriter):
        async def write(self, system: str, text: str, **rest: object) -> object:  # type: ignore[override]
            await asyncio.Event().wait()
            raise AssertionError

    asked = replace(ports(), writer=Silent([]), clock=clock)  # pyright: ignore[reportArgumentType]  # never answers
    turn = facts(path, stage=Stage.EMERGENCY, trigger=Trigger.EMERGENCY)

    async def pass_time() -> None:
        await until(lambda: bool(clock.slept))
        clock.advance(20)

    result, _ = await asyncio.gather(summarise(proposal(path), turn, asked), pass_time())

    assert "took too long" in result.why
    assert result.folds


async def test_one_that_lost_the_names_is_asked_once_more_and_the_better_one_is_kept() -> None:
    """C13."""
    said = [user("Go")]
    said += [s for at in range(12) for s in (assistant(f"See src/m{at}.py. {FILLER * 9}"), user("on"))]
    path = path_of(said)
    good = answer(key_findings=[" ".join(f"src/m{at}.py" for at in range(9))])
    writer = ScriptedWriter([answer(), good, answer()])

    context = await summed_up(path, writer)

    assert len(writer.requests) == 2
    assert "- src/m" in writer.requests[1][0]
    assert "src/m0.py src/m1.py" in summary_of(context)


async def test_the_next_one_reads_only_what_is_new_and_carries_open_items_on() -> None:
    """C14."""
    path = talk(8)
    writer = ScriptedWriter(
        [
            answer(next_steps=["sweep the attic"], key_findings=[_ITEMS]),
            answer(next_steps=["paint the door"], key_findings=[_ITEMS]),
        ]
    )
    once = await summed_up(path, writer)
    longer = path_of(
        [(e.origin, e.parts) for e in path] + [(e.origin, e.parts) for e in talk(8, first="More.")]
    )
    context = Proposal.of(longer, once.folds, (), rev=once.rev)

    result = await summarise(context, facts(longer, target=0.15), ports(writer=writer))

    assert "item #2000" in writer.requests[0][1]
    assert "Step 0 took" not in writer.requests[1][1].partition("More.")[0]
    assert "sweep the attic" in writer.requests[1][1]
    kept = KeptSummary.model_validate_json(result.summary)
    assert set(kept.next_steps) == {"paint the door", "sweep the attic"}
    assert read_back(summary_of(context.with_folds(result.folds))) is not None


async def test_no_model_is_asked_when_offline() -> None:
    path = talk()
    writer = ScriptedWriter([answer()])

    await summarise(proposal(path), facts(path, is_offline=True), ports(writer=writer))

    assert writer.requests == []
