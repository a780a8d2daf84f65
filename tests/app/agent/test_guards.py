"""Asking the same again is caught before it runs, and circles are told and ended (C29, C30)."""

import json
from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.guards import (
    BUDGET,
    Fate,
    Kind,
    Loop,
    Verdict,
    answered,
    built_in_kind,
    call_key,
    judge,
    loop_verdict,
    must_hibernate,
)
from app.core.entries import Entry, Origin
from app.core.ids import EntryId
from app.core.parts import Blob, TextPart, ToolCallPart, ToolResultPart
from tests.app.context.histories import Said, path_of

ASKED: Said = (Origin.USER, (TextPart(text="Find out."),))


def call(name: str, arguments: object) -> ToolCallPart:
    return ToolCallPart(call_id="c", name=name, arguments=json.dumps(arguments))


def search(*queries: str, **others: object) -> ToolCallPart:
    return call("web_search", {"q": list(queries), **others})


def kind_of(called: ToolCallPart) -> Kind:
    return built_in_kind(called, is_unchanged=lambda path: path == "same.py", finishing=("submit_report",))


def round_of(
    called: ToolCallPart, text: str = "Found it: 42.", *, is_error: bool = False
) -> tuple[Said, Said]:
    result = ToolResultPart(call_id="c", name=called.name, text=text, is_error=is_error)
    return (Origin.ASSISTANT, (called,)), (Origin.TOOL, (result,))


def path(*rounds: tuple[Said, Said]) -> tuple[Entry, ...]:
    return path_of((ASKED, *(said for round_ in rounds for said in round_)))


def verdict(before: Sequence[Entry], *calls: ToolCallPart, n: int = 0) -> Verdict:
    shown = {entry.id for entry in before}
    return judge(before, calls, kind_of=kind_of, shown=shown, n_in_a_row=n)


def fate(before: Sequence[Entry], *calls: ToolCallPart) -> Fate:
    return verdict(before, *calls).fate


def test_repeat_of_an_executed_query_is_rolled_back() -> None:
    found = verdict(path(round_of(search("a"))), search("a"))

    assert found == Verdict(fate=Fate.ROLL_BACK, n_in_a_row=1, earlier=((0, EntryId("e2")),))
    assert found.note == "Not run: 1 call(s) here repeat what this run was told already."


def test_batch_composition_is_the_dedup_unit() -> None:
    before = path(round_of(search("a", "b")))

    assert fate(before, search("a", "c")) is Fate.RUN
    assert fate(before, search("a")) is Fate.RUN
    assert fate(before, search("a", "b")) is Fate.ROLL_BACK


@pytest.mark.parametrize("name", ["page", "offset", "tbs", "gl", "hl", "location", "line_range"])
def test_pagination_is_not_a_duplicate(name: str) -> None:
    assert fate(path(round_of(search("a", **{name: "1"}))), search("a", **{name: "2"})) is Fate.RUN


@pytest.mark.parametrize("name", ["num", "num_results", "limit", "max_results"])
def test_row_count_alone_is_not_a_new_search(name: str) -> None:
    assert fate(path(round_of(search("a"))), search("a", **{name: 50})) is Fate.ROLL_BACK


def test_a_stringified_query_array_keys_like_a_real_one() -> None:
    assert call_key(call("web_search", {"q": '["a", "b"]'})) == call_key(search("a", "b"))
    assert call_key(call("web_search", {"q": "[a"})) != call_key(search("a"))


def test_the_order_of_arguments_makes_no_other_call() -> None:
    one = ToolCallPart(call_id="x", name="web_search", arguments='{"q": "a", "gl": "de"}')
    other = ToolCallPart(call_id="y", name="web_search", arguments='{"gl":"de","q":"a"}')

    assert call_key(one) == call_key(other)


def test_a_batch_carrying_a_terminal_tool_is_never_popped() -> None:
    """The report would be lost with the message."""
    found = verdict(path(round_of(search("a"))), search("a"), call("submit_report", {"text": "42"}), n=2)

    assert (found.fate, found.n_in_a_row) == (Fate.RUN, 2)


def test_work_that_stands_beside_a_repeat_is_not_lost_either() -> None:
    assert fate(path(round_of(search("a"))), search("a"), call("shell", {"cmd": "make"})) is Fate.RUN


