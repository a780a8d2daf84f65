"""What the items of a chat are called, and what waits for the person in them."""

from app.core.approvals import Wish
from app.core.ids import EntryId
from app.core.parts import Part, TextPart, ToolCallPart
from ui.chat.live import LiveCall
from ui.chat.state import ChatState
from ui.kit.items import ItemId

ASKED = "asked/"
"""Before the item of the call that waits for the person."""

CARD = "card/"
"""Before the entry and the place in it of a result that has a card."""


def card_id(entry_id: EntryId, index: int) -> ItemId:
    return ItemId(f"{CARD}{entry_id}/{index}")


def item_id(entry_id: EntryId, kind: type[Part], n: int) -> ItemId:
    """The first text carries the entry's own id, so that a live answer and its entry are one item."""
    if kind is TextPart and n == 0:
        return ItemId(entry_id)
    return ItemId(f"{entry_id}/{kind.__name__}{n}")


def asked(state: ChatState) -> dict[ItemId, Wish]:
    """What calls ask the person at this moment, by the item in which that stands."""
    calls = state.live.calls if state.live and state.compressing is None else ()
    return {f"{ASKED}{call_item(call)}": call.wish for call in calls if call.wish}


def call_of(state: ChatState, item: ItemId) -> LiveCall | None:
    """The call that asks in an item."""
    calls = state.live.calls if state.live else ()
    return next((call for call in calls if f"{ASKED}{call_item(call)}" == item), None)


def call_item(call: LiveCall) -> ItemId:
    """The row of a call that is being carried out."""
    return item_id(call.answer_id, ToolCallPart, call.index)
