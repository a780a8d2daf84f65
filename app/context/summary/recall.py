"""What of a run touches the present question, before the run goes: at most five facts, word for word (S5)."""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from app.core.entries import Entry, Origin
from app.core.parts import Blob, ToolCallPart, body_of
from app.filters.telling import units_of, words_of

MOST_FACTS, MOST_TOKENS = 5, 1_500
_LOOKED_AT = 20_000
_SHORTEST, _LONGEST = 12, 400
_PLAIN = re.compile(r"[a-z]{1,3}")


def recall(
    entries: Iterable[Entry], query: str, *, room_tokens: float, tokens: Callable[[str], float]
) -> tuple[str, ...]:
    """The facts, oldest first; a line counts by the rare words that it shares with the query."""
    wanted = {word.lower() for word in words_of(query) if not _PLAIN.fullmatch(word.lower())}
    if not wanted:
        return ()
    found: dict[str, set[str]] = {}
    counts: Counter[str] = Counter()
    for entry in entries:
        for part in entry.parts:
            body = body_of(part)
            if isinstance(body, Blob) or isinstance(part, ToolCallPart):
                continue
            lead = "User: " if entry.origin is Origin.USER else ""
            for line in units_of(body[:_LOOKED_AT]):
                shared = {word.lower() for word in words_of(line)} & wanted
                counts.update(shared)
                if shared and _SHORTEST <= len(line) <= _LONGEST:
                    found.setdefault(f"{lead}{line.strip()}", shared)
    worth = {line: sum(1 / counts[word] ** 0.5 for word in shared) for line, shared in found.items()}
    room = min(room_tokens, MOST_TOKENS)
    kept: set[str] = set()
    for line in sorted(worth, key=lambda line: (-worth[line], len(line), line))[: 4 * MOST_FACTS]:
        cost = tokens(line) + 2
        if cost <= room and len(kept) < MOST_FACTS:
            kept.add(line)
            room -= cost
    return tuple(line for line in found if line in kept)
