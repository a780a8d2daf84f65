"""ZIPs and folders (case B84), what is dangerous in them (Q23), and an importer that no input surprises (Q21)."""

import json
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from app.chats.faults import FaultKind
from app.chats.formats import FileUnreadable, conversations, read_chunks, read_file
from app.chats.packages import Package, ReadingStopped, Watch
from tests.app.chats.reading import texts
from tests.app.chats.test_foreign import SAMPLES


def _conversation(text: str) -> JsonValue:
    message: JsonValue = {"author": {"role": "user"}, "content": {"parts": [text]}}
    return {"title": text, "mapping": {"n": {"message": message}}}


def _zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_an_export_of_many_files_comes_in_whole(tmp_path: Path) -> None:
    """Case B84: newer exports come as many JSON files, and beside them lie some that hold no conversation."""
    files = {
        "conversations-000.json": json.dumps([_conversation("a"), _conversation("b")]).encode(),
        "conversations-001.json": json.dumps([_conversation("c")]).encode(),
        "user.json": b'{"email": "person1@example.com"}',
        "chat.html": b"<html>",
    }

    found = read_file(_zip(tmp_path / "export.zip", files))

    assert [one.title for one in found] == ["a", "b", "c"]


def test_one_bad_conversation_loses_no_other(tmp_path: Path) -> None:
    """Case B83."""
    data = json.dumps([_conversation("a"), {"mapping": 7}, 7, _conversation("b")]).encode()

    found = read_chunks([data], name="conversations.json")

    assert [one.title for one in found if one.entries] == ["a", "b"]
    told = [str(fault) for one in found for fault in one.faults]
    assert told == [
        "Chat 2 of the file could not be read and was left out.",
        "Chat 3 of the file could not be read and was left out.",
    ]


def test_an_export_that_was_cut_is_taken_as_far_as_it_goes() -> None:
    data = json.dumps([_conversation("a"), _conversation("b")]).encode()

    found = read_chunks([data[:-40]], name="conversations.json")

    assert [one.title for one in found if one.entries] == ["a"]
    assert [fault.kind for one in found for fault in one.faults] == [FaultKind.CUT_FILE]


def test_a_zip_bomb_ends_where_it_becomes_one(tmp_path: Path) -> None:
    """Q23: what comes out is counted, whatever the archive says of itself."""
    bomb = b"[" + b" " * 300_000_000 + b"]"
    path = _zip(tmp_path / "bomb.zip", {"conversations.json": bomb})
    watch = Watch()

    with pytest.raises(FileUnreadable, match="far more"):
        list(conversations(path, watch))

    assert watch.done_bytes < 100_000_000


def test_names_that_lead_out_of_an_archive_write_nothing(tmp_path: Path) -> None:
    """Q23: zip slip. Nothing is unpacked to disk at all."""
    inner = tmp_path / "inner"
    inner.mkdir()
    data = json.dumps([_conversation("a")]).encode()
    path = _zip(inner / "slip.zip", {"../../evil.json": data, "/tmp/evil.json": data})

    found = read_file(path)

    assert [one.title for one in found] == ["a"]
    assert sorted(item.name for item in tmp_path.rglob("*")) == ["inner", "slip.zip"]


def test_a_link_in_a_folder_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps([_conversation("secret")]))
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "conversations.json").symlink_to(secret)

    with pytest.raises(FileUnreadable):
        read_file(folder)


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b""])
def test_an_archive_that_is_none_is_refused_in_words(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(data)

    with pytest.raises(FileUnreadable, match=r"'a\.zip'"):
        read_file(path)


def test_a_damaged_archive_is_refused_in_words(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"conversations.json": json.dumps([_conversation("a" * 5000)]).encode()})
    data = bytearray(path.read_bytes())
    data[60:80] = bytes(20)
    path.write_bytes(data)

    with pytest.raises(FileUnreadable, match="damaged"):
        read_file(path)


