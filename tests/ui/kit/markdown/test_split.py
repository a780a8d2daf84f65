"""Cutting Markdown: what is cut reads as the whole does, however the text arrived."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ui.kit.markdown.blocks import Block, CodeBlock, ListBlock
from ui.kit.markdown.parse import parse
from ui.kit.markdown.split import Kind, Source, Splitter, split

LINES = st.sampled_from(
    [
        "",
        "",
        "plain words, 中文",
        "more **bold** and `code`",
        "# Heading",
        "## Second",
        "- item",
        "- another",
        "  - nested",
        "  continued",
        "1. one\n2. two",
        "\n9) nine\n10) ten",
        "> quote",
        "> > deeper",
        ">",
        "```python",
        "```",
        "````markdown",
        "````",
        "~~~",
        "  ```",
        "    indented",
        "\tindented by a tab",
        "| a | b |",
        "|---|:-:|",
        "| 1 | 2 |",
        "---",
        "***",
        "$x^2$ costs $5",
        "text\twith a tab  ",
        "* star",
        "[ref] and [other][ref]",
    ]
)
TEXTS = st.lists(LINES, max_size=30).map("\n".join)


def merged(blocks: list[Block]) -> list[Block]:
    """`blocks` as they compare: neighbouring lists of one kind joined (a long list may have been cut between
    items), and open fences closed (the whole text is read without knowing).
    """
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if isinstance(block, ListBlock) and isinstance(last, ListBlock) and _goes_on(last, block):
            joined[-1] = replace(last, items=last.items + block.items)
        elif isinstance(block, CodeBlock):
            joined.append(replace(block, is_closed=True))
        else:
            joined.append(block)
    return joined


def _goes_on(last: ListBlock, block: ListBlock) -> bool:
    if last.start is None or block.start is None:
        return last.start is block.start
    return block.start == last.start + len(last.items)


def read(sources: list[Source], definitions: str = "") -> list[Block]:
    return merged([block for source in sources for block in parse(source, definitions)])


@given(TEXTS)
def test_blocks_read_one_by_one_are_what_the_whole_text_reads_as(text: str) -> None:
    sources, definitions = split(text)

    assert read(sources, definitions) == read([Source(kind=Kind.TEXT, text=text)])


@given(TEXTS)
def test_nothing_is_lost_between_blocks(text: str) -> None:
    assert "".join(source.text for source in split(text)[0]) == text


@given(TEXTS, st.lists(st.integers(0, 400), max_size=20))
def test_a_text_that_arrives_in_pieces_is_cut_like_one_that_arrives_at_once(
    text: str, cuts: list[int]
) -> None:
    splitter = Splitter()
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]

    for start, end in pairwise(edges):
        splitter.append(text[start:end])
    splitter.close()

    assert splitter.finished == split(text)[0]


@given(TEXTS, st.integers(0, 400))
def test_a_finished_block_never_changes_when_more_text_comes(text: str, cut: int) -> None:
    splitter = Splitter()
    splitter.append(text[:cut])
    before = list(splitter.finished)

    splitter.append(text[cut:])

    assert splitter.finished[: len(before)] == before


def test_an_open_fence_is_one_open_block_with_all_its_lines() -> None:
    splitter = Splitter()

    splitter.append("text\n\n```python\nprint(1)\n\n\nprint(2)")

    assert splitter.open == Source(kind=Kind.FENCE, text="```python\nprint(1)\n\n\nprint(2)")


def test_half_a_closing_fence_is_not_shown_as_code() -> None:
    splitter = Splitter()

    splitter.append("```\nx\n``")

    assert splitter.open == Source(kind=Kind.FENCE, text="```\nx\n")


def test_a_long_list_is_cut_between_items_and_keeps_its_numbers() -> None:
    text = "\n".join(f"{number}. {'word ' * 20}" for number in range(1, 101))

    sources, _ = split(text)

    assert len(sources) > 3
    assert read(sources) == read([Source(kind=Kind.TEXT, text=text)])


def test_a_list_with_wild_numbers_stays_whole() -> None:
    text = "\n".join(f"1. {'word ' * 20}" for _ in range(100))

    assert len(split(text)[0]) == 1


def test_link_definitions_anywhere_hold_for_all_blocks() -> None:
    sources, definitions = split("see [it][a]\n\n[a]: https://example.org\n")

    spans = [span for block in read(sources, definitions) for span in getattr(block, "spans", ())]

    assert [span.href for span in spans if span.href] == ["https://example.org"]


def test_a_formula_over_several_lines_stays_whole() -> None:
    text = "$$\n# not a heading\nx = 1\n$$\n\nafter"

    assert [source.text for source in split(text)[0]] == ["$$\n# not a heading\nx = 1\n$$\n\n", "after"]
