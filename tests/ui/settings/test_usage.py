"""What was used adds up, over days, chats and models (U20)."""

from dataclasses import replace
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from app.core.ids import ChatId, ModelId
from app.core.records import Spending
from tests.ui.settings.conftest import Opener, settled
from ui.settings.usage.state import By, UsageState

_TODAY = date(2026, 11, 28)
_FEW = st.integers(0, 9)
_SPENT = st.builds(
    Spending,
    day=st.integers(0, 60).map(lambda n: _TODAY - timedelta(days=n)),
    model=st.sampled_from([ModelId("a/x"), ModelId("b/y")]),
    chat_id=st.sampled_from([ChatId("c1"), ChatId("c2")]),
    title=st.just(""),
    n_requests=st.integers(1, 9),
    prompt_tokens=st.integers(10, 90),
    cached_tokens=_FEW,
    completion_tokens=_FEW,
    cost_usd=_FEW.map(float),
    n_unpriced=st.just(0),
)


@given(st.lists(_SPENT, max_size=12), st.sampled_from([0, 7, 30]))
def test_each_way_to_sum_up_comes_to_the_same_total(spent: list[Spending], days: int) -> None:
    state = UsageState(spending=tuple(spent), days=days, today=_TODAY)

    for by in By:
        sums = replace(state, by=by).sums
        for name in ("n_requests", "prompt_tokens", "cached_tokens", "completion_tokens", "cost_usd"):
            assert sum(getattr(each, name) for each in sums) == getattr(state.total, name)


async def test_the_page_tells_tokens_and_money_and_what_has_no_price(opened: Opener) -> None:
    shown = await opened("usage")
    page = shown.view.usage
    said = QLocale().toString
    page.by.chosen.emit("model")
    await settled()

    table = page.table.model()
    rows = [
        [table.index(row, column).data() for column in range(table.columnCount())]
        for row in range(table.rowCount())
    ]

    assert rows == [
        ["openai/gpt-4.1", "25", said(627_330), "91%", said(18_228), "$1.82"],
        ["ollama/qwen3:8b", "12", said(418_220), "0%", said(9114), "–"],
    ]
    assert page.total.text() == (
        f"{said(1_045_550)} tokens read, {said(570_030)} of them from the cache · {said(27_342)} written · $1.82+"
    )
    page.period.chosen.emit("7")
    page.by.chosen.emit("day")
    await settled()
    assert page.table.rowCount() == 2
