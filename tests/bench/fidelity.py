"""Q12 and Q5 measured: what can still be answered after a compression to a quarter of the tokens, and its speed.

`python -m tests.bench.fidelity [-v] [--json]`: thirty recorded conversations with their probes, which the engine
never sees. Offline: no model writes. A probe counts as *direct* when its answer stands within 200 characters of
its key or of words of its line; as *reachable* when it does, or when an address in the context leads to it.
*Expired*: the same at the same target once the prompt cache has expired, when rewriting is free.
"""

import asyncio
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from pathlib import Path
from time import process_time
from typing import Any

from app.context.budget import Stage
from app.context.facts import CacheFacts, Trigger, TurnFacts
from app.context.intent import intent_of
from app.context.originals import resolve
from app.context.pipeline import plan
from app.context.ports import StepPorts
from app.context.proposal import Proposal, item_tokens
from app.context.reading import Folded, Item
from app.context.steps.compress import compress
from app.context.transcript import Transcript
from app.core.entries import Entry, Origin
from app.core.ids import CompactionId
from app.core.parts import Blob, MediaPart, Part, ToolCallPart, ToolResultPart, body_of
from app.filters.filter import InPlaceFilters
from app.models.families import OPENAI, media_tokens
from app.tokens.estimate import estimate_part
from app.vault.address import find_addresses
from tests.app.context.counts import CONVERSATIONS, CountingHere, VaultHere, conversation, vocabularies
from tests.bench.measures import Measure, percentile, tell
from tests.fakes import FakeClock

SHARE = 0.25
_NEAR_CHARS = 200
_SENTENCE_SHARE = 0.7
_SPEED_TOKENS = 200_000
_CUT_CHARS = 1_000
_LAST_MESSAGES = 20
_WORD = re.compile(r"[a-z0-9_./@$%:+-]*[a-z0-9_]|[\u3400-\u9fff]{2}")
_STOP = re.compile(
    r"about|also|been|from|have|into|more|most|other|some|such|than|that|their|them|then|there|these|they|this|"
    r"were|what|when|where|which|will|with|would|your"
)

# ---- probes


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    kind: str
    answer: str
    keys: frozenset[str]
    """Of these, two stand beside the answer, or all where there are fewer."""
    is_free: bool = False
    """The answer is words of its own: `keys` are those of the sentence that holds it, most of which must stand together."""

    def stands_in(self, text: str) -> bool:
        """Args: text: As `plain` gives it."""
        if self.is_free:
            return any(
                _holds(self.keys, text[at : at + 2 * _NEAR_CHARS + 100]) for at in range(0, len(text), 100)
            )
        at = text.find(self.answer)
        while at >= 0:
            end = at + len(self.answer)
            around = f"{text[max(0, at - _NEAR_CHARS) : at]} {text[end : end + _NEAR_CHARS]}"
            if sum(key in around for key in self.keys) >= min(2, len(self.keys)):
                return True
            at = text.find(self.answer, at + 1)
        return False


def plain(text: str) -> str:
    """Without case, runs of blanks, and the escapes of JSON strings."""
    return " ".join(text.replace("\\n", " ").replace('\\"', '"').lower().split())


def probes_of(name: str) -> list[Probe]:
    data: dict[str, Any] = json.loads((CONVERSATIONS / f"{name}.json").read_text("utf-8"))
    texts = [plain(str(message.get("content") or "")) for message in data["messages"]]
    return [_probe(item, texts) for item in data["probes"]]


def _probe(item: dict[str, Any], texts: Sequence[str]) -> Probe:
    kind, question, answer = str(item["kind"]), str(item["question"]), str(item["answer"])
    if kind.startswith("dataset"):
        wanted = {word for word in _WORD.findall(answer.lower()) if _is_telling(word)}
        windows = (
            text[at : at + 2 * _NEAR_CHARS]
            for index in item["evidence_message_indexes"]
            for text in (texts[index],)
            for at in range(0, len(text), 100)
        )
        best = max(({word for word in wanted if word in window} for window in windows), key=len)
        return Probe(kind=kind, answer=answer, keys=frozenset(best), is_free=True)
    return Probe(kind=kind, answer=plain(answer).strip("\"'"), keys=frozenset(_keys(kind, question)))


