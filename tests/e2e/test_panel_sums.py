"""Each value of the panel's three cards against a sum made from the simulator's own request log (U5).

Nothing of `app.health` counts here: what the chat was, is read off the bodies that the provider received.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.bootstrap.application import Application
from app.context.budget import Health
from app.core.events import TurnCompleted
from app.core.ids import ModelId
from app.core.records import BreakCause
from app.health.log import HealthFacts
from app.health.pruning import Signal
from app.models.families import ANTHROPIC, CacheKind
from tests.e2e.conftest import MODELS, Talk
from tests.e2e.test_agent import Step, at_work, call, strings
from tests.simulator import Simulator, ToolCall
from tests.simulator.log import RequestRecord
from tests.simulator.wire import Body, integer, mapping, mappings

pytestmark = pytest.mark.asyncio(loop_scope="session")

MODEL: ModelId = MODELS["anthropic"]
_ADDRESS = re.compile(r"vault://([0-9a-f]{12})")
_USD = 3e-6
"""Of an input token at this model; written 1.25, read 0.1, said 5 times that."""
_WORDS = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What one request of the log had in it."""

    results: Mapping[str, str]
    """Text by the id of the call."""
    refused: frozenset[str]
    calls: Mapping[str, str]
    """Arguments by id."""
    text: str
    """Everything, one line a string."""


def sent(record: RequestRecord) -> Sent:
    found = blocks(record)
    results = [block for block in found if block.get("type") == "tool_result"]
    return Sent(
        results={str(block["tool_use_id"]): _text(block.get("content")) for block in results},
        refused=frozenset(
            str(block["tool_use_id"])
            for block in results
            if _text(block.get("content")).startswith("[error]")
        ),
        calls={str(block["id"]): str(block["input"]) for block in found if block.get("type") == "tool_use"},
        text="\n".join(_text(block.get("content")) + _text(block.get("text")) for block in found),
    )


def blocks(record: RequestRecord, *roles: str) -> list[Body]:
    """Without the marks of the cache, which move on. Args: `roles`: none: all."""
    messages = [item for item in mappings(record.body.get("messages")) if not roles or item["role"] in roles]
    found = [block for message in messages for block in _blocks(message)]
    return [{name: value for name, value in block.items() if name != "cache_control"} for block in found]


def _blocks(message: Body) -> Sequence[Body]:
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else mappings(content)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(mapping(item).get("text", "")) for item in mappings(content))


def page(n: int) -> str:
    """A file of some 2,500 tokens in which one line says something."""
    lines = [f"{_WORDS[(n + i) % 12]} {_WORDS[(n * i) % 12]} was looked at in step {i}" for i in range(180)]
    lines[90] = f"the value of page{n} is {hashlib.sha256(str(n).encode()).hexdigest()[:16]}"
    return "\n".join(lines)


def usage(record: RequestRecord, name: str) -> int:
    return integer(record.usage.get(name)) or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """A chat with tools and a compaction: the log of it, and what the panel says."""

    chat: Talk
    log: Sequence[RequestRecord]
    n_before: int
    """Of its requests came before the compaction."""
    facts: HealthFacts

    @property
    def before(self) -> Sent:
        return sent(self.log[self.n_before - 1])

    @property
    def after(self) -> Sent:
        return sent(self.log[self.n_before])

    @property
    def last(self) -> Sent:
        return sent(self.log[-1])

    @property
    def folded(self) -> tuple[str, ...]:
        """Calls whose result the model sees otherwise since."""
        was, now = self.before.results, self.after.results
        return tuple(id_ for id_ in was if id_ in now and was[id_] != now[id_])

    @property
    def stubs(self) -> tuple[str, ...]:
        """What stands for whole messages since."""
        texts = [_text(block.get("text")) for block in blocks(self.log[self.n_before])]
        return tuple(piece for text in texts for piece in text.split("\n\n") if piece.startswith("[folded: "))

    @property
    def read_again(self) -> Mapping[str, str]:
        """Calls that brought an original back, with what they asked for."""
        calls = self.last.calls.items()
        return {id_: said for id_, said in calls if "vault://" in said and id_ not in self.last.refused}

    async def tokens(self, *texts: str) -> int:
        return sum(await self.chat.application.text.count(list(texts), ANTHROPIC.tokenizer))


