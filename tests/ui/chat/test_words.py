"""What stands under an answer (U12, U13): figures from its record, and nothing where nothing is known."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.core.entries import Origin
from app.core.ids import ChatId, EntryId, ModelId, RequestId, TurnId
from app.core.records import RequestRecord, RequestState
from app.core.usage import Usage
from ui.chat.samples import entry
from ui.chat.words import ChatWords

USAGE = Usage(prompt_tokens=152_100, completion_tokens=1_200, cached_tokens=147_600)
RECORD = RequestRecord(
    id=RequestId("r"),
    chat_id=ChatId("c"),
    turn_id=TurnId("t"),
    head=EntryId("e"),
    answer_id=EntryId("a"),
    rev=1,
    model=ModelId("a/claude"),
    prelude_hash="",
    n_blocks=1,
    chain_tip="",
    renderer=1,
    fingerprint="",
    estimated_tokens=1,
    projected_tokens=1,
    state=RequestState.FINISHED,
    created_at=datetime(2026, 11, 30, tzinfo=UTC),
    usage=USAGE,
    cost_usd=0.0213,
    time_to_first_token_s=1.94,
)
ANSWER = replace(entry("a", Origin.ASSISTANT), usage=None)


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (RECORD, "1.9 s to first token · 97% cached · $0.021 · 152.1K in · 1.2K out"),
        (replace(RECORD, cost_usd=None), "1.9 s to first token · 97% cached · 152.1K in · 1.2K out"),
        (
            replace(RECORD, usage=replace(USAGE, cached_tokens=0), cost_usd=0.0002),
            "1.9 s to first token · <$0.001 · 152.1K in · 1.2K out",
        ),
        (
            replace(
                RECORD, usage=Usage(prompt_tokens=9, completion_tokens=9, is_estimate=True), cost_usd=None
            ),
            "1.9 s to first token",
        ),
        (replace(RECORD, usage=None, cost_usd=None, time_to_first_token_s=None), ""),
        (None, ""),
    ],
)
def test_the_figures_of_an_answer_are_what_is_known_of_its_request(
    record: RequestRecord | None, told: str
) -> None:
    assert ChatWords().figures(ANSWER, record) == told
