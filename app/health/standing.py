"""What stands folded in a chat: each fold that decides something, with what it hides and what it shows, in tokens."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.context.budget import Count
from app.core.entries import Entry
from app.core.folds import Fold
from app.core.ids import EntryId
from app.core.parts import Blob, Part, ToolCallPart, body_of
from app.vault.address import find_addresses

CountOf = Callable[[Part], Count]
"""Of a part, as the chat's model reads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A fold that nobody undid and no later one covers."""

    fold: Fold
    hidden_tokens: int
    shown_tokens: int
    n_bytes: int
    """Of what it hides, as UTF-8; media are none."""
    address: str = ""
    """The beginning of the first hash that it names; empty: none."""
    n_calls: int = 0
    """Calls that a run hides together with all of their results."""

    @property
    def saved_tokens(self) -> int:
        return self.hidden_tokens - self.shown_tokens


class StandingFolds:
    """Those of one chat. What was summed up over exact counts is not summed up again."""

    def __init__(self, path: Sequence[Entry], place: Mapping[EntryId, int], folds: Sequence[Fold]) -> None:
        self._path, self._place = path, place
        self._folds = tuple(_deciding(folds, place))
        self._known: dict[int, Standing] = {}

    def read(self, count: CountOf) -> tuple[Standing, ...]:
        """In the order in which they were made."""
        return tuple(self._known.get(fold.rev) or self._read(fold, count) for fold in self._folds)

    def _read(self, fold: Fold, count: CountOf) -> Standing:
        entries = self._path[self._place[fold.first] : self._place[fold.last] + 1]
        hidden = (
            [part for entry in entries for part in entry.parts]
            if fold.part is None
            else list(entries[0].parts[fold.part : fold.part + 1])
        )
        counts, shown = [count(part) for part in hidden], [count(part) for part in fold.replacement]
        found = Standing(
            fold=fold,
            hidden_tokens=sum(item.tokens for item in counts),
            shown_tokens=sum(item.tokens for item in shown),
            n_bytes=sum(map(n_bytes, hidden)),
            address=next(_named(fold.replacement), ""),
            n_calls=sum(isinstance(part, ToolCallPart) for part in hidden) if fold.part is None else 0,
        )
        if all(item.is_exact for item in (*counts, *shown)):
            self._known[fold.rev] = found
        return found


def n_bytes(part: Part) -> int:
    body = body_of(part)
    return body.n_bytes if isinstance(body, Blob) else len(body.encode(errors="surrogatepass"))


def _deciding(folds: Sequence[Fold], place: Mapping[EntryId, int]) -> Iterator[Fold]:
    """Standing folds on this path that no newer run covers whole; put back is one of them."""
    here = [
        fold
        for fold in folds
        if fold.undone_rev is None and {fold.first, fold.last, fold.anchor} <= place.keys()
    ]
    runs = [(place[fold.first], place[fold.last], fold.rev) for fold in here if fold.part is None]
    parts = {(fold.first, fold.part): fold.rev for fold in here if fold.part is not None}
    for fold in here:
        first, last = place[fold.first], place[fold.last]
        is_covered = any(low <= first and last <= high and rev > fold.rev for low, high, rev in runs)
        is_replaced = fold.part is not None and parts[fold.first, fold.part] > fold.rev
        if not is_covered and not is_replaced:
            yield fold


def _named(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        body = body_of(part)
        if isinstance(body, str):
            yield from (found.hash for found in find_addresses(body))
