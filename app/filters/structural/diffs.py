"""Diffs: every file and hunk's head, changed lines without their surroundings, files of machines last."""

import re
from dataclasses import dataclass, field

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
    reader = _Reader(chosen=chosen, words=focus.words)
    for index, text in enumerate(texts):
        reader.take(index, text)
    files = reader.files
    hits = lines.having(focus.words)
    chosen.keep(hits, Rank.NEAR)
    chosen.notes.append(
        f"{len(files)} files, {n_hunks} hunks, +{sum(f.plus for f in files)} −{sum(f.minus for f in files)}"
    )
    if len(files) > 1:
        chosen.notes.extend(f" {file.name} +{file.plus} −{file.minus}" for file in files[:80])
    return Reduction(
        kind="diff",
        why="A diff to its files, the heads of its hunks and the changed lines.",
        write=chosen.write,
        ranges=lines.ranges("lines that match", hits),
    )


@dataclass(slots=True)
class _Reader:
    """Goes through a diff line by line and gives each its rank."""

    chosen: Selection
    words: tuple[str, ...]
    files: list[_File] = field(default_factory=list[_File])
    n_changes: int = 0
    is_made: bool = False
    is_asked: bool = False
    in_hunk: bool = False

    def take(self, index: int, text: str) -> None:
        rank: Rank | None = None
        if _FILE.match(text) or (text.startswith("--- ") and not self.in_hunk and not self.files):
            rank = self._file(text)
        elif _HUNK.match(text):
            self.in_hunk = True
            rank = Rank.SHOULD if self.is_made else Rank.NEAR
        elif not self.in_hunk:
            if not self.files or not text.startswith(("index ", "+++ ", "--- ")):
                rank = Rank.NEAR if _HEAD.match(text) or not self.files else Rank.MAY
        elif text[:1] in ("+", "-"):
            rank = self._change(text)
        elif text and text[0] not in " \\":
            self.in_hunk = False
            rank = Rank.SHOULD
        if rank is not None:
            self.chosen.keep((index,), rank)

    def _file(self, text: str) -> Rank:
        self.files.append(_File(name=text.rpartition(" b/")[2] if " b/" in text else text[4:]))
        self.n_changes, self.in_hunk = 0, False
        self.is_made = bool(_MADE.search(text))
        self.is_asked = any(word in text.lower() for word in self.words)
        return Rank.MUST

    def _change(self, text: str) -> Rank:
        self.n_changes += 1
        if self.files:
            self.files[-1].plus += text[0] == "+"
            self.files[-1].minus += text[0] == "-"
        if self.is_made:
            return Rank.MAY
        if self.is_asked:
            return Rank.NEAR
        return Rank.SHOULD if self.n_changes <= _FIRST_CHANGES else Rank.MAY
