"""What the tests of summaries are made of: short chats, the facts of a moment, ports, and writers that follow a script."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from app.context.budget import Stage
from app.context.facts import FileTouch, Intent, Trigger, TurnFacts
from app.context.intent import intent_of
from app.context.ports import Reply, StepPorts, WarmWriter
from app.context.proposal import Proposal
from app.context.reading import Folded
from app.context.steps.summarise import summarise
from app.core.entries import Entry, Finish, Origin
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId, EntryId, ModelId
from app.core.ledger import LedgerItem
from app.core.parts import Part, TextPart, ToolCallPart, ToolResultPart
from app.filters.filter import InPlaceFilters
from app.models.families import OPENAI
from app.tokens.estimate import estimate, estimate_part
from tests.app.context.counts import VaultHere
from tests.app.context.histories import Said, path_of
from tests.fakes import FakeClock

_DATA = Path(__file__).parents[3] / "data"
_PROMPTS = Path(__file__).parents[4] / "resources" / "prompts"
PROMPTS = {path.stem: path.read_text(encoding="utf-8") for path in _PROMPTS.glob("summary.*.md")}
_LITE = ModelId("here/lite")
FILLER = "The quick brown fox looked over the lazy dog and went on its way through the wood. "


class CountingByEye:
    """`TextWork` that estimates: no vocabulary is loaded."""

    async def count(self, texts: Sequence[str], tokenizer: str) -> tuple[int, ...]:
        return tuple(map(estimate, texts))


@dataclass
class FilesHere:
    """`Files` in memory; remembers what was asked for."""

    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    asked: list[str] = field(default_factory=list[str])
    noted: dict[str, str] = field(default_factory=dict[str, str])

    async def read(self, path: str) -> bytes | None:
        self.asked.append(path)
        return self.files.get(path)

    async def note(self, path: str, text: str) -> None:
        self.noted[path] = text


@dataclass
class ScriptedWriter:
    """`Writer`: each request gets the next of its answers, the last one again and again."""

    answers: Sequence[str | Reply | Exception | Callable[[str], str]]
    window_tokens: int = 200_000
    model: ModelId = _LITE
    requests: list[tuple[str, str, int]] = field(default_factory=list[tuple[str, str, int]])
    """System, text, most tokens of the answer."""
    why: str = ""
    warm: "WarmWriter | None" = None

    async def write(
        self, system: str, text: str, *, max_tokens: int, on_progress: Callable[[], None]
    ) -> Reply:
        self.requests.append((system, text, max_tokens))
        on_progress()
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Reply):
            return answer
        return reply(answer if isinstance(answer, str) else answer(text))


def reply(text: str, finish: Finish = Finish.STOP) -> Reply:
    return Reply(text=text, finish=finish, model=_LITE)


def answer(**fields: object) -> str:
    """A good answer with these fields."""
    base: dict[str, object] = {
        "user_goal": "Tidy the repository",
        "active_task": "continue",
        "completed_actions": ["read a.py"],
        "active_state": "a.py was read",
        "last_action": "read a.py",
    }
    return json.dumps(base | fields, ensure_ascii=False)


def ports(*, writer: ScriptedWriter | None = None, files: FilesHere | None = None) -> StepPorts:
    return StepPorts(
        filters=InPlaceFilters(),
        vault=VaultHere(),
        text=CountingByEye(),
        files=files or FilesHere(),
        clock=FakeClock(),
        writer=writer,
        prompts=PROMPTS,
    )


@cache
def tokens(part: Part) -> int:
    return estimate_part(part, lambda media: 765)


def total(path: Sequence[Entry]) -> int:
    return sum(tokens(part) for entry in path for part in entry.parts)


def facts(
    path: Sequence[Entry],
    *,
    target: float = 0.25,
    trigger: Trigger = Trigger.MANUAL,
    stage: Stage = Stage.FULL,
    window: int | None = None,
    ledger: tuple[LedgerItem, ...] = (),
    touches: tuple[FileTouch, ...] = (),
    pins: frozenset[EntryId] = frozenset(),
    put_back: frozenset[EntryId] = frozenset(),
    is_offline: bool = False,
    intent: Intent | None = None,
    count: Callable[[Part], int] = tokens,
) -> TurnFacts:
    """Facts for a chat that fills its window, to be brought down to `target` of it."""
    window_tokens = window or sum(count(part) for entry in path for part in entry.parts)
    return TurnFacts(
        compaction_id=CompactionId("c1"),
        trigger=trigger,
        stage=stage,
        family=OPENAI,
        window_tokens=window_tokens,
        fixed_tokens=0,
        target_tokens=round(target * window_tokens),
        tokens=count,
        answering=None,
        intent=intent or intent_of(path),
        ledger=ledger,
        touches=touches,
        pins=pins,
        put_back=put_back,
        is_offline=is_offline,
    )


def proposal(path: Sequence[Entry], folds: Sequence[Fold] = ()) -> Proposal:
    return Proposal.of(path, folds, (), rev=1_000_000)


def user(text: str) -> Said:
    return (Origin.USER, (TextPart(text=text),))


def assistant(text: str) -> Said:
    return (Origin.ASSISTANT, (TextPart(text=text),))


def call(name: str, arguments: str, result: str, *, is_error: bool = False) -> tuple[Said, Said]:
    made = ToolCallPart(call_id="k", name=name, arguments=arguments)
    came = ToolResultPart(call_id="k", name=name, text=result, is_error=is_error)
    return (Origin.ASSISTANT, (made,)), (Origin.TOOL, (came,))


def talk(n: int = 12, *, first: str = "Please help me tidy up.", last: str = "continue") -> tuple[Entry, ...]:
    """A chat of words, each message with a figure of its own."""
    said: list[Said] = [user(first)]
    for at in range(n):
        said.append(assistant(f"Step {at} took {1000 + at}.5 ms. {FILLER * 6}"))
        said.append(user(f"Go on with part {at}, item #{2000 + at}. {FILLER}"))
    return path_of([*said, user(last)])


def case(case_id: str) -> dict[str, Any]:
    cases: list[dict[str, Any]] = json.loads((_DATA / "cases.json").read_text("utf-8"))
    found = next(case for case in cases if case["id"] == case_id)
    return _expanded(found["input"])


def case_path(case_id: str) -> tuple[Entry, ...]:
    """The messages of a case as entries."""
    return path_of(_said(message) for message in case(case_id)["messages"])


def _said(message: dict[str, Any]) -> Said:
    text = message.get("content") or ""
    if message["role"] == "tool":
        return (Origin.TOOL, (ToolResultPart(call_id=message["tool_call_id"], name="", text=text),))
    parts: list[Part] = [TextPart(text=text)] if text else []
    for made in message.get("tool_calls") or ():
        function = made["function"]
        parts.append(ToolCallPart(call_id=made["id"], name=function["name"], arguments=function["arguments"]))
    return (Origin(message["role"]), tuple(parts))


_REPEAT = re.compile(r"\{\{repeat:(.*?)\s*\*(\d+)\}\}", re.DOTALL)


def _expanded(value: Any) -> Any:
    if isinstance(value, str):
        return _REPEAT.sub(lambda found: f"{found[1]} " * int(found[2]), value)
    if isinstance(value, list):
        return [_expanded(item) for item in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON
    if isinstance(value, dict):
        return {key: _expanded(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]  # any JSON
    return value


async def summed_up(
    path: tuple[Entry, ...],
    writer: ScriptedWriter | None = None,
    *,
    pins: frozenset[EntryId] = frozenset(),
    put_back: frozenset[EntryId] = frozenset(),
) -> Proposal:
    """The chat after S8, at a quarter of its window."""
    context = proposal(path)
    turn = facts(path, pins=pins, put_back=put_back)
    return context.with_folds((await summarise(context, turn, ports(writer=writer))).folds)


def summary_of(context: Proposal) -> str:
    """The text of the one summary that a context shows."""
    (item,) = [i for i in context.items if isinstance(i, Folded) and i.fold.kind is FoldKind.SUMMARISED]
    (part,) = item.fold.replacement
    assert isinstance(part, TextPart)
    assert isinstance(part.text, str)
    return part.text
