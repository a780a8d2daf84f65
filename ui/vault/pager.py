"""An original's lines as a view asks for them: pages that are here, pages that are fetched, and what a search finds."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from app.core.errors import StoreError
from app.tasks import TaskScope
from app.vault.lines import Lines
from ui.vault.state import MOST_FOUND, Search

_KEPT_PAGES = 24
"""6 MB of text."""


class Pager(QObject):
    """
    Signals:
        came(): lines that were asked for are here.
        grown(): more is indexed, or all.
        found(): `search` is another one.
        lost(StoreError): it can't be read.
    """

    came = Signal()
    grown = Signal()
    found = Signal()
    lost = Signal(object)

    def __init__(
        self, lines: Lines, on_error: Callable[[BaseException], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.lines = lines
        self.search = Search()
        self.hits: list[int] = []
        """Numbers of the lines that hold what is sought, ascending."""
        self._tasks = TaskScope(on_error)
        self._pages: OrderedDict[int, tuple[str, ...]] = OrderedDict()
        self._asked = set[int]()
        self._more = asyncio.Event()

    @property
    def n_lines(self) -> int:
        return self.lines.n_lines

    def begin(self) -> None:
        self._tasks.start("index", self._index())

    async def aclose(self) -> None:
        await self._tasks.aclose()

    def line(self, number: int) -> str | None:
        """The `number`th line, from 1; None: it is fetched, and `came` will tell."""
        page = self.lines.page_of(number)
        held = self._pages.get(page)
        self._ask(page if held is None else page + 1)
        if held is None:
            return None
        self._pages.move_to_end(page)
        at = number - self.lines.first_of(page)
        return held[at] if at < len(held) else ""

    async def text(self, first: int, last: int) -> str:
        """Some lines, both ends included, as one text.

        Raises:
            StoreError: they can't be read.
        """
        pages = range(self.lines.page_of(first), self.lines.page_of(last) + 1)
        found: list[str] = []
        for page in pages:
            held = self._pages.get(page) or await asyncio.to_thread(self.lines.page, page)
            start = self.lines.first_of(page)
            found.extend(held[max(0, first - start) : last - start + 1])
        return "\n".join(found)

    async def line_at(self, at: int) -> int:
        """The number of the line that holds a byte, when it is indexed.

        Raises:
            StoreError: it can't be read.
        """
        while not self.lines.is_complete and self.lines.n_indexed_bytes <= at:
            await self._more.wait()
        return await asyncio.to_thread(self.lines.line_at, at)

    def seek(self, wanted: str, from_line: int) -> None:
        """Look for `wanted`; the first hit shown is the first from `from_line` on. Empty: for nothing any more."""
        self.hits = []
        self._show(Search(wanted=wanted, is_running=bool(wanted)))
        if wanted:
            self._tasks.start("seek", self._seek(wanted, from_line))
        else:
            self._tasks.cancel("seek")

    def step(self, step: int) -> None:
        """The next hit, or the one before, round the ends."""
        if self.hits:
            at = (self.search.at - 1 + step) % len(self.hits) + 1
            self._show(_with(self.search, at=at, n_found=len(self.hits)))

    @property
    def hit(self) -> int | None:
        """The line of the hit that is shown."""
        return self.hits[self.search.at - 1] if 0 < self.search.at <= len(self.hits) else None

    def _ask(self, page: int) -> None:
        """Fetch a page, once, and forget the one that was looked at longest ago."""
        if page < self.lines.n_pages and page not in self._pages and page not in self._asked:
            self._asked.add(page)
            self._tasks.start(f"page {page}", self._fetch(page))

    async def _fetch(self, page: int) -> None:
        try:
            self._pages[page] = await asyncio.to_thread(self.lines.page, page)
        except StoreError as error:
            self.lost.emit(error)
            return
        finally:
            self._asked.discard(page)
        while len(self._pages) > _KEPT_PAGES:
            self._pages.popitem(last=False)
        self.came.emit()

    async def _index(self) -> None:
        try:
            while not self.lines.is_complete:
                await asyncio.to_thread(self.lines.index)
                self._more.set()
                self._more.clear()
                self.grown.emit()
        except StoreError as error:
            self.lost.emit(error)

    async def _seek(self, wanted: str, from_line: int) -> None:
        page, step = 0, 16
        while len(self.hits) < MOST_FOUND:
            n_pages, is_complete = self.lines.n_pages, self.lines.is_complete
            if page >= n_pages and is_complete:
                break
            if page + step > n_pages and not is_complete:
                await self._more.wait()
                continue
            try:
                self.hits.extend(await asyncio.to_thread(self.lines.find, wanted, page, step))
            except StoreError as error:
                self.lost.emit(error)
                break
            page += step
            self._show(_with(self.search, n_found=len(self.hits), at=self.search.at or self._from(from_line)))
        at = self.search.at or (1 if self.hits else 0)
        self._show(_with(self.search, n_found=len(self.hits), at=at, is_running=False))

    def _from(self, line: int) -> int:
        return next((at for at, hit in enumerate(self.hits, 1) if hit >= line), 0)

    def _show(self, search: Search) -> None:
        if search != self.search:
            self.search = search
            self.found.emit()


def _with(search: Search, *, n_found: int, at: int, is_running: bool | None = None) -> Search:
    running = search.is_running if is_running is None else is_running
    return Search(wanted=search.wanted, n_found=n_found, at=at, is_running=running)


def merged(ranges: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Stretches of lines that overlap or touch as one, in order."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)
