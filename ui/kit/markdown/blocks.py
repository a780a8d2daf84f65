"""The typed values that a Markdown text is read into: spans inside blocks."""

from dataclasses import dataclass
from typing import Literal

Align = Literal["left", "center", "right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A run of text in one style. `href` is a link whose scheme was checked; `image` a picture's checked URL.

    `formula` is LaTeX without its marks, which `text` has: what is shown until it is typeset, and where it can't be.
    """

    text: str
    is_bold: bool = False
    is_italic: bool = False
    is_struck: bool = False
    is_code: bool = False
    href: str = ""
    image: str = ""
    formula: str = ""
    is_display: bool = False
    """A formula that stands alone, with its limits above and below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    level: int
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListItem:
    """`is_checked` is None unless the item is a task."""

    blocks: "tuple[Block, ...]"
    is_checked: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListBlock:
    """`start` is the first number; None for bullets."""

    items: tuple[ListItem, ...]
    start: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    blocks: "tuple[Block, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    """`code` exactly as written, without the line break before the closing fence."""

    code: str
    language: str = ""
    is_closed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Cells are spans; a row may not be shorter than `header`."""

    header: tuple[tuple[Span, ...], ...]
    rows: tuple[tuple[tuple[Span, ...], ...], ...]
    aligns: tuple[Align, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A line across."""


Block = Paragraph | Heading | ListBlock | Quote | CodeBlock | Table | Rule
