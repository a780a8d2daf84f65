"""The tree of a JSON original as a view asks for it: a container's children are fetched when it is opened (U9).

The first thousand are rows; what follows is in groups of a thousand, so that no list is longer than can be looked at.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.core.errors import StoreError
from app.tasks import TaskScope
from app.vault.json_index import PAGE, BrokenJson, Child, Container, JsonText, ValueKind, pointer
from ui.kit.links import visible

_Index = QModelIndex | QPersistentModelIndex
KIND = int(Qt.ItemDataRole.UserRole) + 1
"""A `ValueKind`; None: of a group."""
_MOST_COPIED_BYTES = 16 << 20
_SHOWN_CHARS = 240
_NOWHERE = QModelIndex()


@dataclass(slots=True, eq=False)
class Node:
    number: int
    parent: "Node | None"
    row: int
    at: int
    """Which of the container's children it is, from 0; of a group: its first one."""
    child: Child | None = None
    """None: the top, or a group."""
    until: int = 0
    """Of a group: the child behind its last one."""
    container: Container | None = None
    """Of a group: whose."""
    rows: list["Node"] = field(default_factory=list["Node"])
    is_asked: bool = False

    @property
    def has_rows(self) -> bool:
        return self.child is None or (self.child.is_container and not self.child.is_empty)


class JsonModel(QAbstractItemModel):
    """
    Signals:
        broken(BrokenJson): it is none from there on.
        lost(StoreError): it can't be read.
    """

    broken = Signal(object)
    lost = Signal(object)

    def __init__(
        self, text: JsonText, on_error: Callable[[BaseException], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._text = text
        self._tasks = TaskScope(on_error)
        self._nodes: list[Node] = []
        self._top = self._node(None, 0)

    def begin(self) -> None:
        self.fetchMore(_NOWHERE)

    async def aclose(self) -> None:
        await self._tasks.aclose()

    def path(self, index: _Index) -> str:
        """JSON pointer to a value; of a group: to the container."""
        keys: list[str | int] = []
        node = self._of(index)
        while node.parent:
            if node.child:
                keys.append(node.at if node.child.key is None else node.child.key)
            node = node.parent
        return pointer(tuple(reversed(keys)))

    async def text(self, index: _Index) -> str | None:
        """A value as text; None: it is too much for the clipboard, or gone."""
        child = self._of(index).child
        if child is None:
            return None
        try:
            return await asyncio.to_thread(self._text.value, child, _MOST_COPIED_BYTES)
        except BrokenJson as error:
            self.broken.emit(error)
        except StoreError as error:
            self.lost.emit(error)
        return None

    # -- what Qt asks

    def index(self, row: int, column: int, parent: _Index = _NOWHERE) -> QModelIndex:
        rows = self._of(parent).rows
        if not (0 <= row < len(rows) and 0 <= column < 2):
            return QModelIndex()
        return self.createIndex(row, column, rows[row].number)

    def parent(self, index: _Index = _NOWHERE) -> QModelIndex:  # pyright: ignore[reportIncompatibleMethodOverride]  # QObject's of the same name
        return self._index(self._of(index).parent)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return len(self._of(parent).rows) if parent.column() <= 0 else 0

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 2

    def hasChildren(self, parent: _Index = _NOWHERE) -> bool:
        return parent.column() <= 0 and self._of(parent).has_rows

    def canFetchMore(self, parent: _Index) -> bool:
        node = self._of(parent)
        return node.has_rows and not node.is_asked

    def fetchMore(self, parent: _Index) -> None:
        node = self._of(parent)
        if node.has_rows and not node.is_asked:
            node.is_asked = True
            self._tasks.start(f"rows {node.number}", self._fetch(node))

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        node = self._of(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _name(node) if index.column() == 0 else _value(node)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{_name(node)}: {_value(node)}" if node.child else _name(node)
            case _:
                return node.child.kind if role == KIND and node.child else None

    # -- fetching

    async def _fetch(self, node: Node) -> None:
        try:
            if node.container:
                page = await asyncio.to_thread(node.container.page, node.at // PAGE)
                self._add(node, [self._node(node, node.at + n, child) for n, child in enumerate(page)])
            else:
                await self._fill(node, await asyncio.to_thread(self._opened, node))
        except BrokenJson as error:
            self.broken.emit(error)
        except StoreError as error:
            self.lost.emit(error)

    def _opened(self, node: Node) -> Container:
        return self._text.open(node.child) if node.child else self._text.top()

    async def _fill(self, node: Node, container: Container) -> None:
        n_first = n_grouped = 0
        while not container.is_complete:
            await asyncio.to_thread(container.index)
            n = container.n_children
            if n_first < min(n, PAGE):
                page = await asyncio.to_thread(container.page, 0)
                self._add(node, [self._node(node, at, page[at]) for at in range(n_first, len(page))])
                n_first = len(page)
            n_grouped = max(n_grouped, n_first)
            known = n if container.is_complete else n // PAGE * PAGE
            firsts = range(n_grouped, known, PAGE) if n_grouped % PAGE == 0 else range(0)
            self._add(
                node, [self._group(node, container, first, min(first + PAGE, known)) for first in firsts]
            )
            n_grouped = max(n_grouped, known)

    def _add(self, node: Node, rows: list[Node]) -> None:
        if not rows:
            return
        first = len(node.rows)
        self.beginInsertRows(self._index(node), first, first + len(rows) - 1)
        for row, each in enumerate(rows, first):
            each.row = row
        node.rows.extend(rows)
        self.endInsertRows()

    def _node(self, parent: Node | None, at: int, child: Child | None = None) -> Node:
        node = Node(len(self._nodes), parent, 0, at, child)
        self._nodes.append(node)
        return node

    def _group(self, parent: Node, container: Container, first: int, until: int) -> Node:
        node = self._node(parent, first)
        node.container, node.until = container, until
        return node

    def _of(self, index: _Index) -> Node:
        return self._nodes[index.internalId()] if index.isValid() else self._top

    def _index(self, node: Node | None) -> QModelIndex:
        if node is None or node.parent is None:
            return QModelIndex()
        return self.createIndex(node.row, 0, node.number)


def _name(node: Node) -> str:
    if node.child is None:
        return f"{node.at:,} … {node.until - 1:,}"
    return visible(str(node.at) if node.child.key is None else node.child.key[:_SHOWN_CHARS])


def _value(node: Node) -> str:
    child = node.child
    if child is None:
        return ""
    shown = visible(child.preview[:_SHOWN_CHARS].replace("\n", "⏎").replace("\t", " "))
    if child.kind is ValueKind.STRING:
        return f"“{shown}”"
    return shown