@pytest.mark.parametrize(
    "text", ["[ERROR]: 502", "No search results found.", "", "[]", "Error: timeout", "(no output)"]
)
def test_a_failed_search_is_not_remembered(text: str) -> None:
    """A failure often comes as plain text, and is the one time when asking again is right."""
    assert fate(path(round_of(search("a"), text)), search("a")) is Fate.RUN
    assert fate(path(round_of(search("a"), "x", is_error=True)), search("a")) is Fate.RUN


def test_what_was_asked_in_an_earlier_turn_may_be_asked_again() -> None:
    before = path_of((ASKED, *round_of(search("a")), ASKED))

    assert fate(before, search("a")) is Fate.RUN


@pytest.mark.parametrize("name", ["shell", "file_write", "file_edit", "mcp__mail__send"])
def test_a_call_that_may_change_something_makes_every_answer_old(name: str) -> None:
    before = path(round_of(search("a")), round_of(call(name, {"x": 1})))

    assert fate(before, search("a")) is Fate.RUN
    assert fate(path(round_of(call(name, {"x": 1}))), call(name, {"x": 1})) is Fate.RUN


def test_a_file_counts_as_read_while_it_is_the_same_and_originals_always_are() -> None:
    same, other = call("file_read", {"paths": ["same.py"]}), call("file_read", {"paths": ["other.py"]})
    vault = call("file_read", {"paths": ["vault://0123456789ab/log.txt"], "pattern": "x"})

    assert [kind_of(one) for one in (same, other, vault)] == [Kind.TRACKED, Kind.CHANGED, Kind.TRACKED]
    before = path(round_of(same), round_of(other), round_of(vault))
    assert [fate(before, one) for one in (same, other, vault)] == [Fate.ROLL_BACK, Fate.RUN, Fate.ROLL_BACK]


def test_a_tool_of_a_server_is_tracked_only_when_it_says_that_it_reads() -> None:
    called = call("mcp__wiki__look", {"q": "x"})

    assert built_in_kind(called, is_unchanged=bool) is Kind.UNTRACKED
    assert built_in_kind(called, is_unchanged=bool, read_only=("mcp__wiki__look",)) is Kind.TRACKED


def test_a_repeat_of_what_was_folded_away_is_answered_from_the_vault() -> None:
    """Forgetting is folding's doing, so that refusing would punish the model for it."""
    before = path(round_of(search("a")))

    found = judge(before, (search("b"), search("a")), kind_of=kind_of, shown=(), n_in_a_row=3)

    assert found == Verdict(fate=Fate.ANSWER, n_in_a_row=3, earlier=((1, EntryId("e2")),))


def test_new_calls_beside_a_repeat_are_run_and_the_repeat_is_answered_as_then() -> None:
    """Five searches must not be asked for anew because a sixth was made before, as in a recorded session."""
    found = verdict(path(round_of(search("a"))), search("b"), search("a"), n=2)

    assert found == Verdict(fate=Fate.ANSWER, n_in_a_row=2, earlier=((1, EntryId("e2")),))


def test_budget_lets_a_duplicate_through_and_stays_latched() -> None:
    before = path(round_of(search("a")))
    n, fates = 0, list[Fate]()
    for _ in range(7):
        found = verdict(before, search("a"), n=n)
        n = found.n_in_a_row
        fates.append(found.fate)

    assert fates == [Fate.ROLL_BACK] * (BUDGET - 1) + [Fate.RUN] * 3
    assert verdict(before, call("shell", {}), n=n).n_in_a_row == BUDGET  # a round without a tracked call
    assert verdict(before, search("new"), n=n).n_in_a_row == 0  # a whole clean one arms it again


Model = Callable[[int, int], ToolCallPart]
"""What it calls, told how many calls were made and how many times it was sampled anew since."""


def run(model: Model, *, is_guarded: bool, most_rounds: int = 40) -> list[str]:
    """A loop in small: the keys of what ran, a place in `most_rounds` each."""
    said: list[Said] = [ASKED]
    ran: list[str] = []
    n = n_anew = 0
    while len(ran) < most_rounds:
        called = model(len(ran), n_anew)
        before = path_of(said)
        found = verdict(before, called, n=n)
        n, n_anew = found.n_in_a_row, n_anew + 1
        if is_guarded and found.fate is Fate.ROLL_BACK:
            continue
        n_anew = 0
        if called.name == "submit_report":
            break
        said += round_of(called)
        ran.append(call_key(called))
    return ran


