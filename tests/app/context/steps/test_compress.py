"""Free compression ends at its target, keeps what can't be said again, and touches nothing it may not (S6)."""

import json
from collections.abc import Sequence
from dataclasses import replace
from time import process_time, thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.budget import Stage
from app.context.cover import cover_of
from app.context.facts import Trigger
from app.context.originals import resolve, run_text
from app.context.proposal import Proposal, crossing
from app.context.reading import Folded, Shown
from app.context.render import render
from app.context.steps.compress import compress, shorter_arguments
from app.context.transcript import Transcript
from app.context.validate import faults
from app.core.entries import Entry, Origin
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId, EntryId, ModelId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart, body_of
from app.core.requests import Prelude, Request
from app.models.families import OPENAI
from app.vault.address import find_addresses
from tests.app.context.counts import CONVERSATIONS
from tests.app.context.histories import History, Said, histories, path_of
from tests.app.context.steps.compressing import NO_PORTS, Turn, compressed, proposal, real, tokens

NAMES = sorted(path.stem for path in CONVERSATIONS.glob("*.json"))
QUICK = [
    "holmes-multiple-root-causes",
    "tau-airline-task33",
    "openhands-ponylang__ponyc-4588",
    "opencua-spotify",
]
REACHED = ["deerflow-dataset-findings", "tau2-retail-single", "minisweagent-astropy__astropy-12907"]
FILLER = "the pod was looked at again and nothing of interest was seen there "


def said(origin: Origin, text: str) -> Said:
    return origin, (TextPart(text=text),)


def called(number: int, result: str, *, name: str = "look", arguments: str = "") -> tuple[Said, Said]:
    call = ToolCallPart(call_id=f"c{number}", name=name, arguments=arguments or f'{{"n": {number}}}')
    return (
        (Origin.ASSISTANT, (call,)),
        (Origin.TOOL, (ToolResultPart(call_id=f"c{number}", name=name, text=result),)),
    )


def chat(*results: str) -> tuple[Entry, ...]:
    """A question, then a call for each result, then an answer and another question."""
    rounds = [item for number, result in enumerate(results) for item in called(number, result)]
    return path_of(
        (
            said(Origin.USER, "Why is it down?"),
            *rounds,
            said(Origin.ASSISTANT, "The disk is full."),
            said(Origin.USER, "And now?"),
        )
    )


def text_of(context: Proposal) -> str:
    pieces = [
        body
        for item in context.items
        for part in (
            item.fold.replacement if isinstance(item, Folded) else [p for ps in item.parts for p in ps]
        )
        if isinstance(body := body_of(part), str)
    ]
    return "\n".join(pieces)


def after(path: Sequence[Entry], turn: Turn) -> Proposal:
    context = proposal(path)
    return context.with_folds(compressed(context, turn.facts(path)).folds)


# ---- what is kept


