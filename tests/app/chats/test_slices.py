import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from app.chats.slices import loads
from tests.app.chats.reading import CONVERSATIONS, values


@given(values, st.sampled_from([None, 1, "\t"]))
def test_reading_in_slices_gives_what_reading_at_once_gives(
    value: JsonValue, indent: int | str | None
) -> None:
    text = json.dumps(value, indent=indent)

    assert loads(f" {text}\n") == json.loads(text)


def test_real_files_read_in_slices_are_the_same() -> None:
    for path in CONVERSATIONS:
        text = path.read_text()

        assert loads(text) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[", "[1", "[1,]", "[1 2]", '{"a"}', '{"a":1,}', "{1:2}", '{"a":1 "b":2}', "[] x", "nul"],
)
def test_what_is_not_json_is_refused_at_the_same_place_as_at_once(text: str) -> None:
    with pytest.raises(json.JSONDecodeError) as at_once:
        json.loads(text)

    with pytest.raises(json.JSONDecodeError) as in_slices:
        loads(text)

    assert in_slices.value.pos == at_once.value.pos
