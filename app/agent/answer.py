"""The answer under way: deltas folded into parts, exactly as they will be stored."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, count

from app.core.entries import Finish
from app.core.errors import ProviderError
from app.core.events import (
    Accepted,
    Finished,
    GatewayEvent,
    ReasoningArrived,
    TextArrived,
    ToolCallArrived,
    UsageReported,
)
from app.core.parts import Part, TextPart, ThinkingPart, ToolCallPart
from app.core.usage import Usage

_Block = TextArrived | ReasoningArrived | ToolCallArrived


class Answer:
    """Folds gateway events; `parts` is what had arrived so far, in the order in which it came."""

    def __init__(self) -> None:
        self.usage: Usage | None = None
        self.finish: Finish | None = None
        self.provider_fields = ""
        self._blocks: list[_Block] = []
        self._texts: list[list[str]] = []

    @property
    def has_begun(self) -> bool:
        """Whether any token came; a request whose answer has begun is never sent again by itself."""
        return bool(self._blocks)

    @property
    def parts(self) -> tuple[Part, ...]:
        pairs = zip(self._blocks, self._texts, strict=True)
        found = (_part(block, "".join(pieces)) for block, pieces in pairs)
        return tuple(_with_own_ids(part for part in found if not _is_blank(part)))

    def check(self) -> None:
        """Raises:
        ProviderError: the stream ended well, but nothing was said.
        """
        if not self.parts:
            raise ProviderError("The model answered with nothing.")

    def fold(self, event: GatewayEvent) -> None:
        match event:
            case TextArrived() | ReasoningArrived() | ToolCallArrived():
                self._grow(event)
            case UsageReported(usage=usage):
                self.usage = usage
            case Finished(finish=finish, provider_fields=fields):
                self.finish = finish
                self.provider_fields = fields
            case Accepted():
                pass

    def _grow(self, event: _Block) -> None:
        piece = event.arguments if isinstance(event, ToolCallArrived) else event.text
        at = self._open_block(event)
        if at is None:
            self._blocks.append(event)
            self._texts.append([piece])
            return
        self._texts[at].append(piece)
        block = self._blocks[at]
        if isinstance(event, ReasoningArrived) and event.signature:
            self._blocks[at] = event
        elif isinstance(event, ToolCallArrived) and isinstance(block, ToolCallArrived):
            self._blocks[at] = ToolCallArrived(
                index=block.index,
                call_id=block.call_id or event.call_id,
                name=block.name or event.name,
                provider_fields=event.provider_fields or block.provider_fields,
            )

    def _open_block(self, event: _Block) -> int | None:
        """The block that `event` continues: the last of its kind, or the call with its index."""
        if isinstance(event, ToolCallArrived):
            for at, block in enumerate(self._blocks):
                if isinstance(block, ToolCallArrived) and block.index == event.index:
                    return at
            return None
        last = self._blocks[-1] if self._blocks else None
        if isinstance(event, TextArrived):
            return len(self._blocks) - 1 if isinstance(last, TextArrived) else None
        # A redacted event is a whole block; two in a row stay two, as the provider wants them back.
        is_open = isinstance(last, ReasoningArrived) and not (
            last.signature or last.redacted or event.redacted
        )
        return len(self._blocks) - 1 if is_open else None


def _with_own_ids(parts: Iterable[Part]) -> Iterator[Part]:
    """Calls side by side end in any order, so a result can't be told by its place: an id given twice gets a number."""
    taken: set[str] = set()
    for part in parts:
        if isinstance(part, ToolCallPart):
            numbered = (f"{part.call_id}_{n}" for n in count(2))
            call_id = next(id_ for id_ in chain((part.call_id,), numbered) if id_ not in taken)
            taken.add(call_id)
            yield replace(part, call_id=call_id)
        else:
            yield part


def _is_blank(part: Part) -> bool:
    """A text that says nothing: no answer, and no provider takes it back."""
    return isinstance(part, TextPart) and isinstance(part.text, str) and not part.text.strip()


def _part(block: _Block, text: str) -> Part:
    match block:
        case TextArrived():
            return TextPart(text=text)
        case ReasoningArrived(signature=signature, redacted=redacted):
            return ThinkingPart(text=text, signature=signature, redacted=redacted)
        case ToolCallArrived(call_id=call_id, name=name, provider_fields=fields):
            return ToolCallPart(
                call_id=call_id, name=name, arguments=text or json.dumps({}), provider_fields=fields
            )
