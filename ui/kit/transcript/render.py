"""From typed Markdown blocks to pieces: runs of text become one document, code becomes cards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextOption,
    QTextTableFormat,
)

from ui.kit.formulas import X_HEIGHT_EM
from ui.kit.links import host_of, visible
from ui.kit.markdown.blocks import Block, CodeBlock, Heading, ListBlock, Paragraph, Quote, Rule, Span, Table
from ui.kit.theme import FontRole
from ui.kit.transcript.code_piece import CodePiece
from ui.kit.transcript.lines import RulePiece
from ui.kit.transcript.look import Look
from ui.kit.transcript.piece import Piece, ZoneKind
from ui.kit.transcript.text_piece import PARAGRAPH_GAP_PX, QUOTE_PX, Hot, Mark, TextPiece

LINE_SPACING = 1.55
ITEM_GAP_PX, HEADING_GAP_PX = 4, 16
INDENT_PX = 24
_HEADING_SCALE = (1.45, 1.28, 1.14, 1.05, 1.0, 1.0)
_BULLETS = ("•", "◦", "▪")
_ALIGN = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a block stands: how deep in lists and quotes, with which marker before its first line."""

    n_lists: int = 0
    n_quotes: int = 0
    marker: str = ""
    icon: str = ""

    @property
    def left(self) -> int:
        return self.n_lists * INDENT_PX + self.n_quotes * QUOTE_PX


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One paragraph of a document."""

    spans: tuple[Span, ...]
    place: _Place
    gap: int
    level: int = 0


@dataclass(slots=True)
class _Notes:
    """What a document is to know of its own characters."""

    hots: list[Hot] = field(default_factory=list[Hot])
    sources: dict[int, str] = field(default_factory=dict[int, str])
    """Of formulas, by position."""
    awaits_formula: bool = False


class Renderer:
    """Makes pieces; keeps character formats between calls until `forget()`."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._formats: dict[Span, QTextCharFormat] = {}

    def forget(self) -> None:
        self._formats.clear()

    def pieces(self, blocks: Sequence[Block]) -> list[Piece]:
        """The pieces of one block source, top to bottom, not laid out yet."""
        pieces: list[Piece] = []
        lines: list[_Line] = []
        for part in _flow(blocks, _Place()):
            if isinstance(part, _Line):
                lines.append(part)
                continue
            if lines:
                pieces.append(self._text(lines))
                lines = []
            pieces.append(self._piece(*part))
        if lines:
            pieces.append(self._text(lines))
        return pieces

    def _piece(self, block: CodeBlock | Table | Rule, place: _Place) -> Piece:
        match block:
            case CodeBlock():
                piece: Piece = CodePiece(self._look, block)
            case Table():
                piece = self._table(block)
            case Rule():
                piece = RulePiece(self._look)
        piece.left_px = self._look.px(place.left)
        return piece

    def _document(self) -> tuple[QTextDocument, QTextCursor]:
        document = QTextDocument()
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        document.setDefaultFont(self._look.font(FontRole.TEXT))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        document.setDefaultTextOption(option)
        return document, QTextCursor(document)

    def _text(self, lines: Sequence[_Line]) -> TextPiece:
        document, cursor = self._document()
        notes = _Notes()
        marks: list[Mark] = []
        cursor.beginEditBlock()
        for number, line in enumerate(lines):
            form = self._block_format(line, is_first=not number)
            if number:
                cursor.insertBlock(form)
            else:
                cursor.setBlockFormat(form)
            place = line.place
            if place.marker or place.icon or place.n_quotes:
                depth = place.n_quotes
                marks.append(Mark(number=number, text=place.marker, icon=place.icon, quote_depth=depth))
            self._write(cursor, line.spans, notes, level=line.level)
        cursor.endEditBlock()
        gap = self._look.px(lines[0].gap)
        return self._made(document, notes, marks, gap_px=gap)

    def _block_format(self, line: _Line, *, is_first: bool) -> QTextBlockFormat:
        look = self._look
        form = QTextBlockFormat()
        scale = _HEADING_SCALE[line.level - 1] if line.level else 1.0
        height = look.theme.size("text_px") * scale * (1.35 if line.level else LINE_SPACING)
        has_formula = any(span.formula for span in line.spans)
        kind = QTextBlockFormat.LineHeightTypes
        form.setLineHeight(round(height), (kind.MinimumHeight if has_formula else kind.FixedHeight).value)
        if len(line.spans) == 1 and line.spans[0].is_display:
            form.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        form.setTopMargin(0 if is_first else look.px(line.gap))
        form.setLeftMargin(look.px(line.place.left))
        return form

    def _table(self, table: Table) -> TextPiece:
        look = self._look
        document, cursor = self._document()
        form = QTextTableFormat()
        form.setBorder(1)
        form.setBorderCollapse(True)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderBrush(QBrush(look.tokens.line))
        form.setCellPadding(look.px(6))
        form.setCellSpacing(0)
        form.setHeaderRowCount(1)
        n_columns = len(table.header)
        form.setColumnWidthConstraints([QTextLength()] * n_columns)
        cursor.beginEditBlock()
        grid = cursor.insertTable(len(table.rows) + 1, n_columns, form)
        notes = _Notes()
        for row, cells in enumerate((table.header, *table.rows)):
            for column, spans in enumerate(cells[:n_columns]):
                cell = grid.cellAt(row, column)
                block = QTextBlockFormat()
                block.setAlignment(_ALIGN[table.aligns[column]])
                at = cell.firstCursorPosition()
                at.setBlockFormat(block)
                if not row:
                    shade = cell.format()
                    shade.setBackground(look.tokens.code)
                    cell.setFormat(shade)
                    spans = tuple(replace(span, is_bold=True) for span in spans)
                self._write(at, spans, notes)
        cursor.endEditBlock()
        return self._made(document, notes, (), gap_px=look.px(PARAGRAPH_GAP_PX))

    def _made(
        self, document: QTextDocument, notes: _Notes, marks: Sequence[Mark], *, gap_px: float
    ) -> TextPiece:
        return TextPiece(
            self._look,
            document,
            gap_px=gap_px,
            hots=notes.hots,
            marks=marks,
            sources=notes.sources,
            awaits_formula=notes.awaits_formula,
        )

    def _write(self, cursor: QTextCursor, spans: Sequence[Span], notes: _Notes, *, level: int = 0) -> None:
        for span in spans:
            if span.formula and self._write_formula(cursor, span, notes, level):
                continue
            text = visible(span.text).replace("\n", "\u2028")
            if span.image:
                label = self._look.words.load_image(host_of(span.image))
                text = f"\u2009{text} · {label}\u2009" if text else f"\u2009{label}\u2009"
            start = cursor.position()
            cursor.insertText(text, self._format(span, level))
            if span.image or span.href:
                kind = ZoneKind.IMAGE if span.image else ZoneKind.LINK
                notes.hots.append(
                    Hot(start=start, end=cursor.position(), kind=kind, value=span.image or span.href)
                )

    def _write_formula(self, cursor: QTextCursor, span: Span, notes: _Notes, level: int) -> bool:
        """Whether it is typeset; else its source is written."""
        look = self._look
        formula = look.formulas.find(span.formula, is_display=span.is_display)
        if formula is None:
            awaited = look.formulas.is_awaited(span.formula, is_display=span.is_display)
            notes.awaits_formula = notes.awaits_formula or awaited
            return False
        words = self._format(replace(span, is_code=False), level)
        x_height = QFontMetricsF(words.font()).xHeight()
        em_px = x_height / X_HEIGHT_EM  # letters of the formula are as high as those around it
        # Qt puts the middle of a picture half an x-height over the baseline; what is missing to that is left empty.
        above, below = formula.ascent * em_px, formula.descent * em_px
        shift = above - below - x_height / 2
        image = formula.image(
            em_px=em_px,
            dpr=look.dpr,
            color=look.tokens.ink,
            above_px=max(0.0, -shift),
            below_px=max(0.0, shift),
        )
        size = image.deviceIndependentSize()
        form = QTextImageFormat()
        form.setFont(words.font())
        form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        form.setName(f"formula:{len(notes.sources)}")
        form.setWidth(size.width())
        form.setHeight(size.height())
        form.setMaximumWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        cursor.document().addResource(QTextDocument.ResourceType.ImageResource, QUrl(form.name()), image)
        notes.sources[cursor.position()] = span.text
        cursor.insertImage(form)
        return True

    def _format(self, span: Span, level: int) -> QTextCharFormat:
        key = replace(span, text=str(level), href="1" if span.href else "", image="1" if span.image else "")
        if key not in self._formats:
            self._formats[key] = self._new_format(key, level)
        return self._formats[key]

    def _new_format(self, span: Span, level: int) -> QTextCharFormat:
        look, tokens = self._look, self._look.tokens
        form = QTextCharFormat()
        font = look.font(FontRole.CODE if span.is_code else FontRole.TEXT)
        font = QFont(font)
        if level:
            font.setPixelSize(round(font.pixelSize() * _HEADING_SCALE[level - 1]))
        if level or span.is_bold:
            font.setWeight(QFont.Weight.DemiBold if level else QFont.Weight.Bold)
        font.setItalic(span.is_italic)
        font.setStrikeOut(span.is_struck)
        form.setFont(font)
        form.setForeground(tokens.ink)
        if span.is_code:
            form.setBackground(tokens.inline_code)
        if span.href:
            form.setForeground(tokens.accent)
            form.setFontUnderline(True)
        if span.image:
            form.setForeground(tokens.accent)
            form.setBackground(tokens.chip)
        return form


