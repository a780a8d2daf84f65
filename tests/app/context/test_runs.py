"""Run folds nest or stand apart, whatever is compressed, put back and undone (M5)."""

import random
from itertools import combinations

import pytest

from app.context.facts import Trigger
from app.context.originals import resolve
from app.context.proposal import crossing
from app.context.reading import Folded
from app.context.transcript import Transcript
from app.core.folds import FoldKind
from app.core.parts import body_of
from app.vault.address import find_addresses
from tests.app.context.planning import Chat
from tests.app.context.steps.compressing import real


def crossed(chat: Chat) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    spans = chat.proposal.runs()
    return [(one, other) for one, other in combinations(spans, 2) if crossing([one], *other)]


def unresolved(chat: Chat) -> list[str]:
    """Addresses of what runs hide that lead nowhere."""
    entries, path_of = {entry.id: entry for entry in chat.path}, Transcript(chat.path).path
    named = [
        address
        for item in chat.proposal.items
        if isinstance(item, Folded)
        for part in item.fold.replacement
        if isinstance(body := body_of(part), str)
        for address in find_addresses(body)
    ]
    return [str(one) for one in named if resolve(one, entries, path_of, chat.folds) is None]


@pytest.mark.parametrize("name", ["minisweagent-astropy__astropy-12907", "deerflow-dataset-findings"])
def test_an_emergency_after_a_put_back_cuts_no_older_run(name: str) -> None:
    """Two runs that overlap partly lose entries after an undo."""
    chat = Chat.of(real(name))
    chat.compress(chat.facts(0.30, trigger=Trigger.MANUAL))
    largest = chat.hidden[0]
    chat.show(largest[len(largest) // 2])

    chat.compress(chat.facts(0.05, trigger=Trigger.EMERGENCY))

    assert crossed(chat) == []
    assert unresolved(chat) == []


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["deerflow-dataset-findings", "holmes-multiple-root-causes"])
def test_whatever_is_compressed_put_back_and_undone_runs_nest_or_stand_apart(name: str, seed: int) -> None:
    chance = random.Random(seed)
    chat = Chat.of(real(name))
    for _ in range(8):
        match chance.choice(["compress", "compress", "show", "show", "undo"]):
            case "compress":
                trigger = chance.choice([Trigger.MANUAL, Trigger.EMERGENCY])
                chat.compress(chat.facts(chance.uniform(0.05, 0.7), trigger=trigger))
            case "show" if chat.hidden:
                chat.show(chance.choice(chance.choice(chat.hidden)))
            case "undo" if chat.made:
                chat.undo(chance.choice(chat.made))
            case _:
                pass

        assert crossed(chat) == []
        assert unresolved(chat) == []


def test_what_the_summary_covers_is_not_stored_beside_it() -> None:
    """The reports still say what each step folded, and the model sees the same."""
    chat = Chat.of(real("deerflow-dataset-findings"))

    made = chat.compress(chat.facts(0.1, trigger=Trigger.EMERGENCY))

    proposal = made.proposal
    at = {entry.id: index for index, entry in enumerate(chat.path)}
    summary = next(fold for fold in proposal.proposed if fold.kind is FoldKind.SUMMARISED)
    before = proposal.proposed[: proposal.proposed.index(summary)]
    assert not [f for f in before if at[summary.first] <= at[f.first] and at[f.last] <= at[summary.last]]
    assert sum(report.folded for report in made.reports) > len(proposal.proposed)
    assert chat.facts(0.1, trigger=Trigger.EMERGENCY).request_tokens(proposal) == made.tokens_after
