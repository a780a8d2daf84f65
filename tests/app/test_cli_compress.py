"""`compress`: what it writes is what a provider would get, and its figures hold when somebody else counts."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

import pytest
import pytest_asyncio
from pydantic import (
    BaseModel,
    ConfigDict,
    JsonValue,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
)

from app.chats.inspection import tools_of
from app.context.conversation import Conversation
from app.context.counting import Counter
from app.context.measure import Meter
from app.core.events import Finished
from app.core.ids import ModelId
from app.core.requests import Prelude
from app.models.families import Family, family_of
from app.models.window import Window
from app.providers.llm_link import LlmLink, Patience
from app.providers.pipe_form import Call
from app.settings import Paths
from app.store.store import Store
from app.vault.vault import Vault
from tests.app.chats.reading import CONVERSATIONS, conversation, imported
from tests.app.compressed import FAMILIES, Compressed, compressed
from tests.app.conftest import Run
from tests.app.context.counts import CountingHere, vocabularies
from tests.simulator import Simulator

_MODELS = {
    "openai": ("openai", "gpt-4o"),
    "anthropic": ("anthropic", "claude-sonnet-4-5"),
    "deepseek": ("deepseek", "deepseek-chat"),
    "gemini": ("gemini", "gemini-3-pro-preview"),
    "qwen": ("dashscope", "qwen-plus"),
}
_PREFIXES = {"anthropic": "anthropic"}
_LONG = {
    "aider-history-a", "glaive-toolcall-zh-150", "longmemeval-s-6a1eabeb", "longmemeval-s-852ce960",
    "memorybank-zh", "minisweagent-pylint-dev__pylint-6528", "minisweagent-sphinx-doc__sphinx-9258",
    "pi-mono-refactor-session",
}  # fmt: skip
"""Seconds each."""


class _Step(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    step: str
    candidates: NonNegativeInt
    folded: NonNegativeInt
    tokens_saved: int
    ms: NonNegativeFloat
    why: str


class _FactCheck(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    probes: NonNegativeInt
    direct: NonNegativeInt
    reachable: NonNegativeInt


class _Report(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    stage: Literal["inactive", "watch", "light", "full", "emergency"]
    why: str
    window: PositiveInt | None
    tokens_before: PositiveInt
    tokens_after: PositiveInt
    steps: list[_Step]
    summary: dict[str, JsonValue] | None
    fact_check: _FactCheck
    elapsed_ms: NonNegativeFloat


class _Message(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    role: Literal["system", "user", "assistant", "tool"]
    content: str | list[dict[str, JsonValue]] | None


class _Tool(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    type: Literal["function"]
    function: dict[str, JsonValue]


class _Out(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    messages: list[_Message]
    tools: list[_Tool]
    report: _Report


def _tokens_before(name: str, family: str, folder: Path) -> int:
    """Of a conversation that nothing is folded of."""
    found = compressed(name, folder, "--family", family, "--window", 10_000_000, "--offline")
    assert found.report["steps"] == []
    return found.report["tokens_before"]


def _by_ring(found: Compressed, name: str, family: str) -> int:
    """The figure that the window shows when it opens that chat, from the store, by its own counter."""
    file = imported(conversation(name).read_bytes())

    async def measured() -> int:
        paths = Paths(data=found.folder)
        store = await Store.open(paths)
        try:
            (chat,) = await store.chats()
            talk = Conversation(await store.load(chat.id))
            kind, model = _MODELS[family]
            row = family_of(kind, model)
            context = talk.context(
                model=ModelId(f"{kind}/{model}"), prelude=Prelude(system="", tools=tools_of(file))
            )
            counter = Counter(chat.id, store=store, work=CountingHere(), vault=Vault(paths.vault))
            await counter.count_new(context, row)
            return Meter(counter).fill(context, (), row, window=Window()).projection.projected_tokens
        finally:
            await store.aclose()

    return asyncio.run(measured())


def _by_wire(found: Compressed, family: Family) -> float:
    """Tokens of what was written, counted from the file alone."""

    def count(text: str) -> int:
        return vocabularies().count(text, family.tokenizer)

    n = 0
    for message in found.messages:
        n += family.message_tokens
        content = message["content"] or ""
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        n += sum(count(block["text"]) for block in blocks if block["type"] == "text")
        n += count(message.get("reasoning_content", ""))
        for call in message.get("tool_calls", ()):
            n += count(f"{call['function']['name']} {call['function']['arguments']}")
    for tool in found.out["tools"]:
        function = tool["function"]
        schema = json.dumps(function["parameters"], ensure_ascii=False)
        n += count(f"{function['name']}\n{function['description']}\n{schema}")
    return n * family.ratio


_CASES = [
    pytest.param(
        path.stem, FAMILIES[at % len(FAMILIES)], marks=[pytest.mark.slow] if path.stem in _LONG else []
    )
    for at, path in enumerate(CONVERSATIONS)
]


@pytest.mark.parametrize(("name", "family"), _CASES)
def test_every_conversation_meets_its_target_and_its_figures_hold(
    name: str, family: str, tmp_path: Path
) -> None:
    target = int(0.6 * _tokens_before(name, family, tmp_path / "before"))

    found = compressed(
        name, tmp_path, "--family", family, "--window", 1_000_000, "--trigger", "manual", "--target", target,
        "--offline",
    )  # fmt: skip

    report = found.report
    _Out.model_validate(found.out)
    assert found.code == 0
    assert 0 < report["tokens_after"] <= target < report["tokens_before"]
    assert (
        report["fact_check"]["direct"] <= report["fact_check"]["reachable"] <= report["fact_check"]["probes"]
    )
    assert found.addresses
    assert found.messages[-1]["role"] in ("user", "tool")
    kind, model = _MODELS[family]
    if not any(message["content"].__class__ is list for message in found.messages):
        assert _by_wire(found, family_of(kind, model)) == pytest.approx(report["tokens_after"], rel=0.02)


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("deerflow-dataset-findings", "openai"),
        ("openhands-ponylang__ponyc-4595", "anthropic"),
        ("deerflow-suchao-website", "deepseek"),
        ("tau-airline-task33", "gemini"),
        ("webdancer-12-questions", "qwen"),
    ],
)
def test_the_window_would_show_the_same_figure(name: str, family: str, tmp_path: Path) -> None:
    found = compressed(name, tmp_path, "--family", family, "--window", 16_000, "--trigger", "emergency")

    assert found.report["tokens_after"] < found.report["tokens_before"]
    assert _by_ring(found, name, family) == found.report["tokens_after"]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def link() -> AsyncIterator[LlmLink]:
    running = LlmLink()
    running.start()
    yield running
    await running.aclose()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("name", "family"),
    [
        pytest.param("glaive-toolcall-zh-150", "openai", marks=pytest.mark.slow),
        ("claude-code-cctrace-session", "anthropic"),
        ("deerflow-trends-2026", "deepseek"),
        ("tau2-airline-8-sessions", "gemini"),
        ("pydantic-ai-multimodal-tools", "qwen"),
        ("minisweagent-astropy__astropy-12907", "anthropic"),
        ("opencua-spotify", "openai"),
    ],
)
async def test_a_provider_takes_what_was_written(
    name: str, family: str, tmp_path: Path, link: LlmLink
) -> None:
    """Through LiteLLM and over HTTP, by a provider that counts in its own way and refuses as real ones do."""
    kind, model = _MODELS[family]
    options = ("--family", family, "--window", 60_000, "--trigger", "manual", "--offline")
    found = await asyncio.to_thread(compressed, name, tmp_path, *options)
    async with Simulator(windows={model: 60_000}) as simulator:
        arguments: dict[str, Any] = {
            "model": f"{_PREFIXES.get(kind, 'openai')}/{model}",
            "messages": found.messages,
            "stream": True,
            "max_tokens": 500,
        } | ({"tools": found.out["tools"]} if found.out["tools"] else {})
        call = Call(
            arguments=arguments,
            base_url=simulator.base_url if family == "anthropic" else simulator.openai_url,
            key="sk-test",
            headers={},
            proxy="direct",
            ca_file="",
            connect_s=10,
            read_s=60,
        )

        events = [event async for event in link.stream(call.to_bytes(), patience=Patience(), prompt_tokens=1)]

        (record,) = simulator.chats
    assert isinstance(events[-1], Finished)
    assert (record.verdict, record.refusal, record.remark) == ("answered", "", "")


def test_the_same_file_gives_the_same_messages_byte_for_byte(tmp_path: Path) -> None:
    """C8: entries have other ids each time, and nothing of that is told to a model."""
    options = ("--family", "openai", "--window", 16_000, "--trigger", "emergency", "--offline")

    first = compressed("deerflow-dataset-findings", tmp_path / "a", *options)
    second = compressed("deerflow-dataset-findings", tmp_path / "b", *options)

    assert json.dumps(first.messages) == json.dumps(second.messages)
    assert first.report["fact_check"] == second.report["fact_check"]


def test_below_its_first_stage_nothing_is_folded(tmp_path: Path) -> None:
    found = compressed("tau2-retail-single", tmp_path, "--family", "openai", "--window", 1_000_000)

    assert found.code == 0
    assert (found.report["stage"], found.report["steps"], found.addresses) == ("inactive", [], [])
    assert found.report["tokens_before"] == found.report["tokens_after"]


def test_an_answer_at_the_end_is_followed_by_the_words_of_next(tmp_path: Path) -> None:
    options = ("--family", "openai", "--window", 1_000_000)

    plain = compressed("deerflow-dataset-findings", tmp_path / "a", *options)
    told = compressed("deerflow-dataset-findings", tmp_path / "b", *options, "--next", "Now in French.")
    asked = compressed("tau2-retail-single", tmp_path / "c", *options, "--next", "Now in French.")

    assert plain.messages[-1] == {"role": "user", "content": "Continue."}
    assert told.messages[-1] == {"role": "user", "content": "Now in French."}
    assert "French" not in json.dumps(asked.messages[-1])


def test_what_does_not_fit_is_told_and_not_passed_off(tmp_path: Path) -> None:
    """Three messages of the person's that no window of 8,000 tokens holds: exit 1 as long as nothing cuts them."""
    words = " ".join(f"word{n}" for n in range(9000))
    file = tmp_path / "pasted.json"
    file.write_text(json.dumps([{"role": "user", "content": words}]))

    found = compressed(file, tmp_path, "--family", "openai", "--window", 8_000)

    is_over = found.report["tokens_after"] > 8_000
    assert found.code == int(is_over)
    assert ("the window has 8,000" in found.report["why"]) == is_over


