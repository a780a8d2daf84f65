"""Stops of the tour at which one writes, and at which one looks at a single message."""

from PySide6.QtCore import QMimeData, QPoint, Qt

from app.core.entries import Origin
from app.core.ids import EntryId
from ui.guide import Guide, Stop
from ui.tool_stops import at_work, calling

_PROMPT = "Translate {{text}} into {{language}}, and keep the {{terms}} as they are."
_PASTED = "2026-03-31 09:14:02 INFO billing.ledger rounded 33.335 to 33.34 per line\n" * 80


def _last_answer(guide: Guide) -> EntryId:
    model = guide.workbench.chat.model
    assert model
    return next(entry.id for entry in reversed(model.state.path) if entry.origin is Origin.ASSISTANT)


async def message_menu(guide: Guide) -> None:
    chat = guide.workbench.chat
    at = chat.transcript.mapToGlobal(QPoint(160, 120))
    chat.transcript.context_menu_requested.emit(_last_answer(guide), at)
    await guide.settled()


async def details(guide: Guide) -> None:
    guide.workbench.chat.transcript.action_triggered.emit(_last_answer(guide), "details")
    await guide.settled()


async def turns(guide: Guide) -> None:
    guide.command("turns")
    await guide.settled()


async def _empty(guide: Guide) -> None:
    """A new chat in a folder."""
    model = await at_work(guide, "Read what I attach.")
    await guide.until(lambda: not model.session.is_running)
    guide.workbench.window.activateWindow()
    guide.workbench.chat.composer.input.setFocus()
    await guide.settled()


async def attached(guide: Guide) -> None:
    await _empty(guide)
    chat = guide.workbench.chat
    field = chat.composer.input
    field.insertPlainText("Compare the log with the function, and look at the chart: ")
    chat.wishes.attach([str(guide.folder / "billing" / "ledger.py")])
    await guide.until(lambda: len(field.chips()) == 1)
    chat.wishes.attach_picture(chat.transcript.grab().toImage())
    await guide.until(lambda: len(field.chips()) == 2)
    pasted = QMimeData()
    pasted.setText(_PASTED)
    field.insertFromMimeData(pasted)
    await guide.until(lambda: len(field.chips()) == 3)
    await guide.settled()


async def commands(guide: Guide) -> None:
    await _empty(guide)
    await guide.workbench.application.change(prompts=[{"name": "translate", "text": _PROMPT}])
    guide.workbench.chat.composer.input.insertPlainText("/")
    await guide.settled()


async def prompt(guide: Guide) -> None:
    field = guide.workbench.chat.composer.input
    field.insertPlainText("transl")
    await guide.settled()
    guide.press(field, Qt.Key.Key_Return, "\r")
    await guide.settled()


async def things(guide: Guide) -> None:
    await _empty(guide)
    guide.workbench.chat.composer.input.insertPlainText("@")
    await guide.settled()


async def large(guide: Guide) -> None:
    await _empty(guide)
    guide.workbench.chat.composer.input.insertPlainText(
        "# Rounding\n\nRound once, at the end.\n\n- three lines, 11 days\n- 季度账单\n"
    )
    guide.command("write_large")
    await guide.settled()


async def queue(guide: Guide) -> None:
    await guide.workbench.application.change(access={"shell": "allow"})
    model = await at_work(guide, "Run the tests.", calling("shell", command="sleep 20"))
    await guide.until(lambda: model.state.live)
    for text in (
        "Then round once, at the end, and tell me which three cases were red before",
        "再写一份中文摘要",
    ):
        n = len(model.state.queue)
        await guide.ask(text)
        await guide.until(lambda n=n: len(model.state.queue) == n + 1 and not model.state.is_busy)
    guide.workbench.chat.composer.input.insertPlainText("And ")
    await guide.settled()
    await guide.workbench.application.change(access={})


TALK_STOPS: tuple[Stop, ...] = (
    Stop(name="details", shows="What is known of one answer.", bring=details, needs="sample"),
    Stop(name="turns", shows="The turns of a chat, to go to.", bring=turns, needs="sample"),
    Stop(name="message-menu", shows="What can be done with an answer.", bring=message_menu, needs="sample"),
    Stop(name="attached", shows="A file, a picture and a long paste as chips.", bring=attached),
    Stop(name="commands", shows="What a / offers.", bring=commands),
    Stop(name="prompt", shows="A prompt, its first variable marked.", bring=prompt, needs="commands"),
    Stop(name="things", shows="What an @ offers.", bring=things),
    Stop(name="write-large", shows="A message written over the whole chat.", bring=large),
    Stop(name="queue", shows="Messages that wait behind an answer.", bring=queue),
)
