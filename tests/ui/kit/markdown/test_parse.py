"""Reading Markdown: CommonMark as it is, prices as text, nothing dangerous as a link."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.kit.markdown.blocks import (
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
from ui.kit.markdown.parse import MAX_READ_CHARS, parse
from ui.kit.markdown.split import Kind, Source, split


def read(text: str, *, keeps_breaks: bool = False) -> list[Block]:
    sources, definitions = split(text)
    return [block for source in sources for block in parse(source, definitions, keeps_breaks=keeps_breaks)]


def spans(text: str) -> tuple[Span, ...]:
    block = read(text)[0]
    assert isinstance(block, Paragraph)
    return block.spans


def plain(text: str) -> tuple[Span, ...]:
    return (Span(text=text),)


def test_each_kind_of_block_is_read() -> None:
    text = "# T\n\n> q\n\n- [x] done\n- no task\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n---\n\n3. three\n"

    assert read(text) == [
        Heading(level=1, spans=plain("T")),
        Quote(blocks=(Paragraph(spans=plain("q")),)),
        ListBlock(
            items=(
                ListItem(blocks=(Paragraph(spans=plain("done")),), is_checked=True),
                ListItem(blocks=(Paragraph(spans=plain("no task")),)),
            )
        ),
        Table(header=(plain("a"), plain("b")), rows=((plain("1"), plain("2")),), aligns=("center", "right")),
        Rule(),
        ListBlock(items=(ListItem(blocks=(Paragraph(spans=plain("three")),)),), start=3),
    ]


def test_styles_are_read_and_end() -> None:
    assert spans("a **b *c*** ~~d~~ `e`") == (
        Span(text="a "),
        Span(text="b ", is_bold=True),
        Span(text="c", is_bold=True, is_italic=True),
        Span(text=" "),
        Span(text="d", is_struck=True),
        Span(text=" "),
        Span(text="e", is_code=True),
    )


def test_code_keeps_tabs_and_blank_lines(cases: dict[str, Any]) -> None:
    """B62."""
    code = [block for block in read(cases["B62"]["input"]["markdown"]) if isinstance(block, CodeBlock)]

    assert code == [CodeBlock(code="def f():\n\tif x:\n\t    return  1  \n\n\n# end", language="py")]


def test_fences_nest_by_length_only(cases: dict[str, Any]) -> None:
    """B63."""
    assert read(cases["B63"]["input"]["markdown"]) == [
        CodeBlock(code="# Title\n```js\nx", language="markdown"),
        Paragraph(spans=plain("more")),
        CodeBlock(code="after", is_closed=False),
    ]


def test_a_longer_fence_holds_a_shorter_one() -> None:
    """B63."""
    assert read("````md\n```js\nx\n```\n````\n") == [CodeBlock(code="```js\nx\n```", language="md")]


def test_an_open_fence_ends_with_its_message(cases: dict[str, Any]) -> None:
    """B63."""
    assert read(cases["B63"]["input"]["stream_cut"])[-1] == CodeBlock(
        code="print(1)", language="python", is_closed=False
    )


@given(
    st.lists(st.sampled_from(["", "x", "``", "~~~", "    y", "\tz", "``` a", "  ```"]), max_size=8),
    st.sampled_from(["```", "````", "~~~~", "  ```"]),
    st.booleans(),
)
def test_a_fence_read_alone_is_what_commonmark_reads(body: list[str], mark: str, is_closed: bool) -> None:
    text = "\n".join([f"{mark}py", *body, *([mark.strip()] if is_closed else [])])
    source = split(text)[0][0]

    (mine,) = parse(source)
    theirs = parse(Source(kind=Kind.TEXT, text=source.text))[0]

    assert isinstance(mine, CodeBlock)
    assert isinstance(theirs, CodeBlock)
    assert (mine.code.rstrip("\n"), mine.language) == (theirs.code.rstrip("\n"), theirs.language)


def test_prices_are_text_and_formulas_are_shown_as_source(cases: dict[str, Any]) -> None:
    """B64."""
    read_spans = spans(cases["B64"]["input"]["markdown"])

    assert "".join(span.text for span in read_spans) == (
        "It costs $5 to $10, or $1.50 each. Real: $x^2$ and $$y=1$$. Shell: $PATH and $HOME, a_b_c, 2*3*4"
    )
    assert [span.text for span in read_spans if span.is_code] == ["$x^2$", "$$y=1$$", "$PATH and $HOME"]
    assert not any(span.is_italic for span in read_spans)


def test_bracket_formulas_are_shown_as_source() -> None:
    assert [span.text for span in spans(r"so \(a_1 * b\) and \[c\]") if span.is_code] == [
        r"\(a_1 * b\)",
        r"\[c\]",
    ]


def test_a_remote_picture_is_only_ever_an_offer(cases: dict[str, Any]) -> None:
    """U12, B66: file and network-share pictures are not even that."""
    read_spans = spans(cases["B66"]["input"]["markdown"])

    assert [span.image for span in read_spans if span.image] == ["https://attacker.example/p.png?d=SECRET"]
    assert "file:///etc/passwd" in read_spans[-1].text
    assert "<img src=" in read_spans[-1].text


def test_only_web_mail_and_vault_links_are_links(cases: dict[str, Any]) -> None:
    """U12, B67: the others stay in sight as they were written."""
    read_spans = spans(cases["B67"]["input"]["markdown"])

    assert [(span.text, span.href) for span in read_spans if span.href] == [
        ("https://bank.example", "https://evil.example")
    ]
    words = "".join(span.text for span in read_spans)
    for refused in ("file:///bin/sh", "javascript:alert(1)", "ms-msdt:x", "vault://../../../../etc/passwd"):
        assert refused in words


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ("see https://example.org/a_(b).", "https://example.org/a_(b"),
        ("看 https://example.org/路。", "https://example.org/路"),
        ("<mailto:a@b.example>", "mailto:a@b.example"),
        ("vault://9f2c41d7a3b0/log.txt is kept", "vault://9f2c41d7a3b0/log.txt"),
    ],
)
def test_bare_addresses_are_links(text: str, href: str) -> None:
    assert next(span.href for span in spans(text) if span.href).startswith(href[:22])


def test_raw_html_is_text() -> None:
    assert spans('a <b onclick="x()">b</b> <script>') == plain('a <b onclick="x()">b</b> <script>')


def test_what_a_person_typed_keeps_its_line_breaks() -> None:
    assert read("one\ntwo", keeps_breaks=True) == [
        Paragraph(spans=(Span(text="one"), Span(text="\n"), Span(text="two")))
    ]


def test_a_megabyte_without_a_blank_line_is_shown_as_it_is() -> None:
    text = "word **bold** " * (MAX_READ_CHARS // 10)

    assert read(text) == [CodeBlock(code=text)]
