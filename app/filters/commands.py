"""Compressors that need code: diagnostics told once with all their places, and folders of a long listing."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.filters.filtered import Focus, Reduction
from app.filters.rules import Compressor, Rules, rules_of
from app.filters.selection import GAP, Lines, Rank, Selection, cut
from app.filters.tells import failures, summaries, warnings

_HEADLINE = re.compile(r"(?:error|warning|note)(?:\[\w+\])?: \S")
_PLACE = re.compile(r"\s*(?:-->|╭▸|┌─) (\S+?):(\d+:\d+)\s*$")
_LINE = re.compile(
    r"(?P<path>[\w./@\\~+-]*[\w./\\-]\.\w{1,8})(?:\((?P<at>\d+(?:,\d+)?)\)|:(?P<where>\d+(?::\d+)?)):? ?[-:]? ?(?P<says>\S.*)"
)
_FOLDER = re.compile(r"(\S.*):$")
_FOLDER_HEAD = 4
_MOST_PLACES = 400


@dataclass(slots=True)
class _Diagnostic:
    headline: int
    lines: list[int] = field(default_factory=list[int])
    place: int | None = None
    path: str = ""
    at: str = ""


def diagnostics(lines: Lines, focus: Focus) -> Reduction | None:
    """What compilers and linters say: each message once with every place, each file named once."""
    chosen = Selection(lines=lines)
    found = _blocks(lines.texts)
    _tell_blocks(chosen, found)
    in_blocks = {index for each in found for index in each.lines}
    n_lines = _tell_lines(chosen, in_blocks)
    if not found and not n_lines:
        return None
    told = (failures(lines) | warnings(lines) | summaries(lines)) - in_blocks
    seen = set[str]()
    for index in sorted(told - chosen.ranks.keys()):
        if (text := lines.texts[index].strip()) not in seen:
            seen.add(text)
            chosen.keep((index,), Rank.MUST)
    doubled = {index for index in told if index not in chosen.ranks}
    chosen.keep(lines.having(focus.words) - doubled, Rank.NEAR)
    chosen.ends(2, 3, Rank.SHOULD)
    chosen.keep(
        (
            index
            for index, text in enumerate(lines.texts)
            if text.strip() and index not in in_blocks | doubled
        ),
        Rank.MAY,
    )
    return Reduction(
        kind="diagnostics",
        why="Messages of a compiler or linter, each told once with every place.",
        write=chosen.write,
        ranges=lines.ranges("failures", failures(lines)),
    )


def _blocks(texts: Sequence[str]) -> list[_Diagnostic]:
    """rustc's form: a headline, its place, and lines about it until a blank one."""
    found = list[_Diagnostic]()
    is_open = False
    for index, text in enumerate(texts):
        if _HEADLINE.match(text):
            # "help:" and "note:" below a message belong to it.
            found.append(_Diagnostic(headline=index, lines=[index]))
            is_open = True
        elif not text.strip():
            is_open = False
        elif is_open:
            found[-1].lines.append(index)
            if found[-1].place is None and (match := _PLACE.match(text)):
                found[-1].place, found[-1].path, found[-1].at = index, match[1], match[2]
    return [each for each in found if each.place is not None]


def _tell_blocks(chosen: Selection, found: Sequence[_Diagnostic]) -> None:
    texts = chosen.lines.texts
    groups: dict[str, list[_Diagnostic]] = {}
    for each in found:
        groups.setdefault(texts[each.headline], []).append(each)
    for first, *more in groups.values():
        chosen.keep((first.headline,), Rank.MUST)
        chosen.keep(first.lines, Rank.NEAR)
        if first.place is None:
            continue
        chosen.keep((first.place,), Rank.MUST)
        if more:
            chosen.shown[first.headline] = f"{texts[first.headline]}  [×{len(more) + 1:,}]"
            chosen.shown[first.place] = f"  --> {_places((first, *more))}"


def _places(found: Sequence[_Diagnostic]) -> str:
    """Every place, each file named once."""
    by_path: dict[str, list[str]] = {}
    for each in found[:_MOST_PLACES]:
        by_path.setdefault(each.path, []).append(each.at)
    told = "; ".join(f"{path}:{', '.join(dict.fromkeys(at))}" for path, at in by_path.items())
    return f"{told} {GAP}" if len(found) > _MOST_PLACES else told


def _tell_lines(chosen: Selection, taken: set[int]) -> int:
    """`path:line: message` by file; what is said again of the same place is said once."""
    texts = chosen.lines.texts
    by_path: dict[str, list[tuple[int, str, str]]] = {}
    seen = set[str]()
    n = 0
    for index, text in enumerate(texts):
        match = _LINE.match(text.strip()) if index not in taken and len(text) < 2_000 else None
        if match is None:
            continue
        n += 1
        if text.strip() in seen:
            continue
        seen.add(text.strip())
        at = (match["at"] or match["where"]).replace(",", ":")
        by_path.setdefault(match["path"], []).append((index, at, match["says"]))
    for path, said in by_path.items():
        chosen.keep((said[0][0],), Rank.MUST)
        chosen.keep((index for index, _, _ in said), Rank.NEAR)
        if len(said) < 2:
            continue
        groups: dict[str, list[tuple[int, str, str]]] = {}
        for each in said:
            groups.setdefault(each[2], []).append(each)
        for number, same in enumerate(groups.values()):
            first = same[0]
            head = f"{path}\n" if number == 0 else ""
            places = ", ".join(at for _, at, _ in same[:_MOST_PLACES])
            chosen.shown[first[0]] = f"{head}  {places}: {cut(first[2])}"
            for index, _, _ in same[1:]:
                chosen.ranks.pop(index, None)
    return n


def listing(lines: Lines, focus: Focus) -> Reduction | None:
    """`ls -R`: every folder with how much it holds, the first names, and what kinds there are."""
    texts = lines.texts
    heads = [
        index
        for index, text in enumerate(texts)
        if _FOLDER.match(text) and (index == 0 or not texts[index - 1].strip())
    ]
    if len(heads) < 2:
        return None
    chosen = Selection(lines=lines)
    for head, end in zip(heads, (*heads[1:], len(texts)), strict=True):
        names = [index for index in range(head + 1, end) if texts[index].strip()]
        kinds = Counter(_kind(texts[index]) for index in names)
        told = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common(4))
        chosen.keep((head,), Rank.MUST)
        chosen.keep(names[:_FOLDER_HEAD], Rank.SHOULD)
        chosen.keep(names, Rank.MAY)
        if len(names) > _FOLDER_HEAD:
            chosen.shown[head] = f"{texts[head]} {len(names):,} entries ({told})"
    chosen.keep(lines.having(focus.words), Rank.NEAR)
    chosen.notes.append(
        f"{len(heads):,} folders, {sum(bool(text.strip()) for text in texts) - len(heads):,} entries"
    )
    return Reduction(
        kind="listing", why="A listing to its folders, their sizes and their first names.", write=chosen.write
    )


def _kind(name: str) -> str:
    suffix = name.rstrip("*@/").rpartition(".")[2]
    return f".{suffix}" if "." in name.strip(".") and len(suffix) <= 6 and suffix.isalnum() else "others"


COMPRESSORS: Mapping[str, Compressor] = {"diagnostics": diagnostics, "listing": listing}


def command_rules(shipped: Mapping[str, str], own: str = "") -> Rules:
    """The rules of `resources/filters/` by file name, and the person's own before them."""
    return rules_of(shipped, own, COMPRESSORS)
