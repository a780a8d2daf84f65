"""Two guards over a running turn: against asking the same again, and against going round in circles (C29, C30).

Pure: they are shown the turn's rounds and the calls that are about to run, and say what shall become of them.
What folding takes out of sight is the usual reason to ask again, so that what was folded is answered, not refused.
"""

import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from pydantic import JsonValue

from app.context.pairing import pair
from app.context.transcript import groups
from app.core.entries import Entry, Origin
from app.core.ids import EntryId
from app.core.parts import Blob, Body, ToolCallPart, ToolResultPart

# ---- what a tool is to the guards


class Kind(StrEnum):
    """What another call of the same tool can mean."""

    TRACKED = "tracked"
    """Only reads, so that the same call gives the same answer."""
    CHANGED = "changed"
    """Reads something that is not what it was; no repeat, and no reason to forget other answers."""
    UNTRACKED = "untracked"
    """May change what the others read."""
    FINISHING = "finishing"
    """Ends the run; what it was given would be lost."""


KindOf = Callable[[ToolCallPart], Kind]

READ_ONLY = frozenset({"web_search", "web_fetch", "document_search", "search_files", "list_files"})


def built_in_kind(
    call: ToolCallPart,
    *,
    is_unchanged: Callable[[str], bool],
    read_only: Collection[str] = (),
    finishing: Collection[str] = (),
) -> Kind:
    """The kind of a call.

    Args:
        is_unchanged: Whether a file is, by its hash, as the run last read it.
        read_only: Names of MCP tools marked `readOnlyHint`.
        finishing: Names of tools that end the run, as the loop's own rules say.
    """
    if call.name in finishing:
        return Kind.FINISHING
    if call.name in READ_ONLY or call.name in read_only:
        return Kind.TRACKED
    if call.name != "file_read":
        return Kind.UNTRACKED
    paths = _arguments(call).get("paths")
    names = paths if isinstance(paths, list) else [paths]
    is_same = all(isinstance(one, str) and (one.startswith("vault://") or is_unchanged(one)) for one in names)
    return Kind.TRACKED if is_same else Kind.CHANGED


# ---- the same call again


BUDGET = 5
"""So many repeats in a row are one too many to be rolled back: the guard must never hold up a turn for good."""

_COUNTS = frozenset(
    ["num", "num_results", "n_results", "max_results", "results", "limit", "count", "top_k", "k", "n"]
)
"""Arguments that change how much comes, not what; `page`, `offset`, `tbs`, `gl`, `hl`, `location` choose what."""
_NOTHING = re.compile(
    r"\W*(?:no (?:search )?(?:results?|matches|files|documents)(?: (?:were )?found)?|nothing found|\(no output\)|"
    r"\(no text\)|none|null|\[\s*\]|\{\s*\})?\W*",
    re.IGNORECASE,
)
_SHORT_CHARS = 200
_FAILED = re.compile(r"\s*(?:\[error\]|error\b|failed\b|traceback\b)", re.IGNORECASE)


