"""Whole conversations: nothing is lost, nothing is sent twice, and every figure is the provider's (Q16, Q19)."""

import asyncio
import logging
import random
import statistics
from itertools import pairwise
from pathlib import Path

import pytest

from app.bootstrap.application import Application
from app.context.context import Context
from app.core.entries import Finish, Origin
from app.core.events import TextDelta, TurnCompleted, TurnFailed, TurnStopped
from app.core.ids import ModelId
from app.core.records import RequestRecord, RequestState
from app.providers.errors import SENTENCES
from app.settings import Endpoint
from tests.app.context.counts import conversation
from tests.e2e.conftest import KEY, MODELS, talk
from tests.fakes import until
from tests.simulator import Fault, Kind, Simulator, Turn
from tests.simulator.counting import Counter
from tests.simulator.log import RequestRecord as Received

pytestmark = pytest.mark.asyncio(loop_scope="session")

_HARMLESS = {"answered"} | {
    f"fault:{kind}"
    for kind in (
        Kind.NO_USAGE,
        Kind.NO_FINISH,
        Kind.CRLF,
        Kind.TWO_DATA_LINES,
        Kind.COMMENTS,
        Kind.SPLIT_BYTES,
        Kind.USAGE_WITHOUT_CHOICES,
    )
}
"""What the provider may do without the person hearing of it."""

forms = pytest.mark.parametrize("form", ["openai", "anthropic"])


@forms
async def test_fifty_turns_with_failures_lose_nothing_and_send_nothing_twice(
    application: Application, simulator: Simulator, form: str
) -> None:
    """Q17, Q19: faults by chance, the same ones in each run; the person retries some of what failed."""
    dice = random.Random(5)
    simulator.faults.shuffle(rate=0.5, seed=11)
    chat = await talk(application, simulator, MODELS[form])
    codes: list[str] = []

    for n in range(50):
        for attempt in range(3):
            before = len(simulator.chats)
            end = await (chat.retry() if attempt else chat.ask(f"Question {n}: 你好, what of {n * n}?"))
            received = simulator.chats[before:]
            assert all(item.streamed_tokens == 0 for item in received[:-1])
            assert received
            if isinstance(end, TurnCompleted):
                break
            assert isinstance(end, TurnFailed)
            assert end.error.code in SENTENCES
            codes.append(end.error.code)
            if dice.random() < 0.5:
                break

    stored = (await application.store.load(chat.id)).entries
    asked = [entry.text for entry in stored if entry.origin is Origin.USER]
    assert asked == [f"Question {n}: 你好, what of {n * n}?" for n in range(50)]
    records = await application.store.requests(chat.id)
    assert len(records) == len(simulator.chats)
    assert [item.verdict for item in simulator.chats if item.verdict == "refused"] == []
    for record, received in zip(records, simulator.chats, strict=True):
        _check(record, received)
    assert len(set(codes)) >= 3
    assert await _are_rebuilt(application, records)
    print(form, len(records), "requests,", len(codes), "told:", sorted(codes))


def _check(record: RequestRecord, received: Received) -> None:
    assert record.state in {RequestState.FINISHED, RequestState.FAILED}
    if record.state is RequestState.FINISHED and received.verdict != "fault:no_usage":
        assert record.usage
        assert record.usage.prompt_tokens == received.prompt_tokens
    if received.verdict in _HARMLESS:
        assert (record.state, record.error) == (RequestState.FINISHED, "")
    else:
        assert (record.state, record.error in SENTENCES) == (RequestState.FAILED, True), received.verdict


async def _are_rebuilt(application: Application, records: tuple[RequestRecord, ...]) -> bool:
    """M7: each past request is its prelude + read(head, rev), byte for byte."""
    found = await application.session(records[0].chat_id)
    for record in records:
        path = found.conversation.transcript.path(record.head)
        prelude = await application.store.prelude(record.prelude_hash)
        again = Context(path, rev=record.rev, model=record.model, prelude=prelude)
        if (again.tip, len(again.chain)) != (record.chain_tip, record.n_blocks):
            return False
    return True


@forms
async def test_usage_is_what_the_provider_reported_cached_or_not(
    application: Application, simulator: Simulator, form: str
) -> None:
    """Case B26: the prompt is everything the model read, whatever the provider's own field leaves out.

    Trap: the wrong field of usage.
    """
    chat = await talk(application, simulator, MODELS[form])

    for n in range(3):
        await chat.ask(f"Part {n}: " + "a long story about many things, " * 150)

    records = await application.store.requests(chat.id)
    for record, received in zip(records, simulator.chats, strict=True):
        usage, raw = record.usage, received.usage
        assert usage
        assert usage.prompt_tokens == received.prompt_tokens
        if form == "anthropic":
            names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
            assert usage.prompt_tokens == sum(int(str(raw[name])) for name in names)
            assert usage.completion_tokens == raw["output_tokens"]
        else:
            assert raw["prompt_tokens_details"] == {"cached_tokens": usage.cached_tokens, "audio_tokens": 0}
            assert usage.completion_tokens == raw["completion_tokens"]
    assert form == "anthropic" or all(item.usage and item.usage.cached_tokens > 0 for item in records[1:])
    assert all(item.time_to_first_token_s and item.duration_s for item in records)


