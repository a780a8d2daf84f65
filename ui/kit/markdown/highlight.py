"""Colours of code: pygments in one thread, each block once, nothing beyond what is quick."""

import hashlib
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor

from PySide6.QtCore import QObject, QTimer, Signal

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


class Highlighter(QObject):
    """Colours on demand.

    Signals:
        ready(): more colours are known; repaint.
    """

    ready = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: OrderedDict[bytes, Colours] = OrderedDict()
        self._running: dict[bytes, Future[Colours]] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="highlight")
        # A thread never touches a QObject: its answers are fetched from here.
        self._poll = QTimer(self, interval=25)
        self._poll.timeout.connect(self._collect)

    def colours(self, code: str, language: str) -> Colours | None:
        """The colours of `code`; None while they are being worked out, `ready` follows."""
        if not language or not is_quick(code):
            return ()
        key = hashlib.blake2b(f"{language}\0{code}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        if key not in self._running:
            self._running[key] = self._thread.submit(colours, code, language)
            self._poll.start()
        return None

    def close(self) -> None:
        """Stop working; what is not begun never begins."""
        self._poll.stop()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _collect(self) -> None:
        done = [key for key, answer in self._running.items() if answer.done()]
        for key in done:
            answer = self._running.pop(key)
            # A lexer that fails is pygments' bug, not the reader's business: the code stays plain.
            self._known[key] = () if answer.cancelled() or answer.exception() else answer.result()
        while len(self._known) > MAX_CACHED:
            self._known.popitem(last=False)
        if not self._running:
            self._poll.stop()
        if done:
            self.ready.emit()
