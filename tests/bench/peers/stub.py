"""What stands in for a language model that writes summaries: every sentence that states a fact, up to a cap.

Scores then measure what a library chooses to show its summariser and what it keeps of the answer, not wit.
"""

import re
from collections.abc import Callable, Iterator

_SENTENCE = re.compile(r"\n+|(?<=[.!?])\s+|(?<=[。！？])")
_PIECE_CHARS = 400
_FACT = re.compile(r"\d|[\w.-]+/[\w./-]+|\w_\w|[a-z][A-Z]|[\"“「『《`]")
_LEAST_CHARS = 12


def facts(shown: str, *, cap_tokens: int, count: Callable[[str], int]) -> list[str]:
    """Sentences of `shown` in their order, each once, that together have at most `cap_tokens`."""
    kept: dict[str, None] = {}
    room = cap_tokens
    for sentence in _sentences(shown):
        if sentence in kept or not _FACT.search(sentence):
            continue
        room -= count(sentence) + 1
        if room < 0:
            break
        kept[sentence] = None
    return list(kept)


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(text):
        told = sentence.strip()
        if len(told) >= _LEAST_CHARS:
            yield from (told[at : at + _PIECE_CHARS] for at in range(0, len(told), _PIECE_CHARS))
