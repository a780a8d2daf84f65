"""What a summary must not alter: figures, dates, money, ids, paths, links, names in quotes, and bans (C15).

Found by rule in the folded run before, compared after; what the summary lost stands beside it, word for word.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

from app.context.ledger import is_ban, sentences
from app.core.entries import Entry, Origin
from app.core.ids import EntryId
from app.core.parts import Blob, ToolCallPart, ToolResultPart, body_of


class ValueKind(IntEnum):
    """In the order of what is hardest to say again from memory."""

    BAN = 0
    MONEY = 1
    ID = 2
    LINK = 3
    PATH = 4
    DATE = 5
    NAME = 6
    FIGURE = 7
    MODEL = 8


class ExactValue(NamedTuple):
    kind: ValueKind
    text: str
    key: str
    """The words before it, word for word; a ban has none."""
    entry_id: EntryId | None
    is_own: bool
    """The person said it."""

    @property
    def line(self) -> str:
        if not self.key:
            return self.text
        joint = "" if "\u3400" <= self.key[-1] <= "\u9fff" or self.key[-1] in "$€£¥`'\"“「《([/=" else " "
        return f"{self.key}{joint}{self.text}"


_UNITS = (
    r"(?:%|‰|°C|°F|ms|µs|ns|[smhd]\b|sec|seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|"
    r"[KMGT]i?B\b|bytes?|bits?|tokens?|px|pt|em|rem|[kcm]?m\b|km/h|mph|miles?|feet|ft|inch(?:es)?|[kmµ]?g\b|lbs?|oz|"
    r"[km]?[lLWVAJ]\b|kWh|[kMG]?Hz|rpm|dpi|fps|people|persons|users?|items?|rows?|lines?|files?|times|x\b|"
    r"个|元|块|万|亿|岁|年|月|日|天|小时|分钟|秒|次|人|名|条|项|行|页|章|集|本|件|台|倍|度|米|公里|千米|厘米|克|公斤|斤|升|毫升|点|号|级)"
)
_QUOTED = r"|(?<!\w)\"[^\"\n]{2,60}\"(?![\w:])"
_FORMS = (
    r"(?P<LINK>https?://[^\s\"'<>()\[\]{}|`，。）】]{4,300})"
    r"|(?P<ID>\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b"
    r"|\b(?=[A-Z0-9_-]*\d)(?=[A-Z0-9_-]*[A-Z])[A-Z][A-Z0-9]{0,9}[-_]?[A-Z0-9]*\d[A-Z0-9-]{1,24}\b|#\d{2,8}\b)"
    r"|(?P<PATH>(?<![\w.@-])(?:~|\.{1,2})?(?:/[\w.@+-]+){2,12}/?|(?<![\w./@-])(?:[\w.-]+/){1,12}[\w.-]*\w"
    r"|(?<![\w./@-])[\w-]+\.(?:py|js|ts|tsx|jsx|md|json|ya?ml|toml|txt|csv|html?|css|rs|go|java|c|h|cpp|sh|sql|ini|cfg|env|lock|xml|pdf|png|jpe?g|svg|log)\b)"
    r"|(?P<MONEY>[$€£¥]\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:k|m|bn|million|billion|万|亿)\b)?"
    r"|\b\d[\d,]*(?:\.\d+)?\s?(?:USD|EUR|GBP|CNY|RMB|JPY|dollars|euros|美元|欧元|人民币|元|块钱))"
    r"|(?P<DATE>\b(?:19|20)\d\d[-/.年]\s?\d{1,2}(?:[-/.月]\s?\d{1,2}日?)?(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?"
    r"|\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\b|\b\d{1,2}月\d{1,2}[日号]"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\b)"
    r"|(?P<NAME>《[^》\n]{1,40}》|“[^”\n]{2,60}”|「[^」\n]{1,40}」|`[^`\n]{2,60}`@QUOTED@)"
    r"|(?P<MODEL>\b(?:gpt|claude|gemini|llama|qwen|deepseek|mistral|glm|kimi|o[134])[-\w.:]*\d[-\w.:]*)"
    rf"|(?P<FIGURE>(?<![\w.])[+-]?\d[\d,]*(?:\.\d+)*\s?{_UNITS}|(?<![\w.,])[+-]?\d[\d,]*\.\d+(?!\w)|(?<![\w.,])\d[\d,]{{2,20}}(?![\w,.]*\w))"
)
# In ASCII, so that a figure ends where Chinese words begin.
_PATTERN = re.compile(_FORMS.replace("@QUOTED@", _QUOTED), re.ASCII)
_DATA_PATTERN = re.compile(_FORMS.replace("@QUOTED@", ""), re.ASCII)
"""In calls and results quotes are JSON's, not names."""
_HAS_VALUE = re.compile(r"[\d/\"`《“「]|\.[a-z]")
_KEY_CHARS = 44
_KEY_START = re.compile(r"[.!?。！？；;\n|]\s*")
_FIELD = re.compile(r"\"([^\"\n]+)\"\s*:\s*\"?([^\"{}\[\]\n]*)$")
"""JSON's name of what the value stands in: the fields before it, and half of an object, say nothing of it."""
_EDGES = ".,;:!?，。；：、)('\""
_SMALLEST_TOKENS = 4
_LONGEST_LINE = 2_000
"""What is longer is data, whose values are the vault's to find."""


