import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from pydantic import JsonValue

from app.chats.export import export_json, export_markdown, fenced, shown_path
from app.chats.formats import read_file
from app.context.ports import ChatContents
from app.core.entries import Entry, Finish, Origin
from app.core.folds import Deletion
from app.core.ids import EntryId, ModelId
from app.core.parts import (
    Blob,
    MediaPart,
    OpaquePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from app.core.usage import Usage
from tests.app.chats.reading import CONVERSATIONS, NOON, conversation, files, imported, stored

_BYTES_OF = {"a" * 64: b"GIF89a", "b" * 64: "long ü".encode()}


def _grown(contents: ChatContents, *answers: tuple[Origin, tuple[Part, ...]]) -> ChatContents:
    """The chat after more was said in it."""
    entries = list(contents.entries)
    for origin, parts in answers:
        last = entries[-1] if entries else None
        entries.append(
            Entry(
                id=EntryId(f"new{len(entries)}"),
                parent_id=last.id if last else None,
                rev=len(entries) + 1,
                depth=last.depth + 1 if last else 0,
                origin=origin,
                parts=parts,
                created_at=NOON + timedelta(microseconds=len(entries)),
                model=ModelId("openai/gpt-5") if origin is Origin.ASSISTANT else None,
            )
        )
    return replace(contents, entries=tuple(entries), chat=replace(contents.chat, head=entries[-1].id))


def _native() -> ChatContents:
    """A chat that was never imported, with a part of each kind and a second branch."""
    empty = imported({"title": "Ours", "messages": []})
    contents = _grown(
        replace(stored(empty), chat=replace(stored(empty).chat, source="", model=ModelId("openai/gpt-5"))),
        (Origin.USER, (TextPart(text="Hello"), OpaquePart(kind="odd", json='{"type": "odd"}'))),
        (Origin.NOTE, (TextPart(text="Today is Monday"),)),
        (
            Origin.ASSISTANT,
            (
                ThinkingPart(text="Hm", signature="sig"),
                ThinkingPart(text="xxx", redacted=True),
                TextPart(text="Hi"),
                ToolCallPart(call_id="c1", name="ls", arguments="{}", provider_fields='{"a": 1}'),
            ),
        ),
        (
            Origin.TOOL,
            (
                ToolResultPart(
                    call_id="c1",
                    name="ls",
                    text=Blob(sha256="b" * 64, n_bytes=7, mime="text/plain", name="x"),
                    is_error=True,
                ),
                MediaPart(
                    source=Blob(sha256="a" * 64, n_bytes=6, mime="image/gif", name="a.gif"),
                    mime="image/gif",
                    width_px=3,
                ),
            ),
        ),
        (Origin.USER, (MediaPart(source="https://example.org/a.png", mime="image/*"),)),
    )
    branch = replace(
        contents.entries[2],
        id=EntryId("branch"),
        rev=9,
        parts=(TextPart(text="Other"),),
        finish=Finish.STOPPED,
        usage=Usage(prompt_tokens=3, completion_tokens=1),
    )
    return replace(contents, entries=(*contents.entries, branch))


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_a_real_conversation_comes_out_byte_for_byte(path: Path) -> None:
    (found,) = read_file(path)

    written = export_json(stored(found), found.bytes_of)

    assert written == path.read_bytes()


@given(files())
def test_any_conversation_comes_out_byte_for_byte(data: bytes) -> None:
    found = imported(data)

    written = export_json(stored(found), found.bytes_of)

    assert written == data


@pytest.mark.parametrize(
    "data",
    [
        b'\xef\xbb\xbf[{"role": "user", "content": "a"}]\n',
        b'[\r\n  {\r\n    "role": "user",\r\n    "content": "a\\r\\nb"\r\n  }\r\n]\r\n',
        b'{"messages":[{"role":"user","content":"caf\\u00e9"}],"x":1}',
        b'{"messages": [{"role": "user", "content": "\\u001b[1m \xc3\xa9"}]}',
        b'[{"role": "user", "content": "a"}, 7, {"role": "critic", "content": "b"}]',
        b'[{"role": "user", "content": {"palimpsest:part": 0, "x": null}}]',
        b'[{"role": "user", "content": {"palimpsest:part": {"palimpsest:part": [0]}}}]',
    ],
)
def test_the_manner_of_a_file_is_kept(data: bytes) -> None:
    found = imported(data)

    assert export_json(stored(found), found.bytes_of) == data


def test_what_was_said_since_stands_in_the_export() -> None:
    path = conversation("pydantic-ai-multimodal-tools")
    (found,) = read_file(path)
    call = ToolCallPart(call_id="c", name="ls", arguments="{}")
    grown = _grown(
        stored(found),
        (Origin.USER, (TextPart(text="And now?"),)),
        (Origin.NOTE, (TextPart(text="Ours, not theirs"),)),
        (Origin.ASSISTANT, (ThinkingPart(text="Hm"), call)),
        (Origin.TOOL, (ToolResultPart(call_id="c", name="ls", text="a"),)),
        (Origin.ASSISTANT, (TextPart(text="Done."),)),
    )

    written = json.loads(export_json(grown, found.bytes_of))

    before = json.loads(path.read_text())
    calls = [{"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}]
    before["messages"] += [
        {"role": "user", "content": "And now?"},
        {"role": "assistant", "content": None, "reasoning_content": "Hm", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c", "name": "ls", "content": "a"},
        {"role": "assistant", "content": "Done."},
    ]
    assert written == before


@pytest.mark.parametrize("marked", [2, 3])
@pytest.mark.parametrize("is_blanked", [False, True])
def test_a_deleted_group_is_in_no_export_and_the_rest_still_hangs_together(
    marked: int, *, is_blanked: bool
) -> None:
    """A group that was deleted for good is still there, without its parts (M10)."""
    contents = _native()
    deletion = Deletion(entry_id=contents.entries[marked].id, rev=20, deleted_at=NOON)
    entries = tuple(
        replace(entry, parts=()) if is_blanked and index in (2, 3) else entry
        for index, entry in enumerate(contents.entries)
    )
    contents = replace(contents, entries=entries, deletions=(deletion,))

    as_json = export_json(contents, _BYTES_OF)
    as_markdown = export_markdown(contents, _BYTES_OF, folder="x").text

    assert b"long" not in as_json
    assert "long" not in as_markdown
    assert "Error" not in as_markdown
    again = shown_path(stored(imported(as_json)))
    assert [entry.origin for entry in again] == [Origin.USER, Origin.NOTE, Origin.USER]


@given(files())
def test_an_export_in_our_own_form_comes_back_to_the_letter(data: bytes) -> None:
    contents = stored(imported(data))
    ours = replace(contents, chat=replace(contents.chat, source=""))

    written = export_json(ours, imported(data).bytes_of)

    again = imported(written)
    assert export_json(stored(again), again.bytes_of) == written


def test_our_own_form_holds_the_whole_tree_and_comes_back_to_the_letter() -> None:
    contents = _native()

    written = export_json(contents, _BYTES_OF)
    again = imported(written)

    assert export_json(stored(again), again.bytes_of) == written
    assert [entry.origin for entry in again.entries] == [
        entry.origin for entry in sorted(contents.entries, key=lambda entry: (entry.depth, entry.rev))
    ]
    assert (again.title, again.created_at, again.model, again.source) == ("Ours", NOON, "openai/gpt-5", "")
    (thinking, *_) = again.entries[2].parts
    assert thinking == ThinkingPart(text="Hm", signature="sig")


@pytest.mark.parametrize(
    "spoil",
    [{"parts": [{"part": "song"}]}, {"parts": [{"part": "text"}]}, {"origin": "x"}, {"parts": None}],
)
def test_an_entry_of_ours_that_is_spoiled_is_told_and_its_children_are_kept(
    spoil: dict[str, JsonValue],
) -> None:
    value = json.loads(export_json(_native(), _BYTES_OF))
    value["entries"][1] |= spoil

    found = imported(value)

    assert [str(fault) for fault in found.faults] == ["Message 2 is not a message and was left out."]
    assert len(found.entries) == len(value["entries"]) - 1
    assert found.entries[1].parent_id == found.entries[0].id


def test_markdown_reads_as_the_conversation_went() -> None:
    contents = _native()

    written = export_markdown(contents, _BYTES_OF, folder="Ours-files")

    assert written.text == (
        "# Ours\n\n2026-03-04 12:00 UTC\n\n"
        '## You\n\nHello\n\n```json\n{"type": "odd"}\n```\n\n'
        "## gpt-5\n\n> **Reasoning**\n>\n> Hm\n\nHi\n\n**Call** `ls`\n\n```json\n{}\n```\n\n"
        "**Error** `ls`\n\n```\nlong ü\n```\n\n![](Ours-files/aaaaaaaaaaaa.gif)\n\n"
        "## You\n\n![](https://example.org/a.png)\n"
    )
    assert written.files == {"Ours-files/aaaaaaaaaaaa.gif": b"GIF89a"}


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_markdown_holds_every_text_of_a_real_conversation(path: Path) -> None:
    (found,) = read_file(path)

    written = export_markdown(stored(found), found.bytes_of, folder="f").text

    for message in json.loads(path.read_text())["messages"]:
        if isinstance(message.get("content"), str):
            assert message["content"] in written


def test_a_fence_is_longer_than_any_inside() -> None:
    assert fenced("a\n````\nb", "sh") == "`````sh\na\n````\nb\n`````"
