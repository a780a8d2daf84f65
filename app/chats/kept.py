"""What was done with a transcript, in our own JSON: folds by their compaction, pins, the ledger (U21).

Only what stands is written: what was undone is over. Addresses in a fold are hashes of what it hides, so they hold in
another chat as they did in this one.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from app.chats.faults import Fault, FaultKind
from app.chats.messages import JsonObject, cleaned
from app.context.ports import ChatContents, NewFold
from app.core.folds import FoldKind
from app.core.ids import ChatId, CompactionId, EntryId, ModelId, new_id
from app.core.ledger import LedgerItem, LedgerKind
from app.core.parts import Part
from app.core.records import Compaction, StepReport

T = TypeVar("T")

_STEPS = TypeAdapter(tuple[StepReport, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A compaction with its folds; the store gives both their numbers, and the chat's id is put in there."""

    compaction: Compaction
    folds: tuple[NewFold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """As it was read, before it is stored."""

    batches: tuple[Batch, ...] = ()
    pins: tuple[EntryId, ...] = ()
    ledger: tuple[LedgerItem, ...] = ()
    """`superseded_rev` tells only whether; `rev` is 0."""


class _Fold(BaseModel):
    kind: FoldKind
    first: int
    last: int
    """Places of entries, as `anchor`."""
    anchor: int
    part: int | None = None
    replacement: list[dict[str, JsonValue]] = []


class _Batch(BaseModel):
    trigger: str
    reason: str
    tokens_before: int
    tokens_after: int
    elapsed_ms: float = 0.0
    created_at: datetime
    steps: list[dict[str, JsonValue]] = []
    model: ModelId | None = None
    cost_usd: float | None = None
    intent: str = ""
    summary: str = ""
    fact_check: str = ""
    folds: list[_Fold]


class _Line(BaseModel):
    kind: LedgerKind
    text: str
    entry: int | None = None
    is_superseded: bool = False
    is_manual: bool = False


def write(
    contents: ChatContents,
    *,
    place: Mapping[EntryId, int],
    write_part: Callable[[Part], JsonObject],
) -> JsonObject:
    """
    Args:
        place: Of each entry that is written; what hangs on another is left out.
    """
    batches = [_batch(each, contents, place, write_part) for each in contents.compactions]
    pins = [place[pin.entry_id] for pin in contents.pins if pin.undone_rev is None and pin.entry_id in place]
    lines = [
        _Line(
            kind=line.kind,
            text=line.text,
            entry=place.get(line.entry_id) if line.entry_id else None,
            is_superseded=line.superseded_rev is not None,
            is_manual=line.is_manual,
        ).model_dump(mode="json", exclude_defaults=True)
        for line in contents.ledger
        if line.entry_id is None or line.entry_id in place
    ]
    written: JsonObject = {
        "compactions": [each for each in batches if each],
        "pins": [*pins],
        "ledger": [*lines],
    }
    return {name: value for name, value in written.items() if value}


def _batch(
    made: Compaction,
    contents: ChatContents,
    here: Mapping[EntryId, int],
    write_part: Callable[[Part], JsonObject],
) -> JsonObject:
    """Empty: none of its folds stands."""
    folds = [
        _Fold(
            kind=fold.kind,
            first=here[fold.first],
            last=here[fold.last],
            anchor=here[fold.anchor],
            part=fold.part,
            replacement=[write_part(part) for part in fold.replacement],
        )
        for fold in contents.folds
        if fold.compaction_id == made.id
        and fold.undone_rev is None
        and {fold.first, fold.last, fold.anchor} <= here.keys()
    ]
    if not folds:
        return {}
    fields = {name: getattr(made, name) for name in _Batch.model_fields if name not in ("steps", "folds")}
    steps = [asdict(step) for step in made.steps]
    return _Batch(**fields, steps=steps, folds=folds).model_dump(mode="json", exclude_defaults=True)


def read(
    raw: JsonObject,
    *,
    ids: Mapping[int, EntryId],
    read_part: Callable[[JsonObject], Part],
    faults: list[Fault],
) -> Kept:
    """What can't be read is left out and told; then the model sees again what that hid.

    Args:
        ids: Entries by their place in the list.
    """
    batches = _each(raw.get("compactions"), lambda item: _read_batch(item, ids, read_part), faults)
    lines = _each(raw.get("ledger"), lambda item: _read_line(item, ids), faults)
    pins = _each(raw.get("pins"), lambda item: ids[TypeAdapter(int).validate_python(item)], faults)
    return Kept(batches=batches, pins=pins, ledger=lines)


def _each(raw: JsonValue, read: Callable[[JsonValue], T], faults: list[Fault]) -> tuple[T, ...]:
    found: list[T] = []
    for n, item in enumerate(raw if isinstance(raw, list) else (), start=1):
        try:
            found.append(read(item))
        except (ValidationError, ValueError, LookupError):
            faults.append(Fault(kind=FaultKind.NOT_A_MESSAGE, n=n))
    return tuple(found)


def _read_batch(
    item: JsonValue, ids: Mapping[int, EntryId], read_part: Callable[[JsonObject], Part]
) -> Batch:
    held = _Batch.model_validate(cleaned(item) if isinstance(item, dict) else item)
    compaction_id = CompactionId(new_id("c"))
    folds = tuple(
        NewFold(
            compaction_id=compaction_id,
            kind=fold.kind,
            first=ids[fold.first],
            last=ids[fold.last],
            anchor=ids[fold.anchor],
            part=fold.part,
            replacement=tuple(map(read_part, fold.replacement)),
        )
        for fold in held.folds
    )
    fields = {name: getattr(held, name) for name in _Batch.model_fields if name not in ("steps", "folds")}
    made = Compaction(
        id=compaction_id,
        chat_id=ChatId(""),
        rev=0,
        steps=_STEPS.validate_python(held.steps),
        **fields,
    )
    return Batch(compaction=made, folds=folds)


def _read_line(item: JsonValue, ids: Mapping[int, EntryId]) -> LedgerItem:
    line = _Line.model_validate(cleaned(item) if isinstance(item, dict) else item)
    return LedgerItem(
        id=new_id("l"),
        kind=line.kind,
        text=line.text,
        entry_id=None if line.entry is None else ids[line.entry],
        rev=0,
        superseded_rev=0 if line.is_superseded else None,
        is_manual=line.is_manual,
    )
