"""The end of a chat as it is stored, as items, before the chat is open."""

from ui.chat.item_ports import ItemPorts, Told
from ui.chat.items import ChatItems
from ui.chat.state import ChatState


def preview_items(state: ChatState) -> ChatItems:
    """Without versions, figures and blobs."""

    def tell(error: Exception) -> Told:
        raise AssertionError from error  # a chat that is not open has no failure

    ports = ItemPorts(
        versions=lambda _: (1, 1),
        record=lambda _: None,
        failed=lambda _: None,
        tell=tell,
        want=lambda _: None,
        peek=lambda _: None,
    )
    items = ChatItems(ports)
    items.update(state)
    return items
