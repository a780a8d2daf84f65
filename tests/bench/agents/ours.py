"""The program itself on the trace: an open chat with its pipeline, its keep-alive and its real gateway, and a simulated provider.

Time passes for the program's clock and the provider's at once, from one sleeper's waking to the next.
"""

# pyright: reportPrivateUsage=false

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.agent.calling import Called, Carried
from app.context.ports import NewEntry
from app.core.entries import Entry, Origin
from app.core.events import TurnCompleted
from app.core.ids import EntryId
from app.core.parts import ToolResultPart
from app.core.records import Compaction, RequestKind, RequestRecord
from app.models.registry import ModelFacts
from app.providers.gateway import LiteLLMGateway
from app.providers.translate import usage_of
from app.settings import Endpoint, Paths, Settings
from app.store.store import Store
from app.vault.vault import Vault
from tests.app.agent.opening import CHAT, Opened, opened
from tests.app.context.summary.making import PROMPTS, answer
from tests.app.providers.asking import Keys
from tests.bench.agents.bill import Bill
from tests.bench.agents.trace import Step, Turn
from tests.fakes import until
from tests.simulator import Simulator, ToolCall
from tests.simulator import Turn as Reply
from tests.simulator.models import find_model
from tests.simulator.script import last_user_text
from tests.simulator.wire import Body

_LONGEST_ANSWER_TOKENS = 32_000
"""What was recorded is longer than some of today's models answer at once."""
_ENOUGH_S = 300.0
"""No work after one answer takes longer on any machine."""


@dataclass(slots=True, kw_only=True)
class _Model:
    """What the simulated model says: the trace's steps in turn, and what is beside them; and `Tools` for its calls."""

    simulator: Simulator
    store: Store
    vault: Vault
    summary: str
    steps: list[Step] = field(default_factory=list[Step])
    """Those that are still to come in the running turn."""
    n_read_again: int = 0
    n_summaries: int = 0
    _said: Step | None = None
    _has_read: bool = False

    def reply(self, body: Body) -> Reply:
        if body.get("max_tokens") == 1 or body.get("max_completion_tokens") == 1:
            return Reply(text="I")
        if _asks_for_summary(body):
            self.n_summaries += 1
            return Reply(text=self.summary)
        step = self.steps[0]
        need = None if self._has_read else step.need
        if need and need.word.encode() not in self.simulator.requests[-1].raw:
            self._has_read = True
            self.n_read_again += 1
            arguments = json.dumps({"pattern": need.word})
            return Reply(tool_calls=(ToolCall(name="file_read", arguments=arguments),))
        self._has_read = False
        self._said = self.steps.pop(0)
        calls = (ToolCall(name=call.name, arguments=call.arguments) for call in step.calls)
        return Reply(text=step.text, tool_calls=tuple(calls))

    def takes(self, answer: Entry) -> bool:
        return bool(answer.calls)

    async def carry_out(self, called: Called) -> Carried:
        answer = called.answer
        if self._has_read:
            need = self.steps[0].need
            texts = [need.excerpt] if need else []
        else:
            texts = [call.result for call in self._said.calls] if self._said else []
        found: list[NewEntry] = []
        for at, (call, text) in enumerate(zip(answer.calls, texts, strict=True)):
            part = ToolResultPart(call_id=call.call_id, name=call.name, text=text)
            above = found[-1].id if found else answer.id
            name, parts = EntryId(f"{answer.id}-{at}"), await self.vault.take_in((part,))
            found.append(NewEntry(id=name, parent_id=above, origin=Origin.TOOL, parts=parts))
        for entry in await self.store.append(called.conversation.id, found):
            called.conversation.add(entry)
        return Carried.ON


def _asks_for_summary(body: Body) -> bool:
    asked = last_user_text(body)
    return "Sum up what stands before" in asked or asked.startswith(("<conversation>", "<summary_so_far>"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    bill: Bill
    """By what the provider charged."""
    records: Sequence[RequestRecord]
    """Of the whole chat, as the program wrote them down."""
    compactions: Sequence[Compaction]


async def play(
    turns: Sequence[Turn],
    pauses: Sequence[float],
    *,
    kind: str,
    name: str,
    facts: ModelFacts,
    system: str,
    summary_tokens: int,
    folder: Path,
) -> Played:
    """Args: `pauses`: after each turn, in lives of the model's cache."""
    row = find_model(name)
    assert row
    longest = replace(row, output_tokens=max(row.output_tokens, _LONGEST_ANSWER_TOKENS))
    async with Simulator(models=(longest,)) as simulator:
        url = simulator.base_url if kind == "anthropic" else simulator.openai_url
        endpoint = Endpoint(id="e", kind=kind, name="Simulated", base_url=url, models=(name,))
        settings = Settings(endpoints=(endpoint,), model=f"e/{name}", write_titles=False, instructions=system)
        paths = Paths(data=folder)
        store, vault = await Store.open(paths), Vault(paths.vault)
        gateway = LiteLLMGateway(Keys(), vault)
        await gateway.start()
        model = _Model(
            simulator=simulator, store=store, vault=vault, summary=_summary(summary_tokens, simulator)
        )
        simulator.script.otherwise = model.reply
        chat = await opened(
            store, settings=settings, prompts=PROMPTS, wire=gateway, facts=facts, vault=vault, tools=model
        )
        for turn, pause in zip(turns, pauses, strict=True):
            model.steps = list(turn.steps)
            chat.attention.seen()
            ended = await chat.ask(turn.said)
            assert isinstance(ended, TurnCompleted), ended
            await _pass(chat, simulator, pause * row.cache.ttl_s)
        await chat.session.aclose()
        records = await store.requests(CHAT)
        compactions = tuple(chat.session.conversation.compactions)
        await gateway.aclose()
        await store.aclose()
        assert chat.errors == []
        return Played(bill=_bill(simulator, model, records, facts), records=records, compactions=compactions)


async def _pass(chat: Opened, simulator: Simulator, seconds: float) -> None:
    """Let time pass; whoever wakes in it acts in time."""
    await _rest(chat)
    while seconds > 0:
        step = min(seconds, chat.clock.next_wake_s or seconds)
        chat.clock.advance(step)
        simulator.clock.advance(step)
        seconds -= step
        await _rest(chat)


async def _rest(chat: Opened) -> None:
    """Until nobody works any more, but for those who sleep."""
    scope = chat.session._scope

    def rests() -> bool:
        if chat.session.desk.is_busy or any(map(scope.is_running, ("turn", "count", "title", "queue"))):
            return False
        return sum(scope.is_running(key) for key in ("idle", "warm")) == chat.clock.n_asleep

    await until(rests, within_s=_ENOUGH_S)


def _summary(tokens: int, simulator: Simulator) -> str:
    """A good one of about so many tokens."""
    lines = [f"changed src/part_{n}.py and ran its tests" for n in range(tokens // 10)]
    whole = answer(completed_actions=lines)
    n = round(len(lines) * tokens / simulator.counter.tokens(whole))
    return answer(completed_actions=lines[:n])


def _bill(simulator: Simulator, model: _Model, records: Sequence[RequestRecord], facts: ModelFacts) -> Bill:
    sent = simulator.chats
    return Bill(
        policy="Palimpsest",
        facts=facts,
        usages=[usage_of(record.usage) for record in sent if record.status == 200],
        n_refused=sum(record.status != 200 for record in sent),
        n_probes=sum(record.kind is RequestKind.PROBE for record in records),
        n_read_again=model.n_read_again,
        n_summaries=model.n_summaries,
    )
