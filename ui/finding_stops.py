"""Stops of the tour at which something is looked for."""

from PySide6.QtCore import Qt

from app.core.ids import ChatId
from ui.finding.palette import Palette
from ui.guide import Guide, Stop


async def _said(guide: Guide) -> ChatId:
    """A chat in both languages, and one of an earlier branch."""
    application = guide.workbench.application
    chat_id, changes = await application.library.new_chat()
    application.publish(changes)
    guide.workbench.open_chat(chat_id)
    await guide.until(lambda: (model := guide.workbench.chat.model) and model.id == chat_id)
    for text in ("Which invoices are rounded per line?", "季度账单为什么多了一分钱? Rounding, I think."):
        await guide.ask(text)
        await guide.until(lambda: (model := guide.workbench.chat.model) and not model.session.is_running)
    while await application.store.read_texts():
        pass
    return chat_id


def _palette(guide: Guide) -> Palette:
    palette = guide.workbench.finding.palette
    assert palette
    return palette


async def palette_empty(guide: Guide) -> None:
    await _said(guide)
    guide.command("find")
    await guide.settled()


async def palette(guide: Guide) -> None:
    guide.command("find")
    _palette(guide).field.setText("round")
    await guide.until(lambda: any(row for row in _palette(guide).rows if getattr(row, "found", None)))


async def everything(guide: Guide) -> None:
    guide.command("find_all")
    page = guide.workbench.finding.page
    assert page
    page.field.setText("账单")
    await guide.until(lambda: page.rows)


async def jumped(guide: Guide) -> None:
    page = guide.workbench.finding.page
    assert page
    guide.press(page.field, Qt.Key.Key_Return, "\r")
    await guide.until(lambda: guide.workbench.chat.find_bar.count.text())


async def in_chat(guide: Guide) -> None:
    guide.command("find_in_chat")
    guide.workbench.chat.find_bar.field.setText("round")
    guide.command("find_next")
    model = guide.workbench.chat.model
    await guide.until(lambda: model and model.finding.state.typed == "round")
    await guide.settled()


FINDING_STOPS: tuple[Stop, ...] = (
    Stop(
        name="palette-empty", shows="What Ctrl+K opens: the chats that were used last.", bring=palette_empty
    ),
    Stop(
        name="palette",
        shows="Chats, commands, settings and messages for what is typed.",
        bring=palette,
        needs="palette-empty",
    ),
    Stop(
        name="everything",
        shows="All messages that hold two Chinese signs.",
        bring=everything,
        needs="palette",
    ),
    Stop(
        name="jumped", shows="A message that was gone to, its hit marked.", bring=jumped, needs="everything"
    ),
    Stop(name="find-in-chat", shows="Hits in the chat, counted and marked.", bring=in_chat, needs="jumped"),
)
