"""Where a text lies, and how what a person says is cut into parts (M6)."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.parts import INLINE_BYTES, Blob, MediaPart, TextPart, long_bytes, said_parts, stand_in


def _repeated(piece: str, n: int) -> str:
    return piece * n


_PIECES = st.sampled_from(["a line\n", "两行\n", "🙂", " ", "\n", "x" * 999])
_PARAGRAPHS = st.lists(st.builds(_repeated, _PIECES, st.integers(0, 400)), max_size=8)


@given(_PARAGRAPHS, st.integers(0, 2))
@example(["Look at this:", "x" * 70_000, "Never use tabs."], 0)
@example(["x" * 70_000], 0)
def test_the_parts_of_what_a_person_says_are_the_text_joined_with_blank_lines(
    paragraphs: list[str], n_more: int
) -> None:
    text = "\n\n".join(paragraphs) + "\n" * n_more

    parts = words(text, [])

    pieces = [part.text for part in parts]
    assert "\n\n".join(str(piece) for piece in pieces) == text
    assert len(parts) == 1 or all(str(piece).strip() for piece in pieces)


def words(text: str, pastes: list[str]) -> tuple[TextPart, ...]:
    return tuple(part for part in said_parts(text, pastes) if isinstance(part, TextPart))


def test_a_file_is_a_part_where_what_stands_for_it_does_and_nowhere_else() -> None:
    """U14."""
    blob = Blob(sha256="a" * 64, n_bytes=9, mime="image/png", name="a shot.png")
    shot = MediaPart(source=blob, mime="image/png", width_px=3, height_px=3)
    sign = stand_in(shot)

    parts = said_parts(f"Look:\n\n{sign}\n\nat {sign}", media=(shot,))

    assert parts == (TextPart(text="Look:"), shot, TextPart(text=f"at {sign}"))


def test_what_is_said_around_a_paste_is_a_part_of_its_own() -> None:
    paste = "x" * 70_000

    parts = words(f"Look at this:\n\n{paste}\n\nNever use tabs.\n\nThanks.", [])

    assert [part.text for part in parts] == ["Look at this:", paste, "Never use tabs.\n\nThanks."]


@given(_PARAGRAPHS, st.lists(_PARAGRAPHS.map("\n\n".join).filter(str.strip), max_size=3))
@example(["Look:", "A", "and", "B"], ["B", "A"])
@example(["AA", "A"], ["A"])
def test_what_was_pasted_is_a_part_of_its_own_wherever_it_stands(
    paragraphs: list[str], pastes: list[str]
) -> None:
    """U14."""
    text = "\n\n".join([*paragraphs[:1], *pastes, *paragraphs[1:]])

    parts = words(text, pastes)

    assert "\n\n".join(str(part.text) for part in parts) == text
    assert {part.text for part in parts if part.is_paste} <= set(pastes)
    if all(piece.strip() for piece in paragraphs[:2]):
        assert not pastes or any(part.is_paste for part in parts)


def test_a_text_that_repeats_itself_is_gone_through_once_for_a_paste() -> None:
    """U14, Q23: each place was tried, which took minutes for a megabyte; now some milliseconds."""
    text, paste = f"Look:\n\n{'x' * 800_000}", "x" * 400_000
    began_s = time.process_time()

    parts = words(text, [paste])

    assert time.process_time() - began_s < 2
    assert not any(part.is_paste for part in parts)


def test_pastes_are_found_in_the_order_of_the_text() -> None:
    parts = said_parts("Look:\n\nA\n\nand\n\nB", ["B", "A"])

    assert parts == (
        TextPart(text="Look:"),
        TextPart(text="A", is_paste=True),
        TextPart(text="and"),
        TextPart(text="B", is_paste=True),
    )


def test_a_short_message_is_one_part_however_many_paragraphs_it_has() -> None:
    text = "one\n\ntwo\n\nthree"

    assert said_parts(text) == (TextPart(text=text),)


@pytest.mark.parametrize("character", ["x", "字", "🙂"])
def test_a_text_is_long_by_its_bytes_from_one_over_the_limit_on(character: str) -> None:
    n, rest = divmod(INLINE_BYTES, len(character.encode()))
    text = character * n + "x" * rest

    assert long_bytes(text) is None
    assert long_bytes(f"{text}x") == f"{text}x".encode()


def test_half_an_emoji_in_a_long_text_is_replaced_not_refused() -> None:
    """Case B76."""
    assert long_bytes("\ud83d" + "x" * INLINE_BYTES) == ("\ufffd" + "x" * INLINE_BYTES).encode()
