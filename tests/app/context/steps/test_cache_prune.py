"""S4: what stands twice is shown once while the prompt cache is cold; all other choosing is left to S6."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.facts import CacheFacts, Trigger
from app.context.steps.cache_prune import prune_expired_cache
from app.core.entries import Entry, Origin
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.models.families import OPENAI
from app.vault.address import find_addresses
from tests.app.context.histories import Said, path_of
from tests.app.context.steps.compressing import NO_PORTS, Turn, proposal, tokens

EXPIRED = CacheFacts(is_cold=True, is_written=True)


def _round(at: int, file: str) -> tuple[Said, ...]:
    call = ToolCallPart(call_id=f"c{at}", name="read_file", arguments=f'{{"path": "{file}"}}')
    text = f"{file} says what it says in many lines\n" * 50
    result = ToolResultPart(call_id=f"c{at}", name="read_file", text=text)
    return (Origin.ASSISTANT, (call,)), (Origin.TOOL, (result,))


def _read(files: str) -> tuple[Entry, ...]:
    """A chat that read these files, a letter each, and was asked once more."""
    rounds = [said for at, file in enumerate(files) for said in _round(at, file)]
    return path_of(
        ((Origin.USER, (TextPart(text="Read."),)), *rounds, (Origin.USER, (TextPart(text="And?"),)))
    )


def _pruned(path: tuple[Entry, ...], cache: CacheFacts = EXPIRED, *, share: float = 0.3) -> list[int]:
    """Which results were folded, aimed at `share` of the tokens."""
    context = proposal(path)
    turn = Turn(target=int(share * context.tokens(tokens, OPENAI)), trigger=Trigger.SEND)
    found = asyncio.run(prune_expired_cache(context, replace(turn.facts(path), cache=cache), NO_PORTS))
    results = [entry.id for entry in path if entry.results]
    for fold in found.folds:
        (part,) = fold.replacement
        assert isinstance(part, ToolResultPart)
        assert find_addresses(str(part.text))
    return [results.index(fold.first) for fold in found.folds]


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_once_the_cache_has_expired_what_was_read_again_goes_whatever_the_target(share: float) -> None:
    assert _pruned(_read("abacbdefgh"), share=share) == [0, 1]


def test_nothing_goes_while_a_cache_is_paid_for_or_where_none_ever_was() -> None:
    path = _read("aaabcdef")

    assert _pruned(path, CacheFacts()) == []
    assert _pruned(path, CacheFacts(is_cold=True)) == []  # an import: no cache ever held it


def test_results_since_the_third_assistant_message_from_the_end_stay() -> None:
    assert _pruned(_read("abcdefaaa")) == [0]


@given(st.text("abcdef", max_size=14))
def test_of_each_text_that_stood_in_the_context_one_still_stands(files: str) -> None:
    gone = _pruned(_read(files))

    assert {file for at, file in enumerate(files) if at not in gone} == set(files)
