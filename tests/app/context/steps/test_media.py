"""S2: which pictures stay and which become a line."""

from collections.abc import Sequence

from app.context.originals import part_address
from app.context.steps.media import window_media
from app.core.entries import Entry, Origin
from app.core.folds import FoldKind
from app.core.parts import Blob, MediaPart, TextPart
from tests.app.context.histories import path_of
from tests.app.context.steps.compressing import NO_PORTS, Turn, proposal


def _picture(number: int) -> MediaPart:
    blob = Blob(sha256=f"{number:064x}", n_bytes=9, mime="image/png", name=f"p{number}.png")
    return MediaPart(source=blob, mime="image/png", width_px=640, height_px=480)


def _shown(*n_pictures: int) -> tuple[Entry, ...]:
    """A chat in which the person shows so many pictures at a time; each is answered, but for the last."""
    numbers = iter(range(1, sum(n_pictures) + 1))
    said = (
        (
            (Origin.USER, (TextPart(text="Look."), *(_picture(next(numbers)) for _ in range(n)))),
            (Origin.ASSISTANT, (TextPart(text="I see."),)),
        )
        for n in n_pictures
    )
    return path_of([turn for pair in said for turn in pair][:-1])


async def _lines(path: Sequence[Entry], turn: Turn) -> list[str]:
    """What stands for the pictures that left."""
    found = await window_media(messages=2)(proposal(path), turn.facts(path), NO_PORTS)
    assert all(fold.kind is FoldKind.VAULTED for fold in found.folds)
    return [str(part.text) for fold in found.folds for part in fold.replacement if isinstance(part, TextPart)]


def _line(number: int) -> str:
    return f"[image: p{number}.png, 640x480, {part_address(_picture(number))}]"


async def test_the_newest_two_messages_with_pictures_keep_theirs_and_the_one_being_answered_all() -> None:
    """It is one of the two: three pictures filled a small window, and nothing of what was done was left in it."""
    path = _shown(1, 1, 1, 1, 9)

    assert await _lines(path, Turn(target=10, answering=path[-1].id)) == [_line(1), _line(2), _line(3)]


async def test_at_most_eight_pictures_stay_beside_those_being_answered() -> None:
    path = _shown(1, 11, 9)

    assert await _lines(path, Turn(target=10, answering=path[-1].id)) == [_line(n) for n in range(1, 5)]


async def test_no_picture_leaves_what_is_sealed_or_pinned_or_while_nothing_is_rewritten() -> None:
    path = _shown(1, 1, 1, 1)

    assert await _lines(path, Turn(target=10)) == [_line(1), _line(2)]
    assert await _lines(path, Turn(target=10, n_sealed=1)) == [_line(2)]
    assert await _lines(path, Turn(target=10, pins=frozenset({path[2].id}))) == [_line(1)]
    assert await _lines(path, Turn(target=0)) == []
