import base64
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import JsonValue

from app.chats.faults import Fault, FaultKind
from app.chats.formats import FileUnreadable, read_chunks, read_file
from app.core.entries import Origin
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
from tests.app.chats.reading import CONVERSATIONS, conversation, imported

_DATA = Path(__file__).parent.parent.parent / "data"


def _case(case_id: str) -> list[JsonValue]:
    cases = json.loads((_DATA / "cases.json").read_text())
    return next(case for case in cases if case["id"] == case_id)["input"]["messages"]


def _parts(message: JsonValue) -> tuple[Part, ...]:
    (entry,) = imported([message]).entries
    return entry.parts


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_every_message_of_a_real_conversation_becomes_an_entry(path: Path) -> None:
    messages = json.loads(path.read_text())["messages"]

    (found,) = read_file(path)

    assert [entry.origin.value for entry in found.entries] == [message["role"] for message in messages]
    assert [entry.parent_id for entry in found.entries] == [None, *(entry.id for entry in found.entries[:-1])]
    assert found.head == found.entries[-1].id
    assert found.n_messages == len(messages)
    assert found.title == path.stem
    assert found.faults == ()


def test_reasoning_text_and_calls_become_parts_in_that_order() -> None:
    call: JsonValue = {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": '{"path":'}}

    parts = _parts(
        {"role": "assistant", "content": "I look.", "reasoning_content": "Hm.", "tool_calls": [call]}
    )

    assert parts == (
        ThinkingPart(text="Hm."),
        TextPart(text="I look."),
        ToolCallPart(call_id="c1", name="ls", arguments='{"path":'),
    )


def test_a_tool_message_becomes_the_result_of_its_call() -> None:
    parts = _parts(
        {"role": "tool", "tool_call_id": "c1", "name": "ls", "content": [{"type": "text", "text": "a"}]}
    )

    assert parts == (ToolResultPart(call_id="c1", name="ls", text="a"),)


def test_the_pictures_of_a_conversation_go_to_the_vault_with_their_size() -> None:
    found = imported(conversation("opencua-spotify").read_bytes())

    pictures = [part for entry in found.entries for part in entry.parts if isinstance(part, MediaPart)]
    sources = [picture.source for picture in pictures if isinstance(picture.source, Blob)]

    assert len(sources) == 11
    assert {(picture.mime, picture.width_px) for picture in pictures} == {("image/jpeg", 900)}
    assert all(len(found.bytes_of[blob.sha256]) == blob.n_bytes for blob in sources)


def test_a_picture_at_an_address_stays_there() -> None:
    url = "https://www.gstatic.com/webp/gallery3/1.png"

    found = imported(conversation("pydantic-ai-multimodal-tools").read_bytes())

    assert url in [
        part.source for entry in found.entries for part in entry.parts if isinstance(part, MediaPart)
    ]


def test_a_block_of_an_unknown_kind_is_carried_unread() -> None:
    block: JsonValue = {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}

    parts = _parts({"role": "user", "content": [{"type": "text", "text": "Listen"}, block]})

    assert parts == (TextPart(text="Listen"), OpaquePart(kind="input_audio", json=json.dumps(block)))


def test_a_long_text_goes_to_the_vault() -> None:
    text = "päragraph\n" * 10_000

    found = imported([{"role": "user", "content": text}])

    (part,) = found.entries[0].parts
    assert isinstance(part, TextPart)
    assert isinstance(part.text, Blob)
    assert part.text.n_lines == 10_001
    assert found.bytes_of[part.text.sha256].decode() == text


def test_half_an_emoji_and_nul_are_cleaned_at_the_border() -> None:
    """Case B76: a lone surrogate in the history kept a chat from ever opening again."""
    found = imported(_case("B76"))

    assert [entry.parts for entry in found.entries] == [
        (TextPart(text="half \ufffd emoji"),),
        (ToolResultPart(call_id="t", name="", text="nul \u2400 here"),),
    ]


def test_half_an_emoji_anywhere_else_in_a_file_is_cleaned_too() -> None:
    """Case B76, in keys, titles, odd fields and messages that could not be read."""
    odd: JsonValue = {"role": "user", "content": "x", "\ud83d": ["\ud83d"]}

    found = imported(
        {"title": "a\ud83d", "\ud83dkey": "\ud83d", "messages": [odd, ["\ud83d"]]}, name="\ud83d.json"
    )

    found.source.encode()
    found.title.encode()


def test_the_role_decides_who_spoke_and_never_the_text() -> None:
    """Case B42: notes of an application came back as turns of the person, and the other way round."""
    found = imported(_case("B42"))

    assert [entry.origin for entry in found.entries] == [Origin.USER, Origin.ASSISTANT, Origin.USER]


def test_what_can_not_be_read_is_told_and_stops_nothing_else() -> None:
    call: JsonValue = {"id": "c1", "function": None}

    found = imported(
        [
            {"role": "user", "content": "a"},
            "not a message",
            {"role": "critic", "content": "b"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {
                "role": "user",
                "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,?"}}],
            },
        ]
    )

    assert [entry.origin for entry in found.entries] == [Origin.USER, Origin.ASSISTANT, Origin.USER]
    assert found.n_messages == 5
    assert found.faults == (
        Fault(kind=FaultKind.NOT_A_MESSAGE, n=2),
        Fault(kind=FaultKind.UNKNOWN_ROLE, n=3, detail="critic"),
        Fault(kind=FaultKind.BROKEN_CALL, n=4),
        Fault(kind=FaultKind.BROKEN_PICTURE, n=5),
    )
    assert str(found.faults[1]) == "Message 3 has the role 'critic', which nobody knows, and was left out."


