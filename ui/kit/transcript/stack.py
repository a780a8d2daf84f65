"""A column of blocks, each read and laid out only when it comes near the screen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ui.kit.markdown.blocks import CodeBlock
from ui.kit.markdown.parse import parse
from ui.kit.markdown.split import Kind, Source, Splitter
from ui.kit.markdown.tail import completed
from ui.kit.transcript.code_piece import CodePiece
from ui.kit.transcript.heights import Heights
from ui.kit.transcript.look import Look
from ui.kit.transcript.piece import Piece
from ui.kit.transcript.render import Renderer
from ui.kit.transcript.text_piece import TextPiece

# Laid-out blocks of one message that are kept beyond those near the screen.
MAX_LAID_BLOCKS = 160


@dataclass(slots=True)
class Slot:
    """One block: its source, and its pieces once laid out; `tops` are theirs, in the slot."""

    source: Source | None
    pieces: list[Piece] = field(default_factory=list[Piece])
    tops: list[float] = field(default_factory=list[float])
    is_laid: bool = False
    is_unfolded: bool = False


class Stack:
    """Blocks from fixed pieces or from Markdown that may still grow; `indent_px` is for the Markdown."""

    def __init__(
        self,
        look: Look,
        renderer: Renderer,
        width_px: float,
        *,
        keeps_breaks: bool = False,
        indent_px: float = 0,
    ) -> None:
        self._look = look
        self._renderer = renderer
        self._width_px = width_px
        self._keeps_breaks = keeps_breaks
        self._indent_px = indent_px
        self._splitter = Splitter()
        self._text = ""
        self._n_finished = 0
        self._definitions = ""
        self._slots: list[Slot] = []
        self._has_open = False
        self.heights = Heights()

    @property
    def slots(self) -> Sequence[Slot]:
        return self._slots

    @property
    def width_px(self) -> float:
        return self._width_px

    def add(self, piece: Piece) -> None:
        """One more fixed piece at the end."""
        slot = Slot(source=None, pieces=[piece])
        self._slots.append(slot)
        self.heights.append(0)
        self._lay(len(self._slots) - 1)

    def can_grow_to(self, text: str) -> bool:
        return text.startswith(self._text)

    def write(self, text: str, *, is_complete: bool) -> None:
        """Show `text`, which begins with what was shown before; only the last block is laid out again."""
        splitter = self._splitter
        splitter.append(text[len(self._text) :])
        self._text = text
        if is_complete:
            splitter.close()
        if self._definitions != (definitions := "\n".join(splitter.definitions)):
            self._definitions = definitions
            self._forget_references()
        fresh = splitter.finished[self._n_finished :]
        self._n_finished = len(splitter.finished)
        for source in fresh:
            self._put(source, is_open=False)
        tail = splitter.open
        shown = completed(tail) if tail is not None else None
        if shown is not None:
            self._put(shown, is_open=True)
        elif self._has_open and fresh:
            pass  # the open block was finished, and nothing else has begun
        elif self._has_open and tail is None:
            self._drop_open()

    def _put(self, source: Source, *, is_open: bool) -> None:
        """`source` into the open slot if there is one, else into a new one."""
        if self._has_open:
            index = len(self._slots) - 1
            self._replace(index, source, is_open=is_open)
        else:
            self._slots.append(Slot(source=source))
            self.heights.append(self._estimate(source))
            if is_open:
                self._slots[-1].is_unfolded = True
        self._has_open = is_open

    def _replace(self, index: int, source: Source, *, is_open: bool) -> None:
        slot = self._slots[index]
        old, slot.source = slot.source, source
        if not slot.is_laid:
            self.heights.set(index, self._estimate(source))
            return
        piece = slot.pieces[0] if slot.pieces else None
        is_same_fence = old is not None and old.kind is source.kind is Kind.FENCE
        if is_same_fence and isinstance(piece, CodePiece):
            block = parse(source)[0]
            if isinstance(block, CodeBlock) and block.language == piece.language:
                piece.grow(block)
                self._arrange(index)
                return
        if old == source:
            return
        slot.is_laid = False
        self._lay(index)

    def show_formulas(self) -> bool:
        """Lay out again what showed the source of a formula that is typeset now; whether anything did."""
        waiting = [index for index, slot in enumerate(self._slots) if any(map(_awaits_formula, slot.pieces))]
        for index in waiting:
            self._lay(index)
        return bool(waiting)

    def _drop_open(self) -> None:
        self._slots.pop()
        self.heights.pop()
        self._has_open = False

    def _forget_references(self) -> None:
        """A link definition came: blocks that may refer to it are read again."""
        for slot in self._slots:
            if slot.source is not None and slot.source.kind is not Kind.FENCE and "[" in slot.source.text:
                slot.is_laid = False

    def _estimate(self, source: Source) -> float:
        size = self._look.theme.size("text_px")
        if source.kind is Kind.FENCE:
            return (min(source.text.count("\n"), 26) + 2.5) * size * 1.45
        n_lines = len(source.text) * size * 0.55 / max(self._width_px, 50) + 0.6
        return (n_lines + source.text.count("\n") * 0.4) * size * 1.55 + 6

    def lay_between(self, top: float, bottom: float) -> bool:
        """Lay out what lies between two heights of the stack; whether any height changed."""
        if not self._slots:
            return False
        changed = False
        index = self.heights.index_at(top)
        y = self.heights.top(index)
        while index < len(self._slots) and y < bottom:
            if not self._slots[index].is_laid:
                before = self.heights[index]
                self._lay(index)
                changed = changed or before != self.heights[index]
            y += self.heights[index]
            index += 1
        return changed

    def lay(self, index: int) -> Slot:
        """The slot at `index`, laid out."""
        if not self._slots[index].is_laid:
            self._lay(index)
        return self._slots[index]

    def trim(self, top: float, bottom: float) -> None:
        """Drop the pieces of blocks outside of two heights if too many are kept; their heights stay."""
        laid = [index for index, slot in enumerate(self._slots) if slot.is_laid and slot.source is not None]
        if len(laid) <= MAX_LAID_BLOCKS:
            return
        first, last = self.heights.index_at(top), self.heights.index_at(bottom)
        for index in laid:
            if not first <= index <= last:
                slot = self._slots[index]
                slot.pieces, slot.tops, slot.is_laid = [], [], False

    def _lay(self, index: int) -> None:
        slot = self._slots[index]
        if slot.source is not None:
            blocks = parse(slot.source, self._definitions, keeps_breaks=self._keeps_breaks)
            slot.pieces = self._renderer.pieces(blocks)
            for piece in slot.pieces:
                piece.left_px += self._indent_px
        for piece in slot.pieces:
            if isinstance(piece, CodePiece):
                piece.is_unfolded = slot.is_unfolded
            piece.lay_out(self._width_px - piece.left_px)
        slot.is_laid = True
        self._arrange(index)

    def _arrange(self, index: int) -> None:
        slot = self._slots[index]
        slot.tops = []
        y = 0.0
        for number, piece in enumerate(slot.pieces):
            y += piece.gap_px if index or number else 0
            slot.tops.append(y)
            y += piece.height_px
        self.heights.set(index, y)

    def set_unfolded(self, index: int, *, is_unfolded: bool) -> None:
        """Show all lines of the code in a slot, or fold them."""
        slot = self._slots[index]
        slot.is_unfolded = is_unfolded
        for piece in slot.pieces:
            if isinstance(piece, CodePiece):
                piece.is_unfolded = is_unfolded
                piece.lay_out(piece.width_px)
        self._arrange(index)

    def between(self, top: float, bottom: float) -> Iterator[tuple[int, int, Piece, float]]:
        """(slot, number in slot, piece, its top) of the laid-out pieces between two heights."""
        if not self._slots:
            return
        index = self.heights.index_at(max(0.0, top))
        y = self.heights.top(index)
        while index < len(self._slots) and y < bottom:
            slot = self._slots[index]
            for number, (piece, offset) in enumerate(zip(slot.pieces, slot.tops, strict=True)):
                if y + offset < bottom and y + offset + piece.height_px > top:
                    yield index, number, piece, y + offset
            y += self.heights[index]
            index += 1

    @property
    def natural_width_px(self) -> float:
        """How wide the widest piece is; lays out all of them."""
        widest = 0.0
        for index in range(len(self._slots)):
            for piece in self.lay(index).pieces:
                widest = max(widest, piece.left_px + piece.width_px)
        return widest


def _awaits_formula(piece: Piece) -> bool:
    return isinstance(piece, TextPiece) and piece.awaits_formula
