"""What any filter owes, held against outputs that tools really printed (C22, C23)."""

import json

import pytest

from app.tokens.estimate import estimate
from tests.app.filters.outputs import (
    NAMES,
    filtered,
    filtered_output,
    is_json,
    kind_of,
    limit_for,
    loads_yaml,
    needed,
    text_of,
)

JSON_NAMES = tuple(name for name in NAMES if is_json(text_of(name)))
YAML_NAMES = tuple(name for name in NAMES if kind_of(name) == "yaml" and not text_of(name).startswith("{"))


@pytest.mark.parametrize("name", NAMES)
def test_failures_warnings_counts_and_summaries_survive(name: str) -> None:
    said = " ".join(filtered_output(name).text.split())

    assert [item for item in needed(name) if item not in said] == []


@pytest.mark.parametrize("name", NAMES)
def test_an_output_gets_smaller_and_fits(name: str) -> None:
    found = filtered_output(name)

    assert len(found.text) < len(text_of(name))
    assert estimate(found.text) <= limit_for(text_of(name))


@pytest.mark.parametrize("name", NAMES)
def test_filtering_twice_only_shrinks(name: str) -> None:
    once = filtered_output(name).text

    again = filtered(once, limit_for(text_of(name)))

    assert again.text == once


@pytest.mark.parametrize("name", NAMES)
def test_ranges_lie_in_the_original(name: str) -> None:
    n_lines = text_of(name).count("\n") + 1 + sum(len(line) // 2_000 for line in text_of(name).split("\n"))

    for found in filtered_output(name).ranges:
        assert 1 <= found.first <= found.last <= n_lines


@pytest.mark.parametrize("name", JSON_NAMES)
def test_valid_json_stays_valid(name: str) -> None:
    for limit in (limit_for(text_of(name)), 600, 200):
        found = filtered(text_of(name), limit)

        assert found.kind == "json"
        json.loads(found.text)


@pytest.mark.parametrize("name", YAML_NAMES)
def test_yaml_stays_yaml(name: str) -> None:
    found = filtered_output(name)

    assert found.kind == "yaml"
    assert loads_yaml(found.text)


def test_every_output_has_an_oracle_that_asks_for_something() -> None:
    assert [name for name in NAMES if not needed(name)] == []
