"""Tool results that came again later: the same output, or the same thing read once more. The newest stays."""

from collections.abc import Iterator
from dataclasses import replace

from app.context.cover import Cover
from app.context.facts import TurnFacts
from app.context.originals import part_address
from app.context.ports import NewFold
from app.context.proposal import Proposal, whole_parts
from app.context.reading import Item, Shown
from app.context.step import part_fold
from app.core.entries import Entry
from app.core.folds import FoldKind
from app.core.parts import Blob, Part, ToolCallPart, ToolResultPart

_SAME_FROM_CHARS = 200
_READS = ("read", "view", "cat", "open", "get", "fetch", "list", "ls", "search", "grep", "find")


def superseded(
    context: Proposal, cover: Cover, turn: TurnFacts, *, over: float = float("inf"), before: int | None = None
) -> Iterator[NewFold]:
    """A fold for each result that stands again later, oldest first, until they free `over` tokens.

    Args:
        before: Only items of the context before this index; None: all.
    """
    newest = dict(_keys(context))
    for at, item in enumerate(context.items[:before]):
        if cover.rank(at) is None or not isinstance(item, Shown):
            continue
        for entry, index, part in whole_parts(item):
            if over <= 0:
                return
            text = _told_again(item, entry, part, newest)
            if text is None or not isinstance(part, ToolResultPart):
                continue
            new = replace(part, text=text)
            saved = turn.tokens(part) - turn.tokens(new)
            if saved > 0:
                over -= saved
                yield part_fold(context, turn, FoldKind.MERGED, entry, index, new)


def _told_again(item: Shown, entry: Entry, part: Part, newest: dict[object, str]) -> str | None:
    """What stands for a result whose output, or whose call, came again; the later one may be cut too."""
    if not isinstance(part, ToolResultPart) or isinstance(part.text, Blob) or part.is_error:
        return None
    if len(part.text) >= _SAME_FROM_CHARS and newest[part.text] != entry.id:
        return f"[The same output came again later. {part_address(part)}]"
    call = _call_of(item, part)
    if call and newest.get(_read_key(call), entry.id) != entry.id:
        return f"[{call.name} was called with the same arguments again later. {part_address(part)}]"
    return None


def _keys(context: Proposal) -> Iterator[tuple[object, str]]:
    for item in context.items:
        if isinstance(item, Shown):
            for entry in item.entries:
                for part in entry.parts:
                    if not isinstance(part, ToolResultPart):
                        continue
                    yield part.text, entry.id
                    if (call := _call_of(item, part)) and not part.is_error:
                        yield _read_key(call), entry.id


def _call_of(item: Item, part: ToolResultPart) -> ToolCallPart | None:
    calls = item.entries[0].calls if isinstance(item, Shown) else ()
    return next((call for call in calls if call.call_id == part.call_id), None)


def _read_key(call: ToolCallPart) -> object:
    is_read = any(word in call.name.lower() for word in _READS)
    return ("call", call.name, call.arguments) if is_read else ("call", id(call))
