"""In each family: the last request's line is the provider's own figure, and the ring before it was right (C3, U3, Q16)."""

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from app.bootstrap.application import Application
from app.core.events import TurnCompleted
from app.core.ids import ModelId
from tests.e2e.conftest import Talk, talk
from tests.e2e.test_agent import Player, call
from tests.simulator import Simulator, Turn
from tests.simulator.wire import Body

pytestmark = pytest.mark.asyncio(loop_scope="session")

FAMILIES = {
    "openai": ModelId("o/gpt-4o"),
    "anthropic": ModelId("a/claude-sonnet-4-5"),
    "deepseek": ModelId("o/deepseek-chat"),
    "gemini": ModelId("o/gemini-2.5-pro"),
    "qwen": ModelId("o/qwen-max"),
}
_SAID = (
    "The ledger rounds per line; it should round once, at the end of the invoice. What breaks if it does?",
    "把整个计费测试再跑一遍，只告诉我还有哪些是红的，以及为什么。",
    "```python\ndef prorate(lines, days):\n    return sum(line.amount * days / line.period for line in lines)\n```",
    "| case | before | after |\n|---|---:|---:|\n| leap year | 29.00 | 29.04 |",
    "2026-11-30T12:34:56Z ERROR billing.ledger invoice=12345 total=33.34 trace=5feceb66ffc86f38d952786c",
)
_KNOWN_FROM = 3
"""Turns after which the provider's way of counting is known."""

_ENOUGH = 100
"""Values of which a 99th percentile says anything."""


class Speaker(Player):
    """Answers in prose, code and Chinese, of other lengths each time; calls what it is planned to."""

    def __init__(self) -> None:
        super().__init__()
        self._n: Iterator[int] = count(1)

    def __call__(self, body: Body) -> Turn:
        if self.steps:
            return super().__call__(body)
        n = next(self._n)
        return Turn(text="\n\n".join(_SAID[(n + i) % len(_SAID)] for i in range(1 + n % 4)))


@dataclass(slots=True)
class Figures:
    """Of each report: the error of the ring before it, and how much the upper figure was under it."""

    ring: list[float] = field(default_factory=list[float])
    under: list[float] = field(default_factory=list[float])

    def told(self) -> str:
        worst = max(self.ring)
        return (
            f"n {len(self.ring)}, ring median {statistics.median(self.ring):.2%}, worst {worst:.2%}, "
            f"upper under at p99 {_p99(self.under):.2%}"
        )


def _p99(values: list[float]) -> float:
    return sorted(values)[math.ceil(0.99 * len(values)) - 1]


async def measured(chat: Talk, player: Speaker, n_turns: int) -> Figures:
    """Every fifth turn reads a file first. A turn that makes room is left out: the line above the composer tells it."""
    found = Figures()
    for n in range(n_turns):
        if n % 5 == 4:
            player.steps.append(call("file_read", paths=["notes.md"]))
        text = f"Question {n}: {_SAID[n % len(_SAID)]}"
        await chat.session.look()
        fill = chat.session.fill(text)
        n_before, n_made = len(chat.simulator.chats), len(chat.session.conversation.compactions)
        assert isinstance(await chat.ask(text), TurnCompleted)
        sent = chat.simulator.chats[n_before:]
        assert chat.session.last_request_tokens == sent[-1].prompt_tokens
        if n >= _KNOWN_FROM and len(chat.session.conversation.compactions) == n_made:
            assert fill
            reported = sent[0].prompt_tokens
            found.ring.append(abs(fill.projection.projected_tokens - reported) / reported)
            found.under.append(max(0.0, 1 - fill.projection.projected_upper_tokens / reported))
    return found


@pytest.mark.parametrize(
    "n_turns", [9, pytest.param(200, marks=[pytest.mark.slow, pytest.mark.timeout(1_800)])]
)
@pytest.mark.parametrize("family", FAMILIES)
async def test_the_line_is_the_providers_figure_and_the_ring_before_it_was_right(
    application: Application, simulator: Simulator, tmp_path: Path, family: str, n_turns: int
) -> None:
    """With tools, code and Chinese; the simulator counts by another vocabulary than ours, × 1.14."""
    (tmp_path / "notes.md").write_text("# Notes\n\n" + "\n".join(_SAID) * 6)
    player = Speaker()
    simulator.script.otherwise = player
    chat = await talk(application, simulator, FAMILIES[family])
    await application.store.save_chat_setting(chat.id, "workspace", str(tmp_path))
    await application.change(cache_mode="off")

    found = await measured(chat, player, n_turns)

    print(family, found.told())
    assert len(found.ring) >= 0.9 * (n_turns - _KNOWN_FROM)
    assert statistics.median(found.ring) <= 0.03
    if len(found.ring) >= _ENOUGH:
        assert _p99(found.under) <= 0.01