async def worked(application: Application, simulator: Simulator, folder: Path) -> Worked:
    """Files are read, one of them twice; room is made; originals are asked for, and one that there is not."""
    for n in range(6):
        (folder / f"page{n}.txt").write_text(page(n))
    chat, player = await at_work(application, simulator, folder, MODEL)
    await application.change(cache_mode="off")  # probes are no answers, and come when they come
    for n in (*range(6), 2):
        player.steps.append(call("file_read", paths=[f"page{n}.txt"]))
        assert isinstance(await chat.ask(f"What does page {n} say?"), TurnCompleted)
    n_before = len(simulator.chats)
    await (await application.uses.folding(chat.id)).compress(target_tokens=9_000)
    nowhere = f"vault://{'0' * 12}/nothing.txt"
    for step in (asked_back("page0"), asked_back("page0"), call("file_read", paths=[nowhere])):
        player.steps.append(step)
        assert isinstance(await chat.ask("What was that value?"), TurnCompleted)
    facts = await chat.session.health_facts()
    assert facts
    return Worked(chat=chat, log=tuple(simulator.chats), n_before=n_before, facts=facts)


def asked_back(name: str) -> Step:
    """The original of the first folded reading of a file, by the address in its place."""

    def step(body: Body) -> ToolCall:
        there = next(text for text in strings(body) if name in text and _ADDRESS.search(text))
        return call("file_read", paths=[f"vault://{_ADDRESS.findall(there)[0]}"])

    return step


async def test_every_value_of_the_cards_is_the_sum_of_the_log(
    application: Application, simulator: Simulator, tmp_path: Path
) -> None:
    done = await worked(application, simulator, tmp_path)
    await _compaction(done)
    await _pruning(done)
    await _cache(done)


async def _compaction(done: Worked) -> None:
    card, log, n = done.facts.compaction, done.log, done.n_before
    was, now, stubs = done.before.results, done.after.results, done.stubs
    again = done.read_again
    whole_before = log[n - 1].prompt_tokens + usage(log[n - 1], "output_tokens")
    merged = [id_ for id_ in done.folded if now[id_].startswith("[The same output")]

    assert (card.n_runs, card.n_undone, card.n_summaries, card.n_unpriced) == (1, 0, 0, 0)
    assert card.saved_tokens == pytest.approx(whole_before - log[n].prompt_tokens, rel=0.03)
    assert card.left_tokens == await done.tokens(*(now[id_] for id_ in done.folded), *stubs)
    assert card.n_folded == len(done.folded) + len(stubs)
    assert (card.n_reads, card.n_read_again) == (len(again), len(set(again.values())))
    assert card.read_again_tokens == await done.tokens(*(done.last.results[id_] for id_ in again))
    assert card.put_back_tokens == 0
    assert card.dedup_tokens == sum(
        [await done.tokens(was[id_]) - await done.tokens(now[id_]) for id_ in merged]
    )
    assert merged
    assert card.n_calls_kept == len(done.before.calls.keys() - done.after.calls.keys()) > 0
    assert card.last
    assert card.mean_ms == card.last.elapsed_ms > 0
    assert (card.spent_usd, card.is_breaker_open) == (0, False)
    assert card.net_saved_tokens == card.saved_tokens - card.read_again_tokens
    assert card.efficiency == card.saved_tokens / (card.saved_tokens + card.left_tokens)
    assert card.read_again_share == 1 / card.n_folded
    checked = card.receipt.checked
    assert len(checked) >= 20
    assert all((item.probe.text in done.after.text) == item.is_direct for item in checked)
    assert all(item.address.partition("/")[0] or item.is_direct for item in checked)
    assert card.health is Health.WARNING  # one of five was read again


