"""What Q15 is measured on, as `economy.json` says: it was fixed before the first run, so that no policy is made for it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.core.entries import Origin
from app.models.registry import ModelFacts, Prices
from tests.app.context.counts import conversation
from tests.bench.agents.trace import Part, Turn, session

_FILE = Path(__file__).parents[1] / "economy.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Of peers' policies."""

    last_messages: int
    summarise_at: float
    """Share of the window."""
    summary_keeps_messages: int
    summary_tokens: int
    clearing_keeps_results: int
    """Newest messages with results that are not cleared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    turns: tuple[Turn, ...]
    pauses: tuple[float, ...]
    """After each turn, in lives of the cache."""
    system: str
    rules: Rules
    models: Mapping[tuple[str, str], ModelFacts]
    """By kind of endpoint and name."""


@cache
def conditions() -> Conditions:
    read = json.loads(_FILE.read_text("utf-8"))
    parts = [Part(conversation=name, n_turns=n) for name, n in read["parts"]]
    opening = next(item for item in conversation(read["system_of"]) if item.origin is Origin.SYSTEM)
    return Conditions(
        turns=session(parts, most_steps=read["most_steps"]),
        pauses=tuple(read["pauses"]),
        system=opening.text,
        rules=Rules(**read["rules"]),
        models={_name(key): _facts(value) for key, value in read["models"].items()},
    )


def _name(key: str) -> tuple[str, str]:
    kind, _, name = key.partition("/")
    return kind, name


def _facts(value: dict[str, float | None]) -> ModelFacts:
    window = value.pop("window_tokens")
    assert window
    return ModelFacts(window_tokens=int(window), prices=Prices(**value))
