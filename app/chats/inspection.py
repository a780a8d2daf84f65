"""What a conversation file holds and how full it would make a window; no chat is made of it."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

from pydantic import JsonValue

from app.chats.kinds.kind import Imported
from app.chats.originals import text_of
from app.context.budget import Count, Stage, fill_of, project
from app.context.context import Context
from app.context.sums import Sums
from app.context.transcript import Transcript
from app.core.entries import Entry, Origin
from app.core.ids import ModelId
from app.core.parts import (
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    body_of,
)
from app.core.requests import Prelude, ToolSpec
from app.models.families import Family, media_tokens
from app.models.window import Window

CATEGORIES: tuple[str, ...] = ("system", "tools", "you", "assistant", "tool_results", "reasoning", "media")
_BY_ORIGIN = {
    Origin.SYSTEM: "system",
    Origin.USER: "you",
    Origin.NOTE: "system",
    Origin.ASSISTANT: "assistant",
    Origin.TOOL: "tool_results",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    n_messages: int
    n_turns: int
    """Messages of the person."""
    tokens: Mapping[str, int]
    """Of all that was said, by category, `total` last; reasoning whether or not it would be sent again."""
    window_tokens: int | None
    projected_tokens: int
    """What a request that goes on from here would have, by the family's ratio."""
    use: float | None
    """Share of the window; None: the window is not known."""
    stage: Stage
    faults: tuple[str, ...]


def inspect(imported: Imported, *, family: Family, window: Window, count: Callable[[str], int]) -> Inspection:
    """Args: `count`: exact tokens of a text by the family's vocabulary."""
    path = _path(imported)
    known: dict[Part, int] = {}

    def tokens(part: Part) -> int:
        if part not in known:
            known[part] = media_tokens(family, part) if isinstance(part, MediaPart) else count(_text(part))
        return known[part]

    sums = dict.fromkeys(CATEGORIES, 0)
    for entry in path:
        for part in entry.parts:
            sums[_category(entry, part)] += tokens(part)
    tools = tools_of(imported)
    sums["tools"] = sum(count(f"{tool.name}\n{tool.description}\n{tool.schema}") for tool in tools)
    context = Context(path, rev=len(path), model=ModelId(""), prelude=Prelude(system="", tools=tools))
    request = Sums()
    for message in context.messages:
        request.add_message(message, family.message_tokens, lambda part: Count(tokens=tokens(part)))
    system = context.prelude.system
    system_tokens = count(system) + family.message_tokens if system else 0
    estimated = system_tokens + sums["tools"] + request.total(family)
    projection = project(estimated_tokens=estimated, base=None, base_estimated_tokens=0, ratio=family.ratio)
    fill = fill_of(projection, window, family, max_output_tokens=None, weights={})
    return Inspection(
        n_messages=imported.n_messages,
        n_turns=sum(entry.origin is Origin.USER for entry in path),
        tokens={**sums, "total": sum(sums.values())},
        window_tokens=window.tokens or None,
        projected_tokens=projection.projected_tokens,
        use=fill.use,
        stage=fill.stage,
        faults=(*map(str, imported.faults), *transcript_faults(path, _numbers(imported))),
    )


def _path(imported: Imported) -> tuple[Entry, ...]:
    """The shown path, long texts in their parts: there is no vault here."""
    now = datetime.now(UTC)
    transcript = Transcript(
        Entry(
            id=new.id,
            parent_id=new.parent_id,
            rev=rev,
            depth=0,
            origin=new.origin,
            parts=tuple(_inline(part, imported.bytes_of) for part in new.parts),
            created_at=new.created_at or now,
        )
        for rev, new in enumerate(imported.entries, start=1)
    )
    return transcript.path(imported.head or transcript.newest_leaf())


def _inline(part: Part, bytes_of: Mapping[str, bytes]) -> Part:
    match part:
        case TextPart() | ThinkingPart() | ToolResultPart():
            return replace(part, text=text_of(part.text, bytes_of))
        case ToolCallPart():
            return replace(part, arguments=text_of(part.arguments, bytes_of))
        case MediaPart() | OpaquePart():
            return part


def _text(part: Part) -> str:
    text = text_of(body_of(part), {})
    return f"{part.name} {text}" if isinstance(part, ToolCallPart) else text


