"""Cuts growing Markdown into blocks that can be read alone, so that finished ones are never read again."""

import re
from dataclasses import dataclass
from enum import StrEnum

# A list this long is cut between two of its items; shorter ones stay whole.
LONG_LIST_CHARS = 1_500

_FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_BULLET = re.compile(r"([-+*])(?:[ \t]|$)")
_NUMBER = re.compile(r"(\d{1,9})([.)])(?:[ \t]|$)")
_MARKER = re.compile(r"( {0,3}(?:[-+*]|\d{1,9}[.)]))([ \t]+|$)")
_DEFINITION = re.compile(r" {0,3}\[[^\]]+\]:[ \t]*\S")
# The list items that may follow a paragraph without a blank line.
_INTERRUPTING = re.compile(r" {0,3}(?:[-+*]|1[.)])[ \t]+\S")
# What may stand before the text of a line inside a list.
_LEADS = re.compile(r"(?:[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]+)*[ \t>]*")
_QUOTE = re.compile(r" {0,3}>")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")


class Kind(StrEnum):
    TEXT = "text"
    LIST = "list"
    INDENTED = "indented"
    FENCE = "fence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A block's text as written; all sources of a text joined are the text."""

    kind: Kind
    text: str


class Splitter:
    """Reads a text that only grows.

    Cuts are made only where both sides mean the same alone as together; where that is unsure no cut is
    made. Blank lines go to the block before them.
    """

    def __init__(self) -> None:
        self.finished: list[Source] = []
        self.definitions: list[str] = []
        self.n_chars = 0
        self._kind: Kind | None = None
        self._lines: list[str] = []
        self._tail = ""
        self._size = 0
        self._after_blank = False
        self._fence = ("", 0)
        self._marker: tuple[str, int] | None = None
        self._is_math_open = False
        self._content_indent = 0
        self._item_fence = ""

    @property
    def open(self) -> Source | None:
        """The block that may still grow, with the unfinished last line; None when there is none."""
        tail = self._tail
        if self._kind is Kind.FENCE and not tail.strip(" " + self._fence[0]):
            tail = ""  # half of a closing fence would flash as a line of code
        text = "".join(self._lines) + tail
        if not text:
            return None
        kind = self._kind
        if kind is None:
            kind = Kind.FENCE if self._tail and _FENCE.match(self._tail) else Kind.TEXT
        return Source(kind=kind, text=text)

    def append(self, text: str) -> None:
        """Read on."""
        self.n_chars += len(text)
        lines = (self._tail + text).split("\n")
        self._tail = lines.pop()
        for line in lines:
            self._read(line)

    def close(self) -> None:
        """The text is complete: what was open is finished; an open fence ends here."""
        if self._tail:
            tail, self._tail = self._tail, ""
            self._read(tail, end="")
        self._finish()

    def _read(self, line: str, end: str = "\n") -> None:
        if self._kind is Kind.FENCE:
            self._add(line + end)
            if self._closes_fence(line):
                self._finish()
            return
        is_blank = not line.strip()
        if is_blank:
            self._add(line + end)
            if self._kind is Kind.TEXT:
                self._finish()
            self._after_blank = True
            return
        if self._kind is not None and self._starts_new(line):
            self._finish()
        if self._kind is None:
            self._begin(line)
        self._count_marker(line)
        if _DEFINITION.match(line):
            self.definitions.append(line)
        self._after_blank = False
        self._add(line + end)
        if len(self._lines) > 1 and line.rstrip().endswith("$$"):
            self._is_math_open = False
        if self._kind is Kind.TEXT and _HEADING.match(line) and not self._is_math_open:
            self._finish()

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._size += len(line)

    def _starts_new(self, line: str) -> bool:
        """Whether `line`, not blank, certainly begins a new block after the one that is open."""
        if self._kind is Kind.INDENTED:
            return not line.startswith(("    ", "\t"))
        if self._is_math_open:
            return False
        fence = _FENCE.match(line)
        if self._kind is not Kind.LIST:
            return bool(_HEADING.match(line) or fence or _INTERRUPTING.match(line))
        is_outside = len(line) - len(line.lstrip(" ")) < self._content_indent
        if fence or _HEADING.match(line) or _QUOTE.match(line) or _RULE.match(line):
            return is_outside  # these end the list's text, unless they stand inside of an item
        if is_outside and self._item_fence and not _MARKER.match(line):
            return True
        if line[0] not in " \t" and not _MARKER.match(line):
            return self._after_blank
        return self._size > LONG_LIST_CHARS and self._is_next_item(line)

    def _begin(self, line: str) -> None:
        fence = _FENCE.match(line)
        if fence:
            self._kind, self._fence = Kind.FENCE, (fence[2][0], len(fence[2]))
        elif line.startswith(("    ", "\t")):
            self._kind = Kind.INDENTED
        elif _MARKER.match(line) and not _RULE.match(line):
            self._kind, self._marker, self._content_indent = Kind.LIST, None, 1 << 10
            self._item_fence = ""
        else:
            self._kind = Kind.TEXT
            self._is_math_open = line.strip() == "$$"

    def _count_marker(self, line: str) -> None:
        """Follow the numbers of the list's own items, so that a cut keeps them."""
        if self._kind is not Kind.LIST:
            return
        self._measure_item(line)
        self._follow_item_fence(line)
        if bullet := _BULLET.match(line):
            self._marker = (bullet[1], 0)
        elif number := _NUMBER.match(line):
            is_first = self._marker is None
            expected = int(number[1]) if is_first or self._marker is None else self._marker[1] + 1
            self._marker = (number[2], expected if expected == int(number[1]) else -1)

    def _measure_item(self, line: str) -> None:
        """Where the text of the outermost item begins: a fence further left is not in the list."""
        marker = _MARKER.match(line)
        if marker and len(line) - len(line.lstrip(" ")) < self._content_indent:
            n_blanks = len(marker[2].expandtabs(4))
            is_plain = 1 <= n_blanks <= 4 and marker.end() < len(line)
            self._content_indent = len(marker[1]) + (n_blanks if is_plain else 1)
            self._item_fence = ""

    def _follow_item_fence(self, line: str) -> None:
        """Whether a fence is open inside an item: then no line outside of the item goes on with it."""
        fence = _FENCE.match(_LEADS.sub("", line, count=1))
        if fence and not self._item_fence:
            self._item_fence = fence[2]
        elif fence and not fence[3].strip() and fence[2].startswith(self._item_fence):
            self._item_fence = ""

    def _is_next_item(self, line: str) -> bool:
        if self._marker is None or _RULE.match(line):
            return False
        if bullet := _BULLET.match(line):
            return bullet[1] == self._marker[0]
        number = _NUMBER.match(line)
        return (
            bool(number)
            and self._marker[1] >= 0
            and (number[2], int(number[1]))
            == (
                self._marker[0],
                self._marker[1] + 1,
            )
        )

    def _closes_fence(self, line: str) -> bool:
        mark, length = self._fence
        text = line.rstrip(" \t")
        indent = len(text) - len(text.lstrip(" "))
        return indent <= 3 and len(text) - indent >= length and not text[indent:].strip(mark)

    def _finish(self) -> None:
        if self._lines:
            self.finished.append(Source(kind=self._kind or Kind.TEXT, text="".join(self._lines)))
        self._lines, self._size, self._kind, self._after_blank = [], 0, None, False
        self._is_math_open = False


def split(text: str) -> tuple[list[Source], str]:
    """All blocks of a complete text, and the link definitions in it."""
    splitter = Splitter()
    splitter.append(text)
    splitter.close()
    return splitter.finished, "\n".join(splitter.definitions)
