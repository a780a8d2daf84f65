"""A column of heights whose sums are known in logarithmic time (a Fenwick tree)."""

from array import array
from collections.abc import Iterable


class Heights:
    """Heights of things one below the other, in px."""

    def __init__(self, heights: Iterable[float] = ()) -> None:
        self._heights = array("d", heights)
        tree = array("d", (0.0, *self._heights))
        for index in range(1, len(tree)):
            parent = index + (index & -index)
            if parent < len(tree):
                tree[parent] += tree[index]
        self._tree = tree
        self.total = sum(self._heights)

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> float:
        return self._heights[index]

    def append(self, height: float) -> None:
        """One more at the end."""
        index = len(self._tree)
        value, step = height, 1
        while step < index & -index:
            value += self._tree[index - step]
            step <<= 1
        self._tree.append(value)
        self._heights.append(height)
        self.total += height

    def pop(self) -> None:
        """Take the last one away."""
        self._tree.pop()
        self.total -= self._heights.pop()

    def set(self, index: int, height: float) -> None:
        delta = height - self._heights[index]
        if not delta:
            return
        self._heights[index] = height
        self.total += delta
        at = index + 1
        while at < len(self._tree):
            self._tree[at] += delta
            at += at & -at

    def top(self, index: int) -> float:
        """The sum of all heights before `index` (inclusive of none, up to the length)."""
        total = 0.0
        while index > 0:
            total += self._tree[index]
            index -= index & -index
        return total

    def index_at(self, y: float) -> int:
        """The one that `y` falls in, clamped to the ends; there must be one."""
        at, rest = 0, y
        step = 1 << (len(self._heights).bit_length())
        while step:
            after = at + step
            if after < len(self._tree) and self._tree[after] <= rest:
                at = after
                rest -= self._tree[after]
            step >>= 1
        return min(at, len(self._heights) - 1)
