"""The door: a text of any kind to at most so many tokens, with what failed, counts and what is asked for kept.

The order: the person's rules; formats that leave no doubt; rules for commands; formats that are likely; else the
lines that say most. Whatever is left out is named by its lines, and the whole stays where its address leads (M6).
"""

from dataclasses import dataclass

from app.filters.extract import extract
from app.filters.filtered import Count, Filtered, Focus, Hint, Reduction
from app.filters.guard import guarded
from app.filters.rules import Rules
from app.filters.selection import Lines
from app.filters.structural.detect import EXACT, LIKELY, read_as
from app.filters.structural.envelope import unwrapped
from app.filters.tells import failures
from app.tokens.estimate import estimate

GUARD_CHARS = 100_000
"""Longer texts that have no structure show their beginning and end besides (C24)."""
_CHARS_PER_TOKEN = 3.5
_MOST_CHARS_PER_TOKEN = 12
_TRIES = 4


def filter_text(
    text: str,
    *,
    limit_tokens: int,
    count: Count,
    rules: Rules,
    hint: Hint = Hint(),  # noqa: B008  # a frozen value
    focus: Focus = Focus(),  # noqa: B008
) -> Filtered:
    """`text` whole where it fits, else what says most of it; never longer than it, and the same each time."""
    if _fits(text, limit_tokens, count):
        return Filtered(text=text, kind="whole", why="It fits as it is.")
    head, body, tail, before = unwrapped(text)
    frame = _Frame(head=head, tail=tail)
    plain, screen = Lines(body, is_screen=False, before=before), Lines(body, before=before)
    reduction, faults = _read(plain, screen, hint, focus, rules)
    kind, found = reduction.kind, _fitted(frame, reduction, limit_tokens, count)
    if found is None or len(found) >= len(text):
        kind = "guard"
        structure = reduction.write(int(limit_tokens * _CHARS_PER_TOKEN))
        found = guarded(text, limit_tokens=limit_tokens, count=count, structure=structure)
    if len(found) >= len(text):
        return Filtered(text=text, kind="whole", why="Nothing shorter says as much.")
    return Filtered(text=found, kind=kind, why=" ".join((reduction.why, *faults)), ranges=reduction.ranges)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """What stands around a body and stays."""

    head: str
    tail: str

    def around(self, body: str) -> str:
        return "\n".join(part for part in (self.head, body, self.tail) if part.strip())


def _fits(text: str, limit_tokens: int, count: Count) -> bool:
    if len(text) > limit_tokens * _MOST_CHARS_PER_TOKEN:
        return False  # counting megabytes would take longer than filtering them
    return count(text) <= limit_tokens


def _read(
    plain: Lines, screen: Lines, hint: Hint, focus: Focus, rules: Rules
) -> tuple[Reduction, tuple[str, ...]]:
    found, faults = rules.own(screen, hint, focus)
    found = (
        found
        or read_as(EXACT, plain, focus)
        or rules.shipped(screen, hint, focus)
        or read_as(LIKELY, screen, focus)
        or _extracted(screen, focus)
    )
    return found, (*rules.faults, *faults)


def _extracted(lines: Lines, focus: Focus) -> Reduction:
    text = lines.joined

    def write(limit_chars: int) -> str:
        found = extract(text, limit_chars, terms=focus.words)
        if len(text) <= GUARD_CHARS:
            return found
        return guarded(text, limit_tokens=limit_chars, count=len, structure=found)

    return Reduction(
        kind="extract",
        why="The lines that say most: figures, failures, and what the question names.",
        write=write,
        ranges=(
            *lines.ranges("failures", failures(lines)),
            *lines.ranges("lines that match", lines.having(focus.words)),
        ),
    )


def _fitted(frame: _Frame, reduction: Reduction, limit_tokens: int, count: Count) -> str | None:
    """None: it can't be written within the limit."""
    room = int(limit_tokens * _CHARS_PER_TOKEN)
    around = len(frame.head) + len(frame.tail)
    if around > room // 2:
        frame, around = _Frame(head=frame.head[: room // 4], tail=frame.tail[: room // 8]), room // 2
    for _ in range(_TRIES):
        found = frame.around(reduction.write(max(0, room - around)))
        tokens = count(found)
        if tokens <= limit_tokens:
            return found
        room = int(min(room, len(found)) * limit_tokens / tokens * 0.95)
    return None


class InPlaceFilters:
    """`context.ports.Filters` in this process, for a command that has no window: estimated counts, own rules only."""

    async def filter(
        self, text: str, *, limit_tokens: int, tokenizer: str, hint: Hint, focus: Focus
    ) -> Filtered:
        return filter_text(
            text, limit_tokens=limit_tokens, count=estimate, rules=Rules(), hint=hint, focus=focus
        )
