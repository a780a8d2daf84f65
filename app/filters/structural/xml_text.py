"""XML by element: three siblings of a name from either end and their count, attributes, and what failed."""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from app.filters.filtered import Focus, Reduction
from app.filters.selection import GAP, Lines
from app.filters.structural.shape import LEVELS, Level
from app.filters.tells import is_failure

_BEGINNING = re.compile(r"\ufeff?\s*<(?:\?xml\b|!--|[A-Za-z_][\w:.-]*[\s/>])")
_BAD_TAGS = frozenset(("failure", "error", "fault", "exception", "warning", "rerunfailure", "errorinfo"))
_COUNT_KEYS = frozenset(("failures", "errors", "failed", "error", "warnings", "timeout", "aborted"))
_STATE_KEYS = frozenset(("outcome", "status", "result", "level", "severity", "type"))
_BAD_STATES = frozenset(("failed", "error", "failure", "fatal", "timeout", "aborted", "critical"))
_MOST_TELLING = 40
_DEEPEST = 200
_BLANKS = re.compile(r"\s+")


@dataclass(slots=True)
class _Node:
    tag: str
    attributes: Mapping[str, str]
    line: int
    texts: list[str] = field(default_factory=list[str])
    first: list["_Node"] = field(default_factory=list["_Node"])
    last: dict[str, deque["_Node"]] = field(default_factory=dict[str, "deque[_Node]"])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    n_children: int = 0
    n_telling: int = 0
    is_telling: bool = False
    is_named: bool = False
    order: int = 0

    def adopt(self, node: "_Node") -> None:
        n = self.counts[node.tag] = self.counts.get(node.tag, 0) + 1
        self.n_children += 1
        node.order = self.n_children
        self.is_telling |= node.is_telling
        self.is_named |= node.is_named
        if n <= LEVELS[0].ends or ((node.is_telling or node.is_named) and self.n_telling < _MOST_TELLING):
            self.n_telling += n > LEVELS[0].ends
            self.first.append(node)
        else:
            self.last.setdefault(node.tag, deque(maxlen=LEVELS[0].ends)).append(node)


def reduce_xml(lines: Lines, focus: Focus) -> Reduction | None:
    """None: it is no XML. Entities of its own are refused (they may be bombs); one that breaks off is still XML."""
    text = lines.joined
    if not _BEGINNING.match(text) or "<!ENTITY" in text or "<!DOCTYPE html" in text[:1_000]:
        return None
    reader = _Reader(words=focus.words)
    root = reader.read(text.lstrip("\ufeff \t\r\n"))
    if root is None or not root.counts:
        return None
    offset = next((i for i, line in enumerate(lines.texts) if line.strip("\ufeff \t")), 0)

    def write(limit_chars: int) -> str:
        found = ""
        for level in LEVELS:
            found = "\n".join(_written(root, level, 0))
            if len(found) <= limit_chars:
                break
        return found

    return Reduction(
        kind="xml",
        why="XML by element: siblings' ends and counts, attributes; what failed or is named stays.",
        write=write,
        ranges=lines.ranges(
            "failures", (offset + line - 1 for line in reader.failed if line + offset <= len(lines))
        ),
    )


class _Reader:
    def __init__(self, words: Sequence[str]) -> None:
        self.failed: list[int] = []
        self._words = words
        self._open: list[_Node] = []
        self._root: _Node | None = None

    def read(self, text: str) -> _Node | None:
        """The root; None: not XML. Of a text that breaks off, what was read until then."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = lambda tag, attributes: self._start(
            tag, attributes, parser.CurrentLineNumber
        )
        parser.EndElementHandler = lambda tag: self._end()
        parser.CharacterDataHandler = self._text
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)  # noqa: FBT003  # expat's own form
        except (expat.ExpatError, RecursionError) as error:
            if (
                parser.CurrentByteIndex < len(text) * 0.95
                or self._root is None
                or isinstance(error, RecursionError)
            ):
                return None
        while self._open:
            self._end()
        return self._root

    def _start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        node = _Node(tag=tag, attributes=attributes, line=line)
        lowered = tag.rpartition(":")[2].lower()
        node.is_telling = lowered in _BAD_TAGS or any(
            _is_bad(key, value) for key, value in attributes.items()
        )
        if lowered in _BAD_TAGS:
            self.failed.append(line)
        if self._words:
            held = " ".join((tag, *attributes.values())).lower()
            node.is_named = any(word in held for word in self._words)
        if self._root is None:
            self._root = node
        if len(self._open) >= _DEEPEST:
            raise RecursionError(tag)
        self._open.append(node)

    def _text(self, text: str) -> None:
        if self._open:
            self._open[-1].texts.append(text)

    def _end(self) -> None:
        node = self._open.pop()
        if self._words and node.texts and not node.is_named:
            node.is_named = any(word in "".join(node.texts).lower() for word in self._words)
        if self._open:
            self._open[-1].adopt(node)


def _is_bad(key: str, value: str) -> bool:
    key = key.rpartition(":")[2].lower()
    if key in _COUNT_KEYS:
        return value.strip() not in ("", "0", "false")
    return key in _STATE_KEYS and value.lower() in _BAD_STATES


def _written(node: _Node, level: Level, depth: int) -> Iterator[str]:
    pad = " " * depth
    attributes = "".join(
        f" {key}={quoteattr(_short(value, level.chars))}" for key, value in list(node.attributes.items())[:24]
    )
    text = "".join(node.texts)
    is_bad = node.tag.rpartition(":")[2].lower() in _BAD_TAGS or is_failure(text[:400])
    body = escape(
        _short(text.strip() if is_bad else _BLANKS.sub(" ", text).strip(), level.chars * (3 if is_bad else 1))
    )
    if not node.counts:
        yield (
            f"{pad}<{node.tag}{attributes}>{body}</{node.tag}>" if body else f"{pad}<{node.tag}{attributes}/>"
        )
        return
    if depth > 2 * level.depth:
        held = ", ".join(f"{n:,} {tag}" for tag, n in list(node.counts.items())[:8])
        yield f"{pad}<{node.tag}{attributes}><!-- {GAP} {held} --></{node.tag}>"
        return
    yield f"{pad}<{node.tag}{attributes}>{body}"
    yield from _children(node, level, depth)
    yield f"{pad}</{node.tag}>"


def _children(node: _Node, level: Level, depth: int) -> Iterator[str]:
    shown: dict[str, int] = {}
    n_chosen = 0
    early: list[_Node] = []
    for child in node.first:
        is_early = shown.get(child.tag, 0) < level.ends
        if is_early or ((child.is_telling or child.is_named) and n_chosen < 2 * level.chosen):
            n_chosen += not is_early
            shown[child.tag] = shown.get(child.tag, 0) + 1
            early.append(child)
    late = [child for nodes in node.last.values() for child in list(nodes)[-level.ends :]]
    for child in late:
        shown[child.tag] = shown.get(child.tag, 0) + 1
    for child in early:
        yield from _written(child, level, depth + 1)
    for tag, n in node.counts.items():
        if (left := n - shown.get(tag, 0)) > 0:
            yield f"{' ' * (depth + 1)}<!-- {GAP} {left:,} of {n:,} {tag.replace('--', '-')} -->"
    for child in sorted(late, key=lambda child: child.order):
        yield from _written(child, level, depth + 1)


def _short(text: str, longest: int) -> str:
    if len(text) <= longest + 40:
        return text
    return f"{text[: longest * 2 // 3]} {GAP}{len(text) - longest:,} chars{GAP} {text[-(longest // 4) :]}"
