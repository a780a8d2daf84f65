"""Exact counts with the vocabularies that ship inside litellm's folder; runs in the text worker only (C4)."""

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from app.tokens.estimate import estimate

_PIECE_BYTES = 8 * 1024
"""Longer pieces risk tiktoken's "Max stack size exceeded" and quadratic merges (case B22); cutting at a blank
costs 0.04 % at most."""

_FILES = {
    "o200k": "fb374d419588a4632f3f557e76b4b70aebbca790",  # tiktoken's cache key: sha1 of the address
    "cl100k": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "anthropic": "anthropic_tokenizer.json",
    "deepseek": "deepseek_tokenizer.json",
}


class _Vocabulary(Protocol):
    def __call__(self, piece: str) -> int: ...


class Vocabularies:
    """Counts by one vocabulary at a time: each is 20 to 75 MB, and a chat needs one.

    Args:
        folder: Where the vocabularies' files lie; what is not there is estimated, never fetched.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loaded: tuple[str, _Vocabulary] | None = None

    def count(self, text: str, tokenizer: str) -> int:
        """Tokens of `text`; never raises: what can't be counted is estimated (case B20)."""
        try:
            encode = self._vocabulary(tokenizer)
            return sum(encode(piece) for piece in pieces(text))
        except (ValueError, KeyError, OSError, RuntimeError):
            return estimate(text)

    def _vocabulary(self, tokenizer: str) -> _Vocabulary:
        if self._loaded is None or self._loaded[0] != tokenizer:
            self._loaded = None  # freed before the next one is built
            file = self._folder / _FILES[tokenizer]
            if not file.is_file():
                raise FileNotFoundError(file)
            self._loaded = tokenizer, _by_file(file) if file.suffix else _by_tiktoken(tokenizer, self._folder)
        return self._loaded[1]


def pieces(text: str) -> Iterator[str]:
    """`text` in pieces of at most 8 KiB, cut after a newline, else before a space, else between characters.

    Lone surrogates become question marks.
    """
    data = text.encode(errors="replace")
    at = 0
    while len(data) - at > _PIECE_BYTES:
        end = at + _PIECE_BYTES
        cut = data.rfind(b"\n", at, end) + 1 or data.rfind(b" ", at + 1, end)
        if cut <= at:
            cut = end
            while data[cut] & 0xC0 == 0x80:
                cut -= 1
        yield data[at:cut].decode()
        at = cut
    yield data[at:].decode()


def vocabulary_folder() -> Path | None:
    """Where litellm keeps its vocabularies; found without importing it (that takes seconds)."""
    spec = importlib.util.find_spec("litellm")
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) / "litellm_core_utils" / "tokenizers" if places else None


def _by_tiktoken(tokenizer: str, folder: Path) -> _Vocabulary:
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    import tiktoken
    from tiktoken_ext import openai_public

    # Not `get_encoding`: it keeps each vocabulary for ever.
    build = openai_public.o200k_base if tokenizer == "o200k" else openai_public.cl100k_base
    encoding = tiktoken.Encoding(**build())  # pyright: ignore[reportArgumentType]  # its dict is of mixed values
    return lambda piece: len(encoding.encode_ordinary(piece))  # special tokens count as text


def _by_file(file: Path) -> _Vocabulary:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.encode_special_tokens = True  # as text
    return lambda piece: len(tokenizer.encode(piece, add_special_tokens=False).ids)
