"""What Prometheus reads of chats (A18)."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.core.ids import ChatId, ModelId
from app.core.records import RequestRecord
from app.health.exposition import exposition
from tests.app.health.test_metrics import made
from tests.app.store.making import CHAT

_LINE = re.compile(
    r'palimpsest_\w+\{chat="((?:[^"\\\n]|\\.)*)",model="((?:[^"\\\n]|\\.)*)"(,\w+="[^"]+")?\} [-+.e\d]+'
)


def test_a_chat_is_told_by_its_last_request_its_alerts_and_its_first_tokens() -> None:
    requests = [
        made(n, size, first_s=first_s) for n, (size, first_s) in enumerate(((5_000, 0.4), (80_000, 3.0)))
    ]

    lines = exposition(requests, {CHAT: 100_000}, {(CHAT, requests[0].model): 2}).splitlines()

    labels = f'chat="{CHAT}",model="{requests[0].model}"'
    assert f"palimpsest_context_tokens{{{labels}}} 80000" in lines
    assert f"palimpsest_context_growth_tokens{{{labels}}} 75000" in lines
    assert f'palimpsest_context_alerts_total{{{labels},type="step_surge"}} 1' in lines
    assert f'palimpsest_context_alerts_total{{{labels},type="soft_threshold"}} 1' in lines
    assert f'palimpsest_context_alerts_total{{{labels},type="hard_limit"}} 0' in lines
    assert f'palimpsest_context_alerts_total{{{labels},type="loop"}} 2' in lines
    buckets = [line for line in lines if "_bucket{" in line]
    assert [line.rpartition(" ")[2] for line in buckets] == ["0", "1", "1", "1", "2", "2", "2", "2"]
    assert f"palimpsest_time_to_first_token_seconds_sum{{{labels}}} 3.4" in lines
    assert f"palimpsest_time_to_first_token_seconds_count{{{labels}}} 2" in lines


_names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(st.lists(st.tuples(_names, _names, st.integers(0, 200_000)), max_size=8))
def test_every_line_can_be_read_whatever_a_model_is_called(requests: list[tuple[str, str, int]]) -> None:
    records: list[RequestRecord] = [
        replace(made(n, size), chat_id=ChatId(chat), model=ModelId(model))
        for n, (chat, model, size) in enumerate(requests)
    ]

    told = exposition(records, {}, {}).split("\n")

    assert all(line == "" or line.startswith("# ") or _LINE.fullmatch(line) for line in told)
