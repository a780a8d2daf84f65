"""A long agent session made of recorded conversations: what the person says, what the model does, what it asks for again.

A model that needs a word which its prompt does not hold any more reads the original again, with a request of its own:
that is paid for whatever the policy is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.core.entries import Entry, Origin
from app.core.parts import TextPart, ToolResultPart
from tests.app.context.counts import conversation

_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]{6,78}[A-Za-z0-9_]")
_TELLING = re.compile(r"[0-9_/.]")
"""A path, an id, a figure: plain words are asked for in no vault."""
_OLD_TURNS = 3
"""So long unsaid, a word is remembered only by who still has it before them."""
_MOST_SOURCES = 3
"""What stands in more texts than that is a commonplace."""
_EXCERPT_CHARS = 12_000
"""At most 4,000 tokens, as one reading gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    name: str
    arguments: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """A word of an earlier turn that a step uses, and what a reading of its place gives."""

    word: str
    excerpt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One answer of the model; without calls it ends the turn."""

    text: str
    calls: tuple[Call, ...] = ()
    need: Need | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    said: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """So many first turns of a conversation."""

    conversation: str
    n_turns: int


def session(parts: Iterable[Part], *, most_steps: int) -> tuple[Turn, ...]:
    """
    Args:
        most_steps: Of one turn: its first ones and its last.
    """
    turns = [
        _shortened(turn, most_steps)
        for part in parts
        for turn in _turns(conversation(part.conversation))[: part.n_turns]
    ]
    return tuple(_with_needs(turns))


def _turns(entries: Sequence[Entry]) -> list[Turn]:
    """Of what nobody answered, and of answers before the person spoke, nothing is kept."""
    results = {
        part.call_id: str(part.text)
        for entry in entries
        for part in entry.parts
        if isinstance(part, ToolResultPart)
    }
    found: list[Turn] = []
    for entry in entries:
        text = "\n".join(str(part.text) for part in entry.parts if isinstance(part, TextPart)).strip()
        if entry.origin is Origin.USER and text:
            if found and not found[-1].steps:
                found.pop()
            found.append(Turn(said=text, steps=()))
        elif entry.origin is Origin.ASSISTANT and found:
            calls = tuple(
                Call(name=call.name, arguments=str(call.arguments), result=results[call.call_id])
                for call in entry.calls
                if results.get(call.call_id)
            )
            if text or calls:
                found[-1] = replace(found[-1], steps=(*found[-1].steps, Step(text=text, calls=calls)))
    return [turn for turn in found if turn.steps]


def _shortened(turn: Turn, most_steps: int) -> Turn:
    calling = [step for step in turn.steps if step.calls][: most_steps - 1]
    told = [step for step in turn.steps if not step.calls]
    return replace(turn, steps=(*calling, told[-1] if told else Step(text="Done.")))


@dataclass(slots=True)
class _Place:
    """Where a word stood."""

    last_turn: int = 0
    sources: list[str] = field(default_factory=list[str])


def _with_needs(turns: Sequence[Turn]) -> Iterator[Turn]:
    places: dict[str, _Place] = {}

    def see(text: str, at: int, *, is_source: bool) -> None:
        for word in _words(text):
            place = places.setdefault(word, _Place())
            place.last_turn = at
            if is_source:
                place.sources.append(text)

    for at, turn in enumerate(turns):
        see(turn.said, at, is_source=True)
        steps: list[Step] = []
        for step in turn.steps:
            used = " ".join((step.text, *(call.arguments for call in step.calls)))
            steps.append(replace(step, need=_need(used, at, places)))
            see(used, at, is_source=False)
            for call in step.calls:
                see(call.result, at, is_source=True)
        yield replace(turn, steps=tuple(steps))


def _need(used: str, at: int, places: Mapping[str, _Place]) -> Need | None:
    """The first word that was last said long ago, and by whom it can be read again."""
    for word in _words(used):
        place = places.get(word)
        if place and at - place.last_turn >= _OLD_TURNS and 0 < len(place.sources) <= _MOST_SOURCES:
            return Need(word=word, excerpt=_around(place.sources[-1], word))
    return None


def _words(text: str) -> Iterable[str]:
    return dict.fromkeys(word for word in _WORD.findall(text) if _TELLING.search(word))


def _around(text: str, word: str) -> str:
    start = max(0, text.index(word) - _EXCERPT_CHARS // 2)
    return text[start : start + _EXCERPT_CHARS]
