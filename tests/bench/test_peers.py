"""The bench beside other libraries asks all alike, judges by the wire, and hides nobody who fails."""

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.peers.__main__ import Child
from tests.bench.peers.child import serve
from tests.bench.peers.judging import Verdict, case_of, providers
from tests.bench.peers.own import offline
from tests.bench.peers.pipe import Asked, Counting, text_of
from tests.bench.peers.report import ahead, lines_of, quicker
from tests.bench.peers.roster import PEERS
from tests.bench.peers.stub import facts

VERDICT = Verdict(
    peer="Palimpsest",
    conversation="a",
    total_tokens=4_000,
    budget_tokens=1_000,
    tokens=990,
    n_probes=4,
    direct=(0, 1),
    reachable=(0, 1, 2, 3),
    ms=100.0,
    counting_ms=10.0,
    refused={},
)
OTHER = replace(VERDICT, peer="deepagents", direct=(0, 1, 2), ms=50.0)


def test_the_stub_keeps_what_states_a_fact_until_its_cap() -> None:
    shown = (
        "The order is #W123 now. Thank you so very much. It went to src/app/main.py today.\nIt cost 12 more."
    )

    assert facts(shown, cap_tokens=100, count=len) == [
        "The order is #W123 now.",
        "It went to src/app/main.py today.",
        "It cost 12 more.",
    ]
    assert facts(shown, cap_tokens=24, count=len) == ["The order is #W123 now."]


def test_ours_answers_in_the_wire_s_form_within_the_budget() -> None:
    counting = Counting()
    case = case_of("tau2-retail-single", counting)

    made = offline(case.asked, counting)

    assert counting.of(made.messages) <= case.asked.budget_tokens < counting.of(case.asked.messages)
    assert made.messages[-1]["content"].endswith(case.asked.messages[-1]["content"])
    assert "577338937201" in made.behind()


def test_a_conversation_that_ends_with_an_answer_is_closed_by_the_person() -> None:
    case = case_of("deerflow-caren-landing-parallel", Counting())

    assert case.asked.messages[-1] == {"role": "user", "content": "Continue."}


def test_only_what_is_as_small_as_ours_is_held_against_it() -> None:
    larger = replace(OTHER, tokens=1_100)

    assert ahead([VERDICT, OTHER, larger]) == [OTHER]
    assert quicker([VERDICT, OTHER, replace(OTHER, reachable=(0, 1))]) == [OTHER]


def test_a_library_that_is_not_there_is_named_with_the_reason(tmp_path: Path) -> None:
    peer = PEERS["LangChain trim_messages"]

    child = Child(peer, Path(sys.executable), tmp_path / "log")
    child.close()

    said = child.ready.failed
    assert "langchain_core" in said
    assert any(peer.name in text and said in text for text in lines_of([VERDICT], {peer.name: child.ready}))


def test_a_conversation_on_which_a_library_fails_is_named_with_the_reason() -> None:
    asked = Asked(messages=[{"role": "user"}, {}], budget_tokens=10, summary_tokens=5)
    out = io.StringIO()

    serve(PEERS["Palimpsest"], io.StringIO(json.dumps(vars_of(asked))), out)

    ready, told = map(json.loads, out.getvalue().splitlines())
    assert (ready["failed"], told["failed"]) == ("", "KeyError: 'role'")


def vars_of(asked: Asked) -> dict[str, object]:
    return {name: getattr(asked, name) for name in ("messages", "budget_tokens", "summary_tokens")}


@pytest.mark.slow
async def test_a_result_without_its_call_is_refused_in_both_forms() -> None:
    orphan = [{"role": "user", "content": "Hi."}, {"role": "tool", "tool_call_id": "a", "content": "done"}]

    async with providers() as there:
        refused = await there.refusals(orphan)
        taken = await there.refusals(orphan[:1])

    assert set(refused) == {"openai", "anthropic"}
    assert taken == {}
    assert text_of(orphan) == "Hi.\ndone"