class Fate(StrEnum):
    """What becomes of an answer's calls."""

    RUN = "run"
    ROLL_BACK = "roll back"
    """Sample the round anew, without counting it; the message stays beside the path."""
    ANSWER = "answer"
    """The repeats are answered with what came then, which was folded since or stands beside new calls; those run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    fate: Fate
    n_in_a_row: int
    """To be given to the next `judge` of this run; `BUDGET`: disarmed."""
    earlier: tuple[tuple[int, EntryId], ...] = ()
    """Index of each repeated call, and the entry that holds its result."""

    @property
    def note(self) -> str:
        """One line beside the abandoned message."""
        n = len(self.earlier)
        return f"Not run: {n} call(s) here repeat what this run was told already." if n else ""


def judge(
    path: Sequence[Entry],
    calls: Sequence[ToolCallPart],
    *,
    kind_of: KindOf,
    shown: Collection[EntryId],
    n_in_a_row: int = 0,
) -> Verdict:
    """What shall become of `calls`, a whole answer's, before they run (C29).

    Args:
        path: Root to the entry that the answer follows.
        shown: Entries whose results the model saw whole when it made these calls.
        n_in_a_row: Of the last verdict of this run.
    """
    kinds = [kind_of(call) for call in calls]
    known = answered(path, kind_of)
    earlier = tuple(
        (at, known[key])
        for at, (call, kind) in enumerate(zip(calls, kinds, strict=True))
        if kind is Kind.TRACKED and (key := call_key(call)) in known
    )
    if not earlier:
        is_clean_round = Kind.TRACKED in kinds
        return Verdict(fate=Fate.RUN, n_in_a_row=0 if is_clean_round else n_in_a_row)
    if Kind.FINISHING in kinds or Kind.UNTRACKED in kinds:  # dropping the message would drop their work
        return Verdict(fate=Fate.RUN, n_in_a_row=n_in_a_row)
    brings_news = len(earlier) < kinds.count(Kind.TRACKED) or Kind.CHANGED in kinds
    if brings_news or not any(entry_id in shown for _, entry_id in earlier):
        return Verdict(fate=Fate.ANSWER, n_in_a_row=n_in_a_row, earlier=earlier)
    if n_in_a_row >= BUDGET - 1:
        return Verdict(fate=Fate.RUN, n_in_a_row=BUDGET)
    return Verdict(fate=Fate.ROLL_BACK, n_in_a_row=n_in_a_row + 1, earlier=earlier)


def answered(path: Sequence[Entry], kind_of: KindOf) -> dict[str, EntryId]:
    """Tracked calls of the running turn that were answered since its last untracked one: key to result's entry."""
    found: dict[str, EntryId] = {}
    for round_ in rounds_of(path):
        kinds = [kind_of(call) for call in round_.calls]
        if Kind.UNTRACKED in kinds or Kind.FINISHING in kinds:
            found.clear()
            continue
        for call, kind, answer in zip(round_.calls, kinds, round_.answers, strict=True):
            if kind is Kind.TRACKED and answer and _says_something(answer[1]):
                found[call_key(call)] = answer[0]
    return found


def call_key(call: ToolCallPart) -> str:
    """What makes two calls the same one: name and arguments, a list of queries as one, without how much is wanted."""
    if isinstance(call.arguments, Blob):
        return f"{call.name} {call.arguments.sha256}"
    value = _arguments(call)
    if not value:
        return f"{call.name} {call.arguments.strip()}"
    kept = {name: _listed(item) for name, item in value.items() if name not in _COUNTS}
    return f"{call.name} {json.dumps(kept, sort_keys=True, ensure_ascii=False)}"


def _arguments(call: ToolCallPart) -> dict[str, JsonValue]:
    """Empty where they are none, or no object."""
    try:
        value: JsonValue = json.loads(call.arguments) if isinstance(call.arguments, str) else None
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _listed(value: JsonValue) -> JsonValue:
    """A list that was written as a text is that list."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            found: JsonValue = json.loads(value)
        except ValueError:
            return value
        return found if isinstance(found, list) else value
    return value


def _says_something(result: ToolResultPart) -> bool:
    """Failed and empty answers are worth asking for again; many tools tell a failure in a plain text."""
    if result.is_error:
        return False
    text = result.text
    if isinstance(text, Blob):
        return True
    is_nothing = len(text) < _SHORT_CHARS and _NOTHING.fullmatch(text)
    return not (is_nothing or _FAILED.match(text))


# ---- rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """An answer's calls, each with its result and the entry that holds it; None: it has none."""

    id: EntryId
    calls: tuple[ToolCallPart, ...]
    answers: tuple[tuple[EntryId, ToolResultPart] | None, ...]


def rounds_of(path: Sequence[Entry]) -> tuple[Round, ...]:
    """The rounds of the running turn: after the person's last entry."""
    start = max((at for at, entry in enumerate(path, 1) if entry.origin is Origin.USER), default=0)
    found: list[Round] = []
    for group in groups(tuple(path[start:])):
        if calls := group[0].calls:
            results = [(entry.id, part) for entry in group[1:] for part in entry.results]
            indices = pair(calls, [part for _, part in results])
            answers = tuple(None if index is None else results[index] for index in indices)
            found.append(Round(id=group[0].id, calls=calls, answers=answers))
    return tuple(found)