async def _pruning(done: Worked) -> None:
    card, was, now, stubs = done.facts.pruning, done.before.results, done.after.results, done.stubs
    last, first = done.log[done.n_before - 1], done.log[done.n_before]
    stays = blocks(first, "assistant")
    gone = [block for block in blocks(last, "assistant") if block not in stays]
    hidden = [_said(block) for block in gone]
    hidden += [was[id_] for id_ in was if id_ not in now or id_ in done.folded]
    left = [*(now[id_] for id_ in done.folded), *stubs]
    named = set(_ADDRESS.findall("\n".join(left)))
    asked = {id_ for id_, arguments in done.last.calls.items() if "vault://" in arguments}
    shortened = [id_ for id_ in done.folded if "[excerpt; whole:" in now[id_]]
    written = usage(done.log[done.n_before - 1], "cache_read_input_tokens") + usage(
        done.log[done.n_before - 1], "cache_creation_input_tokens"
    )

    assert card.n_artifacts == len(named)
    assert (card.n_written, card.n_reused, card.n_failed, card.backs_off) == (0, 0, 0, ())
    assert (card.n_shortened, card.n_vaulted) == (
        len(shortened),
        len(done.folded) - len(shortened) + len(stubs),
    )
    assert (card.n_asked, card.n_allowed, card.n_refused) == (
        len(asked), len(asked - done.last.refused), len(asked & done.last.refused),
    )  # fmt: skip
    assert card.n_refused == 1
    assert card.restored_tokens == done.facts.compaction.read_again_tokens
    assert card.saved_tokens == await done.tokens(*hidden) - await done.tokens(*left)
    assert card.n_bytes == sum(len(text.removeprefix("file_read ").encode()) for text in hidden)
    assert 0 < card.rewritten_tokens <= written - usage(done.log[done.n_before], "cache_read_input_tokens")
    assert card.net_tokens == card.saved_tokens - card.restored_tokens
    assert card.restore_cost == card.restored_tokens / card.saved_tokens
    assert card.gain == card.saved_tokens / (card.restored_tokens + 1.25 * card.rewritten_tokens)
    assert card.read_share == len(asked) / (len(done.folded) + len(stubs))
    assert (card.deferred, card.signal) == ({}, Signal.REFUSED)


async def _cache(done: Worked) -> None:
    card = await done.chat.session.cache_card()
    read = sum(usage(item, "cache_read_input_tokens") for item in done.log)
    wrote = sum(usage(item, "cache_creation_input_tokens") for item in done.log)
    fresh = sum(usage(item, "input_tokens") for item in done.log)
    said = sum(usage(item, "output_tokens") for item in done.log)

    assert card
    assert card.n_calls == len(done.log)
    assert (card.input_tokens, card.cached_tokens) == (fresh + wrote + read, read)
    assert card.input_tokens == sum(item.prompt_tokens for item in done.log)
    assert card.hit_rate == read / (fresh + wrote + read)
    assert card.chat.spent.usd == pytest.approx(_USD * (fresh + 1.25 * wrote + 0.1 * read + 5 * said))
    assert card.chat.saved.usd == pytest.approx(_USD * (0.9 * read - 0.25 * wrote))
    assert card.chat.probes.usd == 0
    assert (card.kind, card.ttl_s, card.minimum_tokens) == (CacheKind.MARKERS, 300, 1024)
    assert card.seen
    assert card.seen.prompt_tokens == done.log[-1].prompt_tokens
    assert card.last_break
    assert (card.last_break.found.cause, card.last_break.turn) == (BreakCause.COMPACTION, 8)
    assert card.n_recent_breaks == 1


def _said(block: Body) -> str:
    """As it is counted: a call with its name."""
    if block.get("type") == "tool_use":
        return f"{block['name']} {json.dumps(block['input'])}"
    return str(block.get("text", ""))