def values_of(entries: Iterable[Entry]) -> tuple[ExactValue, ...]:
    """The values of a run in order, each once, with where it was said first. Large originals are not read."""
    found: dict[str, ExactValue] = {}
    for entry in entries:
        is_own = entry.origin is Origin.USER
        for part in entry.parts:
            body = body_of(part)
            if isinstance(body, Blob) or not body:
                continue
            is_data = isinstance(part, ToolCallPart | ToolResultPart)
            for value in values_in(body, entry_id=entry.id, is_own=is_own, is_data=is_data):
                known = found.get(value.text)
                if known is None or (is_own and not known.is_own):
                    found[value.text] = value
    return tuple(found.values())


def values_in(
    text: str, *, entry_id: EntryId | None = None, is_own: bool = False, is_data: bool = False
) -> Iterable[ExactValue]:
    """In order; bans are the person's own only, what the assistant advises against is none."""
    if is_own:
        for sentence in sentences(text):
            if is_ban(sentence):
                yield ExactValue(ValueKind.BAN, sentence, "", entry_id, is_own)
    pattern = _DATA_PATTERN if is_data else _PATTERN
    for line in text.split("\n"):
        if len(line) > _LONGEST_LINE or not _HAS_VALUE.search(line):
            continue
        for match in pattern.finditer(line):
            kind = ValueKind[match.lastgroup or "FIGURE"]
            value = match[0].strip() if kind is ValueKind.NAME else match[0].strip(_EDGES + " ")
            if len(value) > 1:
                key = _key(line, match.start(), is_data=is_data)
                yield ExactValue(kind, value, key, entry_id, is_own)


def _key(line: str, at: int, *, is_data: bool) -> str:
    """The words of the same clause that stand before the value: what it is the value of."""
    before = line[max(0, at - _KEY_CHARS) : at]
    if is_data and (field := _FIELD.search(before)):
        return f"{field[1]}: {field[2]}".strip()
    if at > _KEY_CHARS and before[:1].isascii():
        before = before.partition(" ")[2]
    pieces = _KEY_START.split(before)
    return pieces[-1].strip().lstrip("-*#>•\t ")


def lost(values: Iterable[ExactValue], text: str) -> tuple[ExactValue, ...]:
    """Those that do not stand in `text` character by character: "19,999" is not found in "about 20,000"."""
    return tuple(value for value in values if not _stands(value.text, text))


def _stands(value: str, text: str) -> bool:
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        left = text[at - 1] if at else " "
        right = text[end : end + 2]
        is_cut_left = value[0].isdigit() and (left.isdigit() or left in ".,")
        is_cut_right = value[-1].isdigit() and (
            right[:1].isdigit() or (right[:1] in ".," and right[1:].isdigit())
        )
        if not is_cut_left and not is_cut_right:
            return True
        at = text.find(value, at + 1)
    return False


def chosen(
    values: Sequence[ExactValue], room_tokens: float, tokens: Callable[[str], float], *, beside: str = ""
) -> tuple[ExactValue, ...]:
    """Those that fit and don't stand in `beside`, as they were said: every ban, the person's own, the most exact."""

    def worth(at: int) -> tuple[bool, bool, ValueKind, int]:
        return values[at].kind is not ValueKind.BAN, not values[at].is_own, values[at].kind, -at

    kept: list[int] = []
    for at in sorted(range(len(values)), key=worth):
        is_ban_line = values[at].kind is ValueKind.BAN
        if not is_ban_line and room_tokens < _SMALLEST_TOKENS:
            break
        cost = tokens(values[at].line) + 2
        # A ban is never cut, whatever the room (case B37).
        if (is_ban_line or cost <= room_tokens) and not _stands(values[at].text, beside):
            kept.append(at)
            room_tokens -= cost
    return tuple(values[at] for at in sorted(kept))


def as_lines(values: Iterable[ExactValue]) -> str:
    """One line each; what was said one after another about the same key stands in one."""
    return "\n".join(dict.fromkeys(f"- {value.line}" for value in values))
