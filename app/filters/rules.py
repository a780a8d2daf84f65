"""Compressors that are data: what a rule can say of a command's output, and how it is applied (C23).

Shipped rules are tested, so they run in `re`. A person's rules may be anything, so they run in `regex`, which can
be cut off: a pattern that takes too long sets its whole rule aside, and the reason is told.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import regex
import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from app.filters.filtered import Focus, Hint, Reduction
from app.filters.selection import Lines, Rank, Selection, cut
from app.filters.structural.traces import foreign_frames
from app.filters.tells import failures, pattern_of, summaries, warnings

PATTERN_TIMEOUT_S = 0.05
_TOTAL_TIMEOUT_S = 1.0
"""Of one pattern over all lines of a text: many lines that are each slow are slow, too."""
_LOOKED_AT_CHARS = 20_000
_LOOKED_AT_TAIL_CHARS = 5_000
_MOST_RULES_CHARS = 200_000


class TooSlow(Exception):
    """A pattern was cut off. Caught by: `Rules.apply`."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Replacement(_Strict):
    pattern: str
    put: str = ""


class Block(_Strict):
    """Lines from one that matches `begin` to before one that matches `end`."""

    begin: str
    end: str
    head: int = 8
    tail: int = 8


class Rule(_Strict):
    """One compressor. Of the lists, `keep` wins over `drop`, `drop` over what tells of itself, that over `rest`."""

    name: str
    command: str = ""
    """Matched against the command; a rule whose command matches goes before one that knows the text only."""
    text: str = ""
    """Matched against the beginning and the end of the output, line by line."""
    not_text: str = ""
    replace: tuple[Replacement, ...] = ()
    keep: tuple[str, ...] = ()
    prefer: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    """Of lines that differ in their values only, the first with the count."""
    before: int = 0
    after: int = 0
    """Lines that stay around a kept one, room allowing."""
    blocks: tuple[Block, ...] = ()
    rest: Literal["keep", "drop", "group"] = "keep"
    head: int = 3
    tail: int = 3
    cap: int = Field(default=0, ge=0)
    """Most lines that stay beside those that must; 0: as many as there is room for."""
    tells: bool = True
    """Whether failures, warnings and summaries stay of themselves."""
    frames: bool = True
    """Whether frames of libraries stay."""
    on_empty: str = ""
    compressor: str = ""
    """A compressor in code that does what rules can't; see `commands.py`."""


_RULES = TypeAdapter(tuple[Rule, ...])
Compressor = Callable[[Lines, Focus], Reduction | None]


class _Pattern(Protocol):
    def search(self, text: str) -> bool: ...

    def sub(self, put: str, text: str) -> str: ...


class _Trusted:
    def __init__(self, pattern: str) -> None:
        self._pattern = re.compile(pattern, re.MULTILINE)

    def search(self, text: str) -> bool:
        return self._pattern.search(text) is not None

    def sub(self, put: str, text: str) -> str:
        return self._pattern.sub(put, text)


class _Bounded:
    """A pattern that nobody has tested."""

    def __init__(self, pattern: str) -> None:
        self._pattern = regex.compile(pattern, regex.MULTILINE)
        self._spent_s = 0.0

    def search(self, text: str) -> bool:
        return bool(self._within_time(lambda: self._pattern.search(text, timeout=PATTERN_TIMEOUT_S)))

    def sub(self, put: str, text: str) -> str:
        return str(self._within_time(lambda: self._pattern.sub(put, text, timeout=PATTERN_TIMEOUT_S)))

    def _within_time(self, work: Callable[[], object]) -> object:
        begun = time.perf_counter()
        try:
            found = work()
        except TimeoutError as error:
            raise TooSlow(self._pattern.pattern) from error
        self._spent_s += time.perf_counter() - begun
        if self._spent_s > _TOTAL_TIMEOUT_S:
            raise TooSlow(self._pattern.pattern)
        return found


