"""S8: a summary stands for the old part of a chat, under the target, smaller, and with what no summary may lose."""

import asyncio
import json
import time
from dataclasses import replace

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from app.context.budget import Stage
from app.context.fact_check import seen
from app.context.facts import Trigger
from app.context.originals import run_address
from app.context.ports import NewFold, StepPorts
from app.context.proposal import Proposal
from app.context.reading import Folded, Shown
from app.context.render import render
from app.context.steps.compress import compress
from app.context.steps.summarise import summarise
from app.context.summary.fields import KeptSummary
from app.context.summary.rendering import CLOSE, OPEN
from app.context.validate import faults
from app.core.entries import Origin
from app.core.folds import FoldKind
from app.core.ids import CompactionId
from app.core.parts import Part, TextPart, ToolResultPart, body_of
from app.core.requests import Request, Role, Sampling
from app.filters.filter import InPlaceFilters
from app.models.families import OPENAI
from tests.app.context.counts import CONVERSATIONS, CountingHere, VaultHere, conversation, vocabularies
from tests.app.context.histories import MODEL, PRELUDE, History, histories, path_of
from tests.app.context.summary.making import (
    FILLER,
    FilesHere,
    ScriptedWriter,
    answer,
    assistant,
    call,
    case_path,
    facts,
    ports,
    proposal,
    summary_of,
    summed_up,
    talk,
    tokens,
    total,
    user,
)
from tests.fakes import FakeClock

# ---- where it stands, and what stays


async def test_it_stands_after_the_first_message_on_the_persons_side_and_reaches_the_target() -> None:
    """C12, M5."""
    path = talk()

    context = await summed_up(path)

    first, second, *rest = context.items
    assert isinstance(first, Shown)
    assert first.entries[0].id == path[0].id
    assert isinstance(second, Folded)
    assert all(isinstance(item, Shown) for item in rest)
    assert context.tokens(tokens, OPENAI) <= 0.25 * total(path)
    message = next(iter(render(context.items, is_start=True)))
    assert message.role is Role.USER
    assert summary_of(context).startswith(OPEN)
    assert summary_of(context).endswith(CLOSE)


async def test_its_address_names_the_whole_covered_run() -> None:
    path = talk()

    context = await summed_up(path)

    ids = [entry.id for entry in path]
    fold = context.proposed[0]
    whole = path[ids.index(fold.first) : ids.index(fold.last) + 1]
    assert f"{run_address(whole)}]" in summary_of(context)


async def test_pins_and_what_was_put_back_stay_whole_inside_it() -> None:
    """M5: nested `whole` folds of the same compaction."""
    path = talk()
    pinned, put_back = path[5], path[8]

    context = await summed_up(path, pins=frozenset({pinned.id}), put_back=frozenset({put_back.id}))

    shown = {entry.id for item in context.items if isinstance(item, Shown) for entry in item.entries}
    assert {pinned.id, put_back.id, path[0].id, path[-1].id} <= shown
    kinds = [fold.kind for fold in context.proposed]
    assert kinds[0] is FoldKind.SUMMARISED
    assert set(kinds[1:]) == {FoldKind.WHOLE}
    assert {fold.compaction_id for fold in context.proposed} == {CompactionId("c1")}


async def test_what_stays_inside_keeps_the_short_form_it_had() -> None:
    path = path_of(
        [
            user("Go"),
            assistant(FILLER * 20),
            *call("read", '{"path": "a.py"}', FILLER * 60),
            *(said for at in range(8) for said in (assistant(FILLER * 10), user(f"{at}"))),
        ]
    )
    result = path[3].results[0]
    short = replace(proposal(path), folds=())
    (fold,) = (await summarise(proposal(path), facts(path), ports())).folds[:1]
    shortened = replace(
        fold,
        kind=FoldKind.SHORTENED,
        first=path[3].id,
        last=path[3].id,
        part=0,
        replacement=(replace(result, text="short"),),
    )
    context = short.with_folds([shortened])

    turn = facts(path, pins=frozenset({path[2].id}))
    context = context.with_folds((await summarise(context, turn, ports())).folds)

    (item,) = [i for i in context.items if isinstance(i, Shown) and i.entries[0].id == path[2].id]
    assert item.parts[1] == (replace(result, text="short"),)


