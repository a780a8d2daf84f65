"""Which model writes titles and summaries when the person chose none (A5)."""

import re
from collections.abc import Mapping

from app.models.registry import ModelFacts

SMALLEST_WINDOW_TOKENS = 32_000
_SPECIAL = re.compile(
    r"(^|[-_/.])(audio|realtime|search|tts|image|guard|embed\w*|robotics|research|live|ocr)([-_/.]|$)"
)


def lite_model(main: str, facts: Mapping[str, ModelFacts]) -> str | None:
    """The cheapest chat model beside `main` that costs at most a third of it; None: there is none.

    Args:
        facts: Of all models of the same endpoint, `main` among them, by name.
    """
    limit = _price(facts[main]) if main in facts else None
    if not limit:
        return None
    cheap = [
        (price, name)
        for name, found in facts.items()
        if name != main
        and (price := _price(found)) is not None
        and price * 3 <= limit
        and (found.window_tokens or 0) >= SMALLEST_WINDOW_TOKENS
        and not found.speaks
        and not _SPECIAL.search(name.lower())
    ]
    return min(cheap)[1] if cheap else None


def _price(facts: ModelFacts) -> float | None:
    """USD per token of such work: it reads about four times what it writes."""
    prices = facts.prices
    if prices.input_usd is None or prices.output_usd is None:
        return None
    return 0.8 * prices.input_usd + 0.2 * prices.output_usd
