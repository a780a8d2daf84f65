"""Conversations of other programs (U21): each sample, and each case of a public fault, comes in whole."""

import base64
import json
from collections import Counter
from pathlib import Path
from typing import cast

import pytest
from pydantic import JsonValue

from app.chats.digests import digest_of
from app.chats.export import export_json
from app.chats.faults import FaultKind
from app.chats.formats import Imported, read_chunks, read_file
from app.context.ports import NewEntry
from app.core.entries import Origin
from app.core.ids import EntryId
from app.core.parts import (
    MediaPart,
    OpaquePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from tests.app.chats.reading import imported, stored

_DATA = Path(__file__).parent.parent.parent / "data"
SAMPLES = sorted(path for path in (_DATA / "format_samples").iterdir() if path.name != "README.md")

_EXPECTED = {
    "aider_chat_history.md": (5, "assistant 2, user 1"),
    "azure_deepseek_reasoning.chunks.txt": (1, "assistant 1"),
    "chatgpt_export_conversation.json": (1, "assistant 2, user 3"),
    "claude_code_edge_cases.jsonl": (1, "assistant 4, tool 1, user 6"),
    "claude_code_representative.jsonl": (1, "assistant 5, tool 2, user 4"),
    "claude_code_todowrite.jsonl": (1, "assistant 6, tool 3, user 2"),
    "claude_code_web_session.json": (1, "assistant 15, system 1, tool 12, user 5"),
    "codex_rollout.jsonl": (1, "assistant 8, system 1, tool 5, user 1"),
    "copilot_cli.jsonl": (1, "assistant 5, system 1, tool 4, user 2"),
    "deepseek_thinking_stream.yaml": (1, "assistant 1, user 1"),
    "deepseek_thinking_tools.yaml": (1, "assistant 4, system 2, tool 4, user 1"),
    "gemini_cli.json": (1, "assistant 4, system 1, tool 2, user 2"),
    "inspect_eval_log.json": (3, "assistant 1, system 1, user 1"),
    "kimi_cli.jsonl": (1, "assistant 22, system 6, tool 19, user 8"),
    "langgraph_thread.json": (1, "assistant 4, system 1, tool 3, user 1"),
    "litellm_log_tools_claude.json": (1, "assistant 6, system 1, tool 5, user 1"),
    "openhands_fncall_messages.json": (1, "assistant 6, system 1, tool 6, user 1"),
    "pi_session.jsonl": (1, "assistant 15, tool 13, user 7"),
    "sharegpt_vicuna.json": (40, "assistant 2, user 2"),
    "sweagent_function_calling.traj": (1, "assistant 5, system 1, tool 5, user 1"),
}
"""How many chats a sample holds, and who speaks how often in its first."""


def _spoken(found: Imported) -> str:
    counted = Counter(entry.origin.value for entry in found.entries)
    return ", ".join(f"{who} {n}" for who, n in sorted(counted.items()))


def _texts(found: Imported) -> list[str]:
    return [
        part.text
        for entry in found.entries
        for part in entry.parts
        if isinstance(part, TextPart) and isinstance(part.text, str)
    ]


def _case(case_id: str) -> JsonValue:
    cases = json.loads((_DATA / "cases.json").read_text())
    return cast("JsonValue", next(case for case in cases if case["id"] == case_id)["input"])


def _all(value: JsonValue, *, name: str = "conversations.json") -> tuple[Imported, ...]:
    return read_chunks([json.dumps(value).encode()], name=name)


def _path(found: Imported) -> list[NewEntry]:
    """From the beginning to what is shown."""
    by_id = {entry.id: entry for entry in found.entries}
    path: list[NewEntry] = []
    at: EntryId | None = found.head
    while at:
        path.insert(0, by_id[at])
        at = by_id[at].parent_id
    return path


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_every_sample_of_another_program_comes_in(path: Path) -> None:
    found = read_file(path)

    assert (len(found), _spoken(found[0])) == _EXPECTED[path.name]
    assert all(one.title for one in found)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_parents_of_every_sample_stand_before_their_children(path: Path) -> None:
    for found in read_file(path):
        seen: set[EntryId | None] = {None}
        for entry in found.entries:
            assert entry.parent_id in seen
            seen.add(entry.id)
        assert found.head in seen


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_every_result_of_a_sample_answers_a_call_above_it(path: Path) -> None:
    for found in read_file(path):
        calls = {
            part.call_id for entry in found.entries for part in entry.parts if isinstance(part, ToolCallPart)
        }
        results = [
            part.call_id
            for entry in found.entries
            for part in entry.parts
            if isinstance(part, ToolResultPart)
        ]
        unanswered = [call_id for call_id in results if call_id not in calls]
        # The fixture of Copilot, and that of Codex, hold results whose calls were trimmed away.
        assert not unanswered or path.name in ("copilot_cli.jsonl", "codex_rollout.jsonl")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_what_came_in_goes_out_in_our_form_and_comes_back_the_same(path: Path) -> None:
    """Case B87: an import, an export and an import again are stable."""
    first, *_ = read_file(path)
    out = export_json(stored(first), first.bytes_of)

    (again,) = read_chunks([out], name="again.json")

    assert export_json(stored(again), again.bytes_of) == out
    assert [entry.parts for entry in again.entries] == [entry.parts for entry in first.entries]


# ---- ChatGPT


def test_branches_of_chatgpt_stay_branches_and_what_was_shown_is_shown() -> None:
    (found,) = read_file(_DATA / "format_samples" / "chatgpt_export_conversation.json")

    assert [len(_path(found)), len(found.entries)] == [4, 5]
    assert found.entries[1].model == "chatgpt/gpt-4"
    assert found.title == "Sample conversation with branch"


def test_null_and_missing_fields_of_chatgpt_stop_nothing() -> None:
    """Case B83: a whole import failed over one conversation without a time."""
    hi, empty = _all(_case("B83"))

    assert _texts(hi) == ["hi"]
    assert hi.created_at is None
    assert [part.kind for part in hi.entries[0].parts if isinstance(part, OpaquePart)] == [
        "image_asset_pointer"
    ]
    assert [fault.kind for fault in hi.faults] == [FaultKind.LOST_FILE]
    assert empty.entries == ()
    assert [str(fault) for fault in empty.faults] == ["The chat 'empty' holds no message and was left out."]


def test_a_cycle_in_a_tree_is_cut_and_branches_stand_side_by_side() -> None:
    """Case B87: a node named its own parent as its child."""
    (found,) = _all([_case("B87")])

    assert [_first_text(entry) for entry in _path(found)] == ["Q", "B2"]
    assert sorted(_texts(found)) == ["B1", "B2", "Q"]


def test_nodes_that_are_each_others_parents_are_all_kept() -> None:
    def node(parent: str, text: str) -> JsonValue:
        message: JsonValue = {"author": {"role": "user"}, "content": {"parts": [text]}}
        return {"parent": parent, "children": [], "message": message}

    (found,) = _all([{"mapping": {"a": node("b", "1"), "b": node("a", "2"), "c": node("c", "3")}}])

    assert sorted(_texts(found)) == ["1", "2", "3"]


def test_a_picture_of_chatgpt_comes_from_the_file_beside(tmp_path: Path) -> None:
    pointer: JsonValue = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_ab12"}
    content: JsonValue = {"content_type": "multimodal_text", "parts": [pointer, "What is it?"]}
    message: JsonValue = {"author": {"role": "user"}, "content": content}
    picture = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    (tmp_path / "conversations.json").write_text(json.dumps([{"mapping": {"n": {"message": message}}}]))
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "file_ab12-sanitized.png").write_bytes(picture)

    (found,) = read_file(tmp_path)

    (media, _) = found.entries[0].parts
    assert isinstance(media, MediaPart)
    assert (media.mime, media.width_px) == ("image/png", 1)
    assert list(found.bytes_of.values()) == [picture]
    assert found.faults == ()