def _is_telling(word: str) -> bool:
    return any(map(str.isdigit, word)) or (len(word) > 3 and not _STOP.fullmatch(word))


def _keys(kind: str, question: str) -> Iterable[str]:
    if kind == "auto_args":
        return ()
    if kind == "auto_json":
        path = re.search(r"[“\"]([^“”\"]*)[”\"](?: 的值|\?)", question)
        names = [name for name in re.findall(r"[^.\[\]]+", path[1]) if not name.isdigit()] if path else []
        return (names[-1].lower(),) if names else ()
    blank = question.rfind("____")
    start = question.rfind(': "', 0, blank) + 3 if ': "' in question else question.rfind("“", 0, blank) + 1
    return (word for word in _WORD.findall(question[start:].replace("____", " ").lower()) if len(word) > 1)


def _holds(words: frozenset[str], text: str) -> bool:
    return bool(words) and sum(word in text for word in words) >= _SENTENCE_SHARE * len(words)


# ---- contexts


class NoFiles:
    async def read(self, path: str) -> bytes | None:
        return None

    async def note(self, path: str, text: str) -> None:
        return None


@cache
def exact(part: Part) -> int:
    return tokens_of(part, lambda text: vocabularies().count(text, "o200k"))


def tokens_of(part: Part, count: Callable[[str], int]) -> int:
    if isinstance(part, MediaPart):
        return media_tokens(OPENAI, part)
    body = body_of(part)
    text = f"[{body.name}]" if isinstance(body, Blob) else body
    return count(f"{part.name} {text}" if isinstance(part, ToolCallPart) else text)


def facts_of(context: Proposal, tokens: Callable[[Part], int]) -> TurnFacts:
    fixed = fixed_tokens(context, tokens)
    total = fixed + context.tokens(tokens, OPENAI)
    return TurnFacts(
        compaction_id=CompactionId("bench"),
        trigger=Trigger.MANUAL,
        stage=Stage.FULL,
        family=OPENAI,
        window_tokens=max(8_000, total),
        fixed_tokens=fixed,
        target_tokens=round(SHARE * total),
        tokens=tokens,
        answering=None,
        intent=intent_of(context.path),
        is_offline=True,
    )


def fixed_tokens(context: Proposal, tokens: Callable[[Part], int]) -> int:
    """What leading system entries say: the prelude's."""
    system = takewhile(lambda item: item.entries[0].origin is Origin.SYSTEM, context.items)
    return sum(map(tokens, parts_of(system)))


def whole(path: Sequence[Entry]) -> Proposal:
    return Proposal.of(path, (), (), rev=max(entry.rev for entry in path))


WARM, EXPIRED = CacheFacts(), CacheFacts(is_cold=True, is_written=True)


async def planned(context: Proposal, cache: CacheFacts = WARM) -> Proposal:
    ports = StepPorts(
        vault=VaultHere(), text=CountingHere(), filters=InPlaceFilters(), files=NoFiles(), clock=FakeClock()
    )
    return (await plan(context, replace(facts_of(context, exact), cache=cache), ports)).proposal


def parts_of(items: Iterable[Item]) -> list[Part]:
    return [
        part
        for item in items
        for part in (
            item.fold.replacement if isinstance(item, Folded) else [p for parts in item.parts for p in parts]
        )
    ]


def text_of(parts: Iterable[Part]) -> str:
    bodies = ("" if isinstance(part, MediaPart) else body_of(part) for part in parts)
    return "\n".join(body for body in bodies if isinstance(body, str))


def originals(context: Proposal) -> str:
    """All that the addresses in the context lead to."""
    entries = {entry.id: entry for entry in context.path}
    path_of = Transcript(context.path).path
    named = dict.fromkeys(find_addresses(text_of(parts_of(context.items))))
    found = (resolve(address, entries, path_of, context.folds) for address in named)
    return "\n".join(text for text in found if isinstance(text, str))


# ---- the plain ways


