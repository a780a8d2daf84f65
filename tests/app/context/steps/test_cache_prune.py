"""S4: what is trimmed while the prompt cache is cold, and from which share of the window."""

import asyncio
from dataclasses import replace

import pytest

from app.context.facts import CacheFacts, Trigger
from app.context.steps.cache_prune import prune_expired_cache
from app.core.entries import Entry, Origin
from app.core.folds import FoldKind
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.models.families import OPENAI
from app.vault.address import find_addresses
from tests.app.context.histories import Said, path_of
from tests.app.context.steps.compressing import NO_PORTS, Turn, proposal, tokens

COLD = CacheFacts(is_cold=True, is_written=True)


def _round(at: int, chars: int) -> tuple[Said, ...]:
    line = f"step {at} wrote its report to the folder of the night\n"
    return (
        (Origin.ASSISTANT, (ToolCallPart(call_id=f"c{at}", name="run", arguments=f'{{"n": {at}}}'),)),
        (Origin.TOOL, (ToolResultPart(call_id=f"c{at}", name="run", text=(line * 500)[:chars]),)),
    )


def _ran(*lengths: int) -> tuple[Entry, ...]:
    """A chat whose tools said so much each, and five short things after that."""
    rounds = [said for at, chars in enumerate((*lengths, *[50] * 5)) for said in _round(at, chars)]
    return path_of(
        ((Origin.USER, (TextPart(text="Run."),)), *rounds, (Origin.USER, (TextPart(text="And?"),)))
    )


def _pruned(
    path: tuple[Entry, ...], use: float, cache: CacheFacts = COLD, *, share: float = 0.3
) -> list[str]:
    """`kind index-of-the-round` of each fold where the chat has `use` of its window, aimed at `share` of it."""
    context = proposal(path)
    total = context.tokens(tokens, OPENAI)
    turn = Turn(target=int(share * total), window=int(total / use), trigger=Trigger.SEND)
    found = asyncio.run(prune_expired_cache(context, replace(turn.facts(path), cache=cache), NO_PORTS))
    results = [entry.id for entry in path if entry.results]
    for fold in found.folds:
        (part,) = fold.replacement
        assert isinstance(part, ToolResultPart)
        assert find_addresses(str(part.text))
    return [f"{fold.kind} {results.index(fold.first)}" for fold in found.folds]


@pytest.mark.parametrize(
    ("use", "kind"),
    [(0.299, None), (0.301, FoldKind.SHORTENED), (0.49, FoldKind.SHORTENED), (0.51, FoldKind.VAULTED)],
)
def test_old_results_are_trimmed_from_thirty_percent_and_put_away_from_fifty(
    use: float, kind: FoldKind | None
) -> None:
    assert _pruned(_ran(9_000, 9_000), use) == ([f"{kind} 0", f"{kind} 1"] if kind else [])


def test_nothing_is_trimmed_while_a_cache_is_paid_for() -> None:
    assert _pruned(_ran(9_000, 9_000), 0.6, CacheFacts()) == []
    assert (
        _pruned(_ran(9_000, 9_000), 0.6, CacheFacts(is_cold=True)) == []
    )  # an import: no cache ever held it


def test_short_results_and_the_newest_five_rounds_stay() -> None:
    path = _ran(9_000, 3_999, 4_000, 9_000)

    assert _pruned(path[:-7] + path[-1:], 0.6) == ["vaulted 0"]
    assert _pruned(path, 0.6) == ["vaulted 0", "vaulted 2", "vaulted 3"]


def test_it_ends_where_enough_is_free() -> None:
    assert _pruned(_ran(9_000, 9_000, 9_000), 0.6, share=0.8) == ["vaulted 0"]


def test_where_pruning_did_not_pay_it_starts_later_and_with_larger_results() -> None:
    path, late = _ran(9_000, 7_000), replace(COLD, backed_off=0.1)

    assert _pruned(path, 0.39, late) == []
    assert _pruned(path, 0.41, late) == ["shortened 0"]
    assert _pruned(path, 0.59, late) == ["shortened 0"]
    assert _pruned(path, 0.61, late) == ["vaulted 0"]
