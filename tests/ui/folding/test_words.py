"""What the preview says of money and of what is spared."""

from dataclasses import replace
from math import inf

from PySide6.QtWidgets import QApplication

from app.cache.economics import Rewriting
from app.chats.fates import Fate
from app.context.budget import Category
from app.core.folds import FoldKind
from ui.folding.samples import a_preview
from ui.folding.state import PreviewState, Work, Worth, pays_back
from ui.folding.words import PreviewWords


def test_money_is_told_where_a_price_is_known_and_tokens_elsewhere(qapp: QApplication) -> None:
    preview, words = a_preview(), PreviewWords()
    unpriced = Rewriting(cost_tokens=-300, saved_tokens=900, pay_back=0.0)
    free = Rewriting(cost_tokens=500, saved_tokens=9, pay_back=inf, cost_usd=0.0, saved_usd=0.0)

    assert [value for _, value in words.costs(preview)][:2] == ["− $0.180", "+ $0.060"]
    assert [value for _, value in words.costs(replace(preview, rewriting=unpriced))] == [
        "+ 300 tokens",
        "+ 900 tokens",
        "at once",
    ]
    assert [value for _, value in words.costs(replace(preview, rewriting=free))] == ["$0", "$0", "never"]
    assert pays_back(preview) == 3


def test_every_fate_has_words(qapp: QApplication) -> None:
    of = (None, Category.REASONING, Category.MEDIA)
    rows = [Fate(kind=kind, of=what, n_messages=1, tokens_freed=1) for kind in FoldKind for what in of]

    assert all(all(PreviewWords().fate(row)) for row in rows)


def test_what_is_worth_little_is_told_with_its_share(qapp: QApplication) -> None:
    preview = a_preview()
    smaller = replace(preview.planned, tokens_after=preview.planned.tokens_before - 1)
    little = replace(preview, planned=smaller, tokens_after=preview.tokens_before - 900)
    state = PreviewState(preview=little, work=Work.NONE)

    assert state.worth is Worth.LITTLE
    assert PreviewWords().status(state) == "Only 900 of 152.1K tokens would be freed (0.6 %)."
    assert PreviewWords().status(PreviewState(preview=preview, work=Work.NONE)) == ""