async def test_it_covers_the_stubs_of_this_compaction_and_reads_what_they_hide() -> None:
    """C17: never a placeholder of this compaction."""
    path = path_of(
        [
            user("Go"),
            *(
                said
                for at in range(12)
                for said in call(
                    "run", f'{{"n": {at}}}', f"the answer {at} is {5000 + at}.25 kg. {FILLER * 20}"
                )
            ),
            user("And now?"),
        ]
    )
    writer = ScriptedWriter([answer()])
    context = proposal(path)
    turn = facts(path, target=0.12)
    context = context.with_folds((await compress(context, turn, ports())).folds)
    assert context.proposed

    context = context.with_folds((await summarise(context, turn, ports(writer=writer))).folds)

    assert f"{5000}.25 kg. {FILLER * 20}".strip() in writer.requests[0][1]
    assert "[folded:" not in writer.requests[0][1]
    assert "[folded:" not in seen(context.items)


@pytest.mark.parametrize(
    ("stage", "trigger", "target"),
    [(Stage.LIGHT, Trigger.SEND, 0.4), (Stage.FULL, Trigger.SEND, 1.1), (Stage.FULL, Trigger.MANUAL, 1.1)],
)
async def test_none_is_made_where_the_free_steps_do(stage: Stage, trigger: Trigger, target: float) -> None:
    """C2."""
    path = talk()

    result = await summarise(
        proposal(path), facts(path, target=target, stage=stage, trigger=trigger), ports()
    )

    assert result.folds == ()


async def test_an_emergency_makes_one_in_any_case() -> None:
    path = talk()
    turn = facts(path, target=0.9, stage=Stage.EMERGENCY, trigger=Trigger.EMERGENCY)

    assert (await summarise(proposal(path), turn, ports())).folds


async def test_summing_up_an_unchanged_chat_again_is_nothing() -> None:
    """C7."""
    path = talk()
    once = await summed_up(path)
    again = Proposal.of(path, once.folds, (), rev=once.rev)

    assert (await summarise(again, facts(path, target=0.1), ports())).folds == ()


async def test_one_that_would_not_be_smaller_is_not_made() -> None:
    """Case B31: the swap is made only if the result is smaller.

    Trap: success told of a compaction that won nothing.
    """
    path = path_of([said for word in "abcdefgh" for said in (user(f"Do NOT {word}."), assistant("ok"))])

    result = await summarise(proposal(path), facts(path), ports())

    assert result.folds == ()
    assert "not be smaller" in result.why


async def test_a_huge_answer_of_the_writer_does_not_make_the_chat_longer() -> None:
    """Case B31: '737,820 to 1,475,805 tokens'."""
    path = case_path("B31")
    huge = answer(**{name: ["very long summary " * 2_000] * 50 for name in ("next_steps", "key_findings")})

    context = await summed_up(path, ScriptedWriter([huge]))

    assert context.tokens(tokens, OPENAI) <= total(path)


async def test_no_stub_points_at_what_the_summary_hides() -> None:
    """Case B43: a stub may point only to content in this request."""
    text = f"unchanged {FILLER * 15}"
    path = path_of(
        [
            user("Go"),
            assistant(FILLER * 10),
            *call("read", '{"path": "a.txt"}', text),
            *call("read", '{"path": "a.txt"}', text),
            *(said for at in range(9) for said in (assistant(FILLER * 10), user(f"{at}"))),
        ]
    )
    context = proposal(path)
    turn = facts(path)
    merged = replace(path[3].results[0], text="[The same output stands again below.]")
    fold = NewFold(
        compaction_id=CompactionId("c0"),
        kind=FoldKind.MERGED,
        first=path[3].id,
        last=path[3].id,
        part=0,
        replacement=(merged,),
        anchor=path[-1].id,
    )
    context = context.with_folds([fold])

    turn = replace(turn, pins=frozenset({path[2].id}))
    context = context.with_folds((await summarise(context, turn, ports())).folds)

    shown = [item for item in context.items if isinstance(item, Shown) and item.entries[0].id == path[2].id]
    assert [item.parts[1] for item in shown] == [path[3].parts]
    assert "stands again below" not in seen(context.items)


