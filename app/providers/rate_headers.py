"""What a provider says of its limits in the headers of an answer (A19)."""

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from app.core.events import Rate

_MINUTE_S = 60.0
_DAY_S = 86_400.0
_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNITS_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_LONGEST_DIGITS = 12

_OF: tuple[Literal["requests", "tokens"], ...] = ("requests", "tokens")


def rates_in(headers: Mapping[str, str]) -> tuple[Rate, ...]:
    """By minute, or by the day where the time until all is back says so; what is missing or nonsense is left out."""
    lower = {name.lower(): value.strip() for name, value in headers.items() if "ratelimit" in name.lower()}
    return tuple(_rates(lower)) if lower else ()


def _rates(headers: Mapping[str, str]) -> Iterator[Rate]:
    for of in _OF:
        for limit, left, reset in (
            (f"x-ratelimit-limit-{of}", f"x-ratelimit-remaining-{of}", f"x-ratelimit-reset-{of}"),
            (
                f"anthropic-ratelimit-{of}-limit",
                f"anthropic-ratelimit-{of}-remaining",
                f"anthropic-ratelimit-{of}-reset",
            ),
        ):
            most, rest = _number(headers.get(limit, "")), _number(headers.get(left, ""))
            if most and rest is not None:
                rest = min(rest, most)
                yield Rate(
                    of=of, most=most, left=rest, period_s=_period_s(most, rest, headers.get(reset, ""))
                )
                break


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_DIGITS else None


def _period_s(most: int, left: int, reset: str) -> float:
    """In which all of it comes back: a minute, or longer where what was used needs longer than that."""
    pieces = _SPAN.findall(reset)
    if not pieces or most == left or _SPAN.sub("", reset):
        return _MINUTE_S
    reset_s = sum(float(amount) * _UNITS_S[unit] for amount, unit in pieces)
    return min(max(_MINUTE_S, reset_s * most / (most - left)), _DAY_S)
