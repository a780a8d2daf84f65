"""Markdown: headings, the first sentence of each section, tables by header and matching rows, fences by their ends."""

import re
from collections.abc import Sequence

from app.filters.filtered import Focus, Reduction
from app.filters.selection import GAP, Lines, Rank, Selection, cut
from app.filters.tells import failures, summaries, warnings

_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S|<summary>|\*\*[^*]{2,80}\*\*:?\s*$")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_ROW = re.compile(r"\s*\|.*\|\s*$|\s*\|.*\|.*\|")
_RULE = re.compile(r"\s*\|?[\s:|-]{3,}\|?\s*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\S")
_TARGET = re.compile(r"(\]\()([^()\s]{60,2000})(\))")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s*")
_ENDS = 3
_FEW = 20


def reduce_markdown(lines: Lines, focus: Focus) -> Reduction | None:
    """None: it has too little of Markdown's signs to be one."""
    return shorten_markdown(lines, focus) if _looks_like_markdown(lines) else None


def shorten_markdown(lines: Lines, focus: Focus) -> Reduction:
    """What `reduce_markdown` does, without a doubt that it is Markdown."""
    chosen = Selection(lines=lines)
    told = failures(lines)
    hits = lines.having(focus.words)
    blocks = _blocks(lines.texts)
    for kind, indices in blocks:
        _BLOCKS[kind](chosen, indices, told)
    chosen.keep(hits, Rank.NEAR)
    counted = summaries(lines)
    chosen.keep(counted, Rank.NEAR if len(counted) <= _FEW else Rank.SHOULD)
    chosen.keep(told | warnings(lines), Rank.SHOULD)
    for index in chosen.ranks:
        text = lines.texts[index]
        if "](" in text:
            chosen.shown[index] = cut(_TARGET.sub(_shorter_target, text))
    return Reduction(
        kind="markdown",
        why="Markdown to its headings, first sentences, the ends of tables and lists, and what matches.",
        write=chosen.write,
        ranges=lines.ranges("lines that match", hits),
    )


def _looks_like_markdown(lines: Lines) -> bool:
    n_headings = sum(bool(re.match(r"#{1,6} \S", text)) for text in lines.texts)
    n_rules = sum("|" in text and "-" in text and bool(_RULE.match(text)) for text in lines.texts)
    n_fences = sum(bool(_FENCE.match(text)) for text in lines.texts)
    n_links = sum("](" in text for text in lines.texts)
    # A lone "# comment" is in every shell script.
    return (n_headings >= 2 and (n_rules + n_fences + n_links > 0 or n_headings >= 4)) or (
        n_rules >= 1 and n_links > 0
    )


def _shorter_target(match: re.Match[str]) -> str:
    return f"{match[1]}{match[2][:40]}{GAP}{match[3]}"


def _blocks(texts: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Kinds and lines of what follows upon another; blank lines end what is open."""
    found: list[tuple[str, list[int]]] = []
    is_fenced = is_open = False
    for index, text in enumerate(texts):
        is_fence = bool(_FENCE.match(text))
        kind = _kind(text, is_fenced=is_fenced or is_fence)
        if is_fence:
            is_fenced = not is_fenced
        if not text.strip() and kind != "fence":
            is_open = False
            continue
        if is_open and found[-1][0] == kind and kind != "heading":
            found[-1][1].append(index)
        else:
            found.append((kind, [index]))
        is_open = not (is_fence and not is_fenced)
    return found


def _kind(text: str, *, is_fenced: bool) -> str:
    if is_fenced:
        return "fence"
    if _HEADING.match(text):
        return "heading"
    if _ROW.match(text):
        return "table"
    return "list" if _ITEM.match(text) else "prose"


def _heading(chosen: Selection, indices: Sequence[int], told: set[int]) -> None:
    chosen.keep(indices, Rank.MUST if len(indices) < 200 else Rank.NEAR)


def _prose(chosen: Selection, indices: Sequence[int], told: set[int]) -> None:
    first = chosen.lines.texts[indices[0]]
    chosen.keep(indices[:1], Rank.SHOULD)
    chosen.keep(indices[1:], Rank.MAY)
    sentence = _SENTENCE.split(first, maxsplit=1)[0]
    if len(first) > 200 and len(sentence) > 20:
        chosen.shown[indices[0]] = f"{cut(sentence)} {GAP}"


def _table(chosen: Selection, indices: Sequence[int], told: set[int]) -> None:
    head = 2 if len(indices) > 1 and _RULE.match(chosen.lines.texts[indices[1]]) else 1
    chosen.keep(indices[:head], Rank.NEAR)
    _ends(chosen, indices[head:], told)


def _ends(chosen: Selection, indices: Sequence[int], told: set[int]) -> None:
    chosen.keep((*indices[:_ENDS], *indices[-_ENDS:]), Rank.SHOULD)
    chosen.keep([index for index in indices if index in told], Rank.NEAR)
    chosen.keep(indices, Rank.MAY)


_BLOCKS = {"heading": _heading, "prose": _prose, "table": _table, "list": _ends, "fence": _ends}
