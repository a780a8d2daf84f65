"""What stage light can still win, told before a plan is made, against what its plan then wins (P6)."""

from dataclasses import replace

import pytest

from app.context.budget import Stage
from app.context.facts import Trigger
from app.context.reach import reach_of
from tests.app.context.counts import conversation
from tests.app.context.planning import Chat

_CHATS = [
    "claude-code-cctrace-session",
    "minisweagent-django__django-11138",
    "openhands-ponylang__ponyc-4588",
]


def light(chat: Chat, share: float) -> tuple[int, int, int]:
    """Tokens before, those that a light rewrite is said to leave at least, and those that it leaves."""
    facts = replace(chat.facts(share, trigger=Trigger.SEND), stage=Stage.LIGHT)
    before = facts.request_tokens(chat.proposal)
    said, _ = reach_of(lambda: chat.proposal, facts)
    return before, said.light_tokens, chat.compress(facts).tokens_after


@pytest.mark.parametrize("name", _CHATS)
def test_what_light_is_said_to_leave_is_near_what_it_leaves(name: str) -> None:
    before, said, left = light(Chat.of(conversation(name)), 0.01)

    assert said < before
    assert abs(left - said) <= 0.15 * before


@pytest.mark.parametrize("name", _CHATS)
def test_what_was_shortened_once_is_not_counted_on_again(name: str) -> None:
    """A chat of 116,000 tokens was rewritten in a hot cache for 2,500 of them, since 36,000 were hoped for."""
    chat = Chat.of(conversation(name))
    _, _, first = light(chat, 0.01)

    before, said, _ = light(chat, 0.01)

    assert before == first
    assert said >= 0.75 * before


def test_before_anything_that_can_be_folded_stands_the_head() -> None:
    chat = Chat.of(conversation(_CHATS[0]))
    facts = chat.facts(0.4, trigger=Trigger.SEND)

    found, _ = reach_of(lambda: chat.proposal, facts)

    head = facts.item_tokens(chat.proposal.items[0])
    assert found.unchanged_tokens == facts.fixed_tokens + head
    assert found.floor_tokens < found.light_tokens
