"""A reading turned into messages: the roles and the order that every provider takes (S10, C12, C32).

Pure and the same for each part of a chat, so that the same reading gives the same bytes (C8).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from app.context.reading import Folded, Item, Shown
from app.core.entries import Origin
from app.core.parts import Part, TextPart, ToolCallPart, ToolResultPart, body_of
from app.core.requests import Message, Role

RENDERER = 1
"""Raised when this module would give other bytes for the same reading (M7)."""

ASSISTANT_OPENED = "[the assistant opened this conversation]"
NO_RESULT = "[no result: the call was not answered]"


def system_text(items: Iterable[Item]) -> str:
    """What leading system entries say, as they are shown; it belongs to the prelude, not to the messages."""
    leading = takewhile(lambda item: _origin(item) is Origin.SYSTEM, items)
    parts = (part for item in leading if isinstance(item, Shown) for part in item.parts[0])
    texts = (part.text for part in parts if isinstance(part, TextPart) and isinstance(part.text, str))
    return "\n\n".join(text for text in texts if text)


def render(items: Iterable[Item], *, is_start: bool) -> Iterator[Message]:
    """Messages of `items`, adjacent ones of one side merged, empty ones left out.

    Args:
        items: A reading, or the rest of one from a place where the user's side begins.
        is_start: Whether `items` begin the conversation: leading system entries are then skipped, and a
            user-side note stands before an assistant that speaks first.
    """
    last: Message | None = None
    for message in _messages(items, is_start=is_start):
        if not message.parts:
            continue
        if is_start and last is None and message.role is not Role.USER:
            yield Message(role=Role.USER, parts=(TextPart(text=ASSISTANT_OPENED),))
        if last is None:
            last = message
        elif last.role is message.role and message.role is not Role.TOOL:
            last = _merged(last, message)
        else:
            yield last
            last = message
    if last is not None:
        yield last


def opens_user_side(item: Item, before: Sequence[Item]) -> bool:
    """Whether a user-side message begins with `item` that takes nothing of what stands before it.

    A note goes with the person's entry that it follows, even with one that says nothing.
    """
    if _origin(item) is Origin.NOTE:
        other = next((_origin(one) for one in reversed(before) if _origin(one) is not Origin.NOTE), None)
        if other is Origin.USER:
            return False
    parts = item.parts[0] if isinstance(item, Shown) else item.fold.replacement
    return _origin(item) not in (Origin.ASSISTANT, Origin.TOOL) and bool(_kept(parts))


def _merged(first: Message, second: Message) -> Message:
    return Message(
        role=first.role,
        parts=first.parts + second.parts,
        provider_fields=first.provider_fields or second.provider_fields,
        sources=first.sources + second.sources,
    )


def _messages(items: Iterable[Item], *, is_start: bool) -> Iterator[Message]:
    rest = iter(items)
    if is_start:
        rest = dropwhile(lambda item: _origin(item) is Origin.SYSTEM, rest)
    user: Message | None = None  # held back until the notes that go before its text are known
    n_before = 0
    for item in rest:
        origin = _origin(item)
        if user and isinstance(item, Shown) and origin is Origin.NOTE:
            note = _side(item, Role.USER)
            parts = user.parts[:n_before] + note.parts + user.parts[n_before:]
            user = replace(user, parts=parts, sources=user.sources + note.sources)
            n_before += len(note.parts)
            continue
        if user:
            yield user
        user = None
        if isinstance(item, Shown) and origin is Origin.USER:
            user, n_before = _side(item, Role.USER), 0
        else:
            yield from _others(item)
    if user:
        yield user


def _origin(item: Item) -> Origin | None:
    return item.entries[0].origin if isinstance(item, Shown) else None


def _others(item: Item) -> Iterator[Message]:
    """The messages of an item that is not a user's entry."""
    if isinstance(item, Folded):
        sources = tuple(entry.id for entry in item.entries)
        yield Message(role=Role.USER, parts=_kept(item.fold.replacement), sources=sources)
    elif item.entries[0].origin is Origin.ASSISTANT:
        yield from _answer(item)
    elif item.entries[0].origin is not Origin.TOOL:  # a result without its call is never sent
        yield _side(item, Role.USER)  # a system entry in the middle, or a note of its own (C32)


def _side(item: Shown, role: Role) -> Message:
    return Message(
        role=role,
        parts=_kept(item.parts[0]),
        provider_fields=item.entries[0].provider_fields,
        sources=(item.entries[0].id,),
    )


def _answer(item: Shown) -> Iterator[Message]:
    """An assistant's message and its results: each call answered once, in call order (C31)."""
    message = _side(item, Role.ASSISTANT)
    yield message
    results = [
        (entry.id, part)
        for entry, parts in zip(item.entries[1:], item.parts[1:], strict=True)
        for part in parts
        if isinstance(part, ToolResultPart)
    ]
    for call in message.parts:
        if isinstance(call, ToolCallPart):
            found = next((pair for pair in results if pair[1].call_id == call.call_id), None)
            if found:
                results.remove(found)
                yield Message(role=Role.TOOL, parts=(found[1],), sources=(found[0],))
            else:
                missing = ToolResultPart(call_id=call.call_id, name=call.name, text=NO_RESULT, is_error=True)
                yield Message(role=Role.TOOL, parts=(missing,))


def _kept(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Without texts that say nothing: providers refuse empty content."""
    return tuple(part for part in parts if not isinstance(part, TextPart) or _says_something(part))


def _says_something(part: TextPart) -> bool:
    body = body_of(part)
    return not isinstance(body, str) or bool(body.strip())
