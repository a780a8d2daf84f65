"""Secrets and personal data as stable pseudonyms, for what leaves the transcript: summaries, logs, reports (C16).

`⟦secret:aws_key:1⟧` is the first such key of the transcript, wherever it is met. The transcript and its
originals are never changed. Every pattern is bounded, so that the work is linear in the text.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import log2

_SHORT = 12
_SLICE_CHARS = 16_384
_PSEUDONYM = re.compile(r"⟦(?:secret|personal):[a-z_]{2,24}:\d{1,6}⟧")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    name: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...]
    """In lower case; one of them occurs wherever the pattern matches. Empty: always tried."""
    is_personal: bool = False
    spans_lines: bool = False
    is_one: Callable[[str], bool] = lambda found: True


@dataclass(frozen=True, slots=True, kw_only=True)
class Pseudonyms:
    """What was found so far, both ways; grows by `redact`, never renumbers."""

    by_value: Mapping[str, str] = field(default_factory=dict[str, str])

    def hidden(self, text: str) -> str:
        """`text` without what is known; nothing new is looked for."""
        if not (pattern := _any_of(value for value in self.by_value if value in text)):
            return text
        return "".join(
            pattern.sub(lambda match: self.by_value[match[0]], piece) if is_plain else piece
            for piece, is_plain in _outside(text)
        )

    def revealed(self, text: str) -> str:
        """`text` with each known pseudonym as what it stands for: for a tool call, after its approval."""
        values = {name: value for value, name in self.by_value.items()}
        return _PSEUDONYM.sub(lambda found: values.get(found[0], found[0]), text)


def redact(
    text: str, known: Pseudonyms | None = None, *, hides_personal_data: bool = True
) -> tuple[str, Pseudonyms]:
    """`text` without secrets, and all that is known after it; twice the same changes nothing more."""
    values = dict(known.by_value) if known else {}
    found = _found(text, hides_personal_data=hides_personal_data)
    counts = Counter(name.rpartition(":")[0] for name in values.values())
    for _, value, kind in sorted(found):
        if value not in values:
            group = f"⟦{'personal' if kind.is_personal else 'secret'}:{kind.name}"
            counts[group] += 1
            values[value] = f"{group}:{counts[group]}⟧"
    grown = Pseudonyms(by_value=values)
    return grown.hidden(text), grown


def redact_all(texts: Iterable[str], *, hides_personal_data: bool = True) -> Pseudonyms:
    """What is to be hidden in these texts, numbered in their order: the map of a whole transcript."""
    known = Pseudonyms()
    for text in texts:
        _, known = redact(text, known, hides_personal_data=hides_personal_data)
    return known


def has_secret(text: str) -> bool:
    return bool(_found(text, hides_personal_data=False))


def _outside(text: str) -> list[tuple[str, bool]]:
    """The text cut at pseudonyms that stand in it already."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    for match in _PSEUDONYM.finditer(text):
        pieces += [(text[at : match.start()], True), (match[0], False)]
        at = match.end()
    return [*pieces, (text[at:], True)]


def _any_of(values: Iterable[str]) -> re.Pattern[str] | None:
    """Whole occurrences: a number is not looked for inside a longer one, a short password not inside a word."""
    longest = sorted(values, key=lambda value: (-len(value), value))
    if not longest:
        return None
    edges = ((r"(?<!\w)", r"(?!\w)") if len(value) < _SHORT else (r"(?<!\d)", r"(?!\d)") for value in longest)
    return re.compile(
        "|".join(
            f"{left}{re.escape(value)}{right}" for value, (left, right) in zip(longest, edges, strict=True)
        )
    )


def _found(text: str, *, hides_personal_data: bool) -> list[tuple[int, str, "_Ordered"]]:
    found: list[tuple[int, str, _Ordered]] = []
    lowered = text.lower()
    # In JSON a line ends in a backslash and a letter, which would look like the beginning of what follows.
    scanned = text.replace("\\n", "  ").replace("\\t", "  ").replace("\\r", "  ")
    kinds = [
        kind
        for kind in _KINDS
        if (hides_personal_data or not kind.is_personal)
        and (not kind.hints or any(hint in lowered for hint in kind.hints))
    ]
    slices = _slices(scanned)
    taken: set[str] = set()
    for kind in kinds:
        for start, end in [(0, len(text))] if kind.spans_lines else slices:
            for match in kind.pattern.finditer(scanned, start, end):
                group = match.lastindex or 0
                value = text[match.start(group) : match.end(group)]
                if value not in taken and "⟦" not in value and kind.is_one(value):
                    taken.add(value)
                    ordered = _Ordered(kind.name, is_personal=kind.is_personal)
                    found.append((match.start(group), value, ordered))
    return found


def _slices(text: str) -> list[tuple[int, int]]:
    """Whole lines together up to a size: one search holds the interpreter until it ends."""
    found: list[tuple[int, int]] = []
    start = 0
    while len(text) - start > _SLICE_CHARS:
        end = text.rfind("\n", start, start + _SLICE_CHARS) + 1 or text.find("\n", start) + 1 or len(text)
        found.append((start, end))
        start = end
    return [*found, (start, len(text))]