def test_tools_of_the_file_are_written_and_counted(tmp_path: Path) -> None:
    tool: dict[str, Any] = {"name": "find", "description": "Looks up.", "parameters": {"type": "object"}}
    messages = [{"role": "user", "content": "Find it."}]
    bare, full = tmp_path / "bare.json", tmp_path / "full.json"
    bare.write_text(json.dumps({"messages": messages}))
    full.write_text(json.dumps({"messages": messages, "tools": [{"type": "function", "function": tool}]}))

    without = compressed(bare, tmp_path / "a", "--family", "openai", "--window", 8_000)
    found = compressed(full, tmp_path / "b", "--family", "openai", "--window", 8_000)

    assert found.out["tools"] == [{"type": "function", "function": tool}]
    assert found.report["tokens_after"] > without.report["tokens_after"]


def test_it_runs_in_a_process_of_its_own_and_speaks_to_people_and_programs(run: Run, tmp_path: Path) -> None:
    options = (conversation("tau2-retail-single"), "--model", "gpt-4o", "--window", "8000", "--offline")

    program = run("compress", *options, "--out", tmp_path / "a.json", "--vault", tmp_path / "a", "--json")
    person = run("compress", *options, "--out", tmp_path / "b.json", "--vault", tmp_path / "b")

    written = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert (program.returncode, program.stderr) == (0, "")
    assert json.loads(program.stdout) == written["report"]
    assert (person.returncode, person.stderr) == (0, "")
    assert f"→ {written['report']['tokens_after']:,} tokens" in person.stdout
    assert person.stdout.endswith(f"{tmp_path / 'b.json'}\n")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("no", "The file 'file.json' is not JSON."),
        ('{"messages": []}', "This conversation gives no request that can be sent."),
    ],
)
def test_a_file_that_gives_no_request_is_one_sentence(
    run: Run, tmp_path: Path, content: str, told: str
) -> None:
    (tmp_path / "file.json").write_text(content)

    done = run("compress", tmp_path / "file.json", "--out", tmp_path / "o.json", "--vault", tmp_path / "v")

    assert done.returncode == 1
    assert done.stderr.startswith(told)
    assert not (tmp_path / "o.json").exists()