# ---- going round in circles


LOOP_ROUNDS = 4
SAME = 0.9
_SHINGLE = 5
_COMPARED_CHARS = 64 * 1024
_WORDS = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")

LOOP_NOTE = (
    "[The last rounds made nearly the same calls and brought nothing new. Try another way: other words, another "
    "tool, a smaller step; or say what is missing and ask.]"
)


class Loop(StrEnum):
    NONE = "none"
    NOTE = "note"
    """Tell the model once, with `LOOP_NOTE`."""
    STOP = "stop"
    """It was told and goes on: stop and ask the person."""


def loop_verdict(
    path: Sequence[Entry], *, writers: Collection[EntryId] = (), noted_at: EntryId | None = None
) -> Loop:
    """Whether the running turn goes in circles (C30).

    Args:
        writers: Entries whose calls or results changed a file.
        noted_at: The round after which the model was told in this turn; None: it was not.
    """
    rounds = rounds_of(path)
    last = rounds[-LOOP_ROUNDS:]
    if len(last) < LOOP_ROUNDS or any(_wrote(round_, writers) for round_ in last):
        return Loop.NONE
    if not all(_are_alike(one, other) for one, other in pairwise(last)):
        return Loop.NONE
    if noted_at is None:
        return Loop.NOTE
    return Loop.NONE if rounds[-1].id == noted_at else Loop.STOP


HIBERNATE_SHARE = 0.95


def must_hibernate(projected_tokens: int, window_tokens: int) -> bool:
    """Whether nothing more can be sent, asked after an emergency and every answer to an overflow (C28 L4)."""
    return window_tokens > 0 and projected_tokens > HIBERNATE_SHARE * window_tokens


def _wrote(round_: Round, writers: Collection[EntryId]) -> bool:
    return round_.id in writers or any(answer and answer[0] in writers for answer in round_.answers)


def _are_alike(one: Round, other: Round) -> bool:
    """The same tools with nearly the same arguments, and answers that bring nothing that was not there."""
    if sorted(call.name for call in one.calls) != sorted(call.name for call in other.calls):
        return False
    before, after = _said(one), _said(other)
    if len(before & after) < SAME * len(before | after):
        return False
    return _brings_nothing(_bodies(one), _bodies(other))


def _said(round_: Round) -> frozenset[str]:
    """The words of a round's calls, each with its tool's name and its argument's."""
    found: set[str] = set()
    for call in round_.calls:
        value = _arguments(call)
        named = {name: _listed(item) for name, item in value.items() if name not in _COUNTS}
        text = call.arguments.sha256 if isinstance(call.arguments, Blob) else call.arguments
        for name, item in (named or {"": text}).items():
            words = _WORDS.findall(json.dumps(item, ensure_ascii=False).lower())
            found.update(f"{call.name} {name} {word}" for word in words)
    return frozenset(found)


def _bodies(round_: Round) -> list[Body]:
    return [answer[1].text if answer else "" for answer in round_.answers]


def _brings_nothing(before: Sequence[Body], after: Sequence[Body]) -> bool:
    if list(before) == list(after):
        return True
    if any(isinstance(body, Blob) for body in (*before, *after)):
        hashes = [
            [body.sha256 if isinstance(body, Blob) else body for body in side] for side in (before, after)
        ]
        return sorted(hashes[0]) == sorted(hashes[1])
    known = _shingles(before)
    new = _shingles(after)
    return len(new & known) >= SAME * len(new)


def _shingles(bodies: Sequence[Body]) -> frozenset[tuple[str, ...]]:
    found: set[tuple[str, ...]] = set()
    for body in bodies:
        words = _WORDS.findall(body[:_COMPARED_CHARS].lower()) if isinstance(body, str) else []
        found.update(tuple(words[at : at + _SHINGLE]) for at in range(max(1, len(words) - _SHINGLE + 1)))
    return frozenset(found)