_Part = _Line | tuple[CodeBlock | Table | Rule, _Place]


def _flow(blocks: Sequence[Block], place: _Place) -> Iterator[_Part]:
    """`blocks` as one column of lines, code, tables and rules, each knowing its place."""
    for number, block in enumerate(blocks):
        here = place if not number else replace(place, marker="", icon="")
        match block:
            case Paragraph():
                is_tight = bool(here.n_lists) and (bool(here.marker or here.icon))
                gap = ITEM_GAP_PX if is_tight else PARAGRAPH_GAP_PX
                yield _Line(spans=block.spans, place=here, gap=gap)
            case Heading():
                yield _Line(spans=block.spans, place=here, gap=HEADING_GAP_PX, level=block.level)
            case Quote():
                yield from _flow(block.blocks, replace(here, n_quotes=here.n_quotes + 1))
            case ListBlock():
                if here.marker or here.icon:  # a list that begins an item: the outer marker has its own line
                    yield _Line(spans=(), place=here, gap=ITEM_GAP_PX)
                yield from _items(block, here)
            case CodeBlock() | Table() | Rule():
                if here.marker or here.icon:
                    yield _Line(spans=(), place=here, gap=ITEM_GAP_PX)
                yield block, here
            case _:
                assert_never(block)


def _items(block: ListBlock, place: _Place) -> Iterator[_Part]:
    for index, item in enumerate(block.items):
        bullet = _BULLETS[min(place.n_lists, len(_BULLETS) - 1)]
        marker = bullet if block.start is None else f"{block.start + index}."
        icon = ""
        if item.is_checked is not None:
            marker, icon = "", "box-checked" if item.is_checked else "box"
        inner = replace(place, n_lists=place.n_lists + 1, marker=marker, icon=icon)
        if item.blocks:
            yield from _flow(item.blocks, inner)
        else:
            yield _Line(spans=(), place=inner, gap=ITEM_GAP_PX)