@dataclass(frozen=True, slots=True, order=True)
class _Ordered:
    name: str
    is_personal: bool = field(kw_only=True)


# ---- what is no secret though it looks like one

_PLACEHOLDER = re.compile(
    r"(?i)(?:your|my|the|some|test|example|sample|dummy|fake|changeme|placeholder|redacted|xxx+|\*{3,}|\.{3,}|<|\$|"
    r"%|\{|none|null|true|false|undefined|process\.|os\.|env\b|getenv|self\.|config|settings|string|str\b|int\b)"
)
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,120}")
_IDS = re.compile(
    r"(?:call|toolu|chatcmpl|msg|req|run|gen|resp|thread|file|item)[_-]|.*(?:^|/)[A-Z]?[a-z]{2,}(?:/|$)"
)
"""Of messages and calls, and paths."""
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:[(\[].*)?|[a-z]+(?:-[a-z]+)+")


def _is_assigned_secret(value: str) -> bool:
    """Not a placeholder, a number, a path, or code that reads it from elsewhere."""
    if len(value) < 8 or not value.isascii() or _PLACEHOLDER.match(value) or value.isdigit():
        return False
    if "..." in value or _EMAIL.fullmatch(value):
        return False
    has_digit = any(character.isdigit() for character in value)
    if _IDENTIFIER.fullmatch(value) and not (has_digit and len(value) >= 12 and "." not in value):
        return False
    if "/" in value and not has_digit:
        return False
    return has_digit or not value.isalnum()


_NO_PASSWORDS = frozenset(
    ["postgres", "root", "admin", "guest", "user", "mysql", "redis", "mongo", "pass", "password", "secret"]
)


def _is_password(value: str) -> bool:
    return len(value) >= 3 and value not in _NO_PASSWORDS and not _PLACEHOLDER.match(value)


_ENTROPY_BITS = 4.2


def _is_random(value: str) -> bool:
    """Letters of both cases and digits, as no word, path, hash, uuid or encoded text has them."""
    if _IDS.match(value) or not re.search("[0-9]", value):
        return False
    if not (re.search("[a-z]", value) and re.search("[A-Z]", value)):
        return False
    if sum(map(str.isdigit, value)) < 3 or any(len(word) > 7 for word in re.findall("[a-z]+", value)):
        return False
    counts = Counter(value)
    bits = -sum(n / len(value) * log2(n / len(value)) for n in counts.values())
    return bits >= _ENTROPY_BITS


# ---- checks of personal data


def _passes_luhn(value: str) -> bool:
    digits = [int(character) for character in value if character.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 2:
        return False
    doubled = (sum(divmod(digit * 2, 10)) if at % 2 else digit for at, digit in enumerate(reversed(digits)))
    return sum(doubled) % 10 == 0


_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def _is_chinese_id(value: str) -> bool:
    total = sum(int(digit) * weight for digit, weight in zip(value, _ID_WEIGHTS, strict=False))
    return "10X98765432"[total % 11] == value[17].upper()


def _is_phone(value: str) -> bool:
    """No date and no row of figures: those have no plus, or fewer digits."""
    return not re.match(r"\+(?:19|20)\d\d-", value) and sum(map(str.isdigit, value)) >= 9


def _is_ssn(value: str) -> bool:
    area, group, serial = value.split("-")
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def _kind(
    name: str,
    pattern: str,
    *hints: str,
    is_one: Callable[[str], bool] = lambda found: True,
    is_personal: bool = False,
    spans_lines: bool = False,
) -> _Kind:
    return _Kind(
        name=name,
        pattern=re.compile(pattern),
        hints=hints,
        is_one=is_one,
        is_personal=is_personal,
        spans_lines=spans_lines,
    )


_STREET = r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Square|Sq|Terrace|Parkway|Pkwy)"
_KINDS: tuple[_Kind, ...] = (
    # The more exact kinds come first: a value is what the first of them says.
    _kind("private_key", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----)){1,8000}-----END [A-Z ]{0,30}PRIVATE KEY-----", "private key-----", spans_lines=True),
    _kind("jwt", r"\beyJ[\w-]{8,2000}\.[\w-]{8,4000}\.[\w-]{8,2000}", "eyj"),
    _kind("aws_key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b", "akia", "asia", "abia", "acca"),
    _kind("aws_secret", r"(?i)aws_?secret_?access_?key['\"]?\s{0,4}[:=]\s{0,4}['\"]?([A-Za-z0-9/+=]{30,60})", "aws"),
    _kind("payment_key", r"\b(?:(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{10,200}|whsec_[0-9A-Za-z+/=]{16,200}|sq0(?:atp|csp)-[\w-]{22,60})", "_live_", "_test_", "whsec_", "sq0"),
    _kind("ai_key", r"\b(?:sk-[\w-]{16,240}|AIza[\w-]{35}|hf_[A-Za-z]{30,40}|gsk_[0-9A-Za-z]{40,60}|xai-[0-9A-Za-z]{40,100}|r8_[0-9A-Za-z]{30,50}|pplx-[0-9a-zA-Z]{40,60})", "sk-", "aiza", "hf_", "gsk_", "xai-", "r8_", "pplx-"),
    _kind("cloud_key", r"\b(?:LTAI[0-9A-Za-z]{12,30}|do[opr]_v1_[0-9a-f]{64}|ya29\.[\w-]{20,300}|AccountKey=([0-9A-Za-z+/=]{40,120}))", "ltai", "_v1_", "ya29.", "accountkey="),
    _kind("code_host_token", r"\b(?:gh[pousr]_[0-9A-Za-z]{30,255}|github_pat_\w{22,255}|glpat-[\w-]{20,64}|npm_[0-9A-Za-z]{36}|pypi-[\w-]{50,300})", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "npm_", "pypi-"),
    _kind("message_token", r"\bxox[abeoprs]-[\w-]{10,250}", "xox"),
    _kind("message_token", r"https://hooks\.slack\.com/services/[\w/]{20,120}", "hooks.slack.com"),
    _kind("message_token", r"\b\d{8,10}:AA[\w-]{33}\b", ":aa"),
    _kind("message_token", r"\bSG\.[\w-]{16,32}\.[\w-]{32,64}", "sg."),
    _kind("message_token", r"\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}\b"),
    _kind("password", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@'\"]{0,80}:([^\s:/@'\"]{3,120})@", "://", is_one=_is_password),
    _kind("header", r"(?i)\b(?:proxy-)?authorization['\"]?\s{0,4}[:=]\s{0,4}['\"]?(?:bearer|basic|token|digest)\s{1,4}([\w.+/=~-]{8,2000})", "authorization", is_one=_is_password),
    _kind("bearer", r"(?i)\bbearer\s{1,4}([\w.+/=~-]{16,2000})", "bearer", is_one=_is_assigned_secret),
    _kind("header", r"(?i)\b(?:x-api-key|api-key|x-auth-token|private-token|cookie|set-cookie)['\"]?\s{0,4}:\s{0,4}['\"]?([^\s'\",;]{8,1000})", "x-api-key", "api-key", "x-auth-token", "private-token", "cookie", is_one=_is_assigned_secret),
    _kind("password", r"(?i)(?:password|passwd|passphrase|\bpwd)\b['\"]?\s{0,4}[:=]\s{0,4}['\"]?([^\s'\",;&)]{6,200})", "passw", "passphrase", "pwd", is_one=_is_assigned_secret),
    _kind("password", r"(?:密码|口令)\s{0,2}(?:是|为|[:：=])\s{0,2}([!-~]{4,100})", "密码", "口令", is_one=_is_password),
    _kind("key", r"(?i)(?:api_?-?key|secret|token|access_?-?key|private_?-?key|credentials?|client_?-?id_?secret|encryption_?key|[a-z0-9]_key)(?:_?[a-z]{1,12}){0,2}['\"]?\s{0,4}[:=]\s{0,4}['\"]?([^\s'\",;&)\]}]{8,400})", "key", "secret", "token", "credential", is_one=_is_assigned_secret),
    _kind("random", r"(?<![\w/+.=-])[\w+-][\w+/-]{31,127}={0,2}(?![\w/+-])", is_one=_is_random),
    _kind("id_card", r"(?<![\w.-])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\w-])", is_one=_is_chinese_id, is_personal=True),
    _kind("bank_card", r"(?<![\w.-])[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w.-]*\w)", is_one=_passes_luhn, is_personal=True),
    _kind("ssn", r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])", is_one=_is_ssn, is_personal=True),
    _kind("passport", r"(?i)(?:passport(?:\s(?:no|number))?|护照(?:号码?)?)\.?\s{0,2}(?:is|是|为|[:：#])?\s{0,2}([A-Z]{1,2}\d{7,8}|\d{9})\b", "passport", "护照", is_personal=True),
    _kind("phone", r"(?<![\w.+-])(?:\+?86[ -]?)?1[3-9]\d(?:[ -]?\d{4}){2}(?![\w-])|(?<![\w.+])\+[1-9]\d{0,2}(?:[ .-]?\(?\d{2,4}\)?){2,4}(?![\w-])|(?<![\w.(-])(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}(?![\w-])|(?<![\w-])0\d{2,3}-\d{7,8}(?![\w-])", is_one=_is_phone, is_personal=True),
    _kind("email", r"(?<![A-Za-z0-9_.+:/@-])(?!git@)[A-Za-z0-9_.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}\b", "@", is_personal=True),
    _kind("address", rf"\b\d{{1,5}} (?:[A-Z][a-z]{{1,20}} ){{1,3}}{_STREET}\b(?:,? (?:Apt|Suite|Unit|#) ?\w{{1,6}})?", "st", "ave", "r", is_personal=True),
    _kind("address", r"[\u4e00-\u9fff]{2,8}(?:省|市|自治区)?[\u4e00-\u9fff]{1,8}[区县][\u4e00-\u9fff]{1,12}[路街道巷]\d{1,5}号(?:[\u4e00-\u9fff\d]{1,10}[室号楼])?", "号", is_personal=True),
)  # fmt: skip