def test_every_kind_of_fault_has_its_sentence() -> None:
    sentences = [str(Fault(kind=kind, n=1, detail="x")) for kind in FaultKind]

    assert len(set(sentences)) == len(FaultKind)
    assert all(sentence.endswith(".") for sentence in sentences)


def test_a_file_with_broken_letters_is_read_as_far_as_it_goes() -> None:
    found = imported(b'[{"role": "user", "content": "caf\xe9"}]')

    assert found.entries[0].parts == (TextPart(text="caf\ufffd"),)
    assert found.faults == (Fault(kind=FaultKind.NOT_UTF8),)


@pytest.mark.parametrize(
    "when",
    ["2026-03-04T12:00:00Z", "2026-03-04T13:00:00+01:00", "2026-03-04 12:00:00", 1772625600, 1772625600.0],
)
def test_a_file_keeps_its_dates(when: JsonValue) -> None:
    found = imported({"created_at": when, "messages": [{"role": "user", "content": "a", "timestamp": when}]})

    noon = datetime(2026, 3, 4, 12, tzinfo=UTC)
    assert (found.created_at, found.entries[0].created_at) == (noon, noon)


@pytest.mark.parametrize("when", ["yesterday", 1e300, -1e300, None, True, [], "0001-01-01T00:00:00+14:00"])
def test_a_date_that_is_none_is_passed_over(when: JsonValue) -> None:
    found = imported({"created_at": when, "messages": [{"role": "user", "content": "a"}]})

    assert found.created_at is None


@pytest.mark.parametrize(
    ("fields", "title"), [({"title": "T", "id": "I"}, "T"), ({"id": "I"}, "I"), ({"id": 7}, "the file")]
)
def test_a_chat_is_called_by_its_title_else_its_id_else_its_file(
    fields: dict[str, JsonValue], title: str
) -> None:
    found = imported({**fields, "messages": []}, name="the file.json")

    assert found.title == title


@pytest.mark.parametrize(
    "data", [b"", b"{", b"{}", b"[]", b"[1]", b'{"messages": 1}', b"\xff\xfe", b"[" * 100_000]
)
def test_a_file_that_holds_no_conversation_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(FileUnreadable, match=r"'a\.json'"):
        read_chunks([data], name="a.json")


def test_a_file_that_is_not_there_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(FileUnreadable, match="can't be opened"):
        read_file(tmp_path / "none.json")


def test_the_same_picture_twice_is_kept_once() -> None:
    url = "data:image/png;base64," + base64.b64encode(b"same").decode()
    message: JsonValue = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}

    found = imported([message, message])

    assert len(found.blobs) == 1
