"""What `/` and `@` offer in the composer, as values (U14); no Qt."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Sign = Literal["/", "@"]
Kind = Literal["command", "prompt", "file", "chat", "original"]

MOST_SHOWN = 8
_COMMAND = re.compile(r"/([^\s/]{0,40})")
_THING = re.compile(r"(?:^|(?<=\s))@([^\s@]{0,60})$")
_VARIABLE = re.compile(r"\{\{[^{}\n]{1,60}\}\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    kind: Kind
    id: str
    title: str
    detail: str = ""
    words: str = ""
    """What finds it beside its title, as a command's name in English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A sign before the cursor, and what is typed after it."""

    sign: Sign
    query: str

    @property
    def n_chars(self) -> int:
        return len(self.query) + 1


def asked(before: str) -> Asked | None:
    """What the text before the cursor asks for; None: nothing. `/` asks at a message's beginning only."""
    if found := _COMMAND.fullmatch(before):
        return Asked(sign="/", query=found[1])
    if found := _THING.search(before):
        return Asked(sign="@", query=found[1])
    return None


def matching(offers: Sequence[Suggestion], query: str) -> tuple[Suggestion, ...]:
    """Those in which `query` occurs, at most `MOST_SHOWN`; those that begin with it first, else in their order."""
    needle = query.casefold()
    ranked = ((_rank(offer, needle), offer) for offer in offers)
    found = sorted(((rank, offer) for rank, offer in ranked if rank is not None), key=lambda pair: pair[0])
    return tuple(offer for _, offer in found[:MOST_SHOWN])


def variable_after(text: str, at: int) -> tuple[int, int] | None:
    """Where the next `{{variable}}` begins and ends, from `at` on or else from the beginning; None: there is none."""
    found = _VARIABLE.search(text, at) or _VARIABLE.search(text)
    return found.span() if found else None


def _rank(offer: Suggestion, needle: str) -> int | None:
    texts = (offer.title.casefold(), offer.words.casefold())
    if any(text.startswith(needle) for text in texts if text):
        return 0
    return 1 if any(needle in text for text in texts) else None
