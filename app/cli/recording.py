"""A recorded turn played through the real turn loop: its calls stand for the endpoint's answers, its results for tools.

Each request really goes out and its figures are the endpoint's. What the endpoint says gives way to the recorded
calls while there are some, so that the context grows as it did; the answer in words is the endpoint's own.
"""

from collections import deque
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.entries import Entry, Finish, Origin
from app.core.events import (
    Accepted,
    Finished,
    GatewayEvent,
    ReasoningArrived,
    TextArrived,
    ToolCallArrived,
    UsageReported,
)
from app.core.ids import EntryId, new_id
from app.core.parts import Blob, Body, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart

if TYPE_CHECKING:
    from app.agent.calling import Called, Carried
    from app.agent.ports import Gateway, Target
    from app.agent.turns import TurnPorts
    from app.context.ports import Store, Vault
    from app.core.requests import Request

_NOT_RECORDED = "[the recording has no result for this call]"

Said = tuple[Origin, tuple[Part, ...]]


class Recording:
    """`Gateway` and `Tools` of the turn that is played.

    Args:
        vault: Where long originals of the recording lie.
    """

    def __init__(self, vault: "Vault") -> None:
        self._vault = vault
        self._gateway: Gateway | None = None
        self._store: Store | None = None
        self._rounds: deque[tuple[Entry, ...]] = deque()

    def played(self, ports: "TurnPorts") -> "TurnPorts":
        self._gateway, self._store = ports.gateway, ports.store
        return replace(ports, gateway=self, tools=self)

    def begin(self, followed: Sequence[Entry]) -> None:
        """Args: `followed`: what the recording has after the person's message, up to the next one."""
        self._rounds = deque(_rounds(followed))

    # -- the model

    def is_ready_for(self, target: "Target") -> bool:
        assert self._gateway
        return self._gateway.is_ready_for(target)

    async def stream(self, request: "Request", target: "Target") -> AsyncGenerator[GatewayEvent, None]:
        """See `agent.ports.Gateway`."""
        assert self._gateway
        recorded = self._rounds[0][0] if self._rounds else None
        async with aclosing(self._gateway.stream(request, target)) as events:
            async for event in events:
                if recorded is None or isinstance(event, Accepted | UsageReported):
                    yield event
        if recorded:
            for index, part in enumerate(recorded.parts):
                if event := await self._event(index, part):
                    yield event
            yield Finished(finish=Finish.TOOL_CALLS, provider_fields=recorded.provider_fields)

    async def _event(self, index: int, part: Part) -> GatewayEvent | None:
        match part:
            case TextPart(text=text):
                return TextArrived(text=await self._text(text))
            case ThinkingPart(text=text, signature=signature, redacted=redacted):
                return ReasoningArrived(text=await self._text(text), signature=signature, redacted=redacted)
            case ToolCallPart(call_id=call_id, name=name, arguments=arguments, provider_fields=fields):
                return ToolCallArrived(
                    index=index,
                    call_id=call_id,
                    name=name,
                    arguments=await self._text(arguments),
                    provider_fields=fields,
                )
            case _:
                return None

    async def _text(self, body: Body) -> str:
        return (await self._vault.get(body)).decode() if isinstance(body, Blob) else body

    # -- the tools

    def takes(self, answer: Entry) -> bool:
        return bool(answer.calls and self._rounds)

    async def carry_out(self, called: "Called") -> "Carried":
        """See `agent.calling.Tools`."""
        from app.agent.calling import Carried
        from app.context.ports import NewEntry

        recorded = self._rounds.popleft()
        said = [(entry.origin, entry.parts) for entry in recorded[1:]]
        said += _missing(called.answer, recorded[1:])
        found: list[NewEntry] = []
        for origin, parts in said:
            above = found[-1].id if found else called.answer.id
            found.append(NewEntry(id=EntryId(new_id("e")), parent_id=above, origin=origin, parts=parts))
        assert self._store
        for entry in await self._store.append(called.conversation.id, found):
            called.conversation.add(entry)
        return Carried.ON

    def rest(self, answer: Entry) -> list[Said]:
        """What the last answer of a turn leaves open: calls of the endpoint's own."""
        return _missing(answer, ())


def _rounds(followed: Sequence[Entry]) -> Iterator[tuple[Entry, ...]]:
    """Calls with their results, and what else came before the next ones; answers in words are left out."""
    from app.context.transcript import groups

    held: list[Entry] = []
    for group in groups(tuple(followed)):
        if group[0].calls and held:
            yield tuple(held)
            held = []
        if group[0].calls or (held and group[0].origin is not Origin.ASSISTANT):
            held.extend(group)
    if held:
        yield tuple(held)


def _missing(answer: Entry, given: Sequence[Entry]) -> list[Said]:
    answered = {part.call_id for entry in given for part in entry.results}
    return [
        (
            Origin.TOOL,
            (ToolResultPart(call_id=call.call_id, name=call.name, text=_NOT_RECORDED, is_error=True),),
        )
        for call in answer.calls
        if call.call_id not in answered
    ]
