"""An original's numbered lines without the original in memory: where each stretch of them begins (U9, C27).

The lines are those of `reading.numbered_lines`, so a range that the model read is the same range here. Kept are two
numbers for each 256 KiB, 64 KB for a gigabyte; a page is read and cut when somebody looks at it. All of it is for
threads: what releases the interpreter's lock is large, what holds it is below a millisecond.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Callable

from app.vault.reading import LONGEST_LINE, numbered_lines

PAGE_BYTES = 256 * 1024
_BLOCK_PAGES = 16
_MOST_BYTES = 4 * LONGEST_LINE
"""Of one numbered line."""

Read = Callable[[int, int], bytes]
"""Bytes from a place up to and without another."""


class Lines:
    """Grows by `index`; what is indexed can be read and searched meanwhile.

    Args:
        sha256: Of all of it, held against what `index` has read; empty: nothing is.
        page_bytes: At least so much of it makes a page, but for the last one.
    """

    def __init__(self, read: Read, n_bytes: int, *, sha256: str = "", page_bytes: int = PAGE_BYTES) -> None:
        self.n_bytes = n_bytes
        self.is_whole = True
        """Whether what was read is what was put there; known only when it `is_complete`."""
        self.is_complete = False
        self._read = read
        self._page_bytes = page_bytes
        self._starts = [0]
        """Of each page: where its first line begins. The last one is not read yet, or the end."""
        self._before = [0]
        """Of each page: how many lines stand before it."""
        self._sha256 = sha256
        self._hash = hashlib.sha256()

    @property
    def n_pages(self) -> int:
        return len(self._starts) - 1

    @property
    def n_lines(self) -> int:
        """As far as it is indexed."""
        return self._before[-1]

    @property
    def n_indexed_bytes(self) -> int:
        return self._starts[-1]

    def index(self) -> None:
        """Index the next 4 MiB.

        Raises:
            StoreError: it can't be read.
        """
        base, end = self._starts[-1], self._starts[-1] + _BLOCK_PAGES * self._page_bytes
        data = self._read(base, min(end + _MOST_BYTES + 1, self.n_bytes))
        while not self.is_complete:
            start = self._starts[-1]
            next_page = min((start // self._page_bytes + 1) * self._page_bytes, self.n_bytes)
            if next_page > end:
                break
            n_lines, stop = _walk(data, start - base, next_page - base)
            self._starts.append(stop + base)
            self._before.append(self._before[-1] + n_lines)
            self.is_complete = stop + base >= self.n_bytes
        self._hash.update(memoryview(data)[: self._starts[-1] - base])
        if self.is_complete:
            self._before[-1] += not data or data.endswith(b"\n")  # behind the last line end stands one more
            self.is_whole = not self._sha256 or self._hash.hexdigest() == self._sha256

    def page_of(self, line: int) -> int:
        """The page that holds the `line`th line, counted from 1, of those indexed."""
        return min(bisect_right(self._before, line - 1), self.n_pages) - 1

    def first_of(self, page: int) -> int:
        """The number of a page's first line."""
        return self._before[page] + 1

    def line_at(self, at: int) -> int:
        """The number of the line that holds a byte, of those indexed.

        Raises:
            StoreError: it can't be read.
        """
        page = min(bisect_right(self._starts, at), self.n_pages) - 1
        before = self._read(self._starts[page], at).decode("utf-8", "replace")
        return self.first_of(page) + len(numbered_lines(before)) - 1

    def page(self, number: int) -> tuple[str, ...]:
        """The lines that begin in a page.

        Raises:
            StoreError: it can't be read.
        """
        return tuple(numbered_lines(self._text(number, number + 1)))

    def find(self, wanted: str, page: int, n_pages: int = _BLOCK_PAGES) -> tuple[int, ...]:
        """Numbers of the lines from `page` on, in so many pages, that hold `wanted`, whatever its case."""
        wanted = wanted.lower()
        until = min(page + n_pages, self.n_pages)
        if page >= until:
            return ()
        text = self._text(page, until)
        if wanted not in text.lower():
            return ()
        first = self.first_of(page)
        return tuple(n for n, line in enumerate(numbered_lines(text), first) if wanted in line.lower())

    def _text(self, page: int, until: int) -> str:
        data = self._read(self._starts[page], self._starts[until])
        is_last = self.is_complete and until == self.n_pages
        return data.decode("utf-8", "replace").removesuffix("" if is_last else "\n")


def _walk(data: bytes, at: int, stop: int) -> tuple[int, int]:
    """How many lines begin from `at` on before `stop`, and where the first one after them does."""
    n_lines = 0
    while at < stop:
        # All line ends of a stretch that no long line fits into, at once.
        last = data.rfind(b"\n", at, min(at + LONGEST_LINE + 1, stop))
        if last >= 0:
            n_lines += data.count(b"\n", at, last + 1)
            at = last + 1
        else:
            at = _line_end(data, at)
            n_lines += 1
    return n_lines, at


def _line_end(data: bytes, at: int) -> int:
    """Where the line after the one at `at` begins."""
    piece = data[at : at + _MOST_BYTES + 1]
    end = piece.find(b"\n")
    text = (piece if end < 0 else piece[:end]).decode("utf-8", "surrogateescape")
    if len(text) <= LONGEST_LINE:
        return at + (len(piece) if end < 0 else end + 1)
    return at + len(text[:LONGEST_LINE].encode("utf-8", "surrogateescape"))
