"""Compressors that need code: diagnostics told once with all their places, and folders of a long listing."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
_LONGEST = 2_000
_MANY_FILES = 0.4
_CHUNK = 8
"""Messages that stand below one naming of their file."""
_QUOTED = re.compile(r"'[^'\n]{1,200}'|\"[^\"\n]{1,200}\"|`[^`\n]{1,200}`")
_ERROR = re.compile(r"\b(?:error|fatal|[EF]\d{3,4})\b", re.IGNORECASE)


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
    known = {index for each in found for index in each.lines} | _tell_lines(chosen, found)
    if not known:
        return None
    told = (failures(lines) | warnings(lines) | summaries(lines)) - known
    chosen.keep(
        {lines.texts[index].strip(): index for index in sorted(told, reverse=True)}.values(), Rank.MUST
    )
    known |= told
    chosen.keep(lines.having(focus.words) - known, Rank.NEAR)
    chosen.ends(2, 3, Rank.SHOULD)
    chosen.keep(
        (index for index, text in enumerate(lines.texts) if text.strip() and index not in known), Rank.MAY
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


def _tell_lines(chosen: Selection, blocks: Sequence[_Diagnostic]) -> set[int]:
    """`path:line: message` by file, each message once with its places. Returns: all lines that have this form."""
    taken = {index for each in blocks for index in each.lines}
    by_path: dict[str, dict[str, list[tuple[int, str]]]] = {}
    found = set[int]()
    for index, text in enumerate(chosen.lines.texts):
        match = _LINE.match(text.strip()) if index not in taken and len(text) < _LONGEST else None
        if match:
            found.add(index)
            at = (match["at"] or match["where"]).replace(",", ":")
            by_path.setdefault(match["path"], {}).setdefault(match["says"], []).append((index, at))
    if len(by_path) > _MANY_FILES * len(found):
        _tell_by_message(chosen, by_path)
        return found
    for path, said in by_path.items():
        told = list(_told(said))
        for at in range(0, len(told), _CHUNK):
            index = told[at][0]
            chosen.keep(
                (index,),
                Rank.MUST if any(_is_error(text) for _, text in told[at : at + _CHUNK]) else Rank.NEAR,
            )
            chosen.shown[index] = "\n".join((path, *(f"  {text}" for _, text in told[at : at + _CHUNK])))
    return found


def _told(said: Mapping[str, Sequence[tuple[int, str]]]) -> Iterator[tuple[int, str]]:
    """Messages with their places; those that differ in one quoted value are one, with the values."""
    forms: dict[str, list[str]] = {}
    for says in said:
        forms.setdefault(_QUOTED.sub("'…'", says, count=1), []).append(says)
    for form, alike in forms.items():
        first = said[alike[0]][0][0]
        if len(alike) == 1:
            yield first, f"{_at(said[alike[0]])}: {cut(alike[0])}"
            continue
        values = [(match[0] if (match := _QUOTED.search(says)) else "", _at(said[says])) for says in alike]
        yield first, f"{cut(form)} {'; '.join(f'{at} {value}' for value, at in values)}"


def _at(same: Sequence[tuple[int, str]]) -> str:
    return ", ".join(dict.fromkeys(at for _, at in same[:_MOST_PLACES]))


def _is_error(text: str) -> bool:
    """Linters mark what is wrong by a word or by a letter before a number, pylint's conventions by C, R and W."""
    return bool(_ERROR.search(text))


def _tell_by_message(
    chosen: Selection, by_path: Mapping[str, Mapping[str, Sequence[tuple[int, str]]]]
) -> None:
    """Where nearly every message is of another file, the messages are what repeats."""
    places: dict[str, list[str]] = {}
    firsts: dict[str, int] = {}
    for path, said in by_path.items():
        for says, same in said.items():
            firsts[says] = min(same[0][0], firsts.get(says, same[0][0]))
            places.setdefault(says, []).append(f"{path}:{_at(same)}")
    for says, index in firsts.items():
        chosen.keep((index,), Rank.MUST if _is_error(says) else Rank.NEAR)
        chosen.shown[index] = f"{cut(says)}  {'; '.join(places[says][:_MOST_PLACES])}"


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
