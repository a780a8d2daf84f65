"""What a plan counts is what would leave: each message's own cost, and system text once (C3, C4)."""

import pytest

from app.context.budget import Count
from app.context.counting import never_leaves
from app.context.render import render
from app.context.sums import Sums
from app.core.entries import Origin
from app.core.parts import Part, TextPart
from app.models.families import ANTHROPIC, OPENAI, Family
from tests.app.context.counts import CONVERSATIONS
from tests.app.context.histories import path_of
from tests.app.context.steps.compressing import proposal, real, tokens


@pytest.mark.parametrize("family", [OPENAI, ANTHROPIC], ids=lambda family: family.id)
@pytest.mark.parametrize("name", sorted(path.stem for path in CONVERSATIONS.glob("*.json")))
def test_a_plan_counts_what_the_ring_counts_within_two_in_a_hundred(name: str, family: Family) -> None:
    context = proposal(real(name))
    sums = Sums()

    def count(part: Part) -> int:
        return 0 if never_leaves(part, family) else tokens(part)

    for message in render(context.items, is_start=True):
        sums.add_message(message, family.message_tokens, lambda part: Count(tokens=count(part)))

    ring = sums.total(family)
    assert abs(context.tokens(count, family) - ring) <= 0.02 * ring + 20


def test_what_leading_system_entries_say_is_left_to_the_prelude() -> None:
    path = path_of(
        (
            (Origin.SYSTEM, (TextPart(text="Be brief. " * 50),)),
            (Origin.USER, (TextPart(text="Hi."),)),
            (Origin.SYSTEM, (TextPart(text="Be long. "),)),
            (Origin.USER, (TextPart(text="And now?"),)),
        )
    )

    found = proposal(path).tokens(tokens, OPENAI)

    said = sum(tokens(part) for entry in path[1:] for part in entry.parts)
    assert found == said + 3 * OPENAI.message_tokens