def forgetful(n_ran: int, n_anew: int) -> ToolCallPart:
    """Asks the same until it is sampled anew once, and needs five different answers."""
    queries = [search(f"step {at}") for at in range(5)]
    at = min(n_ran, 4) if n_anew or n_ran == 0 else min(n_ran, 5) - 1
    return call("submit_report", {}) if n_ran >= 5 else queries[at]


def test_loop_rolls_back_repeats_without_spending_turns() -> None:
    ran = run(forgetful, is_guarded=True)

    assert len(ran) == len(set(ran)) == 5


def test_without_the_guard_the_same_repeats_burn_every_turn() -> None:
    def stuck(n_ran: int, n_anew: int) -> ToolCallPart:
        return search("step 0") if not n_anew else call("submit_report", {})

    assert len(run(stuck, is_guarded=False)) == 40
    assert len(run(stuck, is_guarded=True)) == 1


_calls = st.sampled_from(
    [search("a"), search("b"), call("shell", {"cmd": "x"}), call("list_files", {"path": "."})]
)
_texts = st.sampled_from(["Found.", "", "[ERROR]: no", "42"])


@given(st.lists(st.tuples(_calls, _texts), max_size=12), _calls)
def test_nothing_is_held_up_for_good_and_only_what_was_answered_is_rolled_back(
    rounds: list[tuple[ToolCallPart, str]], again: ToolCallPart
) -> None:
    before = path(*(round_of(called, text) for called, text in rounds))
    n, fates = 0, list[Fate]()
    for _ in range(BUDGET):
        found = verdict(before, again, n=n)
        n = found.n_in_a_row
        fates.append(found.fate)

    assert Fate.RUN in fates
    assert (Fate.ROLL_BACK in fates) == (call_key(again) in answered(before, kind_of))


# ---- circles


def circle(
    texts: Iterator[str], n: int = 4, command: str = "pytest tests/unit -x -q --no-header"
) -> tuple[Entry, ...]:
    return path(*(round_of(call("shell", {"cmd": command}), next(texts)) for _ in range(n)))


def same() -> Iterator[str]:
    while True:
        yield "1 failed: tests/unit/test_a.py::test_b - AssertionError: expected 4 and got 5 in line 17"


def test_four_rounds_alike_that_bring_nothing_are_told_and_going_on_is_stopped() -> None:
    four, five = circle(same()), circle(same(), 5)

    assert loop_verdict(circle(same(), 3)) is Loop.NONE
    assert loop_verdict(four) is Loop.NOTE
    assert loop_verdict(four, noted_at=four[-2].id) is Loop.NONE  # it has not spoken since
    assert loop_verdict(five, noted_at=four[-2].id) is Loop.STOP


def test_a_time_that_runs_is_nothing_new() -> None:
    words = " ".join(f"step {n} was checked and is as it was before" for n in range(40))

    assert loop_verdict(circle(f"{words} at 12:{n:02}" for n in range(4))) is Loop.NOTE


def test_other_calls_other_answers_or_a_changed_file_are_no_circle() -> None:
    news = (f"line {n}: {' '.join(chr(97 + (n * 7 + i) % 26) * 4 for i in range(20))}" for n in range(4))
    others = path(
        *(round_of(call("shell", {"cmd": f"make {name}"}), next(same())) for name in ("a", "b", "c", "d"))
    )
    four = circle(same())

    assert loop_verdict(circle(news)) is Loop.NONE
    assert loop_verdict(others) is Loop.NONE
    assert loop_verdict(four, writers={four[-1].id}) is Loop.NONE


def test_answers_that_lie_in_the_vault_are_told_apart_by_their_hash() -> None:
    def blobs(*hashes: str) -> tuple[Entry, ...]:
        said: list[Said] = [ASKED]
        for one in hashes:
            body = Blob(sha256=one * 64, n_bytes=99_999, mime="text/plain", name="x")
            said.append((Origin.ASSISTANT, (call("shell", {"cmd": "make"}),)))
            said.append((Origin.TOOL, (ToolResultPart(call_id="c", name="shell", text=body),)))
        return path_of(said)

    assert loop_verdict(blobs("a", "a", "a", "a")) is Loop.NOTE
    assert loop_verdict(blobs("a", "a", "a", "b")) is Loop.NONE


def test_hibernation_is_for_what_is_still_full() -> None:
    assert must_hibernate(96, 100)
    assert not must_hibernate(95, 100)
    assert not must_hibernate(10**9, 0)
