"""Stops of the tour at which a prompt cache is kept and lost; what a provider would report is written here."""

from app.core.entries import Finish
from app.core.events import Finished, GatewayEvent, TextArrived, UsageReported
from app.core.usage import Usage
from app.settings import Endpoint
from ui.guide import Guide, Stop
from ui.tool_stops import at_work

_CLAUDE = Endpoint(
    id="claude", kind="anthropic", name="Anthropic", needs_key=False, models=("claude-sonnet-4-5",)
)


def _answer(text: str, *, read: int, written: int) -> tuple[GatewayEvent, ...]:
    usage = Usage(
        prompt_tokens=read + written,
        completion_tokens=410,
        cached_tokens=read,
        cache_write_tokens=written,
    )
    return TextArrived(text=text), UsageReported(usage=usage), Finished(finish=Finish.STOP)


async def warm(guide: Guide) -> None:
    await guide.workbench.application.change(write_titles=False)  # that would be an answer of its own
    await at_work(
        guide,
        "What does the ledger round?",
        _answer("Each line. It should round the sum, once.", read=0, written=41_200),
        _answer("Three tests: two of days, one of a leap year.", read=41_200, written=1_900),
        _answer("In verse: *the ledger adds, and rounds but once.*", read=0, written=45_300),
        place=_CLAUDE,
    )
    await guide.ask("Which tests does that touch?")
    await _told(guide, 2)
    guide.workbench.ring.click()
    await guide.until(lambda: (popover := guide.workbench.ring.popover) and popover.cache.isVisible())


async def broken(guide: Guide) -> None:
    if popover := guide.workbench.ring.popover:
        popover.close()
    await guide.workbench.application.change(instructions="Answer in verse.")
    await guide.ask("And in verse?")
    await _told(guide, 3)
    guide.workbench.ring.click()
    await guide.until(lambda: (popover := guide.workbench.ring.popover) and popover.cache.isVisible())
    await guide.workbench.application.change(instructions="")


async def _told(guide: Guide, n: int) -> None:
    """Until the `n`th answer's request is kept with all that is known of it."""
    model = guide.workbench.chat.model
    assert model
    await guide.until(
        lambda: (
            not model.session.is_running
            and sum(item.usage is not None for item in model.session.conversation.requests) >= n
        )
    )
    await guide.settled()


CACHE_STOPS: tuple[Stop, ...] = (
    Stop(
        name="cache-warm",
        shows="A prompt that its provider still has: until when, and what it spares.",
        bring=warm,
    ),
    Stop(
        name="cache-broken",
        shows="What broke the prompt's cache last, and at which price.",
        bring=broken,
        needs="cache-warm",
    ),
)