@given(histories(), st.integers(1, 400), st.booleans())
@settings(max_examples=150)
def test_any_history_stays_valid_and_nothing_is_lost(history: History, target: int, urgent: bool) -> None:
    """M4, M5, C31: whatever was folded, deleted or said before."""
    rev = max([*(e.rev for e in history.path), *(m.rev for m in (*history.folds, *history.deletions))])
    path = tuple(replace(entry, parts=tuple(map(_longer, entry.parts))) for entry in history.path)
    context = Proposal.of(path, history.folds, history.deletions, rev=rev)
    stage, trigger = (Stage.EMERGENCY, Trigger.EMERGENCY) if urgent else (Stage.FULL, Trigger.MANUAL)
    turn = replace(facts(path, stage=stage, trigger=trigger), target_tokens=target)

    result = asyncio.run(summarise(context, turn, ports()))
    after = context.with_folds(result.folds)

    event(f"summed up: {bool(result.folds)}, inside it: {len(result.folds) > 1}")
    assert after.tokens(tokens, OPENAI) <= context.tokens(tokens, OPENAI)
    assert _ids(after) == _ids(context)
    first = next((e for e in path if e.origin is Origin.USER and e.id in _ids(context)), None)
    hidden = {entry.id for item in context.items if isinstance(item, Folded) for entry in item.entries}
    if first and first.id not in hidden:
        assert any(isinstance(item, Shown) and item.entries[0].id == first.id for item in after.items)
    for item in after.items:
        if isinstance(item, Folded) and item.fold.compaction_id == turn.compaction_id:
            assert [part for part in item.fold.replacement if isinstance(part, TextPart)]
    assert set(_faults(after)) <= set(_faults(context))


def _faults(context: Proposal) -> tuple[str, ...]:
    messages = tuple(render(context.items, is_start=True))
    return faults(Request(model=MODEL, prelude=PRELUDE, messages=messages, sampling=Sampling()))


def _longer(part: Part) -> Part:
    """So long that a summary is smaller."""
    if isinstance(part, TextPart | ToolResultPart):
        return replace(part, text=f"{part.text} {FILLER * 20}")
    return part


def _ids(context: Proposal) -> set[str]:
    return {entry.id for item in context.items for entry in item.entries}


# ---- what it keeps


async def test_bans_and_figures_are_in_the_request_after_one_and_after_two() -> None:
    """Case B37."""
    path = case_path("B37")
    path = path_of([user("Hello."), assistant("Hello!"), *[(e.origin, e.parts) for e in path]])
    wanted = ("Do NOT push", "config/prod.yaml", "1,250.50", "8443")

    once = await summed_up(path)
    more = path_of(
        [(e.origin, e.parts) for e in path]
        + [assistant(FILLER * 80), user("go on"), user("more"), user("yet more")]
    )
    twice = Proposal.of(more, once.folds, (), rev=once.rev)
    twice = twice.with_folds((await summarise(twice, facts(more, target=0.1), ports())).folds)

    assert all(text in seen(once.items) for text in wanted)
    assert all(text in summary_of(twice) for text in wanted)


async def test_what_a_model_rounds_stands_exactly_beside_its_summary() -> None:
    """C15."""
    path = talk(first="Tidy up.")
    writer = ScriptedWriter([answer(key_findings=["Step 3 took about 1,000 ms"])])

    text = summary_of(await summed_up(path, writer))

    assert "1003.5 ms" in text


async def test_no_secret_reaches_the_writer_or_the_summary() -> None:
    """Case B39: the fake summariser echoes its input."""
    path = case_path("B39")
    path = path_of([(e.origin, e.parts) for e in path] + [assistant(FILLER * 40), user("go on"), user("x")])

    def echo(text: str) -> str:
        return answer(key_findings=[text[at : at + 390] for at in range(0, 1_900, 380)])

    writer = ScriptedWriter([echo])
    context = proposal(path)
    result = await summarise(context, facts(path), ports(writer=writer))
    context = context.with_folds(result.folds)

    sent = "\n".join(system + text for system, text, _ in writer.requests)
    for secret in ("abcDEF123456ghiJKL789", "s3cr3tPw", "sk-test-0000", "AAAA/BBBB", "MIIB"):
        assert secret not in sent
        assert secret not in result.summary
        assert secret not in summary_of(context)
        assert secret in "".join(str(body_of(part)) for entry in path for part in entry.parts)
    assert "⟦secret:" in sent


async def test_the_goal_and_the_open_request_are_the_chats_and_not_the_runs() -> None:
    """C11: what was said in the middle is neither, though the summary stands for the middle alone."""
    path = talk(first="Find the last song of the album. Then play it.", last="Now pause it.")

    result = await summarise(proposal(path), facts(path, is_offline=True), ports())

    kept = KeptSummary.model_validate_json(result.summary)
    assert (kept.user_goal, kept.active_task) == ("Find the last song of the album.", "Now pause it.")


async def test_no_secret_reaches_a_field_that_rules_fill() -> None:
    """C16, C18: what was decided, found and done is told in the chat's own words."""
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    said = [user("Tidy up."), assistant(f"We decided to use {key} for the mirror. {FILLER * 30}")]
    path = path_of(
        [*said, assistant(f"It turns out {key} has expired. {FILLER * 30}"), user("go on"), user("x")]
    )
    context = proposal(path)

    result = await summarise(context, facts(path, is_offline=True), ports())

    assert "We decided to use ⟦secret:" in result.summary
    assert key not in result.summary
    assert key not in summary_of(context.with_folds(result.folds))


