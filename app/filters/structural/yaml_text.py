"""YAML as JSON is, printed as YAML: scalars stay as they were written, and what could be a bomb is refused."""

import json
import re
from collections.abc import Iterator

import yaml

from app.filters.filtered import Focus, Reduction
from app.filters.selection import Lines
from app.filters.structural.shape import LEVELS, Level, Number, Rows, Value, reduced, rows_of

_KEY = re.compile(r"^\s*(?:- )*[\w./\"'-]+:(?:\s|$)", re.MULTILINE)
_LINE = re.compile(r"^\s*(?:[\w./\"'*$@{}-][^:#\n]*:(?:\s|$)|- |#|---|\.\.\.|$)")
_ALIAS = re.compile(r"(?<!\S)\*[\w-]+(?:\s|,|\]|$)")
_MOST_ALIASES = 64
_MOST_CHARS = 3_000_000
_DEEPEST = 60
_WORD_CHARS = 80
_PLAIN = re.compile(r"[\w./@+<>=$()~^-][^\n#]{0,400}")


def reduce_yaml(lines: Lines, focus: Focus) -> Reduction | None:
    """None: it is no YAML of keys and lists, or it is one that nobody should read."""
    text = lines.joined
    if not _looks_like_yaml(lines) or _is_bomb(text):
        return None
    try:
        documents = [_value(node, 0) for node in _nodes(text)]
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    if not documents or not all(isinstance(item, dict | list | Rows | None) for item in documents):
        return None
    value: Value = documents[0] if len(documents) == 1 else rows_of(documents, focus.words)

    def write(limit_chars: int) -> str:
        found = ""
        for level in LEVELS:
            found = _document(value, level, focus.words)
            if len(found) <= limit_chars:
                break
        return found

    return Reduction(
        kind="yaml",
        why="YAML to its shape: the ends of lists, the first keys, long strings cut; what is named stays.",
        write=write,
        ranges=lines.ranges("lines that match", lines.having(focus.words)),
    )


def _nodes(text: str) -> Iterator[yaml.Node]:
    loader = yaml.CSafeLoader(text) if yaml.__with_libyaml__ else yaml.SafeLoader(text)
    while loader.check_node():
        node = loader.get_node()
        if node is not None:
            yield node


def _looks_like_yaml(lines: Lines) -> bool:
    sample = [line for line in lines.texts[:200] if line.strip()]
    if len(lines.joined) > _MOST_CHARS or len(sample) < 2:
        return False
    fitting = sum(bool(_LINE.match(line)) for line in sample)
    return fitting >= len(sample) * 0.7 and len(_KEY.findall("\n".join(sample))) >= max(2, len(sample) * 0.3)


def _is_bomb(text: str) -> bool:
    if len(_ALIAS.findall(text)) > _MOST_ALIASES or "- " * _DEEPEST in text or "? " * _DEEPEST in text:
        return True
    depth = deepest = 0
    for sign in re.findall(r"[\[\]{}]", text):
        depth = depth + 1 if sign in "[{" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest > _DEEPEST or " " * (4 * _DEEPEST) in text


def _value(node: yaml.Node | None, depth: int) -> Value:
    """Aliases are followed by reference and merges are not made, so nothing grows."""
    if depth > _DEEPEST:
        raise RecursionError(depth)
    match node:
        case yaml.ScalarNode():
            text = str(node.value)
            return Number(text) if node.style is None and len(text) <= _WORD_CHARS else text
        case yaml.MappingNode():
            return {_key(key): _value(item, depth + 1) for key, item in node.value}
        case yaml.SequenceNode():
            return rows_of(_value(item, depth + 1) for item in node.value)
        case _:
            return None


def _key(node: yaml.Node) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else "?"


def _document(value: Value, level: Level, words: tuple[str, ...]) -> str:
    if (
        isinstance(value, Rows)
        and value.first
        and isinstance(value.first[0], dict)
        and "apiVersion" in value.first[0]
    ):
        # Documents are looked at each by itself: a list of them is no level of depth.
        first, between, last = value.ends(level.ends, level.chosen)
        shown = [*first, *between, *last]
        left = value.n - len(shown)
        mark = [f"# ⋯ {left:,} of {value.n:,} documents left out"] if left else []
        texts = ["\n".join(_lines(reduced(item, level, words), 0)) for item in shown]
        return "\n---\n".join([*texts[: len(first)], *mark, *texts[len(first) :]])
    return "\n".join(_lines(reduced(value, level, words), 0))


def _lines(value: Value, indent: int) -> Iterator[str]:
    pad = "  " * indent
    match value:
        case dict():
            for key, item in value.items():
                if isinstance(item, dict | list) and item:
                    yield f"{pad}{_scalar(key)}:"
                    yield from _lines(item, indent + 1)
                else:
                    yield f"{pad}{_scalar(key)}: {_scalar(item)}"
        case list():
            for item in value:
                inner = (
                    list(_lines(item, indent + 1))
                    if isinstance(item, dict | list) and item
                    else [_scalar(item)]
                )
                yield f"{pad}- {inner[0].strip()}"
                yield from inner[1:]
        case _:
            yield f"{pad}{_scalar(value)}"


def _scalar(value: Value) -> str:
    match value:
        case Number():
            return str(value) if "\n" not in value else json.dumps(value, ensure_ascii=False)
        case None:
            return "null"
        case str():
            is_plain = _PLAIN.fullmatch(value) and ": " not in value and not value.endswith((":", " "))
            return value if is_plain else json.dumps(value, ensure_ascii=False)
        case dict():
            return "{}"
        case list():
            return "[]"
        case _:
            return str(value)
