"""S7: the model's own notes save a paid summary, where they tell the run well enough."""

from app.context.steps.session_notes import keep_session_notes
from app.context.steps.summarise import summarise
from app.context.summary.fields import KeptSummary
from app.core.entries import Entry
from app.models.families import OPENAI
from tests.app.context.histories import path_of
from tests.app.context.summary.making import (
    FILLER,
    ScriptedWriter,
    answer,
    call,
    facts,
    ports,
    proposal,
    tokens,
    user,
)


def _work(*, notes: bool) -> tuple[Entry, ...]:
    said = [user("Fix the login.")]
    for at in range(10):
        said += call("run", f'{{"cmd": "pytest tests/part{at}"}}', f"{at} passed. {FILLER * 12}")
        if notes and at % 3 == 0:
            text = f"Part {at} is done, see src/part{at}.py"
            said += call("note", f'{{"kind": "finding", "text": "{text}"}}', "ok")
    return path_of([*said, user("And now?")])


async def test_notes_that_cover_the_run_replace_a_paid_summary() -> None:
    path = _work(notes=True)
    writer = ScriptedWriter([answer()])
    context, turn = proposal(path), facts(path, target=0.3)

    result = await keep_session_notes(context, turn, ports(writer=writer))
    context = context.with_folds(result.folds)

    kept = KeptSummary.model_validate_json(result.summary)
    assert "Part 3 is done, see src/part3.py" in kept.key_findings
    assert "notes" in result.why
    assert context.tokens(tokens, OPENAI) <= turn.target_tokens
    assert (await summarise(context, turn, ports(writer=writer))).folds == ()
    assert writer.requests == []


async def test_without_notes_of_the_model_a_summary_is_written() -> None:
    path = _work(notes=False)

    result = await keep_session_notes(proposal(path), facts(path), ports(writer=ScriptedWriter([answer()])))

    assert result.folds == ()


async def test_where_nothing_would_be_paid_the_fuller_summary_by_rule_is_made() -> None:
    path = _work(notes=True)

    assert (await keep_session_notes(proposal(path), facts(path), ports())).folds == ()


async def test_notes_that_lost_what_the_run_is_about_do_not_pass() -> None:
    """C13."""
    said = [user("Go.")]
    for at in range(12):
        said += call("edit", f'{{"path": "src/much/longer/name{at}.py"}}', f"ok {FILLER * 12}")
        said += call("note", '{"text": "going on"}', "ok") if at in (1, 2) else ()
        said.append(
            user(
                f"Then look at docs/chapter{at}.md and docs/figure{at}.png, docs/table{at}.csv, img/a{at}.svg, img/b{at}.svg too."
            )
        )
    path = path_of(said)

    result = await keep_session_notes(proposal(path), facts(path), ports(writer=ScriptedWriter([answer()])))

    assert result.folds == ()
    assert result.candidates
