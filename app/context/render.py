"""A reading turned into messages: the roles and the order that every provider takes (S10, C12, C32).

Pure and the same for each part of a chat, so that the same reading gives the same bytes (C8).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from app.context.pairing import missing_result, pair
from app.context.reading import Folded, Item, Shown
from app.core.entries import Origin
from app.core.parts import Blob, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart, body_of
from app.core.requests import Message, Role

RENDERER = 2
"""Raised when this module would give other bytes for the same reading (M7)."""

ASSISTANT_OPENED = "[the assistant opened this conversation]"
SYSTEM_NOTED = "[a system message of this conversation]"
RESULT_MEDIA = "[what came with the results above]"
NO_OUTPUT = "(no output)"
NO_TEXT = "(no text)"


def system_text(items: Iterable[Item]) -> str:
    """What leading system entries say, as they are shown; it belongs to the prelude, not to the messages.

    A text that lies in a blob is not at hand here: it is rendered, on the user's side.
    """
    leading = takewhile(lambda item: _origin(item) is Origin.SYSTEM, items)
    parts = (part for item in leading if isinstance(item, Shown) for part in item.parts[0])
    texts = (part.text for part in parts if isinstance(part, TextPart) and isinstance(part.text, str))
    return "\n\n".join(text for text in texts if text)


def render(items: Iterable[Item], *, is_start: bool) -> Iterator[Message]:
    """Messages of `items`, adjacent ones of one side merged, empty ones left out.

    Args:
        items: A reading, or the rest of one from a place where the user's side begins.
        is_start: Whether `items` begin the conversation: what `system_text` gives is then skipped, and a
            user-side note stands before an assistant that speaks first.
    """
    return ordered(_messages(items, is_start=is_start), is_start=is_start)


def ordered(messages: Iterable[Message], *, is_start: bool) -> Iterator[Message]:
    """`messages` without those that say nothing, adjacent ones of one side merged, the user's side first."""
    last: Message | None = None
    for message in messages:
        if all(isinstance(part, ThinkingPart) for part in message.parts):
            continue  # nothing but reasoning is empty content to a provider (case B11)
        if is_start and last is None and message.role is not Role.USER:
            last = Message(role=Role.USER, parts=(TextPart(text=ASSISTANT_OPENED),))
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
    rest = _without_system_text(items) if is_start else items
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


def _without_system_text(items: Iterable[Item]) -> Iterator[Item]:
    is_leading = True
    for item in items:
        is_leading = is_leading and _origin(item) is Origin.SYSTEM
        if is_leading and isinstance(item, Shown):
            item = replace(item, parts=(tuple(part for part in item.parts[0] if not _is_inline(part)),))
        yield item


def _is_inline(part: Part) -> bool:
    return isinstance(part, TextPart) and not isinstance(part.text, Blob)


def _origin(item: Item) -> Origin | None:
    return item.entries[0].origin if isinstance(item, Shown) else None


def _others(item: Item) -> Iterator[Message]:
    """The messages of an item that is not a user's entry."""
    if isinstance(item, Folded):
        sources = tuple(entry.id for entry in item.entries)
        yield Message(role=Role.USER, parts=_kept(item.fold.replacement), sources=sources)
    elif item.entries[0].origin is Origin.ASSISTANT:
        yield from _answer(item)
    elif item.entries[0].origin is Origin.SYSTEM:
        note = _side(item, Role.USER)
        yield replace(note, parts=note.parts and (TextPart(text=SYSTEM_NOTED), *note.parts))
    elif item.entries[0].origin is Origin.TOOL:
        yield from _beside_results(item, 0)  # a result without its call is never sent
    else:
        yield _side(item, Role.USER)  # a note of its own


def _side(item: Shown, role: Role) -> Message:
    return Message(
        role=role,
        parts=_kept(item.parts[0]),
        provider_fields=item.entries[0].provider_fields,
        sources=(item.entries[0].id,),
    )


def _answer(item: Shown) -> Iterator[Message]:
    """An assistant's message and its results: each call answered once, in call order (C31).

    Media of the results go to the user's side after them: few providers take them in a result.
    """
    message = _side(item, Role.ASSISTANT)
    yield message
    calls = [part for part in message.parts if isinstance(part, ToolCallPart)]
    results = [
        (entry.id, said_result(part, has_more=len(parts) > 1))
        for entry, parts in zip(item.entries[1:], item.parts[1:], strict=True)
        for part in parts
        if isinstance(part, ToolResultPart)
    ]
    for call, index in zip(calls, pair(calls, [part for _, part in results]), strict=True):
        if index is None:
            yield Message(role=Role.TOOL, parts=(missing_result(call),))
        else:
            entry_id, part = results[index]
            yield Message(role=Role.TOOL, parts=(part,), sources=(entry_id,))
    yield from _beside_results(item, 1)


def _beside_results(item: Shown, start: int) -> Iterator[Message]:
    """What tools gave beside their results' texts, from the `start`th entry on."""
    found = [
        (entry.id, part)
        for entry, parts in zip(item.entries[start:], item.parts[start:], strict=True)
        for part in _kept(parts)
        if not isinstance(part, ToolResultPart)
    ]
    if found:
        parts = (TextPart(text=RESULT_MEDIA), *(part for _, part in found))
        sources = tuple(dict.fromkeys(entry_id for entry_id, _ in found))
        yield Message(role=Role.USER, parts=parts, sources=sources)


def said_result(part: ToolResultPart, *, has_more: bool = False) -> ToolResultPart:
    """The result of a silent tool says so: providers refuse empty content (case B11)."""
    if isinstance(part.text, Blob) or part.text.strip():
        return part
    return replace(part, text=NO_TEXT if has_more else NO_OUTPUT)


def _kept(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Without texts that say nothing: providers refuse empty content."""
    return tuple(part for part in parts if not isinstance(part, TextPart) or _says_something(part))


def _says_something(part: TextPart) -> bool:
    body = body_of(part)
    return not isinstance(body, str) or bool(body.strip())
