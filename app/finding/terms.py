"""What of a text stands in the index: folded words, and pairs of signs where no spaces are.

The index knows only which text holds which term. Whether the terms stand as they were typed is looked up in the
text itself (`wanted.py`), which a result needs for its snippet anyway: so the index has no positions, and is a
fifth of what it is of.

Whoever changes what `terms_of` gives adds a migration that empties the index: texts are taken out of it by the
terms that they put in.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

LONGEST_WORD = 64
"""Signs of a word that count; what is longer is found by them."""

# Han, kana, Hangul, Thai, Lao, Burmese, Khmer: written without spaces, or with endings that grow together.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_ASCII_WORDS = re.compile(r"[a-z0-9]+")
_WORDS = re.compile(rf"[^\W_{_UNSPACED}]+")
_UNSPACED_RUNS = re.compile(rf"[{_UNSPACED}]+")
WORD_BEGINS = rf"(?<![^\W_{_UNSPACED}])"
"""Pattern of a place in a folded text before which no word goes on."""
_RUN = re.compile(rf"({_UNSPACED_RUNS.pattern})|{_WORDS.pattern}")
_SLICE = 16_384
"""Signs worked on at a stretch: the interpreter is let go in between, for the window's thread."""


class _Folds(dict[int, int]):
    """One sign for one sign, so that a place in the folded text is the same place in the text."""

    def __missing__(self, code: int) -> int:
        sign = chr(code)
        plain = unicodedata.normalize("NFKD", sign)
        plain = "".join(part for part in plain if not unicodedata.combining(part)).lower()
        if len(plain) != 1:  # a ligature, or a syllable whose letters are several
            plain = sign.lower() if len(sign.lower()) == 1 else sign
        self[code] = ord(plain)
        return self[code]


_FOLDS = _Folds()


def fold(text: str) -> str:
    """`text` without case, accents and forms of width; as long as it was, sign by sign."""
    if text.isascii():
        return text.lower()
    return "".join(text[at : at + _SLICE].translate(_FOLDS) for at in range(0, len(text), _SLICE))


def runs_of(folded: str) -> Iterator[tuple[str, bool]]:
    """Words of a folded text, and runs of signs that are written without spaces (True), in order."""
    for found in _RUN.finditer(folded):
        yield found[0], found.lastindex == 1


def is_word(sign: str) -> bool:
    """Whether a folded sign is part of a word that stands between spaces."""
    return _WORDS.fullmatch(sign) is not None


def words_of(terms: set[str]) -> set[str]:
    """Those of some terms that can be begun to be typed: not the signs and pairs of signs."""
    return {term for term in terms if is_word(term[0])}


def terms_of(text: str) -> set[str]:
    """Every term of `text`; none holds a space or a sign of ASCII that is neither letter nor digit."""
    found = set[str]()
    for piece in _pieces(unicodedata.normalize("NFC", text)):
        folded = fold(piece)
        if folded.isascii():
            found.update(_ASCII_WORDS.findall(folded))
            continue
        found.update(_WORDS.findall(folded))
        for run in set(_UNSPACED_RUNS.findall(folded)):
            found.update(run)
            found.update(map("".join, pairwise(run)))
    for word in [word for word in found if len(word) > LONGEST_WORD]:
        found.discard(word)
        found.add(word[:LONGEST_WORD])
    return found


def _pieces(text: str) -> Iterator[str]:
    """`text` in slices, cut where a word ends."""
    start = 0
    while start < len(text):
        end = start + _SLICE
        while end < len(text) and end < start + 2 * _SLICE and text[end - 1 : end + 1].isalnum():
            end += 1
        yield text[start:end]
        start = end
