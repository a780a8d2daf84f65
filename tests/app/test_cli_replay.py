"""`replay`: a recording's messages and tool results through real turns, against a provider over HTTP."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.app.chats.reading import conversation
from tests.app.conftest import Run
from tests.simulator import Simulator, SimulatorThread, ToolCall, Turn
from tests.simulator.fixtures import simulator_thread

__all__ = ("simulator_thread",)

_FIELDS = ["turn", "projected", "prompt", "cached", "cost", "stage", "folded", "break_cause"]


def _lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_each_answer_is_a_request_and_the_context_grows_as_recorded(
    run: Run, simulator_thread: Simulator
) -> None:
    """A round of tools is two requests: the calls that were recorded, then what comes of their results."""
    recorded = json.loads(conversation("tau-airline-task33").read_text("utf-8"))["messages"]
    said = [message["content"] for message in recorded if message["role"] == "user"]
    played = _before(recorded, said[4])

    done = run(
        "replay", conversation("tau-airline-task33"), "--base-url", simulator_thread.openai_url, "--model",
        "gpt-4o", "--turns", 4, "--json",
    )  # fmt: skip

    lines = _lines(done.stdout)
    n_calls = sum(bool(message.get("tool_calls")) for message in played)
    assert (done.returncode, done.stderr) == (0, "")
    assert n_calls
    assert [list(line) for line in lines] == [_FIELDS] * (4 + n_calls)
    assert sorted({line["turn"] for line in lines}) == [1, 2, 3, 4]
    assert [line["prompt"] for line in lines] == [record.prompt_tokens for record in simulator_thread.chats]
    assert all(line["cost"] > 0 and line["stage"] == "inactive" and not line["folded"] for line in lines)
    assert lines[-1]["cached"] > 0
    assert all(
        abs(line["projected"] - line["prompt"]) <= 0.1 * line["prompt"] for line in lines[1:]
    )  # from the second on it knows how this provider counts
    assert {record.verdict for record in simulator_thread.chats} == {"answered"}
    last: Any = simulator_thread.chats[-1].body["messages"]
    assert [_told(message) for message in last if message["role"] in ("user", "tool")] == [
        _told(message) for message in played if message["role"] in ("user", "tool")
    ]
    assert [_called(message) for message in last if message.get("tool_calls")] == [
        _called(message) for message in played if message.get("tool_calls")
    ]


def _told(message: dict[str, Any]) -> tuple[str, str]:
    return message["role"], message["content"]


def _called(message: dict[str, Any]) -> list[tuple[str, Any]]:
    calls = [call["function"] for call in message["tool_calls"]]
    return [(call["name"], json.loads(call["arguments"])) for call in calls]


def _before(messages: list[dict[str, Any]], words: str) -> list[dict[str, Any]]:
    at = next(n for n, message in enumerate(messages) if message["content"] == words)
    return messages[:at]


def test_in_a_small_window_room_is_made_and_told(run: Run, tmp_path: Path) -> None:
    with SimulatorThread(Simulator(windows={"gpt-4o": 16_000})) as simulator:
        done = run(
            "replay", conversation("holmes-k8s-unhealthy-pods"), "--base-url", simulator.openai_url, "--model",
            "gpt-4o", "--window", 16_000, "--turns", 3, "--json",
        )  # fmt: skip

        verdicts = [record.verdict for record in simulator.chats]
    lines = _lines(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(verdicts) == {"answered"}
    assert len(verdicts) >= len(lines)  # a summary that was written is a request too
    assert any(line["folded"] and line["stage"] in ("light", "full", "emergency") for line in lines)
    assert all(line["prompt"] <= 16_000 for line in lines)


def test_what_the_recording_does_not_answer_is_answered_too(
    run: Run, simulator_thread: Simulator, tmp_path: Path
) -> None:
    """No provider takes a call without a result: one that was recorded without, or that the model makes itself."""
    calls = [
        {"id": name, "type": "function", "function": {"name": name, "arguments": "{}"}}
        for name in ("ls", "pwd")
    ]
    messages = [
        {"role": "user", "content": "What is here?"},
        {"role": "assistant", "content": "Looking.", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "ls", "content": "a.txt b.txt"},
        {"role": "assistant", "content": "Two files."},
        {"role": "user", "content": "And now?"},
    ]
    (tmp_path / "recorded.json").write_text(json.dumps(messages))
    simulator_thread.script.say(
        Turn(text="I say so."), Turn(text="So do I.", tool_calls=(ToolCall(name="cat"),))
    )

    done = run(
        "replay", tmp_path / "recorded.json", "--base-url", simulator_thread.openai_url, "--model", "gpt-4o",
        "--json",
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert [line["turn"] for line in _lines(done.stdout)] == [1, 1, 2]
    sent: Any = simulator_thread.chats[-1].body["messages"]
    assert [(message["role"], message["content"]) for message in sent][-7:] == [
        ("user", "What is here?"),
        ("assistant", "Looking."),
        ("tool", "a.txt b.txt"),
        ("tool", "[the recording has no result for this call]"),
        ("assistant", "So do I."),
        ("tool", "[the recording has no result for this call]"),
        ("user", "And now?"),
    ]


@pytest.mark.slow
def test_a_model_of_the_other_form_is_spoken_to_in_it(run: Run, simulator_thread: Simulator) -> None:
    done = run(
        "replay", conversation("tau2-retail-single"), "--base-url", simulator_thread.base_url, "--model",
        "claude-sonnet-4-5", "--turns", 2, "--json",
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert {record.path for record in simulator_thread.chats} == {"/v1/messages"}
    assert len(_lines(done.stdout)) == len(simulator_thread.chats) > 2


@pytest.mark.slow
def test_an_endpoint_that_is_not_there_is_one_sentence(run: Run) -> None:
    done = run(
        "replay", conversation("tau2-retail-single"), "--base-url", "http://127.0.0.1:9/v1", "--model",
        "gpt-4o", "--json",
    )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert all(line["prompt"] is None for line in _lines(done.stdout))


_WITH_CALLS = (
    "holmes-multiple-root-causes", "pydantic-ai-multimodal-tools",
    "claude-code-cctrace-session", "deerflow-caren-landing-parallel", "deerflow-dataset-findings",
    "deerflow-suchao-website", "deerflow-trends-2026", "glaive-toolcall-zh-150", "holmes-k8s-unhealthy-pods",
    "holmes-negative-findings", "minisweagent-astropy__astropy-12907", "minisweagent-django__django-11138",
    "minisweagent-pylint-dev__pylint-6528", "minisweagent-scikit-learn__scikit-learn-25102",
    "opencua-spotify", "openhands-ponylang__ponyc-4588", "openhands-ponylang__ponyc-4595",
    "pi-mono-refactor-session", "sweagent-marshmallow-1867", "tau-airline-14-sessions", "tau-airline-task33",
    "tau2-airline-8-sessions", "tau2-retail-single", "webdancer-12-questions",
)  # fmt: skip
_QUICK = 2


def test_each_recording_that_calls_for_tools_is_named_here() -> None:
    with_calls = {
        path.stem
        for path in conversation("tau-airline-task33").parent.glob("*.json")
        if any(message.get("tool_calls") for message in json.loads(path.read_text("utf-8"))["messages"])
    }

    assert set(_WITH_CALLS) == with_calls


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if n < _QUICK else [pytest.mark.slow, pytest.mark.timeout(900)])
        for n, name in enumerate(_WITH_CALLS)
    ],
)
def test_recorded_work_is_played_to_its_end_in_a_window_that_it_outgrows(run: Run, name: str) -> None:
    """Each round of recorded calls is a request that a provider's rules let pass, whatever was folded before it."""
    recorded = json.loads(conversation(name).read_text("utf-8"))["messages"]
    window = 32_000
    with SimulatorThread(Simulator(windows={"gpt-4o": window})) as simulator:
        done = run(
            "replay", conversation(name), "--base-url", simulator.openai_url, "--model", "gpt-4o",
            "--window", window, "--json",
        )  # fmt: skip

        sent = list(simulator.chats)
    lines = _lines(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert [record.refusal for record in sent if record.verdict != "answered"] == []
    assert len(lines) >= sum(bool(message.get("tool_calls")) for message in recorded)
    assert max(record.prompt_tokens for record in sent) <= window
