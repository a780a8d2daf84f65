"""The worker's deaths and silences, with a scripted worker in its place."""

import sys
from pathlib import Path

import pytest

from app.agent.ports import Target
from app.core.entries import Finish
from app.core.errors import ProviderError
from app.core.events import Accepted, Finished, GatewayEvent, TextArrived
from app.providers.gateway import LiteLLMGateway
from app.providers.llm_link import Patience
from app.settings import Endpoint
from tests.app.providers.asking import Keys, Originals, asking, text_of, until

TARGET = Target(
    endpoint=Endpoint(id="e", kind="compatible", name="Mine", base_url="http://127.0.0.1:9"), name="m"
)
SHORT = Patience(first_s=0.2, first_at_most_s=0.2, stall_s=0.2)


def worker(tmp_path: Path, code: str) -> list[str]:
    """A worker that runs `code` for each `start`; `first` tells whether it is the first one made."""
    lines = "\n    ".join(code.strip().splitlines())
    flag = str(tmp_path / "started")
    program = f"""
import json, os, pathlib, sys, time
first = not pathlib.Path({flag!r}).exists()
pathlib.Path({flag!r}).touch()
def say(**message):
    print(json.dumps(message), flush=True)
say(ready=True)
while line := sys.stdin.buffer.readline():
    message = json.loads(line)
    sys.stdin.buffer.read(message.get("n_bytes", 0))
    if message["do"] != "start":
        continue
    number = message["id"]
    {lines}
"""
    return [sys.executable, "-S", "-c", program]


ANSWER = """
say(id=number, sent=True)
say(id=number, events=[["accepted"], ["text", "done"]])
say(id=number, events=[["finished", "stop", ""]])
say(id=number, end=True)
"""


async def outcome(
    tmp_path: Path, code: str, patience: Patience | None = None
) -> tuple[list[GatewayEvent], str]:
    """What came, and the code of the error that ended it."""
    gateway = LiteLLMGateway(Keys(), Originals(), patience=patience, command=worker(tmp_path, code))
    events: list[GatewayEvent] = []
    try:
        async for event in gateway.stream(asking("Hi"), TARGET):
            events.append(event)
    except ProviderError as error:
        return events, error.code
    finally:
        await gateway.aclose()
    return events, ""


@pytest.mark.expected_warnings("The worker that talks to providers ended")
async def test_a_request_that_was_not_sent_goes_out_once_more(tmp_path: Path) -> None:
    events, code = await outcome(tmp_path, f"if first: os._exit(1)\n{ANSWER}")

    assert (text_of(events), code) == ("done", "")
    assert events[-1] == Finished(finish=Finish.STOP)


@pytest.mark.expected_warnings("The worker that talks to providers ended")
async def test_a_request_that_was_sent_is_never_sent_again_by_itself(tmp_path: Path) -> None:
    """Q17: nobody knows whether the provider answered."""
    events, code = await outcome(tmp_path, "say(id=number, sent=True)\nif first: os._exit(1)\n" + ANSWER)

    assert (events, code) == ([], "unknown_outcome")


@pytest.mark.expected_warnings("The worker that talks to providers ended")
async def test_an_answer_that_had_begun_is_cut_and_kept(tmp_path: Path) -> None:
    begun = "say(id=number, sent=True)\nsay(id=number, events=[['accepted'], ['text', 'half']])\nos._exit(1)"

    events, code = await outcome(tmp_path, begun)

    assert (events, code) == ([Accepted(), TextArrived(text="half")], "cut")


@pytest.mark.expected_warnings("The worker that talks to providers ended")
async def test_a_worker_that_always_dies_is_given_up(tmp_path: Path) -> None:
    events, code = await outcome(tmp_path, "os._exit(1)")

    assert (events, code) == ([], "worker_died")


@pytest.mark.expected_warnings("did not start", "The worker that talks to providers ended")
async def test_a_worker_that_can_not_start_is_told(tmp_path: Path) -> None:
    gateway = LiteLLMGateway(Keys(), Originals(), command=[str(tmp_path / "missing")])

    with pytest.raises(ProviderError) as caught:
        _ = [event async for event in gateway.stream(asking("Hi"), TARGET)]
    with pytest.raises(ProviderError) as again:
        _ = [event async for event in gateway.stream(asking("Hi"), TARGET)]
    await gateway.aclose()

    assert (caught.value.code, again.value.code) == ("worker_died", "worker_died")


async def test_no_first_token_in_time_ends_the_request(tmp_path: Path) -> None:
    """C19."""
    events, code = await outcome(tmp_path, "say(id=number, sent=True)", SHORT)

    assert (events, code) == ([], "timeout")


async def test_an_answer_that_stands_still_is_ended(tmp_path: Path) -> None:
    """C19."""
    still = "say(id=number, sent=True)\nsay(id=number, events=[['text', 'half']])"

    events, code = await outcome(tmp_path, still, SHORT)

    assert (events, code) == ([TextArrived(text="half")], "stalled")


async def test_progress_without_words_is_progress(tmp_path: Path) -> None:
    """C19: any byte counts, so that a model that thinks in silence is not cut off."""
    slow = (
        "say(id=number, sent=True)\nsay(id=number, events=[['text', 'a']])\n"
        + "time.sleep(0.12)\nsay(id=number, events=[])\n" * 3
    )

    events, code = await outcome(tmp_path, slow + ANSWER, SHORT)

    assert (text_of(events), code) == ("adone", "")


async def test_a_request_made_before_the_worker_is_up_waits_for_it(tmp_path: Path) -> None:
    """A3: and the wait can be seen."""
    gateway = LiteLLMGateway(Keys(), Originals(), patience=SHORT, command=worker(tmp_path, ANSWER))
    was_ready = gateway.is_ready

    events = [event async for event in gateway.stream(asking("Hi"), TARGET)]
    is_ready = gateway.is_ready
    await gateway.aclose()

    assert (was_ready, is_ready, gateway.is_ready) == (False, True, False)
    assert text_of(events) == "done"


async def test_closing_the_gateway_ends_the_worker(tmp_path: Path) -> None:
    gateway = LiteLLMGateway(Keys(), Originals(), command=worker(tmp_path, ANSWER))
    await gateway.start()
    await until(lambda: gateway.is_ready)

    await gateway.aclose()

    assert gateway.worker_pid is None


def test_a_longer_prompt_is_waited_for_longer() -> None:
    """C19."""
    patience = Patience()

    assert [patience.first_token_s(tokens) for tokens in (10, 100_000, 10_000_000)] == [90, 180, 600]