def last_quarter(context: Proposal) -> list[Part]:
    """The newest items that fit."""
    room = SHARE * context.tokens(exact, OPENAI)
    at = len(context.items)
    while at > 0 and (room := room - item_tokens(context.items[at - 1], exact, OPENAI)) >= 0:
        at -= 1
    return parts_of(context.items[at:])


def cut_results(context: Proposal) -> list[Part]:
    """Each result its first and last 1,000 characters, whatever that comes to."""
    return [
        ToolResultPart(
            call_id=part.call_id,
            name=part.name,
            text=f"{part.text[:_CUT_CHARS]}\n…\n{part.text[-_CUT_CHARS:]}",
        )
        if isinstance(part, ToolResultPart) and isinstance(part.text, str) and len(part.text) > 2 * _CUT_CHARS
        else part
        for part in parts_of(context.items)
    ]


def last_messages(context: Proposal) -> list[Part]:
    return [part for entry in context.path[-_LAST_MESSAGES:] for part in entry.parts]


BASELINES = {
    "the last quarter": last_quarter,
    "results cut to 2,000 characters": cut_results,
    "the last 20 messages": last_messages,
}


# ---- figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    name: str
    tokens: int
    target: int
    total: int
    probes: Sequence[Probe]
    direct: Sequence[bool]
    reachable: Sequence[bool]
    expired: Sequence[bool]
    """Directly, where the prompt cache has expired."""
    expired_reachable: Sequence[bool]
    plain: dict[str, tuple[int, int]]
    """By baseline: probes that stand in it, and its tokens."""


async def figures(name: str) -> Figures:
    context = whole(conversation(name))
    found = await planned(context)
    said = plain(text_of(parts_of(context.items)))
    probes = [probe for probe in probes_of(name) if probe.stands_in(said)]  # one of 294 does nowhere
    direct, reachable = _answered(probes, found)
    expired, expired_reachable = _answered(probes, await planned(context, EXPIRED))
    ways = {label: way(context) for label, way in BASELINES.items()}
    fixed = fixed_tokens(context, exact)
    total = fixed + context.tokens(exact, OPENAI)
    return Figures(
        name=name,
        tokens=fixed + found.tokens(exact, OPENAI),
        target=round(SHARE * total),
        total=total,
        probes=probes,
        direct=direct,
        reachable=reachable,
        expired=expired,
        expired_reachable=expired_reachable,
        plain={
            label: (sum(p.stands_in(t) for p in probes), sum(map(exact, kept)))
            for label, kept in ways.items()
            for t in (plain(text_of(kept)),)
        },
    )


def _answered(probes: Iterable[Probe], found: Proposal) -> tuple[list[bool], list[bool]]:
    """Of each probe whether its answer stands in the context, and whether it does or an address leads to it."""
    text, beyond = plain(text_of(parts_of(found.items))), plain(originals(found))
    direct = [probe.stands_in(text) for probe in probes]
    reachable = [
        is_direct or probe.stands_in(beyond) or (not probe.is_free and probe.answer in beyond)
        for probe, is_direct in zip(probes, direct, strict=True)
    ]
    return direct, reachable


def told(found: Sequence[Figures]) -> str:
    """A line a conversation."""
    lines = [
        f"{'conversation':<42}{'tokens':>9}{'target':>9}{'after':>9}{'direct':>9}{'expired':>9}{'reachable':>10}  {' / '.join(BASELINES)}"
    ]
    for item in found:
        n = len(item.probes)
        others = "  ".join(f"{hits}/{n} at {tokens:,}" for hits, tokens in item.plain.values())
        lines.append(
            f"{item.name[:41]:<42}{item.total:>9,}{item.target:>9,}{item.tokens:>9,}"
            f"{f'{sum(item.direct)}/{n}':>9}{f'{sum(item.expired)}/{n}':>9}{f'{sum(item.reachable)}/{n}':>10}  {others}"
        )
    hits, all_of = Counter[str](), Counter[str]()
    for item in found:
        for probe, is_direct in zip(item.probes, item.direct, strict=True):
            hits[probe.kind] += is_direct
            all_of[probe.kind] += 1
    lines.extend(f"  {kind:<40}{f'{hits[kind]}/{n}':>9}" for kind, n in all_of.most_common())
    return "\n".join(lines)