def test_reasoning_and_tools_of_chatgpt_become_parts_of_their_answers() -> None:
    def node(parent: str | None, role: str, content: JsonValue, recipient: str = "all") -> JsonValue:
        author: JsonValue = {"role": role, "name": "python" if role == "tool" else None}
        message: JsonValue = {"author": author, "content": content, "recipient": recipient}
        return {"parent": parent, "message": message}

    thoughts: JsonValue = {"content_type": "thoughts", "thoughts": [{"summary": "S", "content": "C"}]}
    (found,) = _all(
        [
            {
                "mapping": {
                    "q": node(None, "user", {"content_type": "text", "parts": ["Q"]}),
                    "t": node("q", "assistant", thoughts),
                    "c": node("t", "assistant", {"content_type": "code", "text": "1 + 1"}, "python"),
                    "r": node("c", "tool", {"content_type": "execution_output", "text": "2"}),
                    "a": node("r", "assistant", {"content_type": "text", "parts": ["Two."]}),
                }
            }
        ]
    )

    assert [entry.parts for entry in found.entries[1:]] == [
        (ThinkingPart(text="S\n\nC"), ToolCallPart(call_id="c", name="python", arguments="1 + 1")),
        (ToolResultPart(call_id="c", name="python", text="2"),),
        (TextPart(text="Two."),),
    ]


# ---- Claude


def test_a_message_of_claude_that_is_only_an_attachment_is_kept() -> None:
    """Case B85: 1,444 of 1,510 chats were left out, and the report said that none were."""
    (found,) = _all(_case("B85"))

    assert [entry.parts for entry in found.entries] == [
        (TextPart(text="LONG PASTED TEXT", is_paste=True),),
        (TextPart(text="Answer"),),
    ]


