"""The simulator's own tokens: another vocabulary than the app's, times a factor."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from functools import cache
from pathlib import Path

import tiktoken

_PIECE_BYTES = 8192  # longer pieces make the vocabulary's regular expression slow, or fail on blanks


class Counter:
    """Counts text; the sum of raw counts times `factor`, rounded, is what goes on the bill.

    Args:
        factor: 1.14 says "this provider counts more than you think", 0.9 the opposite.
        vocabulary: One that ships inside litellm: p50k_base, cl100k_base, o200k_base.
    """

    def __init__(self, factor: float = 1.14, vocabulary: str = "p50k_base") -> None:
        self.factor = factor
        self._vocabulary = vocabulary
        self._known: dict[bytes, int] = {}

    def raw(self, text: str) -> int:
        """Tokens of `text` before the factor; equal texts are counted once."""
        data = text.encode(errors="replace")
        if len(data) < 64:
            return self._encode(data)
        key = hashlib.blake2b(data, digest_size=16).digest()
        if key not in self._known:
            self._known[key] = self._encode(data)
        return self._known[key]

    def billed(self, raw: int) -> int:
        return round(raw * self.factor)

    def tokens(self, text: str) -> int:
        """Tokens of a text that stands alone, an answer for instance."""
        return self.billed(self.raw(text))

    def _encode(self, data: bytes) -> int:
        encode = _encoding(self._vocabulary).encode
        pieces = (data[at : at + _PIECE_BYTES] for at in range(0, len(data), _PIECE_BYTES))
        return sum(len(encode(piece.decode(errors="replace"), disallowed_special=())) for piece in pieces)


@cache
def _encoding(name: str) -> tiktoken.Encoding:
    spec = importlib.util.find_spec("litellm")  # finds the folder without running its seven seconds
    if spec is not None and spec.submodule_search_locations:
        folder = Path(spec.submodule_search_locations[0]) / "litellm_core_utils" / "tokenizers"
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(folder))
    return tiktoken.get_encoding(name)
