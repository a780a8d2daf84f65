"""A text file piece by piece, and the manner it is written in."""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

_BOM = "\ufeff"
_ESCAPE = re.compile(r"\\u(?!00[01])[0-9a-fA-F]")
"""Of other than control characters, which are escaped in any case."""
_LONGEST_ESCAPE = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a JSON file is written, so that it can be written like that again."""

    indent: str | None
    """None: all on one line."""
    item_separator: str
    key_separator: str
    newline: str
    is_ascii: bool
    """Other characters are written as escapes."""
    has_bom: bool
    end: str
    """What stands after the last bracket."""


class TextFile:
    """The texts of a file, to be gone through once; then it can tell `style` and `is_damaged`."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = chunks
        self._start = ""
        self._has_bom = False
        self._is_ascii = True
        self._has_escapes = False
        self.is_damaged = False
        """It was not UTF-8 all through; what could not be read became U+FFFD."""

    def __iter__(self) -> Iterator[str]:
        last = ""
        for text in self._decoded():
            piece = text
            if not last:
                self._has_bom = piece.startswith(_BOM)
                piece = piece.removeprefix(_BOM)
                self._start = piece
            self._is_ascii = self._is_ascii and piece.isascii()
            self._has_escapes = self._has_escapes or _ESCAPE.search(last + piece) is not None
            last = piece[-_LONGEST_ESCAPE:]
            yield piece

    def _decoded(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8")()
        for chunk in chain(self._chunks, [b""]):
            is_last = not chunk
            try:
                text = decoder.decode(chunk, final=is_last)
            except UnicodeDecodeError:
                self.is_damaged = True
                state = decoder.getstate()
                decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
                decoder.setstate(state)
                text = decoder.decode(chunk, final=is_last)
            if text:
                yield text

    def style(self, end: str) -> Style:
        """Args: `end`: the blanks after the last bracket."""
        first_line = re.match(r"\s*[\[{](\r?\n)([ \t]*)", self._start)
        after_key = re.search(r'"(?:[^"\\]|\\.)*"\s*:(\s?)', self._start)
        gap = after_key.group(1) if after_key else " "
        return Style(
            indent=first_line.group(2) if first_line else None,
            item_separator="," if first_line or not gap else ", ",
            key_separator=":" + gap,
            newline=first_line.group(1) if first_line else "\n",
            is_ascii=self._is_ascii and self._has_escapes,
            has_bom=self._has_bom,
            end=end,
        )
