"""Colours of code: right lines, bounded, off the window's thread."""

import threading

import pytest
from pytestqt.qtbot import QtBot

from ui.kit.markdown import highlight
from ui.kit.markdown.highlight import MAX_CHARS, MAX_LINE_CHARS, MAX_LINES, Highlighter, colours, is_quick


def test_colours_are_told_by_line_and_column() -> None:
    assert colours("def f():\n\treturn 1  # x\n", "python")[:2] == (
        ((0, 3, "syntax_keyword"), (4, 1, "syntax_function")),
        ((1, 6, "syntax_keyword"), (8, 1, "syntax_number"), (11, 3, "syntax_comment")),
    )


def test_an_unknown_language_has_no_colours() -> None:
    assert colours("x", "no-such-language") == ()


@pytest.mark.parametrize(
    "code", ["x" * (MAX_CHARS + 1), "\n" * MAX_LINES, "[" * (MAX_LINE_CHARS + 1), "[" * 50_000]
)
def test_huge_or_hostile_code_is_never_coloured(qtbot: QtBot, code: str) -> None:
    """B65."""
    highlighter = Highlighter()

    assert not is_quick(code)
    assert highlighter.colours(code, "json") == ()
    highlighter.close()


def test_colours_are_worked_out_once_in_a_thread(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []

    def work(code: str, language: str) -> highlight.Colours:
        threads.append(threading.current_thread().name)
        return colours(code, language)

    monkeypatch.setattr(highlight, "colours", work)
    highlighter = Highlighter()

    with qtbot.waitSignal(highlighter.ready):
        assert highlighter.colours("x = 1", "python") is None
    known = highlighter.colours("x = 1", "python")

    assert known == colours("x = 1", "python")
    assert len(threads) == 1
    assert threads[0].startswith("highlight")
    highlighter.close()
