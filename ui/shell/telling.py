"""Errors where they are told: as a card in a chat, as a sentence at a field."""

from app.core.errors import Action, AppError
from ui.chat.item_ports import Told
from ui.shell.notices import say


def told_in_a_chat(error: Exception) -> Told:
    """With what a chat can do about it."""
    assert isinstance(error, AppError)
    notice = say(error)
    return Told(
        title=notice.title,
        text=notice.text,
        hint=notice.hint,
        detail=notice.detail,
        actions=tuple(action for action in notice.actions if action.id in _CAN_DO),
    )


_CAN_DO = {Action.RETRY, Action.SETTINGS, Action.MODEL, Action.COPY, Action.COMPRESS, Action.FORK}


def sentence(error: AppError) -> str:
    notice = say(error)
    return " ".join(filter(None, (notice.text, notice.hint)))