def _category(entry: Entry, part: Part) -> str:
    match part:
        case MediaPart():
            return "media"
        case ThinkingPart():
            return "reasoning"
        case _:
            return _BY_ORIGIN[entry.origin]


def tools_of(imported: Imported) -> tuple[ToolSpec, ...]:
    """Definitions that the file holds beside its messages."""
    envelope = _source(imported).get("envelope")
    listed = envelope.get("tools") if isinstance(envelope, dict) else None
    found: list[ToolSpec] = []
    for item in listed if isinstance(listed, list) else ():
        match item:
            case {"function": {"name": str(name), **rest}} | {"name": str(name), **rest}:
                described = rest.pop("description", "")
                schema = json.dumps(rest.get("parameters", rest), ensure_ascii=False)
                found.append(ToolSpec(name=name, description=str(described), schema=schema))
            case _:
                schema = json.dumps(item, ensure_ascii=False)
                found.append(ToolSpec(name="", description="", schema=schema))
    return tuple(found)


def _numbers(imported: Imported) -> list[int]:
    """Places in the file, from 1, of the messages that became entries."""
    unread = _source(imported).get("unread")
    pairs = unread if isinstance(unread, list) else []
    left_out = [pair[0] for pair in pairs if isinstance(pair, list)]
    return [place + 1 for place in range(imported.n_messages) if place not in left_out]


def _source(imported: Imported) -> dict[str, JsonValue]:
    found: JsonValue = json.loads(imported.source) if imported.source else {}
    return found if isinstance(found, dict) else {}


# ---- what is wrong with it


def transcript_faults(path: tuple[Entry, ...], numbers: list[int]) -> Iterator[str]:
    """Sentences on what a provider would refuse, or a person should know.

    Args:
        numbers: What each entry of `path` is called.
    """
    yield from _pairing_faults(path, numbers)
    for n, entry in zip(numbers, path, strict=False):
        if not any(_says_something(part) for part in entry.parts):
            yield f"Message {n} is empty."
        for call in entry.calls:
            if not _is_json(text_of(call.arguments, {})):
                yield f"Message {n}: the arguments of {call.name!r} are not valid JSON."
    yield from _order_faults(path, numbers)


def _pairing_faults(path: tuple[Entry, ...], numbers: list[int]) -> Iterator[str]:
    """Each call is answered once, directly after its message; each result has its call."""
    asked: int | None = None
    waiting: list[ToolCallPart] = []
    for n, entry in (*zip(numbers, path, strict=False), (0, None)):
        if entry is None or entry.origin is not Origin.TOOL:
            yield from (f"Message {asked}: the call of {call.name!r} has no result." for call in waiting)
            asked, waiting = n, list(entry.calls) if entry else []
            continue
        for result in entry.results:
            call = next((call for call in waiting if call.call_id == result.call_id), None)
            if call:
                waiting.remove(call)
            else:
                yield f"Message {n} is a result without its call."


def _says_something(part: Part) -> bool:
    if isinstance(part, TextPart | ThinkingPart):
        return bool(text_of(part.text, {}).strip())
    return True  # an empty result is a result


def _is_json(text: str) -> bool:
    try:
        json.loads(text or "{}")
    except ValueError:
        return False
    return True


def _order_faults(path: tuple[Entry, ...], numbers: list[int]) -> Iterator[str]:
    said = [(n, entry) for n, entry in zip(numbers, path, strict=False)]
    for origin in (Origin.USER, Origin.ASSISTANT):
        doubled = [n for (_, one), (n, two) in pairwise(said) if one.origin is two.origin is origin]
        if doubled:
            yield (
                f"The {origin.value} speaks twice in a row at {len(doubled)} place(s), first at message {doubled[0]}."
            )
    spoken = [(n, entry.origin) for n, entry in said if entry.origin is not Origin.SYSTEM]
    if spoken and spoken[0][1] is not Origin.USER:
        yield f"The first message that is not the system's, message {spoken[0][0]}, is not the user's."
    begun = next((index for index, (_, entry) in enumerate(said) if entry.origin is not Origin.SYSTEM), 0)
    yield from (
        f"Message {n} is the system's, in the middle of the conversation."
        for n, entry in said[begun:]
        if entry.origin is Origin.SYSTEM
    )
