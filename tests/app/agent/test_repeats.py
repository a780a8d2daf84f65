"""Repeats and circles of calls that are really carried out (C29, C30)."""

from pathlib import Path

from pydantic import BaseModel

from app.agent.tools.tool import BuiltIn, Given, Place
from app.core.entries import Origin
from app.core.events import AnswerDropped, Pause, TurnCompleted, TurnPaused
from app.store.store import Store
from tests.app.agent.test_toolbox import Working, at_work, calling, working
from tests.fakes import answer

__all__ = ["at_work"]


async def test_a_file_that_others_changed_meanwhile_is_read_again(store: Store, tmp_path: Path) -> None:
    """C29: only what is as it was read is no news."""
    file = tmp_path / "workspace" / "notes.txt"

    class Nothing(BaseModel):
        pass

    async def others(arguments: Nothing, place: Place) -> Given:
        file.write_text("three words now")
        return Given(text="Somebody was here.")

    look = BuiltIn(name="look", description="", arguments=Nothing, deed=others, is_read_only=True)
    here = await working(store, tmp_path, offers=(look,))
    file.write_text("one")
    read = calling(("file_read", {"paths": ["notes.txt"]}))
    here.chat.gateway.say(read, calling(("look", {})), read, read, answer("Three words."))

    await here.chat.ask("Read it.")

    assert [text for text, _ in here.results()] == ["one", "Somebody was here.", "three words now"]
    assert sum(isinstance(event, AnswerDropped) for event in here.chat.events) == 1
    await here.chat.session.aclose()


async def test_going_round_in_circles_is_told_to_the_model_then_to_the_person(at_work: Working) -> None:
    """C30."""
    same = calling(("job_output", {"job": "job1"}))
    at_work.chat.gateway.say(*[same] * 6)

    end = await at_work.chat.ask("How is the job?")

    assert isinstance(end, TurnPaused)
    assert end.why is Pause.LOOP
    assert at_work.box.circles.total() == 1  # A18: what Prometheus reads
    notes = [entry for entry in at_work.chat.session.conversation.path if entry.origin is Origin.NOTE]
    assert len(notes) == 1
    assert len(at_work.results()) == 5


async def test_work_that_changes_a_file_is_no_circle(store: Store, tmp_path: Path) -> None:
    """C30: however alike its calls and what they give."""
    here = await working(store, tmp_path, settings={"access": {"write": "allow"}})
    same = calling(("file_write", {"path": "a.txt", "text": "x"}))
    here.chat.gateway.say(*[same] * 5, answer("Written."))

    end = await here.chat.ask("Write it.")

    assert isinstance(end, TurnCompleted)
    assert here.box.circles.total() == 0
    await here.chat.session.aclose()
