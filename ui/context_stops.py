"""Stops of the tour at which the context is looked at: what compressing would do, and what the model sees."""

from ui.folding.state import Work
from ui.guide import Guide, Stop


async def preview(guide: Guide) -> None:
    if popover := guide.workbench.ring.popover:
        popover.close()
    guide.workbench.chat.composer.input.clear()
    guide.command("preview")
    compression = guide.workbench.compression
    await guide.until(lambda: (dialog := compression.dialog) and dialog.state.work is Work.NONE)


async def facts(guide: Guide) -> None:
    await guide.until(lambda: guide.workbench.compression.dialog is None)  # closed after the last stop
    await preview(guide)
    if dialog := guide.workbench.compression.dialog:
        dialog.facts_button.click()


async def lens(guide: Guide) -> None:
    guide.command("lens")
    page = guide.workbench.lens
    await guide.until(lambda: page.view and page.view.strip.look)
    if page.view and page.view.strip.look:
        look = page.view.strip.look
        folded = (index for index in range(look.n) if look.band(index).fate)
        page.view.strip.chosen.emit(next(folded, look.n - 1))


async def lens_beside(guide: Guide) -> None:
    if not guide.workbench.window.is_panel_open:
        guide.command("panel")
    health = guide.workbench.health
    await guide.until(lambda: health.panel and health.panel.plots.plot)


async def left_lens(guide: Guide) -> None:
    if guide.workbench.window.is_panel_open:
        guide.command("panel")
    guide.command("lens")
    await guide.until(lambda: guide.workbench.window.page == "chat")


LENS_STOPS: tuple[Stop, ...] = (
    Stop(
        name="lens", shows="What the model sees, and why a part of it is folded.", bring=lens, needs="sample"
    ),
    Stop(
        name="lens-beside",
        shows="The same beside the panel, which takes the chats' place where the window is small.",
        bring=lens_beside,
        needs="lens",
    ),
    Stop(name="minimap", shows="The same strip beside the messages.", bring=left_lens, needs="lens"),
)
PREVIEW_STOPS: tuple[Stop, ...] = (
    Stop(
        name="preview", shows="What compressing would do, before it is done.", bring=preview, needs="sample"
    ),
    Stop(
        name="facts",
        shows="The facts that were checked, and where each can be read.",
        bring=facts,
        needs="sample",
    ),
)