def test_references_in_yaml_are_not_read() -> None:
    """Q23: ten lines of them unpack to more than any memory holds."""
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{n}: &{n} [{', '.join([f'*{p}'] * 9)}]" for p, n in zip("abcdefghi", "bcdefghij", strict=True)
    ]

    with pytest.raises(FileUnreadable):
        read_chunks(["\n".join(lines).encode()], name="a.yaml")


def test_a_reading_that_is_stopped_ends_at_its_next_piece(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([_conversation("x" * 100_000) for _ in range(40)]))
    watch = Watch()
    reading = conversations(path, watch)
    next(reading)

    watch.stop.set()

    with pytest.raises(ReadingStopped):
        list(reading)
    assert watch.done_bytes < watch.total_bytes


def test_conversations_come_one_by_one_and_not_the_whole_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([_conversation("x" * 100_000) for _ in range(40)]))
    watch = Watch()

    reading = conversations(path, watch)
    next(reading)

    assert watch.total_bytes == path.stat().st_size
    assert watch.done_bytes < watch.total_bytes / 2


def test_hidden_files_of_an_archive_are_passed_over(tmp_path: Path) -> None:
    data = json.dumps([_conversation("a")]).encode()
    path = _zip(tmp_path / "a.zip", {"a.json": data, "__MACOSX/._a.json": data, ".b.json": data})

    assert Package(path, Watch()).names() == ("a.json",)


# ---- fuzz (Q21)

# fmt: off
_NAMES = [
    "mapping", "message", "author", "role", "content", "parts", "parent", "children", "current_node",
    "chat_messages", "sender", "text", "uuid", "attachments", "files", "type", "payload", "data",
    "event", "messages", "toolCalls", "tool_calls", "function", "arguments", "id", "name", "input",
    "conversations", "from", "value", "history", "samples", "eval", "values", "format", "entries",
    "created_at", "title",
]
_WORDS = [
    "user", "assistant", "tool", "system", "human", "gpt", "ai", "text", "tool_use", "tool_result",
    "message", "response_item", "user.message", "palimpsest-chat/1", "function_call", "thinking",
    "image", "all",
]
# fmt: on
_foreign: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts | st.sampled_from(_WORDS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=6),
    max_leaves=30,
)


def _spoiled(data: bytes, at: int, piece: bytes) -> bytes:
    place = at % (len(data) + 1)
    return data[:place] + piece + data[place + len(piece) :]


def _read_or_refuse(data: bytes, name: str) -> None:
    with suppress(FileUnreadable):
        read_chunks([data], name=name)


def _fuzz_shapes(value: JsonValue) -> None:
    _read_or_refuse(json.dumps([value, value]).encode(), "a.json")
    _read_or_refuse(json.dumps(value).encode(), "a.json")


def _fuzz_samples(n: int, at: int, piece: bytes) -> None:
    path = SAMPLES[n % len(SAMPLES)]
    _read_or_refuse(_spoiled(path.read_bytes()[:20_000], at, piece), path.name)


_shapes = given(_foreign)
_samples = given(st.integers(0, 99), st.integers(0, 20_000), st.binary(max_size=12))
_QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)


@settings(max_examples=150, suppress_health_check=_QUIET)
@_shapes
def test_no_shape_of_json_surprises_the_importers(value: JsonValue) -> None:
    _fuzz_shapes(value)


@settings(max_examples=100, suppress_health_check=_QUIET)
@_samples
def test_no_spoiled_sample_surprises_the_importers(n: int, at: int, piece: bytes) -> None:
    _fuzz_samples(n, at, piece)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(max_examples=100_000, suppress_health_check=_QUIET, deadline=None)
@_shapes
def test_no_shape_of_json_surprises_the_importers_a_hundred_thousand_times(value: JsonValue) -> None:
    _fuzz_shapes(value)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(max_examples=20_000, suppress_health_check=_QUIET, deadline=None)
@_samples
def test_no_spoiled_sample_surprises_the_importers_many_times(n: int, at: int, piece: bytes) -> None:
    _fuzz_samples(n, at, piece)
