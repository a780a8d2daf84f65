"""What compressing would do, as values for a person to decide by (C35); nothing here asks a model or stores anything."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from app.cache.economics import Rewriting, rewriting
from app.chats.fates import Fate, fates
from app.chats.summary_editing import SummaryRefused
from app.context.budget import Category, Count, apportioned
from app.context.engine import Standing, Wish
from app.context.fact_check import Receipt
from app.context.pipeline import Planned
from app.context.plan import Decision
from app.context.proposal import item_tokens
from app.context.reading import Item
from app.context.spared import Spared
from app.context.spending import Spending
from app.context.summary.fields import KeptSummary, Summary, with_fields
from app.context.summary.run import proposed_summary, summary_text
from app.context.sums import Sums
from app.core.records import Compaction

_SMALL = 0.1
_SHARE = 0.2
_FEWEST_TOKENS, _MOST_TOKENS = 2_000, 6_000

ByKind = tuple[tuple[Category, int], ...]
"""Tokens in the order of `Category`, without what there is none of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summing:
    """A summary that a model would write; until then one by rule stands in its place."""

    run_tokens: int
    """What it would stand for. All as the provider counts."""
    tokens: int
    """What it is taken to have."""
    by_rule_tokens: int
    writer_tokens: float
    """What writing it takes at most, in tokens of input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    standing: Standing
    wish: Wish
    decision: Decision
    planned: Planned
    compaction: Compaction | None
    """As it would be kept; its summary by rule where a model would write it. None: there is nothing to fold."""
    spent: Spending | None
    """What writing the summary took already."""
    summing: Summing | None
    """None: no summary is due, or it is what it will be."""
    tokens_before: int
    """As the provider counts."""
    tokens_after: int
    before: ByKind
    after: ByKind
    fates: tuple[Fate, ...]
    """What happens, row by row; adds up to what is freed."""
    spared: Spared
    """What no step may fold for room."""
    rewriting: Rewriting

    @property
    def is_possible(self) -> bool:
        """Whether there is anything to fold that makes it smaller."""
        return self.compaction is not None and self.planned.is_smaller

    @property
    def is_worth_it(self) -> bool:
        """Whether it frees a tenth; less is told with the figure, and asked (C7, U4)."""
        return self.is_possible and self.tokens_before - self.tokens_after >= _SMALL * self.tokens_before

    @property
    def receipt(self) -> Receipt:
        """Where what is folded can be had afterwards (C36); a lower bound while `summing` is set."""
        kept = self.compaction.fact_check if self.compaction else ""
        return Receipt.model_validate_json(kept) if kept else Receipt()

    @property
    def summary(self) -> KeptSummary | None:
        """Of what is folded; None: none is due."""
        return KeptSummary.model_validate_json(self.planned.summary) if self.planned.summary else None


def with_summary(preview: Preview, fields: Summary) -> str:
    """The preview's summary in the person's words, as JSON.

    Raises:
        SummaryRefused: it says nothing, or there is none.
    """
    if preview.summary is None or fields.is_empty:
        raise SummaryRefused("A summary can't be empty.", hint="Close the preview to be rid of it.")
    return with_fields(preview.summary, fields).model_dump_json()


def priced(planned: Planned, standing: Standing, *, is_warm: bool) -> Summing | None:
    """What the summary that was made by rule will be once a model writes it.

    Args:
        is_warm: The main model goes on from its own prefix, which it reads from the cache (C17).
    """
    if proposed_summary(planned.proposal) is None:
        return None
    left = {entry.id for item in planned.proposal.items if not summary_text(item) for entry in item.entries}
    covered = [item for item in planned.before.items if item.entries[0].id not in left]
    scale = standing.fill.projection.scale
    run = scale * _tokens(covered, standing)
    tokens = min(max(_SHARE * run, _FEWEST_TOKENS), _MOST_TOKENS)
    by_rule = _tokens([item for item in planned.proposal.items if summary_text(item)], standing)
    terms = standing.cache.terms
    read = terms.read * standing.fill.projection.projected_tokens if is_warm else run
    return Summing(
        run_tokens=round(run),
        tokens=round(tokens),
        by_rule_tokens=round(scale * by_rule),
        writer_tokens=read + tokens * terms.output,
    )


def previewed(
    *,
    standing: Standing,
    wish: Wish,
    decision: Decision,
    planned: Planned,
    compaction: Compaction | None,
    spent: Spending | None,
    summing: Summing | None,
    spared: Spared,
) -> Preview:
    """All figures of a plan; linear in the chat."""
    scale = standing.fill.projection.scale
    before, by_rule = round(planned.tokens_before * scale), round(planned.tokens_after * scale)
    more = summing.tokens - summing.by_rule_tokens if summing else 0
    after = by_rule + more
    kinds = dict(_by_kind(planned.proposal.items, by_rule, standing))
    if more:
        kinds[Category.NOTES] = max(0, kinds.get(Category.NOTES, 0) + more)
    return Preview(
        standing=standing,
        wish=wish,
        decision=decision,
        planned=planned,
        compaction=compaction,
        spent=spent,
        summing=summing,
        tokens_before=before,
        tokens_after=after,
        before=_by_kind(planned.before.items, before, standing),
        after=tuple((kind, kinds[kind]) for kind in Category if kinds.get(kind)),
        fates=fates(
            planned, standing.tokens, standing.family, tokens_freed=before - after, summary_more=more
        ),
        spared=spared,
        rewriting=rewriting(
            standing.cache.terms,
            before=before,
            after=after,
            unchanged=scale * _unchanged_tokens(planned, standing),
            is_cold=standing.cache.is_cold,
            writer=summing.writer_tokens if summing else 0.0,
        ),
    )


def _unchanged_tokens(planned: Planned, standing: Standing) -> int:
    """Before the first item that reads otherwise, by our count."""
    pairs = zip(planned.before.items, planned.proposal.items, strict=False)
    same = (old for old, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return standing.fixed_tokens + _tokens(same, standing)


def _tokens(items: Iterable[Item], standing: Standing) -> int:
    return sum(item_tokens(item, standing.tokens, standing.family) for item in items)


def _by_kind(items: Sequence[Item], total: int, standing: Standing) -> ByKind:
    """System and tools as they are; the rest of `total` by what the items count."""
    sums = Sums()
    for item in items:
        sums.add_item(item, lambda part: Count(tokens=standing.tokens(part)))
    fixed = {
        kind: tokens
        for kind, tokens in standing.fill.composition
        if kind in (Category.SYSTEM, Category.TOOLS)
    }
    weights = {**sums.by_category, Category.REASONING: sums.thinking_read(standing.family)}
    found = dict(apportioned(weights, total - sum(fixed.values())))
    rows = ((kind, fixed.get(kind, 0) + found.get(kind, 0)) for kind in Category)
    return tuple((kind, tokens) for kind, tokens in rows if tokens)
