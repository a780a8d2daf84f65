"""The loss receipt: probes by rule from what would be folded, and where each of them can be had afterwards (C36)."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from app.context.ledger import found_in
from app.context.originals import Originals
from app.context.proposal import Proposal
from app.context.reading import Folded, Item
from app.context.summary.exact_values import ValueKind, values_in, values_of
from app.core.entries import Entry, Origin
from app.core.ids import EntryId
from app.core.parts import Blob, Part, body_of
from app.vault.address import find_addresses, parse

_Item = TypeVar("_Item")
FEWEST, MOST = 20, 60
_ENTRIES_PER_PROBE = 2
_KINDS = tuple(kind for kind in ValueKind if kind is not ValueKind.BAN)


class Probe(BaseModel):
    """Something exact that was said, and where."""

    model_config = ConfigDict(frozen=True)

    kind: str
    text: str
    key: str = ""
    entry_id: EntryId | None = None


class Checked(BaseModel):
    model_config = ConfigDict(frozen=True)

    probe: Probe
    is_direct: bool
    """It stands in the context."""
    address: str = ""
    """Where it can be read, of those that the context names; empty: nowhere but in the transcript."""

    @property
    def is_reachable(self) -> bool:
        return self.is_direct or bool(self.address)


class Receipt(BaseModel):
    """`Compaction.fact_check` is its JSON."""

    model_config = ConfigDict(frozen=True)

    checked: tuple[Checked, ...] = ()

    @property
    def n_direct(self) -> int:
        return sum(item.is_direct for item in self.checked)

    @property
    def n_reachable(self) -> int:
        return sum(item.is_reachable for item in self.checked)

    @property
    def total(self) -> int:
        return len(self.checked)


def probes_of(entries: Sequence[Entry]) -> tuple[Probe, ...]:
    """20 to 60 probes, as the run's length asks for and its values allow: spread over the run, every kind in turn."""
    most = max(FEWEST, min(MOST, len(entries) // _ENTRIES_PER_PROBE))
    laid_down = [
        Probe(kind=line.kind.value, text=line.text, entry_id=line.entry_id)
        for entry in entries
        if entry.origin is Origin.USER
        for line in found_in(entry)
    ]
    found = _spread(laid_down, most // 4)
    values = values_of(entries)
    by_kind = {kind: [value for value in values if value.kind is kind] for kind in _KINDS}
    filled = [kind for kind in _KINDS if by_kind[kind]]
    room = most - len(found)
    for at, kind in enumerate(sorted(filled, key=lambda kind: len(by_kind[kind]))):
        share = room // (len(filled) - at)
        chosen = _spread(by_kind[kind], share)
        room -= len(chosen)
        found.extend(
            Probe(kind=kind.name.lower(), text=value.text, key=value.key, entry_id=value.entry_id)
            for value in chosen
        )
    order = {entry.id: at for at, entry in enumerate(entries)}
    return tuple(sorted(found, key=lambda probe: order[probe.entry_id] if probe.entry_id else -1))


def _spread(items: Sequence[_Item], n: int) -> list[_Item]:
    """`n` of them at even distances."""
    if len(items) <= n:
        return list(items)
    return [items[at * len(items) // n] for at in range(n)] if n else []


def check(probes: Iterable[Probe], context: str, open_address: Callable[[str], str]) -> Receipt:
    """Where each probe can be had.

    Args:
        context: What the model would see, as text.
        open_address: The text behind an address; empty for one that names nothing.
    """
    told = {value.text for value in values_in(context)}
    texts: dict[str, str] = {}
    checked: list[Checked] = []
    for probe in probes:
        if probe.text in told or probe.text in context:
            checked.append(Checked(probe=probe, is_direct=True))
            continue
        if not texts:
            names = dict.fromkeys(str(found).rstrip("/") for found in find_addresses(context))
            texts = {name: open_address(name) for name in names}
        where = next((address for address, text in texts.items() if probe.text in text), "")
        checked.append(Checked(probe=probe, is_direct=False, address=where))
    return Receipt(checked=tuple(checked))


def receipt_of(made: Proposal, text_of: Callable[[Blob | str], str]) -> Receipt:
    """Where what `made` would fold can be had afterwards.

    Args:
        text_of: A text as it is, and the text of a blob; empty for one that holds none.
    """
    path = made.path
    at = {entry.id: index for index, entry in enumerate(path)}
    covered = {index for fold in made.proposed for index in range(at[fold.first], at[fold.last] + 1)}
    originals = Originals(
        {entry.id: entry for entry in path},
        lambda head: path[: at[head] + 1] if head in at else (),
        made.folds,
        made.deletions,
    )

    def open_address(name: str) -> str:
        wanted = parse(name)
        found = originals.find(wanted) if wanted else None
        return text_of(found) if found else ""

    return check(probes_of([path[index] for index in sorted(covered)]), seen(made.items), open_address)


def seen(items: Iterable[Item]) -> str:
    """A reading as one text: what the model sees of it."""
    bodies = (body_of(part) for item in items for part in _parts(item))
    return "\n".join(body for body in bodies if isinstance(body, str))


def _parts(item: Item) -> Iterable[Part]:
    if isinstance(item, Folded):
        return item.fold.replacement
    return (part for parts in item.parts for part in parts)
