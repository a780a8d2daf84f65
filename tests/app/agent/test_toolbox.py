"""Calls are carried out under the person's eye, each has a result in the end, and nothing is changed for good unseen."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import BaseModel, JsonValue

from app.agent.calling import Called
from app.agent.reverting import revert
from app.agent.toolbox import BoxPorts, ToolBox
from app.agent.tools.offered import ALWAYS, IN_A_WORKSPACE
from app.agent.tools.roots import roots_of
from app.agent.tools.skills import Skill
from app.agent.tools.tool import BuiltIn, Given, Handover, Place, Reply, Tool
from app.core.approvals import Consent, Wish
from app.core.entries import Finish, Origin
from app.core.events import (
    Accepted,
    AnswerDropped,
    CallFinished,
    CallSaid,
    CallStarted,
    Finished,
    Pause,
    PersonAsked,
    ToolCallArrived,
    TurnCompleted,
    TurnPaused,
    TurnStopped,
)
from app.core.ids import ChatId
from app.core.parts import ToolResultPart
from app.providers.web import Web
from app.settings import Settings
from app.store.store import Store
from app.tasks import SystemClock
from app.vault.vault import Vault
from tests.app.agent.opening import CHAT, HERE, Opened, opened
from tests.fakes import Step, answer, until


def calling(*calls: tuple[str, dict[str, JsonValue]], call_id: str = "") -> tuple[Step, ...]:
    """An answer that calls these tools, under one id where that is given."""
    arrived = (
        ToolCallArrived(index=n, call_id=call_id or f"c{n}", name=name, arguments=json.dumps(arguments))
        for n, (name, arguments) in enumerate(calls)
    )
    return (Accepted(), *arrived, Finished(finish=Finish.TOOL_CALLS))


@dataclass(kw_only=True)
class Working:
    """A chat with tools, in a workspace of its own."""

    chat: Opened
    box: ToolBox
    folder: Path
    vault: Vault

    def results(self) -> list[tuple[str, bool]]:
        """What the calls gave, on the shown branch."""
        path = self.chat.session.conversation.path
        return [(text_of(part), part.is_error) for entry in path for part in entry.results]

    async def asked(self, n: int = 1) -> PersonAsked:
        """The `n`th question to the person, once it is asked."""
        await until(lambda: len(self.questions) >= n)
        return self.questions[n - 1]

    @property
    def questions(self) -> list[PersonAsked]:
        return [event for event in self.chat.events if isinstance(event, PersonAsked)]

    def say(self, question: PersonAsked, consent: Consent, text: str = "") -> None:
        self.chat.session.reply(question.answer_id, question.index, Reply(consent=consent, text=text))


def text_of(part: ToolResultPart) -> str:
    assert isinstance(part.text, str)
    return part.text


def box_ports(
    store: Store, tmp_path: Path, vault: Vault, settings: dict[str, JsonValue] | None = None
) -> tuple[BoxPorts, list[Settings]]:
    """Those of a chat in a workspace of its own, and its settings; the last ones hold."""
    folder = tmp_path / "workspace"
    folder.mkdir(exist_ok=True)
    base = Settings(endpoints=(HERE,), model="here/m", workspace=str(folder))
    held = [base.layered(settings or {})]

    async def chat_settings(chat_id: ChatId) -> Settings:
        return held[-1]

    async def grant(chat_id: ChatId, wish: Wish, consent: Consent) -> None:
        held.append(held[-1].model_copy(update={"allowed_here": (*held[-1].allowed_here, *wish.rules)}))

    async def readable(page: str) -> str:
        raise AssertionError

    async def delegate(
        called: Called, index: int, title: str, brief: str, ask: Callable[[Wish], Awaitable[Reply]]
    ) -> Handover:
        raise AssertionError

    ports = BoxPorts(
        data=tmp_path / "data",
        store=store,
        vault=vault,
        clock=SystemClock(),
        settings=chat_settings,
        grant=grant,
        delegate=delegate,
        web=Web(readable),
    )
    return ports, held


async def working(
    store: Store,
    tmp_path: Path,
    *,
    offers: tuple[Tool, ...] = (),
    settings: dict[str, JsonValue] | None = None,
    skills: Sequence[Skill] = (),
) -> Working:
    vault = Vault(tmp_path / "vault")
    ports, held = box_ports(store, tmp_path, vault, settings)
    box = ToolBox(ports)
    all_ = (*ALWAYS, *IN_A_WORKSPACE, *offers)
    chat = await opened(store, settings=held[0], tools=box, offers=all_, vault=vault, skills=skills)
    return Working(chat=chat, box=box, folder=tmp_path / "workspace", vault=vault)


@pytest.fixture
async def at_work(store: Store, tmp_path: Path) -> AsyncGenerator[Working, None]:
    found = await working(store, tmp_path)
    yield found
    await found.chat.session.aclose()
    await found.box.aclose()


async def test_a_model_reads_a_file_and_answers(at_work: Working) -> None:
    """A10."""
    (at_work.folder / "notes.txt").write_text("one\ntwo\nthree\n")
    at_work.chat.gateway.say(
        calling(("file_read", {"paths": ["notes.txt"], "line_range": "2:3"})), answer("Two.")
    )

    end = await at_work.chat.ask("What stands in the second line?")

    assert isinstance(end, TurnCompleted)
    assert at_work.results() == [("two\nthree", False)]
    assert at_work.chat.gateway.requests[0].prelude.tools
    assert at_work.questions == []


@pytest.mark.parametrize("call_id", ["", "call_0"])
async def test_calls_that_only_read_run_side_by_side_and_are_sent_in_their_order(
    store: Store, tmp_path: Path, call_id: str
) -> None:
    """A10, M2, case B55: results are stored as they finish, also where all calls came under one id."""
    gate = asyncio.Event()

    class Nothing(BaseModel):
        pass

    async def slow(arguments: Nothing, place: Place) -> Given:
        await gate.wait()
        return Given(text="slow")

    async def quick(arguments: Nothing, place: Place) -> Given:
        gate.set()
        return Given(text="quick")

    offers = tuple(
        BuiltIn(name=name, description=name, arguments=Nothing, deed=deed, is_read_only=True)
        for name, deed in (("slow", slow), ("quick", quick))
    )
    here = await working(store, tmp_path, offers=offers)
    here.chat.gateway.say(calling(("slow", {}), ("quick", {}), call_id=call_id), answer("Both."))

    await here.chat.ask("Look twice.")

    assert [text for text, _ in here.results()] == ["quick", "slow"]
    sent = [part for message in here.chat.gateway.requests[-1].messages for part in message.parts]
    assert [part.text for part in sent if isinstance(part, ToolResultPart)] == ["slow", "quick"]
    await here.chat.session.aclose()


WRONG: list[tuple[tuple[str, dict[str, JsonValue]], str]] = [
    (("shel", {}), "There is no tool 'shel' here."),
    (("file_read", {"path": "notes.txt"}), "paths: Field required"),
    (("file_read", {"paths": ["missing.txt"]}), "missing.txt"),
    (("file_read", {"paths": ["../other.txt"]}), "outside"),
    (("file_read", {"paths": [".env"]}), "may hold a password"),
    (("file_read", {"paths": ["vault://0123456789ab/x.txt"]}), "Nothing in this conversation"),
    (("file_edit", {"path": "no.txt", "old": "a", "new": "b"}), "There is no file 'no.txt'"),
]


@pytest.mark.parametrize(("call", "told"), WRONG)
async def test_a_call_that_can_t_be_done_is_told_to_the_model_and_the_turn_goes_on(
    at_work: Working, call: tuple[str, dict[str, JsonValue]], told: str
) -> None:
    at_work.chat.gateway.say(calling(call), answer("I see."))

    end = await at_work.chat.ask("Do it.")

    assert isinstance(end, TurnCompleted)
    ((text, is_error),) = at_work.results()
    assert told in text
    assert is_error


async def test_arguments_that_were_cut_off_are_told_to_the_model(at_work: Working) -> None:
    cut = ToolCallArrived(
        index=0, call_id="c", name="file_write", arguments='{"path": "a.txt", "text": "long'
    )
    at_work.chat.gateway.say((Accepted(), cut, Finished(finish=Finish.LENGTH)), answer("Shorter, then."))

    await at_work.chat.ask("Write a lot.")

    ((text, is_error),) = at_work.results()
    assert "no JSON object" in text
    assert is_error
    assert not (at_work.folder / "a.txt").exists()


async def test_a_file_is_changed_only_after_the_person_has_seen_the_diff(at_work: Working) -> None:
    """A12: once, for a file that the model has read."""
    file = at_work.folder / "a.txt"
    file.write_text("one\ntwo\n")
    edit: dict[str, JsonValue] = {"path": "a.txt", "old": "two", "new": "three"}
    read: dict[str, JsonValue] = {"paths": ["a.txt"]}
    at_work.chat.gateway.say(calling(("file_read", read)), calling(("file_edit", edit)), answer("Done."))

    await at_work.chat.session.send("Change it.")
    question = await at_work.asked()
    before = file.read_text()
    at_work.say(question, Consent.ONCE)
    await at_work.chat.end()

    assert before == "one\ntwo\n"
    assert "-two\n+three\n" in question.wish.detail
    assert file.read_text() == "one\nthree\n"


async def test_what_the_person_refuses_is_not_done_and_the_model_hears_why(at_work: Working) -> None:
    at_work.chat.gateway.say(calling(("file_write", {"path": "a.txt", "text": "x"})), answer("All right."))

    await at_work.chat.session.send("Write it.")
    at_work.say(await at_work.asked(), Consent.REFUSED, "Not here.")
    await at_work.chat.end()

    assert not (at_work.folder / "a.txt").exists()
    assert at_work.results() == [("[error] The person does not allow this. They say: Not here.", True)]


async def test_what_is_allowed_for_the_chat_is_not_asked_again(at_work: Working) -> None:
    write = [calling(("file_write", {"path": name, "text": "x"})) for name in ("a.txt", "b.txt")]
    at_work.chat.gateway.say(*write, answer("Both."))

    await at_work.chat.session.send("Write both.")
    at_work.say(await at_work.asked(), Consent.CHAT)
    await at_work.chat.end()

    assert len(at_work.questions) == 1
    assert sorted(path.name for path in at_work.folder.iterdir()) == ["a.txt", "b.txt"]


async def test_a_file_that_changed_since_it_was_read_is_read_anew_before_it_is_edited(
    at_work: Working,
) -> None:
    """A10: the file-integrity guard."""
    file = at_work.folder / "a.txt"
    file.write_text("one\n")
    edit: dict[str, JsonValue] = {"path": "a.txt", "old": "one", "new": "two"}
    at_work.chat.gateway.say(calling(("file_read", {"paths": ["a.txt"]})), answer("Read."))
    await at_work.chat.ask("Read it.")
    file.write_text("one, and more\n")
    at_work.chat.gateway.say(calling(("file_edit", edit)), answer("I must read it."))

    await at_work.chat.ask("Change it.")

    text, is_error = at_work.results()[-1]
    assert "has changed since you read it" in text
    assert is_error
    assert file.read_text() == "one, and more\n"


async def test_a_command_runs_where_the_person_allows_it_and_tells_its_output_as_it_comes(
    at_work: Working,
) -> None:
    command = "echo first; sleep 0.05; echo second >&2; exit 3"
    at_work.chat.gateway.say(calling(("shell", {"command": command})), answer("It failed."))

    await at_work.chat.session.send("Run it.")
    at_work.say(await at_work.asked(), Consent.ONCE)
    await at_work.chat.end()

    assert at_work.results() == [("first\nsecond\n\n[exit code 3]", True)]
    said = "".join(event.text for event in at_work.chat.events if isinstance(event, CallSaid))
    assert said == "first\nsecond\n"


async def test_stop_ends_a_running_command_and_leaves_a_valid_chat(at_work: Working) -> None:
    """The call has a result that says so, and the chat goes on."""
    marker = at_work.folder / "alive"
    command = f"echo on; sleep 30; touch {marker.name}"
    at_work.chat.gateway.say(calling(("shell", {"command": command}), ("list_files", {})), answer("Fine."))

    await at_work.chat.session.send("Run it.")
    at_work.say(await at_work.asked(), Consent.ONCE)
    await at_work.chat.hears(CallSaid)
    at_work.chat.session.stop()
    end = await at_work.chat.end()
    then = await at_work.chat.ask("Go on.")

    assert isinstance(end, TurnStopped)
    assert isinstance(then, TurnCompleted)
    ran, never = (text for text, _ in at_work.results())
    assert "it may have run in part" in ran
    assert "before it was started" in never
    assert not marker.exists()


async def test_stop_while_the_person_is_asked_does_nothing(at_work: Working) -> None:
    at_work.chat.gateway.say(calling(("file_write", {"path": "a.txt", "text": "x"})))

    await at_work.chat.session.send("Write it.")
    await at_work.asked()
    at_work.chat.session.stop()
    await at_work.chat.end()

    assert not (at_work.folder / "a.txt").exists()
    assert [is_error for _, is_error in at_work.results()] == [True]


async def test_a_background_job_is_read_while_it_runs_and_ended(at_work: Working) -> None:
    """C28 L7: its output from the first line."""
    job: dict[str, JsonValue] = {"command": "echo ready; exec sleep 30", "background": True}
    at_work.chat.gateway.say(
        calling(("shell", job)),
        calling(("job_output", {"job": "job1", "wait_s": 1})),
        calling(("job_stop", {"job": "job1"})),
        calling(("job_output", {"job": "job1"})),
        answer("Done."),
    )

    await at_work.chat.session.send("Serve it.")
    at_work.say(await at_work.asked(), Consent.ONCE)
    await at_work.chat.end()

    texts = [text for text, _ in at_work.results()]
    assert texts[0] == "Runs in the background as job1."
    assert "job1 runs" in texts[1]
    assert "ready" in texts[1]
    assert "job1 ended" in texts[3]


async def test_what_a_turn_changed_is_taken_back_as_it_was(at_work: Working, store: Store) -> None:
    """A12: revert; what somebody changed since is left."""
    kept, made, touched = (at_work.folder / name for name in ("kept.txt", "made.txt", "touched.txt"))
    kept.write_text("old\n")
    calls = calling(
        ("file_write", {"path": "kept.txt", "text": "new\n"}),
        ("file_write", {"path": "made.txt", "text": "new\n"}),
        ("file_write", {"path": "touched.txt", "text": "new\n"}),
    )
    at_work.chat.gateway.say(calling(("file_read", {"paths": ["kept.txt"]})), calls, answer("Done."))
    await at_work.chat.session.send("Write them.")
    at_work.say(await at_work.asked(), Consent.CHAT)
    await at_work.chat.end()
    touched.write_text("theirs\n")
    answers = {entry.id for entry in at_work.chat.session.conversation.path if entry.calls}
    roots = roots_of(at_work.chat.settings[-1], at_work.folder.parent / "data")

    found = await revert(CHAT, answers, roots, store=store, vault=at_work.vault, clock=at_work.chat.clock)
    again = await revert(CHAT, answers, roots, store=store, vault=at_work.vault, clock=at_work.chat.clock)

    assert kept.read_text() == "old\n"
    assert not made.exists()
    assert touched.read_text() == "theirs\n"
    assert (found.restored, found.removed, found.left) == ((str(kept),), (str(made),), (str(touched),))
    assert (again.restored, again.removed) == ((), ())


async def test_a_turn_asks_the_person_after_so_many_requests_and_goes_on_where_it_stands(
    store: Store, tmp_path: Path
) -> None:
    here = await working(store, tmp_path, settings={"most_requests": 3})
    for n in range(5):
        here.chat.gateway.say(calling(("list_files", {"glob": f"*.{n}"})))
    here.chat.gateway.say(answer("Nothing there."))

    paused = await here.chat.ask("Look for a long time.")
    n_before = len(here.chat.gateway.requests)
    await here.chat.session.go_on()
    end = await here.chat.end()

    assert isinstance(paused, TurnPaused)
    assert (paused.why, n_before) == (Pause.REQUESTS, 3)
    assert isinstance(end, TurnCompleted)
    assert end.answer.text == "Nothing there."
    assert len(here.chat.gateway.requests) == 6
    assert sum(entry.origin is Origin.USER for entry in here.chat.session.conversation.path) == 1
    await here.chat.session.aclose()


async def test_a_repeated_call_is_set_aside_before_it_runs_and_asked_for_anew(at_work: Working) -> None:
    """C29: the message stays beside the path and is never sent."""
    same = calling(("list_files", {"glob": "*.py"}))
    (at_work.folder / "a.py").write_text("x = 1\n")
    at_work.chat.gateway.say(same, same, answer("One file."))

    end = await at_work.chat.ask("What is here?")

    assert isinstance(end, TurnCompleted)
    assert len(at_work.results()) == 1
    assert [len(request.messages) for request in at_work.chat.gateway.requests] == [1, 3, 3]
    (dropped,) = (event for event in at_work.chat.events if isinstance(event, AnswerDropped))
    assert dropped.answer_id in {entry.id for entry in await at_work.chat.stored()}


async def test_what_was_set_aside_counts_for_no_request_of_the_turn(store: Store, tmp_path: Path) -> None:
    """C29."""
    here = await working(store, tmp_path, settings={"most_requests": 2})
    (here.folder / "a.py").write_text("x = 1\n")
    same = calling(("list_files", {}))
    here.chat.gateway.say(same, same, answer("One."))

    end = await here.chat.ask("What is here?")

    assert isinstance(end, TurnCompleted)
    assert len(here.chat.gateway.requests) == 3
    await here.chat.session.aclose()


async def test_without_the_guard_the_same_model_burns_its_turn(store: Store, tmp_path: Path) -> None:
    """C29: a tool that is not tracked is run each time."""
    here = await working(store, tmp_path, settings={"most_requests": 4})
    same = calling(("job_output", {"job": "job1"}))
    here.chat.gateway.say(same, same, same, same)

    end = await here.chat.ask("How is the job?")

    assert isinstance(end, TurnPaused)
    await here.chat.session.aclose()


async def test_each_call_is_told_from_its_start_to_its_end(at_work: Working) -> None:
    at_work.chat.gateway.say(calling(("list_files", {})), answer("Empty."))

    await at_work.chat.ask("What is here?")

    told = [type(event) for event in at_work.chat.events if isinstance(event, CallStarted | CallFinished)]
    assert told == [CallStarted, CallFinished]
