"""The simulator counts with its own vocabulary and factor (Q16)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.simulator import Simulator
from tests.simulator.counting import Counter
from tests.test_simulator.client import openai

_TEXT = "The quick brown fox jumps over the lazy dog. " * 50


@pytest.mark.parametrize("factor", [0.9, 1.0, 1.14, 2.0])
async def test_the_bill_is_the_vocabulary_s_count_times_the_factor(factor: float) -> None:
    async with Simulator(count_factor=factor, vocabulary="o200k_base") as sim:
        reply = await openai(sim, messages=[{"role": "user", "content": _TEXT}])

    plain = Counter(1.0, "o200k_base").raw(_TEXT) + 4
    assert reply.json["usage"]["prompt_tokens"] == round(plain * factor)


def test_the_vocabularies_disagree() -> None:
    words = "在青海湖以西的盐湖"

    assert Counter(vocabulary="p50k_base").raw(words) != Counter(vocabulary="cl100k_base").raw(words)


@given(st.text() | st.just("<|endoftext|>") | st.just("\ud800"))
def test_every_text_has_a_count_and_it_is_always_the_same(words: str) -> None:
    assert Counter().raw(words) == Counter().raw(words)


def test_a_long_run_of_blanks_is_counted_in_time() -> None:
    started = time.process_time()

    assert Counter(vocabulary="o200k_base").raw(" " * 2_000_000) > 0

    assert time.process_time() - started < 10


async def test_tools_and_images_are_counted() -> None:
    tool = {
        "type": "function",
        "function": {"name": "ls", "description": _TEXT, "parameters": {"type": "object"}},
    }
    image = {"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}}
    async with Simulator() as sim:
        await openai(sim)
        await openai(sim, tools=[tool])
        await openai(sim, messages=[{"role": "user", "content": [{"type": "text", "text": "Hello"}, image]}])

        plain, with_tool, with_image = (record.prompt_tokens for record in sim.requests)
    assert with_tool - plain > 500
    assert with_image - plain in {84, 85, 86}