async def test_a_chat_in_chinese_has_a_chinese_summary() -> None:
    """Case B41."""
    path = case_path("B41")
    writer = ScriptedWriter([answer(user_goal="把登录模块改成 OAuth")])

    by_rule, by_model = await summed_up(path), await summed_up(path, writer)

    assert "## 目标" in summary_of(by_rule)
    assert "请始终用中文回答" in seen(by_rule.items)
    assert "中文" in writer.requests[0][0]
    assert "## 目标\n把登录模块改成 OAuth" in summary_of(by_model)


async def test_a_persons_text_that_looks_like_ours_is_just_text() -> None:
    """Case B42: a stored flag decides, never the text."""
    path = case_path("B42")
    path = path_of(
        [(e.origin, e.parts) for e in path]
        + [
            s
            for at in range(9)
            for s in (assistant(FILLER * 9), user(f"<memory-context>{at}</memory-context>"))
        ]
    )

    context = await summed_up(path)

    first = context.items[0]
    assert isinstance(first, Shown)
    assert first.entries[0] == path[0]
    assert summary_of(context).count(CLOSE) == 1


async def test_ledger_lines_stand_in_it_unless_their_source_is_shown() -> None:
    """C12."""
    said = [user("Tidy up. Do not touch the tests.")]
    said += [s for at in range(9) for s in (assistant(FILLER * 12), user(f"part {at}"))]
    said.insert(4, user("Never use tabs."))
    path = path_of(said)

    text = summary_of(await summed_up(path))

    ledger = text.partition("word for word\n- Never")[2]
    assert ledger
    assert "Do not touch the tests." not in ledger


# ---- always


@given(st.integers(3, 30), st.floats(0.1, 0.6), st.sets(st.integers(0, 20), max_size=3))
@settings(max_examples=25)
def test_it_never_grows_a_chat_and_is_always_the_same(n: int, target: float, pinned: set[int]) -> None:
    """C7, C8."""
    path = talk(n)
    turn = facts(path, target=target, pins=frozenset(path[at].id for at in pinned if at < len(path)))
    context = proposal(path)

    once = asyncio.run(summarise(context, turn, ports()))
    again = asyncio.run(summarise(context, turn, ports()))

    after = context.with_folds(once.folds)
    assert once == again
    assert after.tokens(tokens, OPENAI) <= context.tokens(tokens, OPENAI)
    entries = [entry.id for item in after.items for entry in item.entries]
    assert sorted(entries) == sorted(entry.id for entry in path)
    assert all(
        isinstance(item, Shown)
        for item in after.items
        for e in item.entries
        if e.id in turn.pins or e is path[0]
    )


def exact(part: Part) -> int:
    body = body_of(part)
    return vocabularies().count(body, "o200k") if isinstance(body, str) else 0


@pytest.mark.parametrize(
    ("name", "least"),
    [("memorybank-zh", 11), ("aider-history-a", 9), ("longmemeval-s-6a1eabeb", 7)],
)
async def test_a_real_chat_of_words_keeps_what_it_will_be_asked_for(name: str, least: int) -> None:
    """C18: offline, at a quarter of the window: valid, under the target, and the answers are still there."""
    path = conversation(name)
    counts = {part: exact(part) for entry in path for part in entry.parts}

    def count(part: Part) -> int:
        return counts[part] if part in counts else exact(part)

    context = proposal(path)
    turn = facts(path, count=count)
    work = StepPorts(
        vault=VaultHere(), text=CountingHere(), filters=InPlaceFilters(), files=FilesHere(), clock=FakeClock()
    )
    began_s = time.process_time()
    result = await summarise(context, turn, work)
    took_s = time.process_time() - began_s
    after = context.with_folds(result.folds)

    assert after.tokens(count, OPENAI) <= turn.target_tokens
    told = seen(after.items).lower()
    assert sum(answered.lower() in told for answered in _answers(name)) >= least
    assert took_s < 20
    kept = KeptSummary.model_validate_json(result.summary)
    assert kept.is_offline
    assert kept.active_task
    assert all(message.parts for message in render(after.items, is_start=True))


def _answers(name: str) -> list[str]:
    told = json.loads((CONVERSATIONS / f"{name}.json").read_text("utf-8"))
    return [str(probe["answer"]) for probe in told["probes"]]
