"""How many tokens a model can read, and who says so (C1)."""

from dataclasses import dataclass
from enum import StrEnum


class WindowSource(StrEnum):
    """In words, as shown; from the most to the least trusted."""

    YOU = "you set it"
    SERVER = "the server says so"
    REGISTRY = "model registry"
    LEARNED = "learned from an error"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """`tokens` is 0 when nobody knows: nothing is done by its share then."""

    tokens: int = 0
    source: WindowSource = WindowSource.UNKNOWN


def window_of(
    *, override: int | None, reported: int | None, registry: int | None, learned: int | None
) -> Window:
    """The first of these that says a number above 0.

    Args:
        reported: By the endpoint itself: `/v1/models`, Ollama's loaded context, llama.cpp's `/props`.
        learned: From the text of an overflow error (`ContextTooLong.limit_tokens`).
    """
    ranked = (
        (override, WindowSource.YOU),
        (reported, WindowSource.SERVER),
        (registry, WindowSource.REGISTRY),
        (learned, WindowSource.LEARNED),
    )
    return next(
        (Window(tokens=tokens, source=source) for tokens, source in ranked if tokens and tokens > 0), Window()
    )
