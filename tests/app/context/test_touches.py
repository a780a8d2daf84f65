"""Which files were read and written is read off the calls that were answered."""

import json

import pytest
from pydantic import JsonValue

from app.context.facts import FileTouch
from app.context.touches import file_touches, is_file_tool
from app.core.entries import Entry, Origin
from app.core.ids import EntryId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from tests.app.context.histories import path_of


def _called(*calls: tuple[str, str], failed: tuple[int, ...] = ()) -> tuple[Entry, ...]:
    """One message with these calls (name, arguments), each answered."""
    asked = tuple(
        ToolCallPart(call_id=f"c{at}", name=name, arguments=arguments)
        for at, (name, arguments) in enumerate(calls)
    )
    answers = [
        (Origin.TOOL, (ToolResultPart(call_id=f"c{at}", name=name, text="…", is_error=at in failed),))
        for at, (name, _) in enumerate(calls)
    ]
    return path_of(((Origin.USER, (TextPart(text="Do it."),)), (Origin.ASSISTANT, asked), *answers))


def _in(**arguments: JsonValue) -> str:
    return json.dumps(arguments)


def test_reads_and_writes_are_told_in_the_order_of_the_calls() -> None:
    path = _called(
        ("read_file", _in(path="a.py")), ("bash", _in(command="ls")), ("edit_file", _in(file_path="b.py"))
    )

    assert file_touches(path) == (
        FileTouch(path="a.py", entry_id=EntryId("e1"), is_write=False),
        FileTouch(path="b.py", entry_id=EntryId("e1"), is_write=True),
    )


def test_a_call_that_failed_touched_nothing() -> None:
    path = _called(("write_file", _in(path="a.py")), ("write_file", _in(path="b.py")), failed=(0,))

    assert [touch.path for touch in file_touches(path)] == ["b.py"]


@pytest.mark.parametrize(
    "arguments", ["", "{", "[]", "7", '{"path": 7}', '{"path": ""}', '{"where": "a.py"}']
)
def test_arguments_that_name_no_file_touch_none(arguments: str) -> None:
    assert file_touches(_called(("read_file", arguments))) == ()


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("read_file", True),
        ("str_replace_editor", True),
        ("Cat", True),
        ("category", False),
        ("search", False),
    ],
)
def test_a_tool_of_files_is_told_by_its_name(name: str, *, is_one: bool) -> None:
    assert is_file_tool(name) == is_one
