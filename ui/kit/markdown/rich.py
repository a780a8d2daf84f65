"""A Markdown text as it leaves for another program: as HTML with its formatting, or as the words alone."""

from collections.abc import Iterator
from functools import lru_cache

from markdown_it import MarkdownIt

from ui.kit.links import is_link, visible
from ui.kit.markdown.blocks import Block, CodeBlock, Heading, ListBlock, Paragraph, Quote, Rule, Span, Table
from ui.kit.markdown.parse import parse
from ui.kit.markdown.split import split


def rich(text: str) -> str:
    """As HTML in which nothing was raw HTML before (U12): unsafe links stay text, a picture is its address."""
    return str(_parser().render(visible(text)))


def plain(text: str) -> str:
    """The words without their marks: lists keep their signs, tables have a tab between cells, code is as it is."""
    sources, definitions = split(text)
    blocks = (block for source in sources for block in parse(source, definitions))
    return "\n\n".join(filter(None, map(_plain, blocks)))


def _plain(block: Block) -> str:
    match block:
        case Paragraph() | Heading():
            return _words(block.spans)
        case CodeBlock():
            return block.code
        case Quote():
            return "\n\n".join(map(_plain, block.blocks))
        case ListBlock():
            return "\n".join(_items(block))
        case Table():
            return "\n".join("\t".join(map(_words, row)) for row in (block.header, *block.rows))
        case Rule():
            return "———"


def _items(block: ListBlock) -> Iterator[str]:
    for n, item in enumerate(block.items):
        sign = "•" if block.start is None else f"{block.start + n}."
        if item.is_checked is not None:
            sign = "☑" if item.is_checked else "☐"
        body = "\n".join(map(_plain, item.blocks))
        yield f"{sign} {body}".replace("\n", "\n" + " " * (len(sign) + 1))


def _words(spans: tuple[Span, ...]) -> str:
    return "".join(span.text for span in spans)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.validateLink = is_link
    parser.disable("image")  # it would be loaded wherever the text is pasted: it stays "!" and a link
    return parser
