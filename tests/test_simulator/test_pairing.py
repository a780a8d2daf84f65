"""Calls and results are told apart for every list of messages, not only for the examples (C31)."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests import simulator
from tests.simulator.openai_pairing import pairing_problem
from tests.test_simulator.client import USER, call, calling, result


@st.composite
def conversations(draw: st.DrawFn) -> list[Any]:
    """Legal ones: rounds of calls, each with all its results in any order."""
    messages: list[Any] = [USER]
    for n_calls in draw(st.lists(st.integers(0, 3), min_size=1, max_size=5)):
        identities = [
            f"call_{at}" for at in range(n_calls)
        ]  # the same ones in every round, as some models do
        answered = draw(st.permutations(identities))
        messages += [calling(*map(call, identities)), *map(result, answered)] if n_calls else [USER]
    return messages


@given(conversations())
def test_a_complete_conversation_has_no_problem(messages: list[Any]) -> None:
    assert pairing_problem(messages) is None


@given(conversations(), st.data())
def test_without_any_one_call_or_result_it_has_one(messages: list[Any], data: st.DataObject) -> None:
    paired = [
        at for at, message in enumerate(messages) if message["role"] == "tool" or message.get("tool_calls")
    ]
    if not paired:
        return
    gone = data.draw(st.sampled_from(paired))

    assert pairing_problem(messages[:gone] + messages[gone + 1 :]) is not None


def test_the_simulator_knows_nothing_of_the_app() -> None:
    folder = Path(simulator.__file__).parent
    imported = {
        (node.module or "").split(".")[0]
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
    }

    assert not imported & {"app", "ui"}
