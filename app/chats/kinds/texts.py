"""Conversations as plain text: Markdown with a heading a speaker, as we write it ourselves, and aider's history."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from app.chats.kinds.blocks import Blocks
from app.chats.kinds.kind import File, Imported, time_of
from app.chats.kinds.tree import Speech, made, row
from app.core.entries import Origin
from app.core.ids import ModelId
from app.core.parts import clean_text


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFormat:
    """A kind of file that is text to its end."""

    id: str
    detect: Callable[[str], bool]
    read: Callable[[File, str], Iterator[Imported]]


# ---- aider: what the person says stands behind ####, what the program prints behind >

_AIDER_START = "# aider chat started at "


def _is_aider(text: str) -> bool:
    return _AIDER_START in text or bool(re.search(r"^#### \S", text, re.MULTILINE))


def _read_aider(file: File, text: str) -> Iterator[Imported]:
    sessions = re.split(rf"^{_AIDER_START}(.*)$", text, flags=re.MULTILINE)
    for n, held in enumerate(sessions[::2]):
        started = sessions[2 * n - 1].strip() if n else ""
        if held.strip():
            yield _aider_session(file, held, started)


def _aider_session(file: File, text: str, started: str) -> Imported:
    blocks = Blocks()
    speeches: list[Speech] = []
    for origin, said in _aider_turns(text.splitlines()):
        blocks.n += 1
        speeches += blocks.speeches(origin, said)
    title = f"{file.name} · {started}" if started else file.name
    return made(
        file,
        row(speeches),
        title=title,
        originals=blocks.originals,
        faults=blocks.faults,
        created_at=_local(started),
    )


def _aider_turns(lines: Iterable[str]) -> Iterator[tuple[Origin, str]]:
    """Who says what. What the program prints stands as a quote in the answer around it, else by itself."""
    held: list[str] = []
    speaker = Origin.SYSTEM
    for line in lines:
        if line.startswith("####"):
            origin, line = Origin.USER, line[4:].removeprefix(" ").rstrip()
        elif line.startswith(">") or not line.strip():
            origin = speaker if speaker is not Origin.USER or not line.strip() else Origin.ASSISTANT
        else:
            origin = Origin.ASSISTANT
        if origin is not speaker:
            if said := "\n".join(held).strip():
                yield speaker, said
            held, speaker = [], origin
        held.append(line)
    if said := "\n".join(held).strip():
        yield speaker, said


# ---- Markdown with a heading, or a name in bold, for each speaker

_NAMES = {
    Origin.USER: "you|user|human|me|prompt|question|你|我|您|用户|提问",
    Origin.ASSISTANT: "assistant|ai|answer|response|bot|model|chatgpt|claude|gemini|copilot|deepseek|助手|回答|模型",
    Origin.SYSTEM: "system|系统",
}
_MODEL = r"[a-z][\w.:/-]*\d[\w.:/-]*"
"""A name with a figure in it and no blank, as our exports head an answer with: `gpt-4o`, `claude-3.5-sonnet`."""
_SPEAKER = re.compile(
    rf"^(?:#{{1,6}}\s+|\*\*)\W{{0,3}}(?:{'|'.join(f'(?P<{o.value}>{names})' for o, names in _NAMES.items())}"
    rf"|(?P<named>{_MODEL}))(?:\s+(?:said|says))?\s*[:：]?\s*(?:\*\*)?\s*[:：]?\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_OUR_DATE = re.compile(r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC$")


def _is_markdown(text: str) -> bool:
    return any(speaker is Origin.USER for speaker, _, _ in _turns(text.splitlines()))


def _read_markdown(file: File, text: str) -> Iterator[Imported]:
    blocks = Blocks()
    speeches: list[Speech] = []
    title, created_at = file.name, None
    for origin, model, said in _turns(text.splitlines()):
        if origin is None:
            title, created_at, said = _head(said, file.name)
            origin = Origin.SYSTEM
        blocks.n += 1
        speeches += blocks.speeches(origin, said, model=model)
    yield made(
        file,
        row(speeches),
        title=title,
        originals=blocks.originals,
        faults=blocks.faults,
        created_at=created_at,
    )


def _head(text: str, name: str) -> tuple[str, datetime | None, str]:
    """Title and date of what stands before the first speaker, and the rest of it."""
    lines = text.splitlines()
    title, created_at = name, None
    if lines and lines[0].startswith("# "):
        title = lines.pop(0)[2:].strip() or name
    while lines and (not lines[0].strip() or _OUR_DATE.match(lines[0])):
        line = lines.pop(0)
        created_at = created_at or time_of(line.removesuffix(" UTC"))
    return title, created_at, "\n".join(lines).strip()


def _turns(lines: Iterable[str]) -> Iterator[tuple[Origin | None, ModelId | None, str]]:
    """Who says what; None: what stands before anybody speaks. A heading inside of a fence is no speaker's."""
    held: list[str] = []
    speaker: Origin | None = None
    model: ModelId | None = None
    fence = ""
    for line in lines:
        if found := _FENCE.match(line):
            mark = found.group(1)
            if not fence:
                fence = mark
            elif mark.startswith(fence) and not line.strip().strip(mark[0]):
                fence = ""
        match = None if fence else _SPEAKER.match(line)
        if not match or (match["named"] and (match["rest"] or not line.startswith("#"))):
            held.append(line)
            continue
        if said := "\n".join(held).strip():
            yield speaker, model, said
        speaker = next((origin for origin in _NAMES if match[origin.value]), Origin.ASSISTANT)
        model = ModelId(f"imported/{clean_text(match['named'])}") if match["named"] else None
        held = [match["rest"]] if match["rest"] else []
    if said := "\n".join(held).strip():
        yield speaker, model, said


def _local(text: str) -> datetime | None:
    """aider writes the clock on the wall, and not where it hung."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


TEXTS: tuple[TextFormat, ...] = (
    TextFormat(id="aider", detect=_is_aider, read=_read_aider),
    TextFormat(id="markdown", detect=_is_markdown, read=_read_markdown),
)
