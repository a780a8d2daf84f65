"""A running turn as whoever looks at its chat only now is told of it."""

from dataclasses import replace

from app.core.events import (
    AnswerKept,
    CallFinished,
    CallSaid,
    CallStarted,
    ModelChanged,
    PersonAsked,
    ReasoningDelta,
    RequestQueued,
    RequestSent,
    RetryScheduled,
    TextDelta,
    TurnEvent,
    TurnStarted,
)
from app.core.ids import EntryId


class Watched:
    """All that was told of it, in as few events as say the same."""

    def __init__(self, started: TurnStarted) -> None:
        self.turn = started.turn
        self._started = started
        self._phase: TurnEvent | None = None
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._calls: dict[int, list[TurnEvent]] = {}

    def take(self, event: TurnEvent) -> None:
        match event:
            case TextDelta(text=text):
                self._text.append(text)
            case ReasoningDelta(text=text):
                self._reasoning.append(text)
            case RequestSent() | RequestQueued() | RetryScheduled() | ModelChanged():
                self._phase = event
            case AnswerKept():
                self._phase, self._text, self._reasoning = event, [], []
            case CallStarted(index=index) | PersonAsked(index=index):
                self._calls[index] = [event]
            case CallSaid(index=index):
                self._calls.setdefault(index, []).append(event)
            case CallFinished(index=index):
                self._calls.pop(index, None)
            case _:
                pass

    def replied(self, answer_id: EntryId, index: int) -> None:
        """The call waits for the person no longer."""
        self._calls[index] = [CallStarted(turn=self.turn, answer_id=answer_id, index=index)]

    def events(self, head: EntryId | None) -> tuple[TurnEvent, ...]:
        """`head`: what is stored by now."""
        turn = self.turn
        found: list[TurnEvent] = [replace(self._started, head=head)]
        if self._phase:
            found.append(self._phase)
        if self._reasoning:
            found.append(ReasoningDelta(turn=turn, text="".join(self._reasoning)))
        if self._text:
            found.append(TextDelta(turn=turn, text="".join(self._text)))
        return (*found, *(event for events in self._calls.values() for event in events))
