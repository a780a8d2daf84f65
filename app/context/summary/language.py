"""Which language the person writes in, told by script: for headings, and for the prompt of a summary (case B41)."""

import re
from collections.abc import Iterable

_SCRIPTS = (
    ("ja", "日本語 (Japanese)", re.compile(r"[\u3040-\u30ff]"), 0.1),
    ("zh", "中文 (Chinese)", re.compile(r"[\u3400-\u9fff]"), 0.2),
    ("ko", "한국어 (Korean)", re.compile(r"[\uac00-\ud7af]"), 0.2),
)
_LETTER = re.compile(r"[^\W\d_]")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_LOOKED_AT = 4_000
THEIR_OWN = "the language of the person's own messages"


def language_of(texts: Iterable[str], *, otherwise: str = "en") -> tuple[str, str]:
    """Code and name; the name is a description where the script does not tell.

    Args:
        texts: The person's own, code left aside; what was pasted hardly counts beside many short ones.
        otherwise: The code where they hold no letters.
    """
    joined = " ".join(_FENCE.sub(" ", text[:_LOOKED_AT])[:400] for text in texts)
    letters = len(_LETTER.findall(joined))
    if not letters:
        return otherwise, _name(otherwise)
    for code, name, script, share in _SCRIPTS:
        if len(script.findall(joined)) >= share * letters:
            return code, name
    return "en", THEIR_OWN


def _name(code: str) -> str:
    return next((name for known, name, _, _ in _SCRIPTS if known == code), THEIR_OWN)
