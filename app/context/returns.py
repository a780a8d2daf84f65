"""What rewriting an expired cache brought, read off what is stored: what the model had to read again (S4).

Where that was much, the next one waits until the window is fuller, and until three in a row were worth it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from app.context.facts import Trigger
from app.core.entries import Entry
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId, EntryId
from app.core.parts import Part, ToolCallPart, ToolResultPart, body_of
from app.core.records import Compaction
from app.vault.address import Address, find_addresses

PRUNING = "cache-TTL prune"
"""S4's name in the report of a compaction."""
LATER_BY = 0.10
"""Of the window."""
_SAMPLES, _GOOD = 6, 3
_MOST_READ = 0.5
"""Of what was saved: what is read again stays from then on, and reading it took a request."""


def backed_off(
    path: Sequence[Entry],
    folds: Sequence[Fold],
    compactions: Iterable[Compaction],
    tokens: Callable[[Part], int],
) -> float:
    """What is added to the share from which an expired cache is a reason to rewrite: 0, or `LATER_BY`.

    Args:
        compactions: Of the chat, oldest first, without undone ones.
    """
    made = prunings(compactions)
    return LATER_BY if did_not_pay(made, readings(path, folds, made, tokens)) else 0.0


def prunings(compactions: Iterable[Compaction]) -> list[Compaction]:
    """Those that were made by themselves while the cache had expired."""
    return [item for item in compactions if _is_pruning(item)]


def did_not_pay(made: Sequence[Compaction], readings: Iterable["ReadAgain"]) -> bool:
    """Whether so much was read again lately that the next one waits. Args: `made`: as `prunings`, oldest first."""
    saved = [max(item.tokens_before - item.tokens_after, 0) for item in made]
    read = [0] * len(made)
    for item in readings:
        read[item.made] += item.tokens
    is_off = False
    for n in range(1, len(made) + 1):
        last = range(max(0, n - _SAMPLES), n)
        if n >= _GOOD and all(_paid(read[at], saved[at]) for at in range(n - _GOOD, n)):
            is_off = False
        elif not _paid(sum(read[at] for at in last), sum(saved[at] for at in last)):
            is_off = True
    return is_off


def _is_pruning(made: Compaction) -> bool:
    """Made by itself while the cache had expired: only then does S4 look at anything."""
    by_itself = made.trigger in (Trigger.SEND, Trigger.IDLE)
    return by_itself and any(step.step == PRUNING and step.candidates for step in made.steps)


def _paid(read: int, saved: int) -> bool:
    return read <= _MOST_READ * saved


class ReadAgain(NamedTuple):
    """A later result that brought back what a compaction had hidden."""

    made: int
    """Index of the compaction; of several the newest that hid it."""
    what: object
    """The same for the same thing: a text, or the beginning of an address's hash."""
    tokens: int


def readings(
    path: Sequence[Entry], folds: Sequence[Fold], made: Sequence[Compaction], tokens: Callable[[Part], int]
) -> list[ReadAgain]:
    """In the order of the path. Args: `made`: oldest first."""
    found = Readings(folds, made)
    found.take(path)
    return [ReadAgain(at, what, tokens(part)) for at, what, part in found.found]


class Readings:
    """What of a chat's results brought back what was hidden; grows with the path, entry by entry.

    Args:
        made: Oldest first.
    """

    def __init__(self, folds: Sequence[Fold], made: Sequence[Compaction]) -> None:
        self.found: list[tuple[int, object, ToolResultPart]] = []
        """As of `ReadAgain`, the result itself instead of its tokens."""
        self._folds, self._made = folds, made
        self._path: list[Entry] = []
        self._place: dict[EntryId, int] = {}
        self._left = sorted(range(len(made)), key=lambda at: made[at].rev)
        self._hidden: dict[object, int] = {}
        self._asked: dict[str, object] = {}

    def take(self, entries: Iterable[Entry]) -> None:
        """The next entries of the path."""
        for entry in entries:
            while self._left and self._made[self._left[0]].rev < entry.rev:
                at = self._left.pop(0)
                hidden = _hidden(self._path, self._place, self._folds, self._made[at].id)
                self._hidden.update((key, at) for key in hidden)
            self._place[entry.id] = len(self._path)
            self._path.append(entry)
            if self._hidden:
                self._look(entry)

    def _look(self, entry: Entry) -> None:
        for part in entry.parts:
            if isinstance(part, ToolCallPart):
                named = (where.hash for where in _addresses(part) if where.hash in self._hidden)
                self._asked[part.call_id] = next(named, None)
            elif isinstance(part, ToolResultPart):
                what = self._asked.pop(part.call_id, None) or part.text
                if what in self._hidden:
                    self.found.append((self._hidden[what], what, part))


def _hidden(
    path: Sequence[Entry], place: Mapping[EntryId, int], folds: Sequence[Fold], made: CompactionId
) -> Iterator[object]:
    """What its folds hid: texts of results that stand nowhere else, and beginnings of hashes that lead to them."""
    for fold in folds:
        if fold.compaction_id != made or fold.first not in place or fold.last not in place:
            continue
        for part in fold.replacement:
            yield from (found.hash for found in _addresses(part))
        if fold.kind is FoldKind.MERGED:  # it came again, and stands there
            continue
        for entry in path[place[fold.first] : place[fold.last] + 1]:
            for at, part in enumerate(entry.parts):
                if isinstance(part, ToolResultPart) and fold.part in (None, at):
                    yield part.text


def _addresses(part: Part) -> tuple[Address, ...]:
    body = body_of(part)
    return find_addresses(body) if isinstance(body, str) else ()
