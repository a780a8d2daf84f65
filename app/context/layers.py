"""The seven layers that keep a request within its window, as data: what each one limits, and what it does (C28).

L1, L2, L3, L6 and L7 are limits of what comes in, applied by S3 at production time and nowhere else; L5 stands
before a request leaves, L4 behind one that was refused for its length.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

MARK = "⋯"


class Source(StrEnum):
    """Who made a text that is about to come in."""

    TOOL = "tool"
    MCP = "mcp"
    SUB_AGENT = "sub-agent"
    HOOK = "hook"
    BACKGROUND = "background"


class Way(StrEnum):
    """How a text that is over its limit comes in; its original is stored and addressed first (M6)."""

    FILTER = "filter"
    """As its format's filter leaves it."""
    ENDS = "ends"
    """Beginning and end."""
    ADDRESS = "address"
    """A line with its address alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """`most_chars` and `most_tokens`: 0: no limit by that measure."""

    layer: str
    ways: tuple[Way, ...]
    """The first that works; the later ones are its fallbacks."""
    most_chars: int = 0
    most_tokens: int = 0
    is_always_over: bool = False
    head_chars: int = 2_000
    tail_chars: int = 1_000


LIMITS: Mapping[Source, Limit] = {
    Source.MCP: Limit(layer="L1", ways=(Way.FILTER, Way.ENDS), most_chars=100_000),
    Source.SUB_AGENT: Limit(layer="L2", ways=(Way.ENDS, Way.ADDRESS), most_chars=8_000),
    Source.TOOL: Limit(layer="L3", ways=(Way.FILTER, Way.ENDS)),  # by the window, see `limit_of`
    Source.HOOK: Limit(layer="L6", ways=(Way.FILTER, Way.ENDS), most_tokens=2_500),
    Source.BACKGROUND: Limit(layer="L7", ways=(Way.ADDRESS,), is_always_over=True),
}


MCP_MARK = "mcp__"
"""What names of MCP tools begin with: `mcp__<server>__<tool>`; no server's id has an underscore."""


def source_of(tool: str) -> Source:
    """Who made the result of a tool, by its name."""
    if tool == "delegate":
        return Source.SUB_AGENT
    return Source.MCP if tool.startswith(MCP_MARK) else Source.TOOL


def server_of(tool: str) -> str:
    """Id of the server whose tool this is, by its name; empty for all others."""
    return tool.removeprefix(MCP_MARK).partition("__")[0] if tool.startswith(MCP_MARK) else ""


def result_limit(window_tokens: int) -> int:
    """Tokens that one result may have; of an unknown window the fixed figure holds."""
    n = window_tokens
    return round(max(0.03 * n, min(5_000, n / 8))) if n else 5_000


def round_limit(window_tokens: int) -> int:
    """Tokens that all results of one round may have."""
    n = window_tokens
    return round(max(0.10 * n, min(15_000, 3 * n / 8))) if n else 15_000


def limit_of(source: Source, *, window_tokens: int = 0, max_output_chars: int = 0) -> Limit:
    """The limit for a text of `source`.

    Args:
        window_tokens: 0: not known.
        max_output_chars: As an MCP server's own setting says; 0: the usual.
    """
    limit = LIMITS[source]
    if source is Source.TOOL:
        return replace(limit, most_tokens=result_limit(window_tokens))
    if source is Source.MCP and max_output_chars:
        return replace(limit, most_chars=max_output_chars)
    return limit


def over(limit: Limit, text: str, count: Callable[[str], int]) -> bool:
    """Whether `text` may not come in as it is; tokens are counted only where characters don't tell."""
    if limit.is_always_over:
        return bool(text)
    if limit.most_chars and len(text) > limit.most_chars:
        return True
    # A character is never more than four tokens, in any vocabulary that ships here.
    if not limit.most_tokens or len(text) * 4 <= limit.most_tokens:
        return False
    return count(text) > limit.most_tokens


def with_ends(limit: Limit, text: str, where: str) -> str:
    """Beginning and end of `text` by whole lines where it has some, with its address and how to read the rest."""
    if len(text) <= limit.head_chars + limit.tail_chars:
        return text
    head, tail = text[: limit.head_chars], text[-limit.tail_chars :]
    if "\n" in head[limit.head_chars // 2 :]:
        head = head.rpartition("\n")[0]
    if "\n" in tail[: limit.tail_chars // 2]:
        tail = tail.partition("\n")[2]
    left = len(text) - len(head) - len(tail)
    return f"{head}\n{MARK}\n{tail}\n[{left:,} characters left out; whole: {where}, by file_read with a line_range or pattern]"


def address_line(text: str, where: str) -> str:
    """What stands for a text that comes in by its address alone."""
    return f"[{text.count(chr(10)) + 1:,} lines so far; read them: {where}]"


# ---- L5 and L4: the request itself


def leaves(projected_upper_tokens: int, room_tokens: int, window_tokens: int, *, shares_window: bool) -> bool:
    """L5: whether a request may leave this machine; a projected overflow never does. An unknown window is no limit."""
    used = projected_upper_tokens + (room_tokens if shares_window else 0)
    return window_tokens <= 0 or used <= window_tokens


class OverflowAnswer(StrEnum):
    """L4: what is done before a refused request goes out again, in this order, each told."""

    SHRINK = "shrink tool outputs"
    SUMMARISE = "summary"
    DROP = "drop oldest turns"


def overflow_answer(n_refused: int) -> OverflowAnswer | None:
    """What the `n_refused`th refusal in a row is answered with; None: no more, it is told."""
    answers = tuple(OverflowAnswer)
    return answers[n_refused - 1] if 1 <= n_refused <= len(answers) else None
