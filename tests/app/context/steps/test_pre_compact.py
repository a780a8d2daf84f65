"""S5: the ledger is up to date before anything goes, and what touches the question is told in the summary."""

from app.context.ledger import active, updated
from app.context.steps.pre_compact import pre_compact
from app.context.steps.summarise import summarise
from app.context.summary.rendering import RECALL_CLOSE, RECALL_OPEN
from tests.app.context.histories import path_of
from tests.app.context.summary.making import FILLER, assistant, facts, ports, proposal, talk, user


async def test_what_the_person_laid_down_is_in_the_ledger() -> None:
    """C38."""
    path = path_of([user("Tidy up. Do not push."), assistant("Fine."), user("Go on.")])

    result = await pre_compact(proposal(path), facts(path), ports())

    assert result.ledger is not None
    assert [item.text for item in active(result.ledger)] == ["Do not push."]
    assert result.folds == ()
    assert "ledger" in result.why


async def test_a_ledger_that_is_up_to_date_is_left_alone() -> None:
    path = path_of([user("Tidy up. Do not push.")])

    result = await pre_compact(proposal(path), facts(path, ledger=updated((), path)), ports())

    assert (result.ledger, result.why) == (None, "")


async def test_nothing_happens_while_nothing_is_to_be_folded() -> None:
    path = path_of([user("Do not push.")])

    result = await pre_compact(proposal(path), facts(path, target=0), ports())

    assert result.ledger is None


async def test_facts_that_touch_the_question_stand_in_the_summary_marked_as_recalled() -> None:
    """S5, C12: at most five, before the run goes."""
    rest = talk(20, last="When is the invoice of Gerlinde due?")
    said = [(entry.origin, entry.parts) for entry in rest]
    said.insert(3, assistant(f"The invoice of Gerlinde is due on Friday. {FILLER}"))
    path = path_of(said)

    result = await summarise(proposal(path), facts(path, target=0.3), ports())

    text = str(result.folds[0].replacement[0])
    recalled = text.partition(RECALL_OPEN)[2].partition(RECALL_CLOSE)[0]
    assert "The invoice of Gerlinde is due on Friday." in recalled
    assert 1 <= recalled.count("\\n- ") <= 5
