"""Diffs: every file and hunk's head, changed lines without their surroundings, files of machines last."""

import re
from dataclasses import dataclass

from app.filters.filtered import Focus, Reduction
from app.filters.selection import Lines, Rank, Selection

_FILE = re.compile(r"diff --git |diff --(?:cc|combined) |Index: |={50,}$")
_PLUS = re.compile(r"\+\+\+ |--- ")
_HUNK = re.compile(r"@@+ .*@@")
_HEAD = re.compile(r"(?:new file|deleted file|old|new|similarity|rename|copy|Binary files|GIT binary)\b")
_MADE = re.compile(
    r"(?:lock|\.lock|-lock\.json|lock\.yaml|\.min\.\w+|\.snap|\.svg|\.map|\.sum|generated\S*)[\"']?$"
)
_FIRST_CHANGES = 12


@dataclass(slots=True)
class _File:
    name: str
    plus: int = 0
    minus: int = 0


def reduce_diff(lines: Lines, focus: Focus) -> Reduction | None:
    """None: it has no hunks."""
    texts = lines.texts
    n_hunks = sum(text.startswith("@@") and bool(_HUNK.match(text)) for text in texts)
    if not n_hunks or sum(text[:1] in ("+", "-", " ", "@", "") for text in texts) < len(texts) * 0.7:
        return None
    chosen = Selection(lines=lines)
    words = focus.words
    files = list[_File]()
    n_changes, is_made, is_asked, in_hunk = 0, False, False, False
    for index, text in enumerate(texts):
        if _FILE.match(text) or (text.startswith("--- ") and not in_hunk and not files):
            name = text.rpartition(" b/")[2] if " b/" in text else text[4:]
            files.append(_File(name=name))
            n_changes, in_hunk = 0, False
            is_made, is_asked = bool(_MADE.search(text)), any(word in text.lower() for word in words)
            chosen.keep((index,), Rank.MUST)
        elif _HUNK.match(text):
            in_hunk = True
            chosen.keep((index,), Rank.SHOULD if is_made else Rank.NEAR)
        elif not in_hunk:
            rank = Rank.NEAR if _HEAD.match(text) or not files else Rank.MAY
            if not text.startswith(("index ", "+++ ", "--- ")) or not files:
                chosen.keep((index,), rank)
        elif text[:1] in ("+", "-"):
            n_changes += 1
            if files:
                files[-1].plus += text[0] == "+"
                files[-1].minus += text[0] == "-"
            early = n_changes <= _FIRST_CHANGES
            rank = Rank.MAY if is_made else Rank.NEAR if is_asked else Rank.SHOULD if early else Rank.MAY
            chosen.keep((index,), rank)
        elif text and text[0] not in " \\":
            in_hunk = False
            chosen.keep((index,), Rank.SHOULD)
    chosen.keep(lines.having(words), Rank.NEAR)
    chosen.notes.append(
        f"{len(files)} files, {n_hunks} hunks, +{sum(f.plus for f in files)} −{sum(f.minus for f in files)}"
    )
    if len(files) > 1:
        chosen.notes.extend(f" {file.name} +{file.plus} −{file.minus}" for file in files[:80])
    return Reduction(
        kind="diff",
        why="A diff to its files, the heads of its hunks and the changed lines.",
        write=chosen.write,
        ranges=lines.ranges("lines that match", lines.having(words)),
    )
