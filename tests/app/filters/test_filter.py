"""The door: what holds of every text, whatever it is."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.filters.filter import filter_text
from app.filters.filtered import Focus, Hint
from app.tokens.estimate import estimate
from tests.app.filters.outputs import filtered, rules

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=60),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=20), inner, max_size=20),
    max_leaves=120,
)
_LINES = st.sampled_from(
    [
        "2026-01-01T00:00:00Z [ERROR] service - it failed", "FAILED tests/a.py::test_b", "{", "}", "[1, 2, 3]", "a,b,c",
        "<a><b/></a>", "<html>", "- x: 1", "key: value", "# Heading", "| a | b |", "|---|---|", "```", "def f(x):",
        "    return 1", "diff --git a/x b/x", "@@ -1 +1 @@", "+new", "-old", '  File "a.py", line 1, in f',
        "\tat a.b.C.d(C.java:1)", "NAME  READY  STATUS", "pod-1  0/1  Error", "\x1b[31mred\x1b[0m", "50%\r100%", "",
        '{"level":50,"msg":"x"}', "error[E0308]: mismatched", "  --> src/a.rs:1:2", "a.ts(1,2): error TS1: no", "\x1b[3A",
        "Step 1 : FROM x", "commit 0123456789012345678901234567890123456789", "合计 3 个错误", "stdout:", "<output>",
    ]
)  # fmt: skip
messy = st.lists(_LINES | st.text(max_size=80), max_size=120).map("\n".join)
limits = st.integers(1, 400)


@given(messy | json_values.map(json.dumps), limits)
def test_a_filtered_text_is_never_longer_and_always_the_same(text: str, limit: int) -> None:
    found = filtered(text, limit, terms=("value",))

    assert len(found.text) <= len(text)
    assert filtered(text, limit, terms=("value",)) == found


@given(messy, st.integers(20, 400))
def test_a_filtered_text_fits_the_limit_or_is_the_text_itself(text: str, limit: int) -> None:
    found = filtered(text, limit)

    assert found.kind == "whole" or estimate(found.text) <= limit


@given(json_values, limits)
def test_json_stays_json(value: object, limit: int) -> None:
    text = json.dumps(value, indent=1)

    found = filtered(text, limit)

    if found.kind == "json":
        json.loads(found.text)


@given(json_values)
def test_numbers_of_json_keep_every_digit(value: object) -> None:
    text = json.dumps({"n": 1.10, "exact": "x" * 3_000}).replace("1.1", "1.10000")

    assert "1.10000" in filtered(text, 300).text


@pytest.mark.slow
@pytest.mark.timeout(900)
@settings(max_examples=10_000)
@given(
    st.text(max_size=400) | messy | st.binary(max_size=400).map(lambda data: data.decode("latin-1")), limits
)
def test_no_text_raises(text: str, limit: int) -> None:
    """Q21."""
    assert len(filtered(text, limit, terms=("a", "é")).text) <= len(text)


def test_what_fits_is_left_alone() -> None:
    found = filtered('{"a":   1}', 100)

    assert (found.text, found.kind) == ('{"a":   1}', "whole")


def test_rows_and_keys_that_are_asked_for_stay_whole() -> None:
    rows = [{"id": n, "name": f"user {n}", "note": "n" * 30} for n in range(500)]

    found = filtered(
        json.dumps({"users": rows, "wanted": {"deep": {"deeper": {"deepest": {"end": 1}}}}}),
        1_500,
        terms=("user 250", "wanted"),
    )

    held = json.loads(found.text)
    assert {"id": 250, "name": "user 250", "note": "n" * 30} in held["users"]
    assert held["wanted"] == {"deep": {"deeper": {"deepest": {"end": 1}}}}


def test_a_list_tells_its_count_and_the_schema_of_its_rows() -> None:
    rows = [{"id": n, "name": None if n % 2 else "x"} for n in range(100)]

    held = json.loads(filtered(json.dumps(rows), 400).text)

    assert [row.get("id") for row in held] == [0, 1, 2, None, 97, 98, 99]
    assert held[3] == {"⋯": "94 of 100 rows left out", "each": "id: number, name: string|null"}


def test_nulls_are_values() -> None:
    held = json.loads(filtered(json.dumps({"gone": None, "long": "x" * 5_000}), 200).text)

    assert held["gone"] is None


def test_ranges_count_lines_of_the_original_whatever_stands_around_it() -> None:
    """C24: ready-made, 1-based, both ends inclusive."""
    log = [f"2026-01-01T00:00:00Z [INFO] worker - step {n}" for n in range(2_000)]
    log[1_500] = "2026-01-01T00:00:00Z [ERROR] worker - broke"
    text = "\n".join(["<returncode>0</returncode>", "<output>", *log, "</output>"])

    found = filtered(text, 500)

    assert found.kind == "log"
    assert [str(each) for each in found.ranges] == ["errors at line 1,503"]
    assert text.split("\n")[1_502].endswith("broke")
    assert found.text.startswith("<returncode>0</returncode>\n<output>")


def test_a_line_that_is_read_as_several_counts_as_several() -> None:
    """C27: a line over 2,000 characters counts as several."""
    log = [f"2026-01-01T00:00:00Z [INFO] worker - step {n}" for n in range(2_000)]
    log[0] += "x" * 4_000
    log[1_000] = "2026-01-01T00:00:00Z [ERROR] worker - broke"

    found = filtered("\n".join(log), 500)

    assert [str(each) for each in found.ranges] == ["errors at line 1,003"]


def test_what_has_no_structure_and_is_long_shows_beginning_and_end() -> None:
    """C24."""
    words = ["alpha", "beta", "gamma", "delta", "of", "the", "and", "with"]
    text = "\n".join(" ".join(words[(n * k) % 8] for k in range(1, 12)) for n in range(4_000))

    found = filtered(text, 3_000)

    assert found.kind == "extract"
    assert found.text.startswith(text[:500])
    assert found.text.endswith(text[-500:])


def test_json_that_breaks_off_is_json_still() -> None:
    rows = json.dumps(
        {"stats": {"n": 3}, "tests": [{"title": f"test {n}", "ok": True} for n in range(400)]}, indent=1
    )

    found = filtered(rows[: len(rows) - 100], 500)

    assert found.kind == "json"
    assert json.loads(found.text)["stats"] == {"n": 3}


def test_json_printed_by_a_command_that_has_a_rule_is_json() -> None:
    text = json.dumps([{"test": f"pytest {n}", "outcome": "passed"} for n in range(300)])

    assert filtered(text, 300, command="pytest --json").kind == "json"


def test_deep_nesting_is_no_reason_to_fall_over() -> None:
    for text in ("[" * 50_000, "{" * 50_000, '{"a":' * 20_000, "<a>" * 20_000, "- " * 20_000, "> " * 20_000):
        assert len(filtered(text, 100).text) <= len(text)


def test_bombs_of_entities_and_aliases_are_not_followed() -> None:
    """Q23."""
    entities = '<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY a{n} "{"&a;" * 10}">' for n in range(40)
    )
    aliases = "a: &a [x, x]\n" + "\n".join(f"k{n}: &k{n} [*a, *a, *a]" for n in range(200))

    for text in (f"{entities}]><z>&a9;</z>", aliases):
        assert filtered(text, 100).kind not in ("xml", "yaml")


def test_a_hint_alone_decides_nothing() -> None:
    text = "plain words that are no data at all, " * 200

    found = filter_text(
        text,
        limit_tokens=200,
        count=estimate,
        rules=rules(),
        hint=Hint(path="data.json", mime="application/json"),
    )

    assert found.kind == "extract"


def test_the_topic_of_the_question_is_among_the_words_that_are_looked_for() -> None:
    assert Focus(terms=("Budget.py",), topic="why does load_rules fail?").words == (
        "budget.py", "why", "does", "load_rules", "fail",
    )  # fmt: skip
