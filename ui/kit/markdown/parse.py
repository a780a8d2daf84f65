"""Reads one block source into typed values; raw HTML, unsafe links and prices in dollars stay text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, cast

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from ui.kit.links import is_link, is_remote_image
from ui.kit.markdown.blocks import (
    Align,
    Block,
    CodeBlock,
    Heading,
    ListBlock,
    ListItem,
    Paragraph,
    Quote,
    Rule,
    Span,
    Table,
)
from ui.kit.markdown.split import Kind, Source

# Longer texts without a blank line are shown as they are: reading one would stall the window.
MAX_READ_CHARS = 40_000

_URL = re.compile(r"(?:https?|vault)://[^\s<>\"'`]*[^\s<>\"'`.,;:!?)\]}*_~，。；：！？）】」』、]")
_TASK = re.compile(r"\[([ xX])\][ \u00a0]")
_OPENING = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*(\S*)[^\n]*(?:\n|$)")


def parse(source: Source, definitions: str = "", *, keeps_breaks: bool = False) -> tuple[Block, ...]:
    """The blocks of `source`.

    Args:
        definitions: Link definitions of the whole text, one a line.
        keeps_breaks: A line break in a paragraph stays one (what a person typed) instead of being a blank.
    """
    if source.kind is Kind.FENCE:
        return (_fence(source.text),)
    if len(source.text) > MAX_READ_CHARS:
        return (CodeBlock(code=source.text.rstrip("\n")),)
    environment = {"references": dict(_references(definitions))} if definitions else {}
    tokens = _parser().parse(source.text, environment)
    return tuple(_Reader(tokens, keeps_breaks=keeps_breaks).blocks())


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    dollarmath_plugin(
        parser,
        allow_labels=False,
        allow_space=False,
        allow_digits=False,
        allow_blank_lines=False,
        double_inline=True,
    )
    parser.inline.ruler.before("escape", "math_brackets", _math_brackets)
    parser.inline.ruler.before("emphasis", "times", _times)
    # A refused link stays in the text as it was written, target and all: nothing hidden, nothing to click.
    parser.validateLink = is_link
    return parser


@lru_cache(maxsize=8)
def _references(definitions: str) -> dict[str, Any]:
    environment: dict[str, Any] = {}
    _parser().parse(definitions, environment)
    return cast("dict[str, Any]", environment.get("references", {}))


def _math_brackets(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # markdown-it's signature
    r"""Inline rule for \( … \) and \[ … \]."""
    opening = state.src[state.pos : state.pos + 2]
    if opening not in (r"\(", r"\["):
        return False
    end = state.src.find(r"\)" if opening == r"\(" else r"\]", state.pos + 2, state.posMax)
    if end < 0:
        return False
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content, token.markup = state.src[state.pos + 2 : end], opening
    state.pos = end + 2
    return True


def _times(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # markdown-it's signature
    """Inline rule: the star in 2*3*4 multiplies (case B64); CommonMark would make the 3 italic."""
    before, star, after = (
        state.src[state.pos - 1 : state.pos],
        state.src[state.pos],
        state.src[state.pos + 1 :],
    )
    if star != "*" or not before.isdigit() or not after[:1].isdigit():
        return False
    if not silent:
        state.pending += star
    state.pos += 1
    return True


def _fence(text: str) -> CodeBlock:
    """A block that is one top-level fence, read without the parser: it may be megabytes long."""
    body = text.lstrip("\n")
    opening = _OPENING.match(body)
    if opening is None:
        return CodeBlock(code=body)
    lines = body[opening.end() :].split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    mark = opening[1]
    is_closed = bool(lines) and bool(re.fullmatch(rf" {{0,3}}{mark}{mark[0]}*[ \t]*", lines[-1]))
    code = "\n".join(lines[:-1]) if is_closed else body[opening.end() :].removesuffix("\n")
    indent = len(body) - len(body.lstrip(" "))
    if indent:
        code = "\n".join(_dedented(line, indent) for line in code.split("\n"))
    return CodeBlock(code=code, language=opening[2], is_closed=is_closed)


def _dedented(line: str, indent: int) -> str:
    """`line` without up to `indent` columns of blanks; of a tab that is cut, spaces are left."""
    at = column = 0
    while at < len(line) and column < indent and line[at] in " \t":
        column += 1 if line[at] == " " else 4 - column % 4
        at += 1
    return " " * (column - indent) + line[at:]


class _Reader:
    """Walks a token list once."""

    def __init__(self, tokens: Sequence[Token], *, keeps_breaks: bool) -> None:
        self._tokens = iter(tokens)
        self._keeps_breaks = keeps_breaks

    def blocks(self, closing: str = "") -> Iterator[Block]:
        for token in self._tokens:
            if token.type == closing:
                return
            block = self._block(token)
            if block is not None:
                yield block

    def _block(self, token: Token) -> Block | None:
        match token.type:
            case "paragraph_open":
                return Paragraph(spans=self._spans("paragraph_close"))
            case "heading_open":
                return Heading(level=int(token.tag[1]), spans=self._spans("heading_close"))
            case "bullet_list_open":
                return ListBlock(items=tuple(self._items("bullet_list_close")))
            case "ordered_list_open":
                start = int(token.attrs.get("start", 1))
                return ListBlock(items=tuple(self._items("ordered_list_close")), start=start)
            case "blockquote_open":
                return Quote(blocks=tuple(self.blocks("blockquote_close")))
            case "fence" | "code_block":
                language = (token.info.split() or [""])[0]
                return CodeBlock(code=token.content.removesuffix("\n"), language=language)
            case "math_block":
                return Paragraph(spans=(_formula(token, Span(text=""), mark="$$"),))
            case "hr":
                return Rule()
            case "table_open":
                return self._table()
            case _:
                return None

    def _spans(self, closing: str) -> tuple[Span, ...]:
        spans: tuple[Span, ...] = ()
        for token in self._tokens:
            if token.type == closing:
                break
            spans += tuple(_spans_of(token.children or [], keeps_breaks=self._keeps_breaks))
        return spans

    def _items(self, closing: str) -> Iterator[ListItem]:
        for token in self._tokens:
            if token.type == closing:
                return
            yield _task(ListItem(blocks=tuple(self.blocks("list_item_close"))))

    def _table(self) -> Table:
        rows: list[tuple[tuple[Span, ...], ...]] = []
        aligns: list[Align] = []
        row: list[tuple[Span, ...]] = []
        for token in self._tokens:
            if token.type == "table_close":
                break
            if token.type in ("th_open", "td_open"):
                if token.type == "th_open":
                    aligns.append(_align(str(token.attrs.get("style", ""))))
                row.append(self._spans(token.type.replace("open", "close")))
            elif token.type == "tr_close":
                rows.append(tuple(row))
                row = []
        return Table(header=rows[0], rows=tuple(rows[1:]), aligns=tuple(aligns))


def _align(style: str) -> Align:
    if style.endswith("center"):
        return "center"
    return "right" if style.endswith("right") else "left"


def _task(item: ListItem) -> ListItem:
    first = item.blocks[0] if item.blocks else None
    if not isinstance(first, Paragraph) or not first.spans:
        return item
    found = _TASK.match(first.spans[0].text)
    if found is None or first.spans[0].is_code:
        return item
    span = replace(first.spans[0], text=first.spans[0].text[found.end() :])
    paragraph = Paragraph(spans=(span, *first.spans[1:]))
    return ListItem(blocks=(paragraph, *item.blocks[1:]), is_checked=found[1] != " ")


def _spans_of(tokens: Sequence[Token], *, keeps_breaks: bool) -> Iterator[Span]:
    style = Span(text="")
    for token in tokens:
        match token.type:
            case "text" | "text_special":
                yield from _linked(replace(style, text=token.content))
            case "code_inline":
                yield replace(style, text=token.content, is_code=True)
            case "math_inline" | "math_inline_double":
                yield _formula(token, style, mark=token.markup)
            case "softbreak":
                yield replace(style, text="\n" if keeps_breaks else " ")
            case "hardbreak":
                yield replace(style, text="\n")
            case "image":
                yield _image(token, style)
            case _:
                style = _restyled(style, token)


def _formula(token: Token, style: Span, *, mark: str) -> Span:
    r"""Of $ … $, $$ … $$, \( … \) and \[ … \]."""
    closing = {r"\(": r"\)", r"\[": r"\]"}.get(mark, mark)
    latex = token.content.strip()
    text = f"{mark}{token.content}{closing}"
    return replace(style, text=text, is_code=True, formula=latex, is_display=mark in ("$$", r"\["))


def _restyled(style: Span, token: Token) -> Span:
    is_on = token.nesting > 0
    match token.tag:
        case "strong":
            return replace(style, is_bold=is_on)
        case "em":
            return replace(style, is_italic=is_on)
        case "s":
            return replace(style, is_struck=is_on)
        case "a":
            return replace(style, href=str(token.attrs.get("href", "")) if is_on else "")
        case _:
            return style


def _image(token: Token, style: Span) -> Span:
    url = str(token.attrs.get("src", ""))
    if is_remote_image(url):
        return replace(style, text=token.content, image=url)
    return replace(style, text=token.content or url)


def _linked(span: Span) -> Iterator[Span]:
    """`span`, cut so that each bare http(s) address in it is a link."""
    if span.href or "://" not in span.text:
        if span.text:
            yield span
        return
    at = 0
    for found in _URL.finditer(span.text):
        if not is_link(found[0]):
            continue
        if found.start() > at:
            yield replace(span, text=span.text[at : found.start()])
        yield replace(span, text=found[0], href=found[0])
        at = found.end()
    if at < len(span.text):
        yield replace(span, text=span.text[at:])