@dataclass(frozen=True, slots=True)
class _Compiled:
    rule: Rule
    is_own: bool
    make: Callable[[str], _Pattern]
    patterns: dict[str, _Pattern] = field(default_factory=dict[str, _Pattern])

    def pattern(self, text: str) -> _Pattern:
        if text not in self.patterns:
            self.patterns[text] = self.make(text)
        return self.patterns[text]

    def finds(self, pattern: str, text: str) -> bool:
        return bool(pattern) and self.pattern(pattern).search(text)

    def matching(self, patterns: Sequence[str], texts: Iterable[tuple[int, str]]) -> set[int]:
        if not patterns:
            return set()
        if not self.is_own:
            patterns = ("|".join(f"(?:{each})" for each in patterns),)
        compiled = [self.pattern(each) for each in patterns]
        return {index for index, text in texts if text and any(each.search(text) for each in compiled)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """All rules, the person's first."""

    compiled: tuple[_Compiled, ...] = ()
    compressors: Mapping[str, Compressor] = field(default_factory=dict[str, Compressor])
    faults: tuple[str, ...] = ()
    """What is wrong with the person's rules, each in a sentence."""

    def own(self, lines: Lines, hint: Hint, focus: Focus) -> tuple[Reduction | None, tuple[str, ...]]:
        """What the person's first fitting rule makes of the text, and why others were set aside."""
        return self._apply(lines, hint, focus, is_own=True)

    def shipped(self, lines: Lines, hint: Hint, focus: Focus) -> Reduction | None:
        return self._apply(lines, hint, focus, is_own=False)[0]

    def _apply(
        self, lines: Lines, hint: Hint, focus: Focus, *, is_own: bool
    ) -> tuple[Reduction | None, tuple[str, ...]]:
        looked_at = (
            f"{lines.joined[:_LOOKED_AT_CHARS]}\n{lines.joined[_LOOKED_AT_CHARS:][-_LOOKED_AT_TAIL_CHARS:]}"
        )
        faults = list[str]()
        mine = [rule for rule in self.compiled if rule.is_own == is_own]
        for by_command in (True, False):
            for compiled in mine:
                try:
                    if self._fits(compiled, hint, looked_at, by_command=by_command):
                        found = self._reduced(compiled, lines, focus)
                        if found is not None:
                            return found, tuple(faults)
                except TooSlow as error:
                    faults.append(
                        f"Your filter {compiled.rule.name!r} was set aside: {error!s} takes too long."
                    )
        return None, tuple(dict.fromkeys(faults))

    def _fits(self, compiled: _Compiled, hint: Hint, text: str, *, by_command: bool) -> bool:
        rule = compiled.rule
        if compiled.finds(rule.not_text, text):
            return False
        if by_command:
            return compiled.finds(rule.command, hint.command)
        return compiled.finds(rule.text, text)

    def _reduced(self, compiled: _Compiled, lines: Lines, focus: Focus) -> Reduction | None:
        rule = compiled.rule
        if rule.compressor:
            return self.compressors[rule.compressor](lines, focus)
        return apply_rule(compiled, lines, focus)


def rules_of(
    shipped: Mapping[str, str], own: str = "", compressors: Mapping[str, Compressor] | None = None
) -> Rules:
    """The rules of YAML texts by file name, and of the person's text before them.

    Raises:
        ValueError: a shipped text is wrong (a bug). The person's faults are collected instead.
    """
    found, faults = list[_Compiled](), list[str]()
    if own.strip():
        try:
            mine = _parsed(own)
        except ValueError as error:
            faults.append(f"Your filters can't be read: {_first_line(error)}")
            mine = ()
        for rule in mine:
            if fault := _fault(rule):
                faults.append(f"Your filter {rule.name!r} is set aside: {fault}")
            else:
                found.append(_Compiled(rule=rule, is_own=True, make=_Bounded))
    for name in sorted(shipped):
        found.extend(_Compiled(rule=rule, is_own=False, make=_Trusted) for rule in _parsed(shipped[name]))
    return Rules(compiled=tuple(found), compressors=compressors or {}, faults=tuple(faults))


def _parsed(text: str) -> tuple[Rule, ...]:
    """
    Raises:
        ValueError: it is no list of rules.
    """
    if len(text) > _MOST_RULES_CHARS:
        raise ValueError("they are too long")
    try:
        return _RULES.validate_python(yaml.load(text, Loader=_NoAliases) or ())  # a safe one
    except (yaml.YAMLError, ValidationError, RecursionError) as error:
        raise ValueError(str(error)) from error


class _NoAliases(yaml.SafeLoader):
    """Aliases can grow without end, and no rule needs one."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):  # pyright: ignore[reportUnknownMemberType]  # half-typed stubs
            raise yaml.YAMLError("they hold aliases")
        return super().compose_node(parent, index)


def _first_line(error: ValueError) -> str:
    return " ".join(str(error).split())[:200]


def _fault(rule: Rule) -> str:
    if rule.compressor:
        return "compressors in code are for shipped filters only"
    for pattern in _patterns(rule):
        try:
            regex.compile(pattern, regex.MULTILINE)
        except (regex.error, RecursionError) as error:
            return f"{pattern!r} is no pattern ({error})"
    return ""


def _patterns(rule: Rule) -> Iterable[str]:
    yield from (rule.command, rule.text, rule.not_text, *rule.keep, *rule.prefer, *rule.drop, *rule.group)
    yield from (each.pattern for each in rule.replace)
    for block in rule.blocks:
        yield from (block.begin, block.end)


def apply_rule(compiled: _Compiled, lines: Lines, focus: Focus) -> Reduction:
    """
    Raises:
        TooSlow: a pattern of the person's was cut off.
    """
    rule = compiled.rule
    chosen = Selection(lines=lines)
    texts = lines.texts
    numbered = list(enumerate(texts))
    kept = compiled.matching(rule.keep, numbered)
    dropped = compiled.matching(rule.drop, numbered) - kept
    if not rule.frames:
        dropped |= foreign_frames(lines) - kept
    failed = (failures(lines) - dropped) if rule.tells else set[int]()
    told = ((warnings(lines) | summaries(lines)) - dropped) if rule.tells else set[int]()
    chosen.keep(told | kept, Rank.MUST)
    _once(chosen, failed, Rank.MUST)
    chosen.around(kept, rule.before, rule.after, Rank.NEAR)
    for block in rule.blocks:
        _block(compiled, block, chosen)
    chosen.keep(compiled.matching(rule.prefer, numbered) - dropped, Rank.NEAR)
    hits = lines.having(focus.words)
    chosen.keep(hits, Rank.NEAR)
    _group(chosen, compiled.matching(rule.group, numbered) - kept - dropped - hits)
    chosen.ends(rule.head, rule.tail, Rank.SHOULD)
    rest = [index for index, text in numbered if index not in chosen.ranks and text.strip()]
    if rule.rest == "keep":
        chosen.keep(rest[: rule.cap or None], Rank.MAY)
    elif rule.rest == "group":
        _group(chosen, [index for index in rest if index not in dropped])
    for index in dropped - hits:
        chosen.ranks.pop(index, None)
    _replace(compiled, chosen)
    if not any(texts[index].strip() for index in chosen.ranks) and rule.on_empty:
        chosen.notes.append(rule.on_empty)
    return Reduction(
        kind=rule.name,
        why=f"{'Your filter' if compiled.is_own else 'The filter'} {rule.name!r}: "
        "failures, warnings and counts stay, what repeats or went well goes.",
        write=chosen.write,
        ranges=(*lines.ranges("failures", failed), *lines.ranges("lines that match", hits)),
    )


def _block(compiled: _Compiled, block: Block, chosen: Selection) -> None:
    begin, end = compiled.pattern(block.begin), compiled.pattern(block.end)
    texts = chosen.lines.texts
    opened: int | None = None
    for index in range(len(texts) + 1):
        is_over = index == len(texts) or (opened is not None and index > opened and end.search(texts[index]))
        if opened is not None and is_over:
            inner = range(opened, index)
            chosen.keep((opened,), Rank.MUST)
            chosen.keep(
                (*inner[: block.head], *inner[-block.tail :]) if block.tail else inner[: block.head],
                Rank.NEAR,
            )
            chosen.keep(inner, Rank.MAY)
            opened = None
        if opened is None and index < len(texts) and begin.search(texts[index]):
            opened = index


def _once(chosen: Selection, indices: Iterable[int], rank: Rank) -> None:
    """A line that stands there again, byte for byte, is said once with its count."""
    seen: dict[str, list[int]] = {}
    for index in sorted(indices):
        seen.setdefault(chosen.lines.texts[index].strip(), []).append(index)
    _first_of(chosen, seen.values(), rank)


def _group(chosen: Selection, indices: Iterable[int]) -> None:
    groups: dict[str, list[int]] = {}
    for index in sorted(indices):
        groups.setdefault(pattern_of(chosen.lines.texts[index].strip()), []).append(index)
    for _, *more in groups.values():
        for index in more:
            if chosen.ranks.get(index) is not Rank.MUST:
                chosen.ranks.pop(index, None)
    _first_of(chosen, groups.values(), Rank.SHOULD)


def _first_of(chosen: Selection, groups: Iterable[Sequence[int]], rank: Rank) -> None:
    for first, *more in groups:
        chosen.keep((first,), rank)
        if more:
            chosen.shown[first] = f"{cut(chosen.lines.texts[first].rstrip())}  [×{len(more) + 1:,}]"


def _replace(compiled: _Compiled, chosen: Selection) -> None:
    replacements = [(compiled.pattern(each.pattern), each.put) for each in compiled.rule.replace]
    if not replacements:
        return
    for index in chosen.ranks:
        text = before = chosen.shown.get(index, chosen.lines.texts[index])
        for pattern, put in replacements:
            text = pattern.sub(put, text)
        if text != before:
            chosen.shown[index] = cut(text.rstrip())