def test_a_block_that_nobody_knows_is_kept_raw_and_the_chat_comes_in() -> None:
    """Case B88: a strict schema refused 14 of 71 chats after the vendor had added a kind of block."""
    (found,) = _all(_case("B88"))

    parts = [part for entry in found.entries for part in entry.parts]
    opaque = [part for part in parts if isinstance(part, OpaquePart)]
    assert _texts(found) == ["ok"]
    assert {part.kind for part in opaque} == {"token_budget", "future_kind"}
    assert json.loads(opaque[-1].json) == {"type": "future_kind", "payload": {"a": 1}}
    assert any("x.example" in str(part.text) for part in parts if isinstance(part, ToolResultPart))


def test_branches_of_claude_hang_on_their_parents() -> None:
    def message(key: str, parent: str | None, sender: str, text: str) -> JsonValue:
        return {"uuid": key, "parent_message_uuid": parent, "sender": sender, "text": text}

    messages: list[JsonValue] = [
        message("a", "00000000-0000-4000-8000-000000000000", "human", "Q"),
        message("b", "a", "assistant", "A1"),
        message("c", "a", "assistant", "A2"),
    ]
    (found,) = _all([{"name": "N", "chat_messages": messages, "current_leaf_message_uuid": "b"}])

    assert [_first_text(entry) for entry in _path(found)] == ["Q", "A1"]
    assert [entry.parent_id for entry in found.entries[1:]] == [found.entries[0].id] * 2


# ---- agents


def test_parallel_calls_of_claude_code_have_their_results_one_after_the_other() -> None:
    """Each block is a line of its own, and each result hangs on its call: no branches are meant by that."""

    def line(key: str, parent: str | None, role: str, block: JsonValue, message_id: str = "") -> str:
        message: JsonValue = {"role": role, "content": [block], "id": message_id}
        return json.dumps({"type": role, "uuid": key, "parentUuid": parent, "message": message})

    lines = [
        line("1", None, "user", {"type": "text", "text": "Go"}),
        line("2", "1", "assistant", {"type": "tool_use", "id": "x", "name": "ls", "input": {}}, "m1"),
        line("3", "2", "assistant", {"type": "tool_use", "id": "y", "name": "ls", "input": {}}, "m1"),
        line("4", "2", "user", {"type": "tool_result", "tool_use_id": "x", "content": "a"}),
        line("5", "3", "user", {"type": "tool_result", "tool_use_id": "y", "content": "b"}),
        line("6", "5", "assistant", {"type": "text", "text": "Done"}, "m2"),
    ]

    (found,) = read_chunks(["\n".join(lines).encode()], name="session.jsonl")

    assert [entry.origin for entry in _path(found)] == [
        Origin.USER,
        Origin.ASSISTANT,
        Origin.TOOL,
        Origin.TOOL,
        Origin.ASSISTANT,
    ]
    assert found.title == "Go"


def test_a_line_that_is_spoiled_costs_only_itself() -> None:
    """Case B70: a torn record made the reader give up a whole session."""
    path = _DATA / "format_samples" / "claude_code_representative.jsonl"
    lines = path.read_bytes().splitlines()
    whole = imported(path.read_bytes(), name="a.jsonl")

    found = imported(b"\n".join([*lines[:3], lines[3][:40], *lines[4:]]), name="a.jsonl")

    assert len(found.entries) == len(whole.entries) - 1
    assert [str(fault) for fault in found.faults] == [
        "1 lines of the file could not be read and were left out."
    ]


# ---- text


def test_markdown_of_ours_comes_back_with_who_said_what() -> None:
    text = (
        "# A title\n\n2026-03-04 12:00 UTC\n\n## You\n\nHow?\n\n## gpt-4o\n\nSo:\n\n## Not a speaker here\n\n"
        "```\n## You\n```\n\n## 你\n\nDanke\n"
    )

    (found,) = read_chunks([text.encode()], name="file.md")

    assert [(entry.origin, entry.model) for entry in found.entries] == [
        (Origin.USER, None),
        (Origin.ASSISTANT, "imported/gpt-4o"),
        (Origin.USER, None),
    ]
    assert _texts(found)[1] == "So:\n\n## Not a speaker here\n\n```\n## You\n```"
    assert (found.title, str(found.created_at)) == ("A title", "2026-03-04 12:00:00+00:00")


# ---- the same again


def test_the_same_conversation_has_the_same_digest_and_another_has_another() -> None:
    path = _DATA / "format_samples" / "kimi_cli.jsonl"
    (first,), (second,) = read_file(path), read_file(path)
    (other,) = read_file(_DATA / "format_samples" / "pi_session.jsonl")

    assert digest_of(first) == digest_of(second) != digest_of(other)


def _first_text(entry: NewEntry) -> str:
    (part, *_) = entry.parts
    assert isinstance(part, TextPart)
    assert isinstance(part.text, str)
    return part.text
