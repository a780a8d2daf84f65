"""Peers' policies as rules, played over the trace against the simulator's own counting and cache, without a socket.

Each gets the marks that a careful client sets (system text, up to where the last request stands unchanged, the newest
message), and its summaries are written on the warm prefix: they are meant at their best.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from app.core.usage import Usage
from app.models.registry import ModelFacts
from tests.bench.agents.bill import Bill
from tests.bench.agents.conditions import Rules
from tests.bench.agents.trace import Call, Step, Turn
from tests.simulator.anthropic_form import AnthropicForm
from tests.simulator.cache import PromptCache
from tests.simulator.clock import Clock
from tests.simulator.counting import Counter
from tests.simulator.models import Family, Model, find_model
from tests.simulator.openai_form import OpenAIForm
from tests.simulator.prompt import Block, Prompt
from tests.simulator.wire import Body

_DUMMY_TOOL: Body = {
    "name": "dummy_tool",
    "description": "This is a dummy tool call",
    "input_schema": {"type": "object", "properties": {}},
}
"""LiteLLM's, where calls are sent without tools: ours pays for it, so all do."""
_CLEARED = "[Old tool result content cleared]"
_CALL_TOKENS = 8
_ANSWER_TOKENS = 8_192
"""Room for an answer where it shares the window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message on the wire."""

    blocks: tuple[Block, ...]
    text: str
    """All of it, in which words are looked for."""
    raw_tokens: int
    """Of the blocks, before the provider's factor."""
    is_person: bool = False
    cleared: "Said | None" = None
    """The same without its tool results; None: it has none."""


View = Sequence[Said]


class Policy(Protocol):
    def __call__(self, history: list[Said], player: "Player") -> View:
        """What is sent of the history before a request; may change the history itself."""
        ...