@forms
@pytest.mark.parametrize("factor", [1.14, 0.9])
async def test_the_projection_is_right_after_three_turns(
    application: Application, simulator: Simulator, form: str, factor: float
) -> None:
    """Q16: the provider counts with another vocabulary than we do. Trap: a foreign tokenizer used as truth."""
    simulator.counter = Counter(factor)
    chat = await talk(application, simulator, MODELS[form])
    entries = conversation("longmemeval-s-6a1eabeb")[:24]

    for asked, answered in pairwise(entries):
        if asked.origin is Origin.USER and answered.origin is Origin.ASSISTANT:
            simulator.script.say(Turn(text=answered.text))
            assert isinstance(await chat.ask(asked.text), TurnCompleted)

    records = (await application.store.requests(chat.id))[3:]
    errors = [
        abs(item.projected_tokens - item.usage.prompt_tokens) / item.usage.prompt_tokens
        for item in records
        if item.usage
    ]
    print(form, factor, f"median {statistics.median(errors):.2%}, worst {max(errors):.2%}, n {len(errors)}")
    assert len(errors) >= 6
    assert statistics.median(errors) <= 0.03


@forms
async def test_stop_closes_the_connection_and_keeps_what_had_come(
    application: Application, simulator: Simulator, form: str
) -> None:
    """A1, case B58."""
    simulator.tokens_per_s = 60
    chat = await talk(application, simulator, MODELS[form])
    await chat.session.send("A long answer, please.")
    await until(lambda: sum(isinstance(event, TextDelta) for event in chat.events) > 2)

    chat.session.stop()
    end = await chat.end()

    simulator.tokens_per_s = None
    assert isinstance(end, TurnStopped)
    assert end.answer
    assert (end.answer.finish, end.answer.text != "") == (Finish.STOPPED, True)
    await until(lambda: simulator.chats[-1].client_disconnected)
    assert isinstance(await chat.ask("Go on."), TurnCompleted)
    assert [item.verdict for item in simulator.chats[1:]] == ["answered"]


async def test_several_chats_answer_at_once(application: Application, simulator: Simulator) -> None:
    chats = [await talk(application, simulator, MODELS[form]) for form in (*MODELS, *MODELS)]

    ends = await asyncio.gather(*(chat.ask(f"Chat {n}?") for n, chat in enumerate(chats)))

    assert all(isinstance(end, TurnCompleted) for end in ends)
    for n, chat in enumerate(chats):
        answer = chat.session.conversation.path[-1]
        assert f"Chat {n}?" in answer.text
        assert len(chat.session.conversation.path) == 2


async def test_a_key_is_found_nowhere_on_disk(
    application: Application, simulator: Simulator, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Case B75: after a chat, a 401 whose words repeat the key, exports and a backup, with every log line kept."""
    caplog.set_level(logging.DEBUG)
    bad = Endpoint(id="bad", kind="compatible", name="Refuses", base_url=simulator.openai_url)
    await application.endpoints.add(bad, f"{KEY}-invalid")
    chat = await talk(application, simulator, MODELS["openai"])
    await chat.ask("Hello.")
    simulator.faults.push(Fault(status=401, message=f"Incorrect API key provided: {KEY}-invalid."))

    await application.choose_model(chat.id, ModelId("bad/gpt-4o"))
    end = await chat.ask("And now?")
    for name in ("chat.json", "chat.md"):
        await application.library.export_to(chat.id, tmp_path / name)
    await application.store.back_up_daily()

    assert isinstance(end, TurnFailed)
    assert end.error.code == "key_wrong"
    assert "CANARY" not in f"{end.error} {end.error.hint} {end.error.detail} {end.error.facts}"
    files = [path for folder in (application.paths.data, tmp_path) for path in folder.rglob("*")]
    read = {path: path.read_bytes() for path in files if path.is_file()}
    assert {path.name for path in read} >= {"palimpsest.sqlite3", "chat.json", "chat.md"}
    assert any(b"And now?" in data for data in read.values())
    assert [path for path, data in read.items() if b"CANARY" in data] == []
    assert "CANARY" not in caplog.text
    await application.endpoints.remove("bad")
