"""What the person laid down is not lost where room is made without a summary (C10, C38)."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from app.context.budget import Stage
from app.context.facts import Trigger
from app.context.proposal import Proposal
from app.context.steps.compress import compress
from app.core.entries import Entry, Origin
from app.core.ledger import LedgerItem, LedgerKind
from app.core.parts import TextPart
from app.models.families import OPENAI
from tests.app.context.steps.compressing import NO_PORTS, Turn, proposal, tokens
from tests.app.context.steps.test_compress import chat, text_of

OWN = "Never push to main"
RESULTS = tuple("\n".join(f"round {at} line {n} took {at * n} ms" for n in range(120)) for at in range(9))


def line(text: str, source: Entry | None = None) -> LedgerItem:
    return LedgerItem(
        id=text,
        kind=LedgerKind.CONSTRAINT,
        text=text,
        entry_id=source.id if source else None,
        rev=1,
        is_manual=source is None,
    )


def after(
    path: Sequence[Entry],
    ledger: Iterable[LedgerItem],
    *,
    share: float = 0.4,
    stage: Stage = Stage.FULL,
    context: Proposal | None = None,
) -> Proposal:
    """Compressed to `share` of what it was."""
    context = context or proposal(path)
    target = round(share * proposal(path).tokens(tokens, OPENAI))
    trigger = Trigger.SEND if stage is Stage.LIGHT else Trigger.MANUAL
    facts = replace(Turn(target=target, stage=stage, trigger=trigger).facts(path), ledger=tuple(ledger))
    found = context.with_folds(asyncio.run(compress(context, facts, NO_PORTS)).folds)
    assert stage is Stage.LIGHT or found.tokens(tokens, OPENAI) <= target
    return found


def test_a_line_of_the_persons_own_stands_in_the_first_stub_below_its_words() -> None:
    found = text_of(after(chat(*RESULTS), [line(OWN)]))

    assert found.count(OWN) == 1
    assert found.index("[folded:") < found.index(OWN)


def test_an_accepted_answer_that_goes_leaves_its_line_and_one_that_stays_is_not_told_twice() -> None:
    path = chat(*RESULTS)
    first = next(entry for entry in path if entry.origin is Origin.ASSISTANT)
    newest = next(entry for entry in reversed(path) if entry.origin is Origin.ASSISTANT)
    lines = ("We take the blue one.", "The night job stays.")
    said = {
        entry.id: replace(entry, parts=(TextPart(text=text), *entry.parts))
        for entry, text in zip((first, newest), lines, strict=True)
    }
    path = tuple(said.get(entry.id, entry) for entry in path)

    found = text_of(after(path, [line(lines[0], first), line(lines[1], newest)]))

    assert [found.count(text) for text in lines] == [1, 1]


def test_what_a_message_of_the_person_says_is_not_told_again() -> None:
    path = chat(*RESULTS)
    own = replace(path[0], parts=(TextPart(text=f"Look at it all. {OWN}."),))

    assert text_of(after((own, *path[1:]), [line(OWN, own)])).count(OWN) == 1


def test_a_line_that_a_stub_tells_is_not_told_by_the_next() -> None:
    path = chat(*RESULTS)
    once = after(path, [line(OWN)], share=0.6)
    assert text_of(once).count(OWN) == 1

    assert text_of(after(path, [line(OWN)], share=0.3, context=once)).count(OWN) == 1


@pytest.mark.parametrize("ledger", [(), (replace(line(OWN), superseded_rev=2),)])
def test_no_line_and_none_that_still_holds_changes_nothing(ledger: tuple[LedgerItem, ...]) -> None:
    assert after(chat(*RESULTS), ledger).items == after(chat(*RESULTS), ()).items


def test_where_nothing_is_removed_it_waits() -> None:
    """A stub is where it can stand: nothing of ours goes into a tool's words."""
    assert OWN not in text_of(after(chat(*RESULTS), [line(OWN)], stage=Stage.LIGHT))
