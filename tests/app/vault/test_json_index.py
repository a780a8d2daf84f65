"""JSON of any size as a tree: what stands in it is what `json.loads` reads, wherever a slice ends (U9)."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.vault import json_index
from app.vault.json_index import PAGE, BrokenJson, Child, Container, JsonText, ValueKind, Why, pointer

_LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
_VALUES = st.recursive(
    _LEAVES, lambda each: st.lists(each, max_size=5) | st.dictionaries(st.text(), each, max_size=5)
)


def _text_of(data: bytes, *, is_lines: bool = False) -> JsonText:
    return JsonText(lambda start, end: data[start:end], len(data), is_lines=is_lines)


def _children(container: Container) -> list[Child]:
    while not container.is_complete:
        container.index()
    pages = range((container.n_children + PAGE - 1) // PAGE)
    return [child for page in pages for child in container.page(page)]


def _read(text: JsonText, child: Child) -> object:
    if child.kind is ValueKind.OBJECT:
        return {each.key: _read(text, each) for each in _children(text.open(child))}
    if child.kind is ValueKind.ARRAY:
        return [_read(text, each) for each in _children(text.open(child))]
    value = text.value(child, 1 << 20)
    assert value is not None
    return value if child.kind is ValueKind.STRING else json.loads(value)


@given(_VALUES, st.sampled_from([None, 0, 3]), st.booleans(), st.integers(2, 40))
def test_the_tree_of_any_json_is_what_is_loaded_from_it(
    value: object, indent: int | None, is_ascii: bool, slice_bytes: int
) -> None:
    data = json.dumps([value], indent=indent, ensure_ascii=is_ascii).encode("utf-8", "replace")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(json_index, "_SLICE_BYTES", slice_bytes)
        patched.setattr(json_index, "_BLOCK_BYTES", slice_bytes * 3)
        patched.setattr(json_index, "_LARGE_BYTES", 8)
        text = _text_of(data)
        (child,) = _children(text.top())
        found = _read(text, child)

    assert found == json.loads(data)[0]


@pytest.mark.parametrize(
    ("data", "at", "why"),
    [
        (b"", 0, Why.CUT),
        (b'{"a": [1, 2}', 11, Why.UNEXPECTED),
        (b'{"a": 1', 7, Why.CUT),
        (b'["abc\\', 6, Why.CUT),
        (b'{"a": 1,}', 8, Why.UNEXPECTED),
        (b"[1 2]", 3, Why.UNEXPECTED),
        (b"[1, nul]", 4, Why.UNEXPECTED),
        (b'{"a" 1}', 5, Why.UNEXPECTED),
        (b"[1] 2", 4, Why.TRAILING),
        (b"1 2", 2, Why.TRAILING),
        (b"[01]", 1, Why.UNEXPECTED),
    ],
)
def test_what_is_no_json_is_told_with_its_place(data: bytes, at: int, why: Why) -> None:
    with pytest.raises(BrokenJson) as error:
        _children(_text_of(data).top())

    assert (error.value.at, error.value.why) == (at, why)


def test_a_nest_of_a_hundred_thousand_is_passed_over_and_opened_level_by_level() -> None:
    depth = 100_000
    text = _text_of(b"[" * depth + b"]" * depth)

    (child,) = _children(text.top())
    (inner,) = _children(text.open(child))

    assert (child.kind, inner.at, inner.is_empty) == (ValueKind.ARRAY, 2, False)


def test_a_container_deeper_than_a_million_is_refused() -> None:
    with pytest.raises(BrokenJson, match="deep"):
        _children(_text_of(b"[" * (json_index.DEEPEST + 2)).top())


def test_children_come_a_thousand_a_page_with_large_ones_among_them() -> None:
    rows = [{"n": n, "text": "x" * (40_000 if n % 500 == 3 else 3)} for n in range(2_500)]
    text = _text_of(json.dumps(rows).encode())
    top = text.top()

    found = [_read(text, each) for each in _children(top)]

    assert found == rows
    assert [len(top.page(n)) for n in range(3)] == [1_000, 1_000, 500]


def test_json_lines_are_an_array_whose_pointer_begins_with_the_record() -> None:
    text = _text_of(b'\xef\xbb\xbf{"a/b": 1}\n\n[2]\r\n"three"\n', is_lines=True)

    found = _children(text.top())

    assert [_read(text, each) for each in found] == [{"a/b": 1}, [2], "three"]
    assert pointer((0, "a/b", "~")) == "/0/a~1b/~0"


def test_what_json_leaves_open_is_settled() -> None:
    digits = "9" * 400
    data = (
        f'{{"k": 1, "k": 2, "n": NaN, "i": -Infinity, "s": "\\ud800!", "d": {digits}, "e": {{ }}, "f": []}}'
    )
    text = _text_of(data.encode())
    found = _children(text.top())
    values = [text.value(each, 1_000) for each in found]

    assert [each.key for each in found] == ["k", "k", "n", "i", "s", "d", "e", "f"]
    assert values == ["1", "2", "NaN", "-Infinity", "\ufffd!", digits, "{ }", "[]"]
    assert [each.is_empty for each in found] == [False] * 6 + [True] * 2
    assert math.isnan(json.loads(values[2] or ""))
    assert [each.preview for each in found[-2:]] == ["{ }", "[]"]
    assert [each.preview for each in _children(_text_of(b' "top" ').top())] == ["top"]
