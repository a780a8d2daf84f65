"""Compress in the window: progress, the line in the transcript, and the way back (U4, U7, C34)."""

from app.context.ports import NewEntry
from app.core.entries import Origin
from app.core.ids import ChatId, EntryId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.core.requests import Message
from tests.fakes import until
from tests.ui.chat.conftest import Desk
from ui.chat.state import ChatState
from ui.chat.view_model import ChatViewModel
from ui.kit.items import DividerItem, StatusItem


async def a_long_chat(desk: Desk) -> ChatViewModel:
    chat_id, _ = await desk.application.library.new_chat(title="Long")
    entries = [NewEntry(id=EntryId("u"), parent_id=None, origin=Origin.USER, parts=(TextPart(text="Look."),))]
    for n in range(8):
        text = "\n".join(f"line {i} of file {n}: value_{n}_{i} = {i * n}" for i in range(120))
        call = ToolCallPart(call_id=f"c{n}", name="read", arguments=f'{{"path": "file_{n}.py"}}')
        result = ToolResultPart(call_id=f"c{n}", name="read", text=text)
        for name, origin, part in ((f"a{n}", Origin.ASSISTANT, call), (f"t{n}", Origin.TOOL, result)):
            entries.append(NewEntry(id=EntryId(name), parent_id=entries[-1].id, origin=origin, parts=(part,)))
    last = entries[-1].id
    end = NewEntry(
        id=EntryId("end"), parent_id=last, origin=Origin.ASSISTANT, parts=(TextPart(text="Done."),)
    )
    await desk.application.store.append(ChatId(chat_id), [*entries, end])
    model = await desk.chat(chat_id)
    await until(lambda: model.session.fill() is not None)
    return model


def line_of(model: ChatViewModel) -> DividerItem | None:
    shown = (model.items.content(item) for item in model.items.ids())
    return next((item for item in shown if isinstance(item, DividerItem)), None)


async def test_compress_shows_its_steps_and_leaves_a_line_with_undo(desk: Desk) -> None:
    """Trap: a compaction that blocks."""
    model = await a_long_chat(desk)
    states: list[ChatState] = []
    statuses: list[StatusItem] = []
    model.changed.connect(states.append)

    def note_status(_state: ChatState) -> None:
        shown = [model.items.content(item) for item in model.items.ids()[-1:]]
        statuses.extend(item for item in shown if isinstance(item, StatusItem))

    model.changed.connect(note_status)

    model.compressing.begin()
    await until(lambda: line_of(model) is not None and model.state.compressing is None)

    line = line_of(model)
    assert line is not None
    n_folded = int(line.text.split()[1])
    assert 0 < n_folded <= 18
    assert [action.id for action in line.actions] == ["originals", "undo"]
    assert any(state.compressing == "compress" for state in states)
    assert any("lines that say least" in status.text for status in statuses)
    assert len(model.state.path) == 18  # every word is still shown


def seen(desk: Desk, model: ChatViewModel) -> list[Message]:
    """What the model would see."""
    execution = desk.application.executions.last(model.id)
    assert execution
    conversation = model.session.conversation
    return list(conversation.context(model=execution.model, prelude=execution.prelude).messages)


async def test_undo_on_the_line_takes_the_compression_back(desk: Desk) -> None:
    model = await a_long_chat(desk)
    before = seen(desk, model)
    model.compressing.begin()
    await until(lambda: line_of(model) is not None and model.state.compressing is None)
    folded = seen(desk, model)

    model.undo(next(item for item in model.items.ids() if item.startswith("compressed/")))
    await until(lambda: (line := line_of(model)) is not None and not line.actions)

    assert folded != before
    assert seen(desk, model) == before


async def test_stop_cancels_a_compression_and_nothing_is_stored(desk: Desk) -> None:
    model = await a_long_chat(desk)

    model.compressing.begin()
    await until(lambda: model.state.compressing is not None)
    model.stop()
    await until(lambda: model.state.compressing is None)

    assert await desk.application.store.compactions(model.id) == ()
    assert line_of(model) is None
