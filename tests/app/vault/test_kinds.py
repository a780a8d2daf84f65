"""What an original is shown as."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.vault.kinds import Kind, delimiter_of, kind_of

OUTPUTS = Path(__file__).parents[2] / "data" / "tool_outputs"


@pytest.mark.parametrize(
    ("mime", "name", "beginning", "kind"),
    [
        ("image/png", "shot.png", "", Kind.IMAGE),
        ("application/pdf", "a.pdf", "", Kind.BINARY),
        ("text/plain", "rows.csv", "", Kind.TABLE),
        ("text/plain", "shell.txt", '{"a": [1,', Kind.JSON),
        ("text/plain", "shell.txt", '{"a": 1}\n{"a": 2}\n{"a": 3}\n', Kind.JSON_LINES),
        ("text/plain", "shell.txt", "[12:00:01] started\n[12:00:02] INFO done\n", Kind.LOG),
        ("text/plain", "shell.txt", "id;name;n\n1;a;4\n2;b;5\n3;c;6\n", Kind.TABLE),
        ("text/plain", "shell.txt", "2026-11-30 12:00:01 up\n2026-11-30 12:00:02 down\n", Kind.LOG),
        ("text/plain", "message.md", "Well, yes.\n\nAnd no.\n", Kind.TEXT),
        ("text/plain", "shell.txt", "", Kind.TEXT),
    ],
)
def test_an_original_is_known_by_its_type_its_name_and_its_first_lines(
    mime: str, name: str, beginning: str, kind: Kind
) -> None:
    assert kind_of(mime, name, beginning) is kind


def test_real_outputs_are_known_without_their_names() -> None:
    def of(ending: str) -> set[Kind]:
        found = (path.read_bytes()[:65536].decode(errors="replace") for path in OUTPUTS.glob(ending))
        return {kind_of("text/plain", "shell.txt", beginning) for beginning in found}

    assert of("csv__[ins]*") == {Kind.TABLE}
    assert of("json__*") == {Kind.JSON, Kind.JSON_LINES}
    assert not of("stacktrace__*") & {Kind.JSON, Kind.TABLE}


@given(st.text(max_size=400))
def test_any_beginning_has_a_kind(beginning: str) -> None:
    assert kind_of("text/plain", "shell.txt", beginning) in Kind


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3), st.sampled_from("\t,;"))
def test_rows_of_as_many_cells_are_a_table(rows: list[list[int]], delimiter: str) -> None:
    assert delimiter_of([delimiter.join(map(str, row)) for row in rows]) == delimiter


@given(
    st.recursive(st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_what_is_json_is_no_log(value: object) -> None:
    if isinstance(value, dict | list):
        assert kind_of("text/plain", "x", json.dumps(value, indent=1)) in (Kind.JSON, Kind.JSON_LINES)
