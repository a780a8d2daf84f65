"""A chat between its session and its view, on a real store and a scripted model; no window, no Qt loop."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from app.core.entries import Finish, Origin
from app.core.errors import ProviderError, StoreError
from app.core.events import Accepted, TextArrived
from app.core.parts import blobs_of
from app.core.records import Draft
from app.settings import Endpoint
from tests.fakes import answer, until
from tests.ui.chat.conftest import Desk, desk_at
from tests.ui.kit.heard import heard
from ui.chat.items import FAILURE
from ui.chat.live import Phase
from ui.chat.view_model import ChatViewModel
from ui.kit.items import AssistantItem


def said(model: ChatViewModel) -> list[str]:
    return [entry.text for entry in model.state.path]


async def talk(model: ChatViewModel, *texts: str) -> None:
    for text in texts:
        n = len(model.state.path)
        model.send(text)
        await until(lambda n=n: len(model.state.path) == n + 2 and not model.session.is_running)


async def test_what_is_sent_is_answered(desk: Desk) -> None:
    model = await desk.chat()

    await talk(model, "Hello?")

    assert said(model) == ["Hello?", "Fine."]
    assert (model.state.title, model.state.live, model.state.is_busy) == ("Hello?", None, False)
    assert list(model.items.ids()) == [entry.id for entry in model.state.path]


async def test_what_is_sent_and_typed_on_within_one_moment_is_said_once_each(desk: Desk) -> None:
    """U14: the text stays in the composer until it is stored, so the second Enter finds both messages there."""
    model = await desk.chat()

    for text in ("First?", "First?", "First?Second?", "First?Second?"):
        model.drafting.type(text)
        model.send(text)
    model.drafting.type("First?Second?And then")
    await until(lambda: len(model.state.path) == 4 and not model.session.is_running)

    assert said(model)[::2] == ["First?", "Second?"]
    assert (model.drafting.text, model.state.queue) == ("And then", ())
    await talk(model, "And then")  # what failed or was said before keeps nothing from being said again
    await talk(model, "And then")
    assert said(model)[4::2] == ["And then", "And then"]


async def test_stop_keeps_what_had_arrived(desk: Desk) -> None:
    model = await desk.chat()
    desk.gateway.say((Accepted(), TextArrived(text="Half an"), asyncio.Event()))
    model.send("Hello?")
    await until(lambda: bool(model.state.live and model.state.live.text))

    model.stop()
    await until(lambda: model.state.live is None)

    assert said(model) == ["Hello?", "Half an"]
    assert model.state.path[-1].finish is Finish.STOPPED


async def test_a_failure_is_told_below_what_had_arrived_and_retry_makes_another_version(desk: Desk) -> None:
    """U17."""
    model = await desk.chat()
    desk.gateway.say((Accepted(), TextArrived(text="Half"), ProviderError("It broke.")), answer("Whole."))
    model.send("Hello?")
    await until(lambda: model.state.failure is not None and not model.session.is_running)
    assert model.items.ids()[-1] == FAILURE
    assert said(model) == ["Hello?", "Half"]

    model.retry()
    await until(lambda: said(model) == ["Hello?", "Whole."])

    last = model.state.path[-1]
    assert model.state.failure is None
    shown = model.items.content(last.id)
    assert isinstance(shown, AssistantItem)
    assert (shown.footer.version, shown.footer.n_versions) == (2, 2)


async def test_versions_are_gone_through_there_and_back(desk: Desk) -> None:
    """U13: ‹ 2/2 ›."""
    model = await desk.chat()
    desk.gateway.say(answer("One."), answer("Two."))
    await talk(model, "Hello?")
    model.retry()
    await until(lambda: said(model)[-1:] == ["Two."] and not model.session.is_running)
    seen: list[str] = []

    for step in (-1, 1):
        model.show_version(model.state.path[-1].id, step)
        await until(lambda: not model.state.is_busy)
        seen.append(said(model)[-1])

    assert seen == ["One.", "Two."]


async def test_an_edit_is_a_branch_and_what_was_being_written_comes_back(desk: Desk) -> None:
    model = await desk.chat()
    await talk(model, "First", "Second")
    replaced = heard(model.drafting.replaced)
    model.drafting.type("A draft")

    model.edit_last()
    assert replaced[-1] == ("Second",)
    model.drafting.type("Second, better")
    model.send("Second, better")
    await until(lambda: said(model)[-2:] == ["Second, better", "Fine."] and not model.session.is_running)

    assert said(model) == ["First", "Fine.", "Second, better", "Fine."]
    assert replaced[-1] == ("A draft",)
    assert (model.drafting.text, model.state.editing) == ("A draft", None)
    own = model.state.path[2]
    assert model.session.conversation.transcript.siblings(own.id)[-1] == own.id


async def test_an_edit_given_up_changes_nothing_and_is_no_draft(desk: Desk) -> None:
    model = await desk.chat()
    await talk(model, "First")
    model.drafting.type("A draft")
    model.edit_last()
    model.drafting.type("First, but oth")

    model.cancel_edit()

    assert (model.drafting.text, said(model)) == ("A draft", ["First", "Fine."])
    await until(lambda: model.session.draft.text == "A draft")


async def test_messages_wait_behind_the_answer_and_go_out_in_order(desk: Desk) -> None:
    """U14."""
    model = await desk.chat()
    gate = asyncio.Event()
    desk.gateway.say((Accepted(), gate, TextArrived(text="One."), answer()[-1]))
    model.send("First")
    await until(lambda: model.state.live is not None)
    for text in ("Second", "Third"):
        model.send(text)
        await until(lambda text=text: text in model.state.queue)

    gate.set()
    await until(lambda: len(model.state.path) == 6 and not model.session.is_running)

    assert said(model) == ["First", "One.", "Second", "Fine.", "Third", "Fine."]
    assert model.state.queue == ()


async def test_stop_pauses_the_queue_until_it_is_resumed(desk: Desk) -> None:
    model = await desk.chat()
    desk.gateway.say((Accepted(), TextArrived(text="One"), asyncio.Event()))
    model.send("First")
    await until(lambda: bool(model.state.live and model.state.live.text))
    model.send("Second")
    await until(lambda: model.state.queue == ("Second",))
    model.stop()
    await until(lambda: not model.session.is_running)
    assert model.state.queue == ("Second",)

    model.resume_queue()
    await until(lambda: said(model)[-1:] == ["Fine."] and not model.session.is_running)

    assert said(model) == ["First", "One", "Second", "Fine."]


async def test_a_waiting_message_comes_back_into_the_composer(desk: Desk) -> None:
    model = await desk.chat()
    desk.gateway.say((Accepted(), asyncio.Event()))
    model.send("First")
    await until(lambda: model.state.live is not None)
    for text in ("Second", "Third"):
        model.send(text)
        await until(lambda text=text: text in model.state.queue)
    model.drafting.type("A draft")

    model.unqueue(0)
    await until(lambda: model.state.queue == ("Third",))

    assert model.drafting.text == "A draft\n\nSecond"
    assert model.session.draft == Draft(text="A draft\n\nSecond", queue=("Third",))
    model.stop()


async def test_a_draft_is_kept_over_a_restart(qapp: object, tmp_path: Path) -> None:
    """U14."""
    desk = await desk_at(tmp_path)
    model = await desk.chat()
    model.drafting.type("Not said yet")
    await desk.aclose()

    desk = await desk_at(tmp_path)
    again = await desk.chat(model.id)

    assert again.drafting.text == "Not said yet"
    await desk.aclose()
    assert desk.errors == []


async def test_the_draft_is_saved_while_one_writes(desk: Desk) -> None:
    model = await desk.chat()

    for text in ("N", "No", "Not"):
        model.drafting.type(text)
    await until(lambda: model.session.draft.text == "Not")

    await model.session.save_draft(
        Draft(text="Not", queue=("after the first write",))
    )  # one writer, in order
    assert await desk.application.store.draft(model.id) == Draft(text="Not", queue=("after the first write",))


async def test_the_text_stays_until_it_is_stored_and_is_said_once(desk: Desk, tmp_path: Path) -> None:
    """B74: another process holds the database; Enter is pressed again meanwhile, and one writes on."""
    model = await desk.chat()
    replaced = heard(model.drafting.replaced)
    model.drafting.type("Hello?")
    with closing(sqlite3.connect(tmp_path / "palimpsest.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        model.send("Hello?")
        await until(lambda: model.state.is_busy)
        model.send("Hello?")
        model.drafting.type("Hello?\nAnd more")
        await asyncio.sleep(0.05)
        assert (replaced, model.drafting.text, said(model)) == ([], "Hello?\nAnd more", [])
        other.execute("COMMIT")

    await until(lambda: said(model) == ["Hello?", "Fine."] and not model.session.is_running)

    assert model.drafting.text == "And more"
    assert len(desk.gateway.requests) == 1


async def test_what_could_not_be_stored_is_in_the_composer(desk: Desk) -> None:
    """B74: also when it was sent before there was a composer to hold it."""
    model = await desk.chat()
    for key in ("sights", "kin"):  # what a chat looks for when it opens
        await model._tasks.wait(key)  # pyright: ignore[reportPrivateUsage]  # nobody else waits for them
    await desk.application.store.aclose()

    model.send("Hello?")
    await until(lambda: bool(desk.errors))

    assert [type(error) for error in desk.errors] == [StoreError]
    assert (model.drafting.text, model.state.is_busy, said(model)) == ("Hello?", False, [])
    desk.errors.clear()
    model.drafting.type("")


async def test_a_view_that_comes_late_sees_the_answer_from_its_beginning(desk: Desk) -> None:
    early = await desk.chat()
    gate = asyncio.Event()
    desk.gateway.say((Accepted(), TextArrived(text="One, "), gate, TextArrived(text="two."), answer()[-1]))
    early.send("Count")
    await until(lambda: bool(early.state.live and early.state.live.text))

    late = await desk.chat(early.id)
    gate_state = late.state
    gate.set()
    await until(lambda: len(late.state.path) == 2)

    assert gate_state.live
    assert (gate_state.live.text, gate_state.live.phase) == ("One, ", Phase.WRITING)
    assert said(late) == said(early) == ["Count", "One, two."]


async def test_an_answer_goes_on_when_its_view_is_closed(desk: Desk) -> None:
    model = await desk.chat()
    gate = asyncio.Event()
    desk.gateway.say((Accepted(), gate, TextArrived(text="Done."), answer()[-1]))
    model.send("Work")
    await until(lambda: model.state.live is not None)

    desk.models.remove(model)
    await model.aclose()
    gate.set()
    await model.session.settled()

    assert [entry.text for entry in model.session.conversation.path] == ["Work", "Done."]


async def test_seconds_are_counted_while_one_waits(desk: Desk) -> None:
    model = await desk.chat()
    desk.gateway.say((Accepted(), asyncio.Event()))
    model.send("Hello?")

    await until(lambda: bool(model.state.live and model.state.live.phase_s))

    model.stop()


async def test_copy_gives_the_stored_bytes_also_of_what_lies_in_the_vault(desk: Desk) -> None:
    """B62."""
    model = await desk.chat()
    long = "First\n\n```py\n\tx  \n```\n" * 20_000
    await talk(model, long)
    copied = heard(model.copies.copied)
    assert blobs_of(model.state.path[0].parts)

    model.copies.copy(model.state.path[0].id)
    await until(lambda: bool(copied))
    model.copies.copy_last_answer(model.state.path)
    await until(lambda: len(copied) == 2)

    assert copied == [(long,), ("Fine.",)]


async def test_a_title_is_given(desk: Desk) -> None:
    model = await desk.chat()
    await talk(model, "Hello?")

    model.rename("  Greetings ")
    await until(lambda: model.state.title == "Greetings")

    assert (await desk.application.store.chat(model.id)).title == "Greetings"


async def test_each_entry_of_a_turn_is_shown_once_while_the_store_publishes(desk: Desk) -> None:
    """No card of an unanswered message flashes between the message and its answer."""
    model = await desk.chat()
    shown: list[str] = []
    model.items_changed.connect(lambda: shown.extend(model.items.ids()))

    await talk(model, "Hello?")
    model.retry()
    await until(lambda: len(desk.gateway.requests) == 2 and not model.session.is_running)

    assert FAILURE not in shown
    assert {entry.origin for entry in model.state.path} == {Origin.USER, Origin.ASSISTANT}


async def test_an_answer_of_another_model_says_whose_and_instead_of_whom(desk: Desk) -> None:
    """A6."""
    place = Endpoint(id="acme", kind="compatible", name="Acme", models=("large", "small"), needs_key=False)
    await desk.application.change(
        endpoints=[place.model_dump(mode="json")], model="acme/large", fallback_models=["acme/small"]
    )
    model = await desk.chat()
    desk.gateway.say((ProviderError("No credit."),))

    await talk(model, "Hello?", "And now?")

    footers = [
        shown.footer.figures
        for shown in map(model.items.content, model.items.ids())
        if isinstance(shown, AssistantItem)
    ]
    assert "small answered, since large failed" in footers[0]
    assert "failed" not in footers[1]