def half(name: str) -> int:
    """What was missed was read in half 0 only, to find features; their weights were watched on both."""
    return zlib.crc32(name.encode()) % 2


async def speed() -> tuple[float, int]:
    """ms of work of a full free compression of about 200,000 tokens, and its tokens."""
    path: list[Entry] = []
    tokens = 0
    for entry in conversation("pi-mono-refactor-session"):
        tokens += sum(map(exact, entry.parts))
        if tokens > _SPEED_TOKENS:
            break
        path.append(entry)
    context = whole(path)
    counted = {part: exact(part) for entry in path for part in entry.parts}

    def known(part: Part) -> int:
        n = counted.get(part)
        return estimate_part(part, lambda media: media_tokens(OPENAI, media)) if n is None else n

    facts = facts_of(context, known)
    ports = StepPorts(
        vault=VaultHere(), text=CountingHere(), filters=InPlaceFilters(), files=NoFiles(), clock=FakeClock()
    )
    runs: list[float] = []
    for _ in range(5):
        began = process_time()
        await compress(context, facts, ports)
        runs.append((process_time() - began) * 1000)
    return min(runs), context.tokens(known, OPENAI)


async def measures() -> list[Measure]:
    names = sorted(Path(file).stem for file in CONVERSATIONS.glob("*.json"))
    found = [await figures(name) for name in names]
    if "-v" in sys.argv:
        print(told(found), file=sys.stderr)
    n = sum(len(item.probes) for item in found)
    fitting = [
        label
        for label in BASELINES
        if sum(item.plain[label][1] for item in found) <= 1.05 * sum(item.target for item in found)
    ]
    peer = max(fitting, key=lambda label: sum(item.plain[label][0] for item in found))
    direct = 100 * sum(sum(item.direct) for item in found) / n
    rows = [
        Measure(
            what="Q12 probes directly in context at a quarter of the tokens",
            value=direct,
            unit="%",
            target=60,
            is_floor=True,
            baseline=100 * sum(item.plain[peer][0] for item in found) / n,
            against=peer,
        ),
        Measure(
            what="Q12 probes in context or behind an address that stands in it",
            value=100 * sum(sum(item.reachable) for item in found) / n,
            unit="%",
            target=100,
            is_floor=True,
        ),
        Measure(
            what="Q12 directly, once the prompt cache has expired",
            value=100 * sum(sum(item.expired) for item in found) / n,
            unit="%",
            target=direct,
            is_floor=True,
            baseline=direct,
            against="while it is warm",
        ),
        Measure(
            what="Q12 in context or behind an address, once it has expired",
            value=100 * sum(sum(item.expired_reachable) for item in found) / n,
            unit="%",
            target=100,
            is_floor=True,
        ),
        Measure(
            what="Q12 tokens after, of the target, most",
            value=100 * max(item.tokens / item.target for item in found if item.probes),
            unit="%",
            target=101,
        ),
        Measure(
            what="Q12 tokens after, of the target, p10",
            value=100 * percentile([item.tokens / item.target for item in found if item.probes], 0.1),
            unit="%",
            target=95,
            is_floor=True,
        ),
    ]
    rows.extend(
        Measure(
            what=f"Q12 directly, {what}",
            value=100 * sum(map(sum, hits)) / max(sum(map(len, hits)), 1),
            unit="%",
        )
        for what, hits in (
            ("half whose misses were read", [item.direct for item in found if half(item.name) == 0]),
            ("half whose misses were not", [item.direct for item in found if half(item.name) == 1]),
        )
    )
    rows.extend(
        Measure(
            what=f"   {label}: directly, at {100 * sum(i.plain[label][1] for i in found) / sum(i.total for i in found):.0f} % of the tokens",
            value=100 * sum(item.plain[label][0] for item in found) / n,
            unit="%",
        )
        for label in BASELINES
    )
    took, tokens = await speed()
    rows.append(Measure(what=f"Q5 free compression of {tokens:,} tokens", value=took, unit="ms", target=150))
    return rows


if __name__ == "__main__":
    raise SystemExit(tell(asyncio.run(measures())))
