"""An original is read in pages that together are its lines, whatever its size (U9, C27)."""

import hashlib
import sys
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import OriginalLost
from app.vault.lines import Lines
from app.vault.reading import LONGEST_LINE, numbered_lines
from app.vault.vault import Vault

PIECES = st.tuples(
    st.sampled_from(["a", "é", "表", "🎈", "\n", "\r", "ab\n"]), st.integers(1, LONGEST_LINE + 3)
)
TEXTS = st.lists(PIECES, max_size=8).map(lambda pieces: "".join(text * n for text, n in pieces))


def lines_of(data: bytes, *, sha256: str = "", page_bytes: int = 64) -> Lines:
    return Lines(lambda start, end: data[start:end], len(data), sha256=sha256, page_bytes=page_bytes)


def indexed(lines: Lines) -> Lines:
    while not lines.is_complete:
        lines.index()
    return lines


@given(TEXTS, st.sampled_from([16, 1000, 10_000]))
def test_the_pages_together_are_the_lines_that_the_model_counts(text: str, page_bytes: int) -> None:
    data = text.encode()

    lines = indexed(lines_of(data, sha256=hashlib.sha256(data).hexdigest(), page_bytes=page_bytes))

    pages = [lines.page(n) for n in range(lines.n_pages)]
    wanted = numbered_lines(text)
    assert list(chain.from_iterable(pages)) == wanted
    assert (lines.n_lines, lines.n_indexed_bytes, lines.is_whole) == (len(wanted), len(data), True)
    for n, page in enumerate(pages):
        assert {lines.page_of(lines.first_of(n) + at) for at in (0, len(page) - 1)} == {n}


@given(st.binary(max_size=20_000), st.sampled_from([16, 1000]))
def test_bytes_that_are_no_text_are_indexed_to_their_end(data: bytes, page_bytes: int) -> None:
    lines = indexed(lines_of(data, page_bytes=page_bytes))

    assert lines.n_indexed_bytes == len(data)
    assert sum(len(lines.page(n)) for n in range(lines.n_pages)) >= data.count(b"\n") + 1


@given(TEXTS, st.sampled_from(["A", "表", "aÉ", "\U0001f388"]))
def test_what_is_sought_is_found_in_every_line_that_holds_it_whatever_its_case(
    text: str, wanted: str
) -> None:
    lines = indexed(lines_of(text.encode(), page_bytes=1000))

    found = [n for page in range(0, lines.n_pages, 16) for n in lines.find(wanted, page)]

    holding = [n for n, line in enumerate(numbered_lines(text), 1) if wanted.lower() in line.lower()]
    assert found == holding


def test_what_was_changed_is_known_by_its_hash() -> None:
    data = b"one\ntwo\n"

    lines = indexed(lines_of(data, sha256=hashlib.sha256(b"one\nTwo\n").hexdigest()))

    assert (lines.is_complete, lines.is_whole) == (True, False)


def test_the_index_of_a_long_original_stays_small() -> None:
    lines = indexed(lines_of(b"a line of a log, and what it says\n" * 100_000, page_bytes=256 * 1024))

    kept = (lines._starts, lines._before)  # pyright: ignore[reportPrivateUsage]  # how large they are
    assert sum(map(sys.getsizeof, kept)) < 1_000
    assert lines.n_lines == 100_001


async def test_one_in_the_vault_is_read_from_there_and_a_damaged_one_refuses(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    text = "\n".join(f"{n} GET /orders 200" for n in range(200_000))
    blob = await vault.put(text.encode(), mime="text/plain", name="log.txt")
    lines = indexed(Lines(vault.reader(blob), blob.n_bytes, sha256=blob.sha256))

    assert lines.page(lines.page_of(150_001))[150_001 - lines.first_of(lines.page_of(150_001))] == (
        "150000 GET /orders 200"
    )
    vault.path(blob).write_bytes(vault.path(blob).read_bytes()[:5000])
    with pytest.raises(OriginalLost):
        lines.page(0)
