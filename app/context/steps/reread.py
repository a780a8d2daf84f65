"""S9: after a summary, the files that the chat made or changed last are shown as they are now.

Trigger: this compaction proposed a summary. Effect: up to five files in the summary's text, before its end.
Bounds: min(50,000 tokens, a quarter of the room left), one file at most 40 % of it, longer ones 60 % head and
40 % tail by lines; beside what is shown, what is binary, missing, outside or sensitive is named.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from app.context.facts import TurnFacts
from app.context.ports import NewFold, StepPorts
from app.context.proposal import Proposal
from app.context.step import ShownFile, StepResult
from app.context.summary.files_now import FILE_SHARE, MOST_TOKENS, OVERHEAD_TOKENS, files_now
from app.context.summary.rendering import Section, harmless, is_chinese, with_section
from app.context.summary.run import proposed_summary
from app.core.parts import TextPart

_ROOM_SHARE = 0.25
_HEAD_SHARE = 0.6


async def reread(context: Proposal, turn: TurnFacts, ports: StepPorts) -> StepResult:
    """Put the newest files into the summary that was proposed, instead of what the chat said of them."""
    fold = proposed_summary(context)
    room = _room(context, turn)
    if fold is None or room <= 0:
        return StepResult()
    found = await files_now(turn.touches, ports.files)
    if not found:
        return StepResult()
    pieces: list[str] = []
    whole: list[ShownFile] = []
    n_read = 0
    for file in found:
        path, text = file.path, file.text
        if not text:
            pieces.append(f"[{path}: {file.why_not}]")
            continue
        limit = min(round(FILE_SHARE * _budget(context, turn)), room)
        shown = await asyncio.to_thread(_cut, text, limit, lambda piece: turn.tokens(TextPart(text=piece)))
        used = turn.tokens(TextPart(text=shown))
        if used > room or not shown:
            pieces.append(f"[{path}: no room]")
            continue
        room -= used
        n_read += 1
        pieces.append(f"### {path}\n```\n{harmless(shown)}\n```")
        if harmless(shown) == text:
            whole.append(ShownFile(path=path, text=text, piece=pieces[-1]))
    why = "The files changed last were read again." if n_read else ""
    folds = _with(context, fold, "\n".join(pieces))
    return StepResult(folds=folds, candidates=len(found), why=why, shown=tuple(whole))


def _budget(context: Proposal, turn: TurnFacts) -> int:
    left = (turn.window_tokens or 2 * turn.target_tokens) - turn.request_tokens(context)
    return min(MOST_TOKENS, round(_ROOM_SHARE * max(left, 0)))


def _room(context: Proposal, turn: TurnFacts) -> int:
    """The budget, as far as the target leaves it: targets include re-read files (C2)."""
    left = turn.target_tokens - turn.request_tokens(context)
    return min(_budget(context, turn), left) - OVERHEAD_TOKENS


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
