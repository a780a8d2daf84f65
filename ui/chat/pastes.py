"""What was put into a message whole: a value that the composer shows as a chip (U14)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.core.parts import Blob, MediaPart, TextPart, clean_text, pieces_of, stand_in
from app.tokens.estimate import sampled

LONGEST_TYPED = 4_000
"""Characters; a longer paste becomes a chip."""
LONGEST_UNFOLDED = 64 * 1024
"""Characters that may stand in the composer as text: Qt lays out all of them at each change."""

_STAND_IN = re.compile(r"vault://[0-9a-f]{64}/(\S[^\n]*)")
_FILE = re.compile(r"File: ([^\n]{1,200})\n\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paste:
    """A long text, the text of a file, or a file that is none: then `text` is what stands for it (`stand_in`)."""

    text: str
    n_lines: int
    n_tokens: int
    """About so many; 0: not known."""
    name: str = ""
    """Of the file; empty: it comes from the clipboard."""
    media: MediaPart | None = None


def lines_in(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))


def paste_of(text: str) -> Paste:
    """`text` as it came from the clipboard."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = clean_text(text)
    file = _FILE.match(text)
    return Paste(text=text, n_lines=lines_in(text), n_tokens=sampled(text), name=file[1] if file else "")


def file_paste(name: str, text: str) -> Paste:
    """The text of a file; its name stands before it, so that the model knows it, too."""
    return paste_of(f"File: {' '.join(name.split())}\n\n{text}")


def without_hashes(text: str) -> str:
    """A message as one line tells it: of what stands for a file its name is left."""
    return _STAND_IN.sub(r"\1", text)


def file_of(part: TextPart) -> str:
    """Name of the file whose text this is; empty: it came from the clipboard, or lies in the vault."""
    found = _FILE.match(part.text) if isinstance(part.text, str) else None
    return found[1] if found else ""


def media_paste(part: MediaPart, n_tokens: int) -> Paste:
    name = part.source.name if isinstance(part.source, Blob) else part.source
    return Paste(text=stand_in(part), n_lines=0, n_tokens=n_tokens, name=name, media=part)


def media_in(known: Mapping[str, Paste]) -> tuple[MediaPart, ...]:
    return tuple(paste.media for paste in known.values() if paste.media)


def texts_in(known: Mapping[str, Paste]) -> tuple[str, ...]:
    return tuple(text for text, paste in known.items() if not paste.media)


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
