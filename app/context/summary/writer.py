"""Having a summary written by a model: by which one, in which parts, and which answers count (C17, C19, C21)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.context.ports import Clock, Reply, Writer
from app.context.summary.fields import KeptSummary, Summary, parse
from app.context.summary.merge import carried_on
from app.context.summary.progress import TOTAL_S, ProgressClock, within
from app.context.summary.rendering import schema_text
from app.core.entries import Finish
from app.core.errors import ContextTooLong, ProviderError

Count = Callable[[str], int]

_ONE_PIECE_SHARE, _TWO_PIECES_SHARE = 0.8, 0.5
_SAFETY = 1.3
"""A part is planned by our count, which may lie so far below the writer's own."""
_MOST_HALVED = 2
"""How often the parts are halved for a model that finds them too long: of Chinese, its vocabulary may make three
times as many tokens as ours."""
_UNKNOWN_WINDOW = 16_000
_TAGS_TOKENS = 60
_FEWEST_TOKENS = 400
"""A part below this says nothing worth a request."""
_ANSWER_SHARE, _LEAST_ANSWER, _MOST_ANSWER = 0.2, 2_000, 6_000


# ---- which model


class Way(StrEnum):
    WARM = "warm"
    """The main model on the prefix that its provider has cached; one instruction appended."""
    LITE = "lite"
    MAIN = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What a model would write the summary for; prices per token, in any one unit."""

    window_tokens: int
    """0: not known."""
    input_price: float
    output_price: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    way: Way
    n_parts: int
    cost: float
    why: str


def choose_writer(
    text_tokens: int,
    *,
    main: Offer,
    lite: Offer | None = None,
    prefix_tokens: int = 0,
    cached_tokens: int = 0,
    cached_price: float = 0.0,
) -> Choice:
    """The cheapest way to have `text_tokens` summed up that loses none of them.

    Args:
        prefix_tokens: Of the chat as it stands, which a request on the warm prefix holds whole.
        cached_tokens: Of them held by the main model's provider; 0: its cache is cold.
        cached_price: Of one of those.
    """
    ways: list[Choice] = []
    answer_tokens = answer_room(text_tokens, main.window_tokens or _UNKNOWN_WINDOW)
    if cached_tokens and _fits(prefix_tokens, main.window_tokens):
        cost = cached_tokens * cached_price + (prefix_tokens - cached_tokens) * main.input_price
        cost += answer_tokens * main.output_price
        ways.append(
            Choice(way=Way.WARM, n_parts=1, cost=cost, why="The main model has the chat in its cache.")
        )
    shielded = ""
    if lite:
        n = _lite_parts(text_tokens, lite.window_tokens)
        if n:
            cost = text_tokens * lite.input_price + answer_tokens * lite.output_price
            ways.append(Choice(way=Way.LITE, n_parts=n, cost=cost, why="The lite model costs least."))
        else:
            shielded = "The lite model's window is too small for this chat, so the main model writes. "
    n_main = max(
        1, -(-text_tokens // max(1, round(_ONE_PIECE_SHARE * (main.window_tokens or _UNKNOWN_WINDOW))))
    )
    why = "The main model costs least." if len(ways) else "The main model writes."
    cost = text_tokens * main.input_price + answer_tokens * main.output_price
    ways.append(Choice(way=Way.MAIN, n_parts=n_main, cost=cost, why=why))
    best = min(ways, key=lambda way: (way.cost, list(Way).index(way.way)))
    return Choice(way=best.way, n_parts=best.n_parts, cost=best.cost, why=shielded + best.why)


def _fits(tokens: int, window_tokens: int) -> bool:
    return not window_tokens or tokens <= _ONE_PIECE_SHARE * window_tokens


def _lite_parts(text_tokens: int, window_tokens: int) -> int:
    """0: its window is too small (ratio shield)."""
    window = window_tokens or _UNKNOWN_WINDOW
    if text_tokens <= _ONE_PIECE_SHARE * window:
        return 1
    return 2 if window >= _TWO_PIECES_SHARE * text_tokens else 0


# ---- what it is asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What goes into every request of one summary."""

    prompt: str
    """The text of resources/prompts/summary.*.md, with {fields}, {language} and {focus}."""
    language: str
    language_name: str
    focus: str = ""
    demands: tuple[str, ...] = ()
    """What an earlier try lacked."""

    def system(self) -> str:
        focus = "\n".join(filter(None, (self.focus, *(f"- {item}" for item in self.demands))))
        return (
            self.prompt.replace("{fields}", schema_text(self.language))
            .replace("{language}", self.language_name)
            .replace("{focus}", focus or "-")
        )

    def where(self, until: str) -> str:
        """Which part of the chat it stands in is meant, for a model that is not given it anew."""
        return _WHERE.get(self.language, _WHERE["en"]).format(until=" ".join(until.split())[:_UNTIL_CHARS])


_UNTIL_CHARS = 120
_WHERE = {
    "en": "The conversation is the one above. Sum up what stands before and in the message that begins with "
    "“{until}”; leave out what comes after it. Call no tool.",
    "zh": "对话就是以上内容。请总结到以“{until}”开头的那条消息为止（含该条）；之后的内容不要写入。不要调用任何工具。",
}


def _request(text: str, former: Summary | None) -> str:
    before = f"<summary_so_far>\n{_json(former)}\n</summary_so_far>\n\n" if former else ""
    return f"{before}<conversation>\n{text}\n</conversation>"


