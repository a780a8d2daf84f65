import time
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from app.tokens.estimate import estimate
from app.tokens.exact import Vocabularies, pieces, vocabulary_folder

TOKENIZERS = ("o200k", "cl100k", "anthropic", "deepseek")


@pytest.fixture(scope="module")
def vocabularies() -> Vocabularies:
    folder = vocabulary_folder()
    assert folder
    return Vocabularies(folder)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_the_text_of_a_special_token_counts_as_text(tokenizer: str, vocabularies: Vocabularies) -> None:
    """Case B20: one web page with `<|endoftext|>` made every later count of its chat fail."""
    text = "Format: {Instruction} {Query}<|endoftext|> <|fim_prefix|> <|im_start|> <EOT>"

    assert vocabularies.count(text, tokenizer) > 15


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_an_unbroken_megabyte_is_counted_in_two_seconds(tokenizer: str, vocabularies: Vocabularies) -> None:
    """Case B22."""
    vocabularies.count("load", tokenizer)
    start = time.process_time()

    n = vocabularies.count("a" * 1_000_000, tokenizer) + vocabularies.count("汉" * 100_000, tokenizer)

    assert n > 100_000
    assert time.process_time() - start < 2


def test_more_blanks_than_the_tokenizer_can_stand_are_counted(vocabularies: Vocabularies) -> None:
    """More than about a million make o200k raise "Max stack size exceeded"."""
    assert 0 < vocabularies.count(" " * 1_500_000, "o200k") < 100_000


def test_cutting_into_pieces_costs_nearly_nothing(vocabularies: Vocabularies) -> None:
    vocabularies.count("load", "o200k")
    text = "The quick brown fox jumps over the lazy dog; 敏捷的棕色狐狸。\n" * 2000

    whole = len(tiktoken.get_encoding("o200k_base").encode(text, disallowed_special=()))

    assert vocabularies.count(text, "o200k") == pytest.approx(whole, rel=0.001)


def test_what_cannot_be_counted_is_estimated(tmp_path: Path, vocabularies: Vocabularies) -> None:
    text = "No vocabulary lies here"

    assert Vocabularies(tmp_path).count(text, "o200k") == estimate(text)
    assert vocabularies.count(text, "no such vocabulary") == estimate(text)


@given(st.text(alphabet=st.sampled_from("a \n汉👪é\ud800"), max_size=50), st.integers(1, 3000))
def test_the_pieces_of_a_text_are_short_and_add_up_to_it(text: str, times: int) -> None:
    found = list(pieces(text * times))

    assert "".join(found) == (text * times).replace("\ud800", "?")
    assert all(len(piece.encode()) <= 8192 for piece in found)
