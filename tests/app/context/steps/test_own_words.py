"""The person's words stand where a summary stood, and nothing else reads otherwise (C38)."""

import asyncio
import random
from dataclasses import replace
from itertools import combinations

import pytest

from app.context.facts import Trigger
from app.context.proposal import crossing
from app.context.reading import Folded, Item
from app.context.steps.own_words import take_own_words
from app.context.summary.fields import Summary
from app.context.summary.rendering import read_back
from app.context.summary.run import summary_text
from app.core.folds import FoldKind
from tests.app.context.planning import Chat, ports
from tests.app.context.steps.compressing import real
from tests.story import seen

OWN = Summary(user_goal="Rewrite the parser", next_steps=("Measure it",))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["deerflow-dataset-findings", "holmes-multiple-root-causes"])
def test_a_summary_that_was_written_anew_is_all_that_changes(name: str, seed: int) -> None:
    """M5: whatever was put back and folded inside it since stands as it stood."""
    chance = random.Random(seed)
    chat = Chat.of(real(name))
    chat.compress(chat.facts(0.2, trigger=Trigger.EMERGENCY))
    for _ in range(5):
        if chat.hidden and chance.random() < 0.6:
            chat.show(chance.choice(chance.choice(chat.hidden)))
        else:
            chat.compress(chat.facts(chance.uniform(0.1, 0.7), trigger=Trigger.MANUAL))
    before = chat.proposal
    summaries = [item for item in before.items if isinstance(item, Folded) and summary_text(item)]
    written = {item.fold.compaction_id: OWN.model_dump_json() for item in summaries}
    facts = replace(chat.facts(0.5, trigger=Trigger.MANUAL), written=written)

    result = asyncio.run(take_own_words(before, facts, ports()))

    after = before.with_folds(result.folds)
    assert summaries
    assert _without(after.items) == _without(before.items)
    assert [pair for pair in combinations(after.runs(), 2) if crossing([pair[0]], *pair[1])] == []
    texts = [summary_text(item) for item in after.items if summary_text(item)]
    assert all((found := read_back(text)) and found.user_goal == OWN.user_goal for text in texts)
    assert len(texts) == len(summaries)


def _without(items: tuple[Item, ...]) -> list[object]:
    """All that is seen, but for the texts of summaries."""
    return [
        [entry.id for entry in item.entries] if summary_text(item) else told
        for item, told in zip(items, seen(items), strict=True)
    ]


def test_nothing_is_taken_up_where_no_room_is_made() -> None:
    """P2: a send that only appends changes no byte of what was sent."""
    chat = Chat.of(real("deerflow-dataset-findings"))
    chat.compress(chat.facts(0.2, trigger=Trigger.EMERGENCY))
    fold = next(fold for fold in chat.folds if fold.kind is FoldKind.SUMMARISED)
    facts = chat.facts(0.5, trigger=Trigger.SEND)
    written = {fold.compaction_id: OWN.model_dump_json()}

    result = asyncio.run(
        take_own_words(chat.proposal, replace(facts, written=written, target_tokens=0), ports())
    )

    assert result.folds == ()
