"""Source code: imports, signatures with the first line of what they say, and the bodies that are asked for."""

import re
from collections.abc import Sequence

from app.filters.filtered import Focus, Reduction
from app.filters.selection import Lines, Rank, Selection

_NUMBERED = re.compile(r"^\s{0,6}\d+(?:\t|→|: |\| )")
_IMPORT = re.compile(
    r"\s*(?:import\s+[\w{*\"'(]|from\s+[\w.]+\s+import\b|#include\s*[<\"]|use\s+[\w:]+|using\s+[\w.]+|package\s+[\w.]+|"
    r"(?:const|let|var)\s+.{1,80}=\s*require\(|require(?:_relative)?[ (]['\"]|export\s+\*?.{0,80}from\s)"
)
_SIGNATURE = re.compile(
    r"\s*(?:@[\w.]+|#\[\w+.*\]\s*$"
    r"|(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\(\w+\))?|unsafe|inline|"
    r"virtual|override|sealed|extern|declare|readonly|const|open|data)\s+)*"
    r"(?:def|class|struct|enum|trait|impl|interface|func|fn|fun|function\*?|type|module|namespace|record|macro_rules!|object)\b"
    r"[ (!*]*[\w$<(\[{'*&:]"
    r"|(?:export\s+)?(?:const|let|var)\s+\w+\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\([^)]{0,200}\)|\w+)\s*=>"
    r"|(?:(?:public|private|protected|static|final|async|override|virtual|get|set)\s+)+[\w<>\[\],.?\s]{0,80}\w+\s*\([^;]*$"
    r"|(?:[A-Za-z_][\w:<>*&]*\s+){1,4}[*&]?[A-Za-z_][\w:~]*\s*\([^;={}]*\)\s*(?:const\s*)?\{\s*$)"
)
_TOP_VALUE = re.compile(r"(?:export\s+)?(?:const\s+|static\s+)?[A-Z][A-Z0-9_]{2,}\s*(?::[^=]+)?=")
_DOC = re.compile(r"\s*(?:[rbu]?\"\"\"|'''|/\*\*|///|//!|#\s|//\s)")
_CONTROL = re.compile(r"\s*(?:if|for|while|switch|return|else|elif|catch|throw|raise)\b")
_LEAST = 4
_MOST_BODY = 120


def reduce_code(lines: Lines, focus: Focus) -> Reduction | None:
    """None: too few of its lines are imports or signatures."""
    texts = _plain(lines.texts)
    signatures = [
        i for i, text in enumerate(texts) if _SIGNATURE.match(text[:400]) and not _CONTROL.match(text)
    ]
    imports = [i for i, text in enumerate(texts) if _IMPORT.match(text[:400])]
    n_filled = sum(bool(text.strip()) for text in texts)
    if len(signatures) + len(imports) < max(_LEAST, 0.03 * n_filled) or not signatures:
        return None
    indents = [len(text) - len(text.lstrip()) for text in texts]
    if sum(indent > 0 for indent in indents) < 0.25 * n_filled:
        return None
    chosen = Selection(lines=lines)
    chosen.keep(imports, Rank.SHOULD)
    for index in signatures:
        chosen.keep(range(index, _signature_end(texts, index) + 1), Rank.NEAR)
        end = _signature_end(texts, index)
        if end + 1 < len(texts) and _DOC.match(texts[end + 1]):
            chosen.keep((end + 1,), Rank.SHOULD)
        if index and re.match(r"\s*(?:///|/\*\*|//!)", texts[index - 1]):
            chosen.keep((index - 1,), Rank.SHOULD)
    chosen.keep((i for i, text in enumerate(texts) if _TOP_VALUE.match(text[:200])), Rank.SHOULD)
    hits = lines.having(focus.words)
    _bodies(chosen, texts, indents, signatures, hits)
    chosen.ends(3, 3, Rank.SHOULD)
    return Reduction(
        kind="code",
        why="Source code to its imports and signatures, and the bodies that are asked for.",
        write=chosen.write,
        ranges=lines.ranges("lines that match", hits),
    )


def _plain(texts: Sequence[str]) -> Sequence[str]:
    """Without the numbers that readers of files put before each line."""
    filled = [text for text in texts[:60] if text.strip()]
    if filled and sum(bool(_NUMBERED.match(text)) for text in filled) > 0.8 * len(filled):
        return [_NUMBERED.sub("", text, count=1) for text in texts]
    return texts


def _signature_end(texts: Sequence[str], index: int) -> int:
    depth = 0
    for at in range(index, min(index + 12, len(texts))):
        depth += texts[at].count("(") - texts[at].count(")")
        if depth <= 0:
            return at
    return index


def _bodies(
    chosen: Selection, texts: Sequence[str], indents: Sequence[int], signatures: Sequence[int], hits: set[int]
) -> None:
    """A body whose signature is named stays whole; inside others the lines that match."""
    chosen.keep(hits, Rank.NEAR)
    for index in signatures:
        if index in hits:
            end = index + 1
            while end < min(len(texts), index + _MOST_BODY) and (
                not texts[end].strip() or indents[end] > indents[index]
            ):
                end += 1
            chosen.keep(range(index, end), Rank.MUST)
