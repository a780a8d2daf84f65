"""What was pasted whole: a value that the composer shows as a chip (U14)."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.core.parts import clean_text, pieces_of
from app.tokens.estimate import sampled

LONGEST_TYPED = 4_000
"""Characters; a longer paste becomes a chip."""
LONGEST_UNFOLDED = 64 * 1024
"""Characters that may stand in the composer as text: Qt lays out all of them at each change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paste:
    text: str
    n_lines: int
    n_tokens: int
    """About so many."""


def lines_in(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))


def paste_of(text: str) -> Paste:
    """`text` as it came from the clipboard."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = clean_text(text)
    return Paste(text=text, n_lines=lines_in(text), n_tokens=sampled(text))


def folded(text: str, known: Mapping[str, Paste]) -> tuple[str | Paste, ...]:
    """`text` in pieces, to be joined with blank lines: what is known as a paste, or too long to stand as text, as such."""
    return tuple(
        known[piece] if is_paste else paste_of(piece) if len(piece) > LONGEST_UNFOLDED else piece
        for piece, is_paste in pieces_of(text, known)
        if piece
    )


def parted(text: str, known: Mapping[str, Paste]) -> tuple[str, int]:
    """What of `text` was typed, and about how many tokens the rest has."""
    pieces = tuple(pieces_of(text, known))
    typed = "\n\n".join(piece for piece, is_paste in pieces if not is_paste)
    return typed, sum(known[piece].n_tokens for piece, is_paste in pieces if is_paste)
