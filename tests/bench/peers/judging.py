"""What every library is asked alike, and how its answer is judged: size, probes, and whether a provider takes it."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.entries import Origin
from app.core.parts import TextPart
from app.providers.errors import Failed
from app.providers.llm_link import LlmLink, Patience
from app.providers.pipe_form import Call
from tests.app.context.counts import CONVERSATIONS, conversation, entry
from tests.bench.fidelity import SHARE, Probe, plain, probes_of, whole
from tests.bench.peers.own import wire
from tests.bench.peers.pipe import Asked, Counting, Told, Wire, text_of
from tests.simulator import Simulator, Turn
from tests.simulator.counting import Counter
from tests.simulator.wire import Body

_SUMMARY_SHARE = 0.25
"""Of the budget: what the model's stand-in may say."""
_NEXT = "Continue."
_WINDOW_TOKENS = 100_000_000
"""Length is counted here, not refused."""
_FORMS = {"openai": "gpt-4o", "anthropic": "claude-sonnet-4-5"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    asked: Asked
    total_tokens: int
    probes: Sequence[Probe]
    """Those that stand in what would be sent if nothing were done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Of one library on one conversation."""

    peer: str
    conversation: str
    total_tokens: int
    budget_tokens: int
    tokens: int
    n_probes: int
    direct: tuple[int, ...]
    """Probes by number, as those below."""
    reachable: tuple[int, ...]
    ms: float
    counting_ms: float
    refused: dict[str, str]
    """By form: what was said."""
    failed: str = ""


def names() -> list[str]:
    return sorted(Path(file).stem for file in CONVERSATIONS.glob("*.json"))


def case_of(name: str, counting: Counting) -> Case:
    """The conversation as it would be sent, closed by the person where it ends with an answer, as `compress` does."""
    entries = conversation(name)
    if entries[-1].origin is Origin.ASSISTANT:
        entries = (*entries, entry(len(entries), Origin.USER, TextPart(text=_NEXT)))
    messages = wire(whole(entries), {})
    total = counting.of(messages)
    budget = round(SHARE * total)
    said = plain(text_of(messages))
    return Case(
        name=name,
        asked=Asked(messages=messages, budget_tokens=budget, summary_tokens=round(_SUMMARY_SHARE * budget)),
        total_tokens=total,
        probes=[probe for probe in probes_of(name) if probe.stands_in(said)],
    )


class Providers:
    """The simulator's refusals, in the forms of two families; LiteLLM makes the second of the first."""

    def __init__(self, simulator: Simulator, link: LlmLink) -> None:
        self._simulator = simulator
        self._link = link

    async def refusals(self, messages: list[Wire]) -> dict[str, str]:
        said = {form: await self._refusal(form, messages) for form in _FORMS}
        return {form: words for form, words in said.items() if words}

    async def _refusal(self, form: str, messages: list[Wire]) -> str:
        self._simulator.reset()
        tools = _tools(messages)
        arguments: dict[str, Any] = {
            "model": f"{form}/{_FORMS[form]}",
            "messages": messages,
            "stream": True,
            "max_tokens": 500,
        } | ({"tools": tools} if tools else {})
        call = Call(
            arguments=arguments,
            base_url=self._simulator.base_url if form == "anthropic" else self._simulator.openai_url,
            key="sk-bench",
            headers={},
            proxy="direct",
            ca_file="",
            connect_s=10,
            read_s=60,
        )
        try:
            async for _ in self._link.stream(call.to_bytes(), patience=Patience(), prompt_tokens=1):
                pass
        except Failed as failed:
            records = self._simulator.chats
            return (records[-1].refusal if records else "") or failed.fault.detail or failed.fault.code
        return self._simulator.chats[-1].remark


@asynccontextmanager
async def providers() -> AsyncGenerator[Providers]:
    link = LlmLink()
    async with Simulator(windows=dict.fromkeys(_FORMS.values(), _WINDOW_TOKENS)) as simulator:
        simulator.counter = _Lengths()
        simulator.script.otherwise = _yes
        link.start()
        try:
            yield Providers(simulator, link)
        finally:
            await link.aclose()


class _Lengths(Counter):
    def raw(self, text: str) -> int:
        return len(text) // 4


def _yes(body: Body) -> Turn:
    return Turn(text="Yes.")


def _tools(messages: Sequence[Wire]) -> list[Wire]:
    """Some tool of each name that was called: Anthropic takes no call without."""
    called = (call["function"]["name"] for message in messages for call in message.get("tool_calls") or ())
    schema: Wire = {"type": "object", "properties": {}}
    return [
        {"type": "function", "function": {"name": name, "description": name, "parameters": schema}}
        for name in dict.fromkeys(called)
    ]


async def verdict_of(case: Case, told: Told, peer: str, providers: Providers, counting: Counting) -> Verdict:
    said = plain(text_of(told.messages))
    behind = plain(told.behind)
    direct = [at for at, probe in enumerate(case.probes) if probe.stands_in(said)]
    beyond = (
        at
        for at, probe in enumerate(case.probes)
        if probe.stands_in(behind) or (not probe.is_free and probe.answer in behind)
    )
    return Verdict(
        peer=peer,
        conversation=case.name,
        total_tokens=case.total_tokens,
        budget_tokens=case.asked.budget_tokens,
        tokens=counting.of(told.messages),
        n_probes=len(case.probes),
        direct=tuple(direct),
        reachable=tuple(sorted({*direct, *beyond})),
        ms=told.ms,
        counting_ms=told.counting_ms,
        refused={} if told.failed else await providers.refusals(told.messages),
        failed=told.failed,
    )
