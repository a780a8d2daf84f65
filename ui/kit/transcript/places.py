"""Places in an item, and what of a piece lies between two of them."""

from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QRectF

from ui.kit.transcript.piece import Zone


class Place(NamedTuple):
    """A place in an item: block, piece in the block, character in the piece. Places compare in reading order."""

    slot: int
    piece: int
    char: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A zone of an item: where its piece is, and its rectangle in the item's coordinates."""

    slot: int
    piece: int
    zone: Zone
    rect: QRectF


def part_between(
    selected: tuple[Place, Place] | None, slot: int, number: int, end: int
) -> tuple[int, int] | None:
    """The characters of one piece that lie between two places."""
    if selected is None or slot < 0 or not (selected[0][:2] <= (slot, number) <= selected[1][:2]):
        return None
    first = selected[0].char if selected[0][:2] == (slot, number) else 0
    last = selected[1].char if selected[1][:2] == (slot, number) else end
    return (first, last) if first <= last else None


def zone_in(spot: Spot | None, slot: int, number: int) -> Zone | None:
    return spot.zone if spot is not None and (spot.slot, spot.piece) == (slot, number) else None


def hit_in(hit: tuple[Place, int] | None, slot: int, number: int) -> tuple[int, int] | None:
    return (hit[0].char, hit[1]) if hit is not None and hit[0][:2] == (slot, number) else None
