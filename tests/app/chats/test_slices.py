import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from app.chats import slices
from app.chats.slices import loads
from tests.app.chats.reading import CONVERSATIONS, values


@given(values, st.sampled_from([None, 1, "\t"]), st.integers(1, 9))
def test_reading_in_slices_gives_what_reading_at_once_gives(
    value: JsonValue, indent: int | str | None, size: int
) -> None:
    text = f" {json.dumps(value, indent=indent)[:300]}"
    try:
        whole = json.loads(text)
    except json.JSONDecodeError:
        text = json.dumps([text, -12.5e-3, True, None, {}, []], indent=indent)
        whole = json.loads(text)

    read, end = loads(text[at : at + size] for at in range(0, len(text), size))

    assert (read, end) == (whole, "")


def test_real_files_read_in_slices_are_the_same() -> None:
    for path in CONVERSATIONS:
        text = path.read_text() + " \n"

        read, end = loads(text[at : at + 4096] for at in range(0, len(text), 4096))

        assert (read, end) == (json.loads(text), " \n")


def test_a_huge_text_is_read_again_a_few_times_and_not_for_each_piece(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    n_read = 0

    class Counted(json.JSONDecoder):
        def raw_decode(self, s: str, idx: int = 0) -> tuple[JsonValue, int]:
            nonlocal n_read
            n_read += 1
            return super().raw_decode(s, idx)

    monkeypatch.setattr(slices, "_DECODER", Counted())
    pieces = ['"', *["word " * 100] * 1_000, '"']

    assert loads(pieces) == ("word " * 100_000, "")
    assert n_read <= 20


@pytest.mark.parametrize("number", ["123", "-12.5", "1e5", "1.5E-7", "2.0e+3", "-0", "0.25"])
def test_a_number_that_pieces_share_is_one_number(number: str) -> None:
    text = f"[{number},4]"

    for first in range(len(text)):
        for second in range(first, len(text)):
            assert loads([text[:first], text[first:second], text[second:]]) == (json.loads(text), "")


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize(
    "text",
    ["", "{", "[", "[1", "[1,]", "[1 2]", '{"a"}', '{"a":1,}', "{1:2}", '{"a":1 "b":2}', "[] x", "nul"],
)
def test_what_is_not_json_is_refused_at_the_same_place_as_at_once(text: str, size: int) -> None:
    with pytest.raises(json.JSONDecodeError) as at_once:
        json.loads(text)

    with pytest.raises(ValueError, match=rf" at character {at_once.value.pos}$"):
        loads(text[at : at + size] for at in range(0, len(text), size))
