"""Embeddings without a model: hashed words and character triples, so that similar texts are near."""

from __future__ import annotations

import base64
import hashlib
import math
import re
import struct
from itertools import chain
from typing import TYPE_CHECKING

from tests.simulator.wire import Body, Refusal, sequence, string

if TYPE_CHECKING:
    from tests.simulator.counting import Counter

DIMENSIONS = 256
_MAX_TOKENS = 8192
_WORD = re.compile(r"[⺀-鿿가-힯]+|[^\W⺀-鿿가-힯]+")
_WIDE = re.compile(r"[⺀-鿿가-힯]")


def embed(text: str) -> list[float]:
    """A unit vector of `DIMENSIONS` numbers; the empty text has all zeros."""
    vector = [0.0] * DIMENSIONS
    for feature, weight in chain.from_iterable(map(_features, _WORD.findall(text.lower()))):
        digest = hashlib.blake2b(feature.encode(errors="replace"), digest_size=4).digest()
        vector[digest[0]] += weight if digest[1] & 1 else -weight
    length = math.sqrt(sum(value * value for value in vector))
    return [value / length for value in vector] if length else vector


def _features(word: str) -> list[tuple[str, float]]:
    """A word itself and its character triples; of Chinese its pairs; little words count little."""
    if _WIDE.match(word):
        return [(word[at : at + 2], 2.0) for at in range(max(1, len(word) - 1))]
    if len(word) <= 3 and not any(map(str.isdigit, word)):
        return [(word, 0.2)]
    return [(word, 2.0), *((f" {word} "[at : at + 3], 1.0) for at in range(len(word)))]


def answer(body: Body, counter: Counter) -> dict[str, object] | Refusal:
    """The reply to `POST /v1/embeddings`."""
    given = body.get("input")
    texts = [given] if isinstance(given, str) else [string(item) for item in sequence(given)]
    if not texts or not all(texts):
        message = "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference."
        return Refusal(status=400, message=message)
    if len(texts) > 2048:
        message = (
            f"Invalid 'input': array too long. Expected an array with maximum length 2048, but got an array with length "
            f"{len(texts)} instead."
        )
        return Refusal(status=400, message=message, param="input", code="array_above_max_length")
    tokens = [counter.tokens(text) for text in texts]
    if max(tokens) > _MAX_TOKENS:
        message = (
            f"This model's maximum context length is {_MAX_TOKENS} tokens, however you requested {max(tokens)} tokens "
            f"({max(tokens)} in your prompt; 0 for the completion). Please reduce your prompt; or completion length."
        )
        return Refusal(status=400, message=message)
    encoded = body.get("encoding_format") == "base64"
    return {
        "object": "list",
        "model": string(body.get("model")),
        "data": [
            {
                "object": "embedding",
                "index": at,
                "embedding": _packed(embed(text)) if encoded else embed(text),
            }
            for at, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": sum(tokens), "total_tokens": sum(tokens)},
    }


def _packed(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