def _json(summary: Summary) -> str:
    return summary.model_dump_json(include=set(Summary.model_fields))


# ---- having it written


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    summary: KeptSummary | None
    """Of the parts that were read; None: nothing usable came."""
    n_read: int
    n_parts: int
    why: str = ""
    """What kept the rest from being written, in words; empty: nothing did."""

    @property
    def is_whole(self) -> bool:
        return self.summary is not None and self.n_read == self.n_parts


async def write_summary(
    texts: Sequence[str],
    asking: Asking,
    *,
    writer: Writer,
    clock: Clock,
    count: Count,
    former: KeptSummary | None = None,
    until: str = "",
    total_s: float = TOTAL_S,
) -> Written:
    """The summary of `texts`, carried on from `former`, in as many parts as the writer's window asks for.

    What the writer finds too long goes out again in halves. A bad answer ends it: what was read by then is returned, and history is replaced by nothing of the rest.

    Args:
        until: How the last message of `texts` begins, for a model that has the whole chat before it.
    """
    ends_s = clock.monotonic() + total_s
    system = asking.system()
    if writer.warm:
        tokens = sum(map(count, texts))
        progress = ProgressClock(clock, prompt_tokens=tokens, total_s=total_s)
        work = writer.warm.go_on(
            f"{system}\n\n{asking.where(until)}",
            max_tokens=answer_room(tokens, writer.window_tokens or _UNKNOWN_WINDOW),
            on_progress=progress.touch,
        )
        if summary := usable(await within(work, progress)):
            return Written(summary=carried_on(former or KeptSummary(), summary), n_read=1, n_parts=1)
    window = writer.window_tokens or _UNKNOWN_WINDOW
    answer_tokens = answer_room(sum(map(count, texts)), window)
    carried = max(answer_tokens, count(_json(former)) if former else 0)
    room = int((window - answer_tokens) / _SAFETY) - count(system) - carried - _TAGS_TOKENS
    if room < _FEWEST_TOKENS:
        return Written(
            summary=None, n_read=0, n_parts=1, why="The model's window is too small to write a summary."
        )
    waiting = list(await asyncio.to_thread(in_parts, texts, room, count))
    found: KeptSummary | None = None
    n_read = n_halved = 0
    while waiting:
        text = _request(waiting[0], found or former)
        progress = ProgressClock(
            clock, prompt_tokens=count(system) + count(text), total_s=ends_s - clock.monotonic()
        )
        work = writer.write(system, text, max_tokens=answer_tokens, on_progress=progress.touch)
        reply = await within(work, progress)
        if isinstance(reply, ContextTooLong) and n_halved < _MOST_HALVED:
            n_halved += 1
            waiting = [half for part in waiting for half in _halves(part)]
            continue
        summary = usable(reply)
        if summary is None:
            return Written(summary=found, n_read=n_read, n_parts=n_read + len(waiting), why=why_not(reply))
        found = carried_on(found or former or KeptSummary(), summary)
        n_read += 1
        del waiting[0]
    return Written(summary=found, n_read=n_read, n_parts=n_read)


def answer_room(run_tokens: int, window_tokens: int) -> int:
    """min(20 % of the run, 2,000–6,000 tokens), never over a sixth of the window (C35)."""
    wanted = min(_MOST_ANSWER, max(_LEAST_ANSWER, round(_ANSWER_SHARE * run_tokens)))
    return min(wanted, max(window_tokens // 6, 1))


def in_parts(texts: Sequence[str], room_tokens: int, count: Count) -> tuple[str, ...]:
    """`texts` joined into parts of at most `room_tokens`; a text that is longer alone is cut, nothing is left out."""
    parts: list[str] = []
    waiting: list[str] = []
    used = 0
    for piece in (piece for text in texts for piece in _pieces(text, room_tokens, count)):
        tokens = count(piece) + 1
        if waiting and used + tokens > room_tokens:
            parts.append("\n\n".join(waiting))
            waiting, used = [], 0
        waiting.append(piece)
        used += tokens
    return (*parts, "\n\n".join(waiting)) if waiting else tuple(parts)


def _pieces(text: str, room_tokens: int, count: Count) -> list[str]:
    if count(text) < room_tokens or len(text) < 2:
        return [text]
    return [piece for half in _halves(text) for piece in _pieces(half, room_tokens, count)]


def _halves(text: str) -> tuple[str, str]:
    """Where a line ends, if it can be."""
    middle = text.rfind("\n", len(text) // 4, len(text) // 2) + 1 or len(text) // 2
    return text[:middle], text[middle:]


def usable(reply: Reply | ProviderError | None) -> Summary | None:
    """Only an answer that ended well and holds the fields; anything else never replaces history (case B35)."""
    if not isinstance(reply, Reply) or reply.finish is not Finish.STOP:
        return None
    return parse(reply.text)


def why_not(reply: Reply | ProviderError | None) -> str:
    match reply:
        case None:
            return "The model that writes the summary took too long."
        case ProviderError():
            return f"The model that writes the summary failed: {reply.message}"
        case Reply(finish=Finish.LENGTH):
            return "The model's summary was cut off."
        case Reply(text=text) if not text.strip():
            return "The model's summary was empty."
        case _:
            return "The model's answer was no summary."
