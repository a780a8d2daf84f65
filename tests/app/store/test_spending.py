"""What was used is summed up by the database, a line a day, model and chat (U20)."""

from dataclasses import replace
from datetime import timedelta

from app.context.ports import Outcome
from app.core.ids import ChatId, ModelId
from app.core.records import RequestState, Spending
from app.core.usage import Usage
from app.store.store import Store
from tests.app.store.making import MODEL, NOW, PRELUDE, a_chat, a_request, a_talk


async def test_requests_of_a_day_a_model_and_a_chat_are_one_line_with_what_has_no_price_told(
    store: Store,
) -> None:
    other = ChatId("other")
    await a_talk(store, 1)
    await store.update_chat(a_chat().id, title="Billing")
    await store.create_chat(a_chat(other))
    read = Usage(prompt_tokens=100, completion_tokens=7, cached_tokens=60)
    plan = (
        ("r1", NOW, MODEL, None, 0.5, read),
        ("r2", NOW, MODEL, None, None, read),
        ("r3", NOW, ModelId("other/model"), None, 0.25, read),
        ("r4", NOW - timedelta(days=2), MODEL, other, 0.125, replace(read, cached_tokens=0)),
        ("r5", NOW, MODEL, None, None, None),
    )
    for name, at, model, chat, usd, usage in plan:
        record = replace(a_request(name, "e0"), model=model, created_at=at)
        record = replace(record, chat_id=chat or record.chat_id)
        await store.begin_request(record, PRELUDE)
        outcome = Outcome(state=RequestState.FINISHED, usage=usage, cost_usd=usd)
        await store.mark_request(record.id, outcome)

    found = await store.spending()

    today, earlier = NOW.astimezone().date(), (NOW - timedelta(days=2)).astimezone().date()
    one = Spending(
        day=today,
        model=MODEL,
        chat_id=a_chat().id,
        title="Billing",
        n_requests=2,
        prompt_tokens=200,
        cached_tokens=120,
        completion_tokens=14,
        cost_usd=0.5,
        n_unpriced=1,
    )
    single = {
        "n_requests": 1,
        "prompt_tokens": 100,
        "cached_tokens": 60,
        "completion_tokens": 7,
        "n_unpriced": 0,
    }
    assert set(found[:2]) == {one, replace(one, model=ModelId("other/model"), cost_usd=0.25, **single)}
    late = {**single, "cached_tokens": 0}
    assert found[2:] == (replace(one, day=earlier, chat_id=other, title="", cost_usd=0.125, **late),)
    assert await store.purge_chat(other)
    assert len(await store.spending()) == 2
