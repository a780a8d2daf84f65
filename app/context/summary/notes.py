"""Session notes: what the tools did and what the model wrote down itself, as a summary's fields, without a model (S7).

Read off the entries each time, so that they need no store of their own and are the same after a restart.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import cast

from app.context.facts import FileTouch
from app.context.summary.fields import Decision, Fix, Summary
from app.core.entries import Entry, Origin
from app.core.parts import Blob, ToolCallPart, ToolResultPart, body_of

NOTE_TOOL = "note"
_BRIEF_CHARS, _OUTCOME_CHARS = 110, 140
_LOOKS = ("read", "view", "open", "get", "list", "ls", "search", "grep", "find", "fetch", "think", "note")
_TELLING = re.compile(
    r"error|fail|exception|traceback|denied|not found|passed|total|created|updated|success|warning|错误|失败|成功|完成",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？]|$)")
_FIRST = re.compile(r".{8,}?(?:[.!?](?=\s|$)|[。！？]|$)|.+")
"""A greeting alone is none."""
_MOST_READ = 20_000


def session_notes(entries: Sequence[Entry], touches: Sequence[FileTouch] = ()) -> Summary:
    """The fields that tool events and the model's own notes fill; what only words tell stays empty."""
    own = [entry for entry in entries if entry.origin is Origin.USER]
    events = list(_events(entries))
    written = _written_down(entries)
    here = {entry.id for entry in entries}
    return Summary(
        user_goal=first_sentence(own[0].text) if own else "",
        active_task=own[-1].text if own else "",
        key_decisions=tuple(Decision(what=text) for text in written.get("decision", ())[-8:]),
        completed_actions=tuple(_told(call, result) for call, result in _actions(events)),
        key_findings=tuple(written.get("finding", ())[-5:]),
        errors_and_fixes=tuple(_fixes(events))[-8:],
        files_modified=files_written(touch for touch in touches if touch.entry_id in here),
        last_action=_told(*events[-1]) if events else "",
        blocked_items=tuple(written.get("blocked", ())[-3:]),
        next_steps=tuple(written.get("next", ())[-5:]),
    )


def files_written(touches: "Sequence[FileTouch] | Iterator[FileTouch]") -> tuple[str, ...]:
    """Paths that were created or changed, the newest last, each once."""
    newest_first = dict.fromkeys(touch.path for touch in reversed(tuple(touches)) if touch.is_write)
    return tuple(reversed(newest_first))


def first_sentence(text: str, limit_chars: int = 240) -> str:
    """The first that says something; code is passed over."""
    for line in _FENCE.sub("\n", text[:_MOST_READ]).split("\n"):
        plain = line.strip().lstrip("#>*-•").strip()
        if plain and not (plain.startswith("[") and plain.endswith("]")):
            match = _FIRST.match(plain)
            return (match[0] if match else plain)[:limit_chars]
    return ""


def last_sentence(text: str, limit_chars: int = 240) -> str:
    for line in reversed(_FENCE.sub("\n", text[-_MOST_READ:]).split("\n")):
        if plain := line.strip().lstrip("#>*-•").strip():
            found = _SENTENCE.findall(plain)
            return (found[-1] if found else plain).strip()[-limit_chars:]
    return ""


def _events(entries: Sequence[Entry]) -> Iterator[tuple[ToolCallPart, ToolResultPart | None]]:
    """Each call with its result, paired within its group."""
    for at, entry in enumerate(entries):
        if not entry.calls:
            continue
        results: list[ToolResultPart] = []
        for other in entries[at + 1 :]:
            if other.origin is not Origin.TOOL:
                break
            results.extend(other.results)
        for call in entry.calls:
            yield call, next((result for result in results if result.call_id == call.call_id), None)


def _actions(
    events: Sequence[tuple[ToolCallPart, ToolResultPart | None]],
) -> list[tuple[ToolCallPart, ToolResultPart | None]]:
    """The last ten that changed or ran something; looks only where there is nothing else."""
    done = [event for event in events if not _is_look(event[0])]
    return (done or list(events))[-10:]


def _is_look(call: ToolCallPart) -> bool:
    return any(word in call.name.lower() for word in _LOOKS)


def _told(call: ToolCallPart, result: ToolResultPart | None) -> str:
    outcome = _outcome(result) if result else ""
    return f"{call.name} {_brief(call)}{' → ' if outcome else ''}{outcome}"


def _brief(call: ToolCallPart) -> str:
    values = _strings(_decoded(call))
    return " ".join(" ".join(value.split()) for value in values)[:_BRIEF_CHARS]


def _outcome(result: ToolResultPart) -> str:
    body = body_of(result)
    if isinstance(body, Blob):
        return body.name
    lines = [line.strip() for line in body[:_MOST_READ].split("\n") if line.strip()]
    telling = next((line for line in lines if _TELLING.search(line)), lines[0] if lines else "")
    return telling[:_OUTCOME_CHARS]


def _fixes(events: Sequence[tuple[ToolCallPart, ToolResultPart | None]]) -> Iterator[Fix]:
    """What a tool's error flag says failed, with the next call of that tool that did not (C33: never by text)."""
    for at, (call, result) in enumerate(events):
        if result is None or not result.is_error:
            continue
        later = (
            other
            for other, answer in events[at + 1 :]
            if other.name == call.name and answer is not None and not answer.is_error
        )
        worked = next(later, None)
        yield Fix(
            error=f"{call.name} {_brief(call)}: {_outcome(result)}", fix=_brief(worked) if worked else ""
        )


def _written_down(entries: Sequence[Entry]) -> dict[str, list[str]]:
    """The model's own notes by kind; one without a kind is a finding."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        for call in entry.calls:
            if call.name != NOTE_TOOL:
                continue
            value = _decoded(call)
            kind = (
                str(cast("dict[str, object]", value).get("kind", "finding"))
                if isinstance(value, dict)
                else "finding"
            )
            texts = [text for text in _strings(cast("object", value)) if text != kind]
            if texts:
                found.setdefault(kind, []).append(" ".join(texts))
    return found


def _decoded(call: ToolCallPart) -> object:
    body = call.arguments
    if isinstance(body, Blob):
        return body.name
    try:
        return cast("object", json.loads(body))
    except (ValueError, RecursionError):
        return body


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value[:400]
        case dict():
            for item in cast("dict[str, object]", value).values():
                yield from _strings(item)
        case list():
            for item in cast("list[object]", value):
                yield from _strings(item)
        case _:
            return
