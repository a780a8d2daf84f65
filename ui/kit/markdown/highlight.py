"""Colours of code: pygments in one thread, each block once, nothing beyond what is quick."""

import hashlib
from functools import partial

from PySide6.QtCore import QObject

from ui.kit.threaded import Threaded

# Case B65: hostile or huge code is shown without colours.
MAX_CHARS, MAX_LINES, MAX_LINE_CHARS = 200_000, 1_500, 5_000
MAX_CACHED = 400

# For each line of the code: (start, length, name of a colour token).
Colours = tuple[tuple[tuple[int, int, str], ...], ...]

_TOKENS = {
    "Keyword.Type": "syntax_type",
    "Keyword": "syntax_keyword",
    "Operator.Word": "syntax_keyword",
    "Name.Class": "syntax_type",
    "Name.Exception": "syntax_type",
    "Name.Builtin": "syntax_type",
    "Name.Function": "syntax_function",
    "Name.Decorator": "syntax_function",
    "Name.Tag": "syntax_keyword",
    "Name.Attribute": "syntax_function",
    "Literal.String": "syntax_string",
    "Literal.Number": "syntax_number",
    "Comment": "syntax_comment",
    "Generic.Inserted": "syntax_inserted",
    "Generic.Deleted": "syntax_deleted",
    "Generic.Heading": "syntax_keyword",
    "Generic.Subheading": "syntax_number",
}


def is_quick(code: str) -> bool:
    """Whether `code` is within the bounds for colours."""
    if len(code) > MAX_CHARS or code.count("\n") >= MAX_LINES:
        return False
    return max(map(len, code.split("\n"))) <= MAX_LINE_CHARS


def colours(code: str, language: str) -> Colours:
    """The coloured runs of each line; an unknown language has none."""
    from pygments.lexers import (  # 36 ms, paid in the thread
        get_lexer_by_name,  # pyright: ignore[reportUnknownVariableType]  # **options is untyped there
    )
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ()
    lines: list[list[tuple[int, int, str]]] = [[]]
    column = 0
    for kind, value in lexer.get_tokens(code):
        colour = _colour(str(kind).removeprefix("Token."))
        for index, part in enumerate(value.split("\n")):
            if index:
                lines.append([])
                column = 0
            if colour and part:
                lines[-1].append((column, len(part), colour))
            column += len(part)
    return tuple(tuple(line) for line in lines)


def _colour(kind: str) -> str:
    while kind:
        if kind in _TOKENS:
            return _TOKENS[kind]
        kind = kind.rpartition(".")[0]
    return ""


class Highlighter(Threaded[bytes, Colours]):
    """Colours on demand; code that a lexer fails at stays plain."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("highlight", most=MAX_CACHED, otherwise=(), parent=parent)

    def colours(self, code: str, language: str) -> Colours | None:
        """The colours of `code`; None while they are being worked out, `ready` follows."""
        if not language or not is_quick(code):
            return ()
        key = hashlib.blake2b(f"{language}\0{code}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
        return self._found(key, partial(colours, code, language))