@dataclass(kw_only=True)
class Player:
    """Plays one policy over a session."""

    name: str
    policy: Policy
    facts: ModelFacts
    model: str
    rules: Rules
    system: str
    counter: Counter
    marks: bool = True
    clock: Clock = field(default_factory=Clock)
    history: list[Said] = field(default_factory=list[Said])
    start: int = 0
    """Before it everything was cut at an overflow."""
    _sent: View = ()

    def __post_init__(self) -> None:
        self.bill = Bill(policy=self.name, facts=self.facts)
        found = find_model(self.model)
        assert found
        self._row: Model = found
        self._is_anthropic = found.family is Family.ANTHROPIC
        self._cache = PromptCache(self.clock)
        self._form = AnthropicForm() if self._is_anthropic else OpenAIForm()
        head: Body = {"messages": [{"role": "system", "content": self.system}]}
        if self._is_anthropic:
            head = {"tools": [_DUMMY_TOOL], "system": self.system}
        self._head = self._form.prompt(head, self._row, self.counter).blocks

    def play(self, turns: Sequence[Turn], pauses: Sequence[float]) -> Bill:
        for turn, pause in zip(turns, pauses, strict=True):
            self.history.append(self._message("user", turn.said, is_person=True))
            for step in turn.steps:
                self._answer(step)
            self.clock.advance(pause * self._row.cache.ttl_s)
        return self.bill

    def _answer(self, step: Step) -> None:
        view = self._fitting()
        if step.need and not any(step.need.word in said.text for said in view):
            again = Call(
                name="file_read", arguments=f'{{"pattern": "{step.need.word}"}}', result=step.need.excerpt
            )
            self._ask(view, Step(text="", calls=(again,)))
            self.bill.n_read_again += 1
            view = self._fitting()
        self._ask(view, step)

    def _fitting(self) -> View:
        """What the policy sends; what its provider refuses goes out again without the oldest turn."""
        view = self.policy(self.history, self)
        while self.tokens(view) > self.most_tokens:
            self.bill.n_refused += 1
            ahead = [at for at in range(self.start + 1, len(self.history)) if self.history[at].is_person]
            self.start = ahead[0]
            view = self.policy(self.history, self)
        return view

    @property
    def window_tokens(self) -> int:
        return self._row.window_tokens

    @property
    def most_tokens(self) -> int:
        return self.window_tokens - _ANSWER_TOKENS

    def tokens(self, view: View) -> int:
        raw = sum(block.raw_tokens for block in self._head) + sum(said.raw_tokens for said in view)
        return self.counter.billed(raw)

    def _prompt(self, view: View) -> Prompt:
        return Prompt(
            blocks=(*self._head, *(block for said in view for block in said.blocks)), counter=self.counter
        )

    def _ask(self, view: View, step: Step) -> None:
        output = self.counter.tokens(step.text) if step.text else 0
        output += sum(self.counter.tokens(call.name + call.arguments) + _CALL_TOKENS for call in step.calls)
        self.pay(view, output)
        self.history.extend(self._messages(step))

    def pay(self, view: View, output_tokens: int) -> None:
        """One request and its answer."""
        prompt = self._marked(view)
        use = self._cache.look(prompt, self._row, owner="", name=self.model)
        self._cache.commit(use)
        self._sent = view
        self.bill.usages.append(
            Usage(
                prompt_tokens=prompt.tokens,
                completion_tokens=output_tokens,
                cached_tokens=use.read_tokens,
                cache_write_tokens=use.written_tokens,
            )
        )

    def _marked(self, view: View) -> Prompt:
        if not (self._is_anthropic and self.marks):
            return self._prompt(view)
        pairs = enumerate(zip(self._sent, view, strict=False))
        n_same = next((at for at, (was, is_) in pairs if was is not is_), min(len(self._sent), len(view)))
        ends = {len(view) - 1, n_same - 1}
        blocks = list(self._head)
        at = max(at for at, block in enumerate(blocks) if block.part == "system")
        blocks[at] = replace(blocks[at], marker=300.0)
        for n, said in enumerate(view):
            *before, last = said.blocks
            blocks += [*before, replace(last, marker=300.0) if n in ends else last]
        return Prompt(blocks=tuple(blocks), counter=self.counter)

    def summarised(self, view: View, kept: View) -> None:
        """The history is a summary and `kept` from now on; its writing is paid for."""
        summary = f"Summary of what was said before. {_filler(self.rules.summary_tokens, self.counter)}"
        instruction = self._message("user", "Sum up the conversation so far. Call no tool.")
        self.pay([*view, instruction], self.counter.tokens(summary))
        self.bill.n_summaries += 1
        self.history[:] = [self._message("user", summary, is_person=True), *kept]
        self.start = 0

    # -- messages

    def _message(self, role: str, text: str, *, is_person: bool = False) -> Said:
        return _said(self._blocks({"role": role, "content": text}), text, is_person=is_person)

    def _messages(self, step: Step) -> list[Said]:
        """The answer, and what its calls gave."""
        n = len(self.bill.usages)
        ids = [f"toolu_{n:06d}{at:04d}" for at in range(len(step.calls))]
        text = " ".join((step.text, *(call.arguments for call in step.calls)))
        if self._is_anthropic:
            content = [{"type": "text", "text": step.text}] if step.text else []
            content += [
                {"type": "tool_use", "id": name, "name": call.name, "input": call.arguments}
                for name, call in zip(ids, step.calls, strict=True)
            ]
            said = [{"role": "assistant", "content": content}]
        else:
            calls = [
                {"id": name, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for name, call in zip(ids, step.calls, strict=True)
            ]
            said = [{"role": "assistant", "content": step.text or None, "tool_calls": calls}]
        found = [_said(self._blocks(*said), text)]
        if step.calls:
            whole = [call.result for call in step.calls]
            cleared = _said(self._results(ids, [_CLEARED] * len(ids)), "")
            found.append(replace(_said(self._results(ids, whole), "\n".join(whole)), cleared=cleared))
        return found

    def _results(self, ids: Sequence[str], texts: Sequence[str]) -> tuple[Block, ...]:
        pairs = zip(ids, texts, strict=True)
        if self._is_anthropic:
            content = [{"type": "tool_result", "tool_use_id": name, "content": text} for name, text in pairs]
            return self._blocks({"role": "user", "content": content})
        return self._blocks(
            *({"role": "tool", "tool_call_id": name, "content": text} for name, text in pairs)
        )

    def _blocks(self, *messages: Body) -> tuple[Block, ...]:
        prompt = self._form.prompt({"messages": list(messages)}, self._row, self.counter)
        return tuple(block for block in prompt.blocks if not block.barrier)


def _said(blocks: tuple[Block, ...], text: str, *, is_person: bool = False) -> Said:
    raw_tokens = sum(block.raw_tokens for block in blocks)
    return Said(blocks=blocks, text=text, raw_tokens=raw_tokens, is_person=is_person)


def _filler(tokens: int, counter: Counter) -> str:
    """A text of so many billed tokens."""
    words = [f"item {n}: the file src/part_{n}.py was changed;" for n in range(tokens)]
    each = counter.tokens(" ".join(words[:100])) / 100
    return " ".join(words[: round(tokens / each)])


# -- the policies


def everything(history: list[Said], player: Player) -> View:
    """The whole history, oldest turns cut at overflow."""
    return history[player.start :]


def last_messages(history: list[Said], player: Player) -> View:
    """The last N, from the first of them that is the person's, so that no result stands without its call."""
    start = max(player.start, len(history) - player.rules.last_messages)
    persons = [at for at, said in enumerate(history) if said.is_person]
    return history[next((at for at in persons if at >= start), persons[-1]) :]


def summarise(history: list[Said], player: Player) -> View:
    """At a share of the window everything but the last messages becomes a summary."""
    view = history[player.start :]
    if player.tokens(view) >= player.rules.summarise_at * player.window_tokens:
        at = max(0, len(view) - player.rules.summary_keeps_messages)
        while at < len(view) and view[at].cleared:  # results go with their call
            at -= 1
        player.summarised(view, view[at:])
    return history[player.start :]


def clear_results(history: list[Said], player: Player) -> View:
    """At each turn all tool results but the newest are cleared."""
    if history[-1].is_person:
        holding = [at for at, said in enumerate(history) if said.cleared]
        for at in holding[: -player.rules.clearing_keeps_results]:
            cleared = history[at].cleared
            assert cleared
            history[at] = cleared
    return history[player.start :]


POLICIES: Sequence[tuple[str, Policy, bool]] = (
    ("none: all, no marks, oldest cut", everything, False),
    ("marks alone, oldest cut", everything, True),
    ("last {rules.last_messages} messages", last_messages, True),
    ("summarise at {rules.summarise_at:.0%}", summarise, True),
    ("clear tool results every turn", clear_results, True),
)
"""Name, rule, whether a provider that wants marks gets them."""
