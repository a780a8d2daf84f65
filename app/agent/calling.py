"""What a turn hands to its tools, and what they say of it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from app.agent.execution import Execution
from app.context.conversation import Conversation
from app.core.entries import Entry
from app.core.events import TurnEvent
from app.core.ids import TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """An answer that calls for tools; it is stored, and the head of its chat."""

    turn: TurnId
    answer: Entry
    conversation: Conversation
    execution: Execution
    tell: Callable[[TurnEvent], None]


class Carried(StrEnum):
    """What a round means for its turn."""

    ON = "on"
    """Each call has its result; the model is asked again."""
    AGAIN = "again"
    """The answer was set aside and is asked for anew; it doesn't count (C29)."""
    IN_CIRCLES = "in circles"
    """Each call has its result, and the person is asked whether that goes on (C30)."""


class Tools(Protocol):
    """What carries out the calls of an answer."""

    def takes(self, answer: Entry) -> bool:
        """Whether `answer` calls for anything, and it is carried out; else the turn ends with it."""
        ...

    async def carry_out(self, called: Called) -> Carried:
        """Have each call done and its result stored; cancelled, what was not done has a result that says so.

        Called again after a failure, it does what is left.

        Raises:
            AppError: nothing can be stored.
        """
        ...
