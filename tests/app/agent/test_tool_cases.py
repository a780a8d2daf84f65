"""Faults of other agents with tools, each as the right behaviour of the loop that carries calls out."""

import json
import os
from itertools import pairwise
from pathlib import Path

from app.agent.toolbox import ToolBox
from app.agent.tools.offered import ALWAYS, IN_A_WORKSPACE
from app.core.approvals import Consent
from app.core.entries import Finish
from app.core.events import Accepted, CallSaid, Finished, ToolCallArrived, TurnCompleted, TurnStopped
from app.core.parts import ToolResultPart
from app.core.requests import Request
from app.models.registry import ModelFacts
from app.store.store import Store
from app.vault.vault import Vault
from tests.app.agent.opening import opened, told
from tests.app.agent.test_toolbox import Working, at_work, box_ports, calling, text_of, working
from tests.fakes import Step, answer

__all__ = ["at_work"]


def same_ids(*paths: str) -> tuple[Step, ...]:
    calls = (
        ToolCallArrived(index=n, call_id="call_0", name="file_read", arguments=json.dumps({"paths": [path]}))
        for n, path in enumerate(paths)
    )
    return (Accepted(), *calls, Finished(finish=Finish.TOOL_CALLS))


def given(request: Request) -> list[ToolResultPart]:
    return [part for item in request.messages for part in item.parts if isinstance(part, ToolResultPart)]


async def test_calls_with_one_id_each_have_their_own_result_in_their_order(at_work: Working) -> None:
    """Cases B03, B08, B55: some servers count from zero in each message, or give all calls of one the same id."""
    for name in ("a", "b", "c"):
        (at_work.folder / f"{name}.txt").write_text(f"this is {name}\n")
    at_work.chat.gateway.say(same_ids("a.txt", "b.txt"), same_ids("c.txt"), answer("Read."))

    await at_work.chat.ask("Read all.")

    assert not any(is_error for _, is_error in at_work.results())
    sent = given(at_work.chat.gateway.requests[-1])
    assert ["this is " + text_of(part).split("this is ")[1][0] for part in sent] == [
        "this is a",
        "this is b",
        "this is c",
    ]


async def test_after_stop_in_a_tool_and_a_restart_each_call_has_one_result(
    store: Store, tmp_path: Path
) -> None:
    """Case B58, its steps; opening it twice puts nothing right twice."""
    here = await working(store, tmp_path)
    here.chat.gateway.say(calling(("shell", {"command": "echo on; sleep 30"}), ("list_files", {})))
    await here.chat.session.send("Run it.")
    here.say(await here.asked(), Consent.ONCE)
    await here.chat.hears(CallSaid)
    here.chat.session.stop()
    assert isinstance(await here.chat.end(), TurnStopped)
    await here.chat.session.aclose()
    await here.box.aclose()

    for _ in range(2):
        await store.recover()
        again = await working(store, tmp_path)
        assert isinstance(await again.chat.ask("go on"), TurnCompleted)
        assert len(again.results()) == 2
        assert len(given(again.chat.gateway.requests[-1])) == 2
        await again.chat.session.aclose()


async def test_a_call_that_the_program_s_end_cut_off_is_told_as_such_to_the_next_request(
    store: Store, tmp_path: Path
) -> None:
    """Case B58's kind: nobody wrote a result, since nobody was left to."""
    here = await working(store, tmp_path)
    here.chat.gateway.say(calling(("ask_user", {"question": "Which?"})))
    await here.chat.session.send("Ask me.")
    await here.asked()

    again = await working(store, tmp_path)  # as after a kill: the first one is never told to end
    end = await again.chat.ask("go on")

    assert isinstance(end, TurnCompleted)
    (result,) = given(again.chat.gateway.requests[-1])
    assert result.is_error
    await again.chat.session.aclose()
    await here.chat.session.aclose()


async def test_a_file_that_is_on_another_branch_is_given_whole_when_it_is_read_again(
    at_work: Working,
) -> None:
    """Case B43: 'unchanged, see above', when nothing above holds it; here the message above was edited."""
    (at_work.folder / "a.txt").write_text("".join(f"line {n} of the file\n" for n in range(200)))
    read = calling(("file_read", {"paths": ["a.txt"]}))
    at_work.chat.gateway.say(read, answer("Read."), read, answer("Again."))
    await at_work.chat.ask("Read it.")
    path = at_work.chat.session.conversation.path

    await at_work.chat.session.edit(path[0].id, "Read it, please.")
    await at_work.chat.end()

    ((text, _),) = at_work.results()
    assert "line 0 of the file" in text
    assert "line 199 of the file" in text
    assert path[0].id not in {entry.id for entry in at_work.chat.session.conversation.path}


async def test_what_a_program_prints_is_stored_and_sent_whatever_its_bytes(at_work: Working) -> None:
    """Case B76: NUL, cut UTF-8 and escapes break databases and requests."""
    command = r"printf 'a\000b\377\355\240\200\033[31mred\n'"
    at_work.chat.gateway.say(calling(("shell", {"command": command})), answer("Odd."))

    await at_work.chat.session.send("Run it.")
    at_work.say(await at_work.asked(), Consent.ONCE)
    end = await at_work.chat.end()

    assert isinstance(end, TurnCompleted)
    ((text, _),) = at_work.results()
    assert text.startswith("a")
    assert "\0" not in text
    json.dumps([told(message) for message in at_work.chat.gateway.requests[-1].messages]).encode("utf-8")


async def test_a_file_whose_name_is_no_text_is_listed_all_the_same(at_work: Working) -> None:
    """Case B76: Python keeps such bytes as half a character, which nothing else can carry."""
    (at_work.folder / os.fsdecode(b"odd\xff.txt")).write_text("x")
    at_work.chat.gateway.say(calling(("list_files", {})), answer("Odd."))

    end = await at_work.chat.ask("List it.")

    assert isinstance(end, TurnCompleted)
    ((text, is_error),) = at_work.results()
    assert not is_error
    assert "odd\N{REPLACEMENT CHARACTER}.txt" in text


async def test_results_of_tools_below_any_pressure_change_nothing_that_was_sent(
    store: Store, tmp_path: Path
) -> None:
    """Case B50: pruned a bit more every turn, nine tenths of the input were written anew each time."""
    ports, settings = box_ports(store, tmp_path, (vault := Vault(tmp_path / "vault")))
    box = ToolBox(ports)
    chat = await opened(
        store,
        settings=settings[0],
        tools=box,
        offers=(*ALWAYS, *IN_A_WORKSPACE),
        vault=vault,
        facts=ModelFacts(window_tokens=200_000),
    )
    for n in range(20):
        words = "".join(f"value {n}.{k} = {k * 7919 % 1000}\n" for k in range(400))
        (tmp_path / "workspace" / f"f{n}.txt").write_text(words)
        chat.gateway.say(calling(("file_read", {"paths": [f"f{n}.txt"]})), answer(f"Read {n}."))
        await chat.ask(f"Read file {n}.")

    sent = [[told(message) for message in request.messages] for request in chat.gateway.requests]
    assert all(after[: len(before)] == before for before, after in pairwise(sent))
    assert sum(map(len, sent[-1])) > 20 * 6_000
    await chat.session.aclose()
    await box.aclose()