def test_what_is_rare_stays_with_its_key_and_what_is_said_everywhere_goes() -> None:
    noise = "\n".join(FILLER for _ in range(40))
    path = chat(*(f"{noise}\nreservation_id: HAT{n}7Q\n{noise}" for n in range(8)))
    total = proposal(path).tokens(tokens, OPENAI)

    found = after(path, Turn(target=total // 5))

    text = text_of(found)
    assert all(f"reservation_id: HAT{n}7Q" in text for n in range(8))
    assert found.tokens(tokens, OPENAI) <= total // 5


def test_a_value_of_a_json_result_stays_beside_its_key() -> None:
    rows = [{"flight": f"HAT{n:03}", "price": 100 + n, "seats": ["x" * 60] * 3} for n in range(30)]
    path = chat(json.dumps({"rows": rows}), *(f"{FILLER * 30}{n}" for n in range(5)))

    text = text_of(after(path, Turn(target=1_100)))

    assert "flight: HAT017" in text


def test_a_result_that_came_again_is_shown_once_and_the_newest_stays() -> None:
    """Dedup is the cheapest, so it goes first."""
    same = f"{FILLER * 6} the end"
    path = chat(same, "other", same)
    context = proposal(path)

    result = compressed(context, Turn(target=context.tokens(tokens, OPENAI) - 30).facts(path))

    assert [(fold.kind, fold.first) for fold in result.folds] == [(FoldKind.MERGED, path[2].id)]


def test_an_older_read_of_the_same_file_goes_and_a_shell_command_is_no_read() -> None:
    rounds = (
        *called(0, f"old {FILLER * 5}", name="read_file", arguments='{"path": "a.py"}'),
        *called(1, f"ran {FILLER * 5}", name="bash", arguments='{"command": "make"}'),
        *called(2, f"new {FILLER * 5}", name="read_file", arguments='{"path": "a.py"}'),
        *called(3, f"ran again {FILLER * 5}", name="bash", arguments='{"command": "make"}'),
    )
    path = path_of((said(Origin.USER, "Go."), *rounds, said(Origin.USER, "And now?")))
    context = proposal(path)

    result = compressed(context, Turn(target=context.tokens(tokens, OPENAI) - 30).facts(path))

    assert [(fold.kind, fold.first) for fold in result.folds] == [(FoldKind.MERGED, path[2].id)]


def test_stage_light_removes_nothing() -> None:
    path = chat(*(f"{FILLER * 40}\nid: {n}{n}9Z" for n in range(9)))
    context = proposal(path)
    target = context.tokens(tokens, OPENAI) // 2

    result = compressed(context, Turn(target=target, stage=Stage.LIGHT, trigger=Trigger.SEND).facts(path))

    assert result.folds
    assert all(fold.part is not None for fold in result.folds)


def test_what_fits_already_is_left_alone() -> None:
    path = chat("one", "two")

    assert compressed(proposal(path), Turn(target=10_000).facts(path)).folds == ()


def test_without_a_target_nothing_is_folded() -> None:
    path = chat(FILLER * 50, FILLER * 60)

    assert compressed(proposal(path), Turn(target=0).facts(path)).folds == ()


def test_where_too_little_would_be_left_a_summary_is_left_to_say_it() -> None:
    """Below a share of what goes the step stops short of its target, so that S8 takes over."""
    path = chat(*(f"{FILLER * 30} {n}" for n in range(12)))
    context = proposal(path)

    found = context.with_folds(compressed(context, Turn(target=200).facts(path)).folds)

    assert 200 < found.tokens(tokens, OPENAI) < context.tokens(tokens, OPENAI)


# ---- arguments


def test_shortened_arguments_are_still_a_json_object_and_keep_the_chosen_lines() -> None:
    """Case B06."""
    lines = [f"line number {n} of the file" for n in range(20)]
    arguments = json.dumps({"path": "a.py", "text": "\n".join(lines)})

    found = shorter_arguments(arguments, {lines[7]}, "[excerpt]")

    assert found is not None
    value = json.loads(found)
    assert value["path"] == "a.py"
    assert value["text"] == f"…\n{lines[7]}\n…\n[excerpt]"


@pytest.mark.parametrize("arguments", ["not json", "[1, 2]", '{"n": 1}', "[" * 5_000])
def test_arguments_that_are_no_object_or_short_are_not_cut(arguments: str) -> None:
    assert shorter_arguments(arguments, set(), "[excerpt]") is None


# ---- what always holds


def check(path: tuple[Entry, ...], context: Proposal, turn: Turn) -> None:
    """Everything that S6 promises about one compaction."""
    facts = turn.facts(path)
    result = compressed(context, facts)
    found = context.with_folds(result.folds)
    before = context.tokens(tokens, OPENAI)

    assert compressed(context, facts) == result
    assert found.tokens(tokens, OPENAI) < before or not result.folds
    if found.tokens(tokens, OPENAI) <= turn.target:
        assert compressed(found, facts).folds == ()
    untouched(context, found, turn)
    assert set(sentences(found)) <= set(sentences(context))
    reachable(path, found)


def untouched(context: Proposal, found: Proposal, turn: Turn) -> None:
    cover = cover_of(context, turn.facts(context.path))
    standing = {item.entries[0].id: item for item in found.items if isinstance(item, Shown)}
    sealed = {entry.id for entry in context.path[: turn.n_sealed]}
    for at, item in enumerate(context.items):
        ids = {entry.id for entry in item.entries}
        protected = ids & (sealed | turn.pins | turn.put_back)
        if isinstance(item, Shown) and (
            cover.rank(at) is None or item.entries[0].origin is Origin.USER or protected
        ):
            assert standing[item.entries[0].id] == item
    for item in found.items:
        if isinstance(item, Shown):
            for parts, entry in zip(item.parts, item.entries, strict=True):
                calls = [(p.call_id, p.name) for p in parts if isinstance(p, ToolCallPart)]
                assert calls == [(p.call_id, p.name) for p in entry.calls]


def sentences(context: Proposal) -> tuple[str, ...]:
    """What a provider would refuse, without where."""
    messages = tuple(render(context.items, is_start=True))
    request = Request(model=ModelId("own/m"), prelude=Prelude(system=""), messages=messages)
    return tuple("".join(c for c in fault if not c.isdigit()) for fault in faults(request))


def reachable(path: tuple[Entry, ...], found: Proposal) -> None:
    """Each new fold names an address, and that gives what it hides, byte for byte (M6)."""
    transcript = Transcript(path)
    entries = {entry.id: entry for entry in path}
    at = {entry.id: index for index, entry in enumerate(path)}
    proposed = found.folds[-len(found.proposed) :] if found.proposed else ()
    for fold in proposed:
        text = body_of(fold.replacement[0])
        assert isinstance(text, str)
        hidden = (
            run_text(path[at[fold.first] : at[fold.last] + 1])
            if fold.part is None
            else body_of(entries[fold.first].parts[fold.part])
        )
        resolved = [resolve(a, entries, transcript.path, found.folds) for a in find_addresses(text)]
        assert hidden in resolved
        if fold.part is not None and isinstance(fold.replacement[0], ToolCallPart):
            assert isinstance(json.loads(text), dict)


@pytest.mark.parametrize("share", [0.25, 0.6])
@pytest.mark.parametrize("name", QUICK)
def test_real_conversations_keep_every_promise(name: str, share: float) -> None:
    path = real(name)
    context = proposal(path)

    check(path, context, Turn(target=int(context.tokens(tokens, OPENAI) * share)))


@pytest.mark.slow
@pytest.mark.parametrize("stage", [Stage.LIGHT, Stage.FULL])
@pytest.mark.parametrize("share", [0.25, 0.4, 0.65])
@pytest.mark.parametrize("name", NAMES)
def test_all_conversations_keep_every_promise(name: str, share: float, stage: Stage) -> None:
    path = real(name)
    context = proposal(path)

    check(
        path,
        context,
        Turn(target=int(context.tokens(tokens, OPENAI) * share), stage=stage, trigger=Trigger.SEND),
    )


@pytest.mark.parametrize("name", REACHED)
@pytest.mark.parametrize("share", [0.3, 0.5])
def test_a_target_that_can_be_reached_is_filled(name: str, share: float) -> None:
    """Never above it, and at most 5 % below, where the candidates are lines enough."""
    path = real(name)
    target = int(proposal(path).tokens(tokens, OPENAI) * share)

    found = after(path, Turn(target=target)).tokens(tokens, OPENAI)

    assert 0.95 * target <= found <= target


@given(history=histories(), data=st.data())
def test_whatever_was_said_the_promises_hold(history: History, data: st.DataObject) -> None:
    path = long(history.path)
    ids = [entry.id for entry in path]
    some = st.frozensets(st.sampled_from(ids), max_size=2)
    context = Proposal.of(path, history.folds, history.deletions, rev=history.context().rev)
    target = data.draw(st.integers(1, max(2, context.tokens(tokens, OPENAI))))
    turn = Turn(
        target=target,
        window=data.draw(st.sampled_from([0, 500, 100_000])),
        stage=data.draw(st.sampled_from([Stage.LIGHT, Stage.FULL, Stage.EMERGENCY])),
        trigger=data.draw(st.sampled_from([Trigger.SEND, Trigger.MANUAL])),
        pins=data.draw(some),
        put_back=data.draw(some),
        n_sealed=data.draw(st.integers(0, len(path))),
    )

    check(path, context, turn)


def long(path: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The same entries with texts that are worth cutting; folds and deletions name them as before."""
    found: list[Entry] = []
    for at, entry in enumerate(path):
        parts = tuple(
            replace(part, text=f"{part.text}\n" + "\n".join(f"row {at}-{n}: {FILLER}" for n in range(at % 9)))
            if isinstance(part, TextPart | ToolResultPart) and isinstance(part.text, str)
            else part
            for part in entry.parts
        )
        found.append(replace(entry, parts=parts))
    return tuple(found)


def test_an_emergency_may_fold_what_was_put_back_and_nothing_else_may() -> None:
    """M12."""
    path = chat(*(f"{FILLER * 40}{n}" for n in range(6)))
    back = frozenset({EntryId(path[2].id)})
    target = proposal(path).tokens(tokens, OPENAI) // 3

    calm = after(path, Turn(target=target, put_back=back, trigger=Trigger.SEND))
    urgent = after(path, Turn(target=target, put_back=back, trigger=Trigger.EMERGENCY, stage=Stage.EMERGENCY))

    whole = path[2].parts
    assert any(isinstance(item, Shown) and whole in item.parts for item in calm.items)
    assert not any(isinstance(item, Shown) and whole in item.parts for item in urgent.items)


@pytest.mark.parametrize(
    ("n_lines", "cut"), [(60, {Origin.TOOL}), (0, set[Origin]())], ids=["long results", "short results"]
)
def test_in_the_running_loop_results_are_cut_and_what_the_assistant_wrote_is_not(
    n_lines: int, cut: set[Origin]
) -> None:
    """Signed thinking is checked against the message that it stands in (S1), so that no room is made of it."""
    lines = [f"line {n} of the file, with nothing in it that matters" for n in range(60)]
    written = json.dumps({"text": "\n".join(lines)})
    rounds = [item for n in range(8) for item in called(n, "\n".join(lines[:n_lines]), arguments=written)]
    path = path_of((said(Origin.USER, "Go."), *rounds))
    turn = Turn(
        target=proposal(path).tokens(tokens, OPENAI) * 3 // 5,
        stage=Stage.LIGHT,
        trigger=Trigger.SEND,
        answering=path[0].id,
    )

    result = compressed(proposal(path), turn.facts(path))

    assert {entry.origin for entry in path if entry.id in {fold.first for fold in result.folds}} == cut


def test_a_stub_ends_where_a_run_ended_that_was_put_back() -> None:
    """M5: runs lie within each other or apart, the one that the person took out again too."""
    path = chat(*(f"{FILLER * 40}{n}" for n in range(8)))
    first, last = path[3].id, path[6].id
    folds = tuple(
        Fold(
            rev=100 + n,
            compaction_id=CompactionId("older"),
            kind=kind,
            first=first,
            last=last,
            part=None,
            replacement=(TextPart(text="[folded]"),) if kind is FoldKind.REMOVED else (),
            anchor=path[-1].id,
        )
        for n, kind in enumerate((FoldKind.REMOVED, FoldKind.WHOLE))
    )
    context = Proposal.of(path, folds, (), rev=101)
    pins = frozenset({first})
    turn = Turn(target=400, trigger=Trigger.EMERGENCY, stage=Stage.EMERGENCY, pins=pins)

    made = [fold for fold in compressed(context, turn.facts(path)).folds if fold.part is None]

    spans = [(context.at[fold.first], context.at[fold.last]) for fold in made]
    assert spans
    assert not [span for span in spans if crossing([(3, 6)], *span)]


async def test_the_loop_goes_on_meanwhile() -> None:
    """Q5: the window's thread does none of the work."""
    path = real("openhands-ponylang__ponyc-4588")
    context = proposal(path)
    facts = Turn(target=context.tokens(tokens, OPENAI) // 4).facts(path)
    in_step, worked_in_all = thread_time(), process_time()

    await compress(context, facts, NO_PORTS)

    assert thread_time() - in_step < 0.1 * (process_time() - worked_in_all)
