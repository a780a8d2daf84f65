"""The tour's stops at the health panel."""

from PySide6.QtWidgets import QScrollBar

from ui.guide import Guide, Stop


async def panel(guide: Guide) -> None:
    """Opened by its command; the plots come a moment later."""
    health = guide.workbench.health
    if popover := guide.workbench.ring.popover:
        popover.close()
    guide.workbench.close_settings()  # from whatever page: the panel stands beside the chat
    health.open()
    await guide.until(lambda: health.panel and health.panel.plots.plot)
    await guide.settled()


async def more(guide: Guide) -> None:
    panel = guide.workbench.health.panel
    assert panel
    for card in (panel.compaction, panel.pruning, panel.cache):
        card.more.click()
    await guide.settled()
    panel.area.verticalScrollBar().triggerAction(QScrollBar.SliderAction.SliderToMaximum)


async def closed(guide: Guide) -> None:
    guide.command("panel")


HEALTH_STOPS: tuple[Stop, ...] = (
    Stop(
        name="health-panel",
        shows="The health panel: what fills the window, and how the chat went.",
        bring=panel,
        needs="sample",
    ),
    Stop(
        name="health-more",
        shows="All of its figures, and the timeline with Undo.",
        bring=more,
        needs="health-panel",
    ),
    Stop(name="health-closed", shows="The panel makes room again.", bring=closed, needs="health-panel"),
)
