"""S9: after a summary, the files that the chat made or changed last are shown as they are now.

Trigger: this compaction proposed a summary. Effect: up to five files in the summary's text, before its end.
Bounds: min(50,000 tokens, a quarter of the room left), one file at most 40 % of it, longer ones 60 % head and
40 % tail by lines; what is binary, missing, outside or sensitive is named and left out.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from app.context.facts import TurnFacts
from app.context.ports import NewFold, StepPorts
from app.context.proposal import Proposal
from app.context.redaction import has_secret
from app.context.step import StepResult
from app.context.summary.notes import files_written
from app.context.summary.rendering import Section, harmless, is_chinese, with_section
from app.context.summary.run import proposed_summary
from app.core.parts import TextPart

MOST_FILES, MOST_TOKENS = 5, 50_000
_ROOM_SHARE, _FILE_SHARE = 0.25, 0.4
_HEAD_SHARE = 0.6
_LEAST_TOKENS = 100
_BINARY_LOOK_BYTES = 8_192
_LARGEST_BYTES = 2_000_000


async def reread(context: Proposal, turn: TurnFacts, ports: StepPorts) -> StepResult:
    """Put the newest files into the summary that was proposed, instead of what the chat said of them."""
    fold = proposed_summary(context)
    paths = tuple(reversed(files_written(turn.touches)))[:MOST_FILES]
    room = _room(context, turn)
    if fold is None or not paths or room < _LEAST_TOKENS:
        return StepResult()
    pieces: list[str] = []
    n_read = 0
    for path in paths:
        data = await ports.files.read(path)
        text, why_not = await asyncio.to_thread(_readable, data)
        if why_not:
            pieces.append(f"[{path}: {why_not}]")
            continue
        limit = min(round(_FILE_SHARE * _budget(context, turn)), room)
        shown = await asyncio.to_thread(_cut, text, limit, lambda piece: turn.tokens(TextPart(text=piece)))
        used = turn.tokens(TextPart(text=shown))
        if used > room or not shown:
            pieces.append(f"[{path}: no room]")
            continue
        room -= used
        n_read += 1
        pieces.append(f"### {path}\n```\n{harmless(shown)}\n```")
    why = "The files changed last were read again." if n_read else ""
    return StepResult(folds=_with(context, fold, "\n".join(pieces)), candidates=len(paths), why=why)


def _budget(context: Proposal, turn: TurnFacts) -> int:
    left = (turn.window_tokens or 2 * turn.target_tokens) - turn.request_tokens(context)
    return min(MOST_TOKENS, round(_ROOM_SHARE * max(left, 0)))


def _room(context: Proposal, turn: TurnFacts) -> int:
    """The budget, as far as the target leaves it: targets include re-read files (C2)."""
    left = turn.target_tokens - turn.request_tokens(context)
    return min(_budget(context, turn), left) - 2 * MOST_FILES * 10


def _readable(data: bytes | None) -> tuple[str, str]:
    """The text, or why there is none."""
    if data is None:
        return "", "not there, or not to be read"
    if len(data) > _LARGEST_BYTES:
        return "", "too large to be shown"
    if b"\0" in data[:_BINARY_LOOK_BYTES]:
        return "", "binary"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return "", "binary"
    if not text.strip():
        return "", "empty"
    return ("", "it holds a secret") if has_secret(text) else (text, "")


def _cut(text: str, limit: int, tokens: Callable[[str], int]) -> str:
    """Head and tail by whole lines; the middle gives way."""
    if tokens(text) <= limit:
        return text
    lines = text.split("\n")
    head = _fitting(lines, round(_HEAD_SHARE * limit), tokens)
    tail = _fitting(lines[len(head) :][::-1], limit - round(_HEAD_SHARE * limit), tokens)[::-1]
    left_out = len(lines) - len(head) - len(tail)
    return "\n".join((*head, f"[… {left_out} lines …]", *tail)) if head or tail else ""


def _fitting(lines: Sequence[str], limit: int, tokens: Callable[[str], int]) -> list[str]:
    kept: list[str] = []
    for line in lines:
        limit -= tokens(line) + 1
        if limit < 0:
            break
        kept.append(line)
    return kept


def _with(context: Proposal, fold: NewFold, body: str) -> tuple[NewFold, ...]:
    """The summary's fold with the files in its text, and again all that stands after it."""
    part = fold.replacement[0]
    assert isinstance(part, TextPart)
    assert isinstance(part.text, str)
    heading = "文件现在的内容" if is_chinese(part.text) else "Files as they are now"
    text = with_section(part.text, Section(heading=heading, body=body))
    at = context.proposed.index(fold)
    return (replace(fold, replacement=(TextPart(text=text),)), *context.proposed[at + 1 :])
