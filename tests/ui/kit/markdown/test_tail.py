"""The end of a streaming text never flips between raw marks and what they mean."""

import pytest

from ui.kit.markdown.split import Kind, Source
from ui.kit.markdown.tail import completed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("some **bo", "some **bo**"),
        ("some **", "some "),
        ("some `co", "some `co`"),
        ("~~gone", "~~gone~~"),
        ("see [the no", "see "),
        ("see [the notes](https://exa", "see "),
        ("see [the notes](https://example.org)", "see [the notes](https://example.org)"),
        ("`a**b`", "`a**b`"),
    ],
)
def test_an_open_mark_is_shown_as_if_it_were_closed(text: str, shown: str) -> None:
    assert completed(Source(kind=Kind.TEXT, text=text)) == Source(kind=Kind.TEXT, text=shown)


@pytest.mark.parametrize("text", ["| a | b", "| a | b |\n|--", "[half", "``", "**"])
def test_what_cannot_be_told_yet_is_not_shown(text: str) -> None:
    assert completed(Source(kind=Kind.TEXT, text=text)) is None


def test_a_table_is_shown_from_its_third_line_on() -> None:
    text = "| a | b |\n|---|---|\n| 1"

    assert completed(Source(kind=Kind.TEXT, text=text)) == Source(kind=Kind.TEXT, text=text)


def test_an_open_fence_is_left_alone() -> None:
    source = Source(kind=Kind.FENCE, text="```\nx = `a **b")

    assert completed(source) == source
