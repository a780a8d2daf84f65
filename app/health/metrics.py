"""What a chat's requests say of its course: size, growth, speed, and what is worth a word (A18).

Derived from the records that are kept of each request, so that a restart changes nothing; what the texts say of it is
`information.py`, and how others read it `exposition.py`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.core.records import Alert, AlertKind, RequestKind, RequestRecord, RequestState

SURGE_TOKENS = 10_000
SOFT, HARD = 0.7, 0.9
"""Of the window: where a compaction waits no longer, and where nothing holds it (C2)."""
SLOW = 2.0
TOO_LONG = "context_too_long"
_FIT_OF, _FEWEST_FITTED = 50, 5
"""First tokens that tell what is usual in a chat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """Of one chat; None: not known."""

    prompt_tokens: int | None = None
    """Of the last request, as reported, else as projected."""
    growth_tokens: int | None = None
    """Against the request before it."""
    output_tokens_per_min: float | None = None
    """As its provider wrote the last answer, from the first token on."""
    slowness: float | None = None
    """Time to the last answer's first token ÷ what is usual for as many uncached tokens."""
    overflow_rate: float | None = None
    """Requests that were refused for their length, per 100."""
    tokens_per_turn: float | None = None
    """Of requests of every kind, in and out, per turn that ended well."""
    alerts: tuple[Alert, ...] = ()


def metrics_of(
    requests: Sequence[RequestRecord], *, paid: Sequence[RequestRecord], window_tokens: int
) -> Metrics:
    """
    Args:
        requests: A chat's own, oldest first.
        paid: All that it made, summaries and titles and those of its sub-agents.
        window_tokens: 0: unknown.
    """
    answers = [item for item in requests if item.kind is RequestKind.ANSWER]
    if not answers:
        return Metrics()
    last, before = answers[-1], answers[-2] if len(answers) > 1 else None
    n_ended = len({item.turn_id for item in answers if item.state is RequestState.FINISHED})
    n_refused = sum(item.error == TOO_LONG for item in answers)
    spent = sum(item.usage.prompt_tokens + item.usage.completion_tokens for item in paid if item.usage)
    return Metrics(
        prompt_tokens=size(last),
        growth_tokens=size(last) - size(before) if before else None,
        output_tokens_per_min=_speed(last),
        slowness=slowness(answers),
        overflow_rate=100 * n_refused / len(answers),
        tokens_per_turn=spent / n_ended if n_ended else None,
        alerts=alerts_of(answers, window_tokens=window_tokens),
    )


def alerts_of(requests: Sequence[RequestRecord], *, window_tokens: int) -> tuple[Alert, ...]:
    """What was worth a word, oldest first; a threshold once, where it is passed."""
    answers = [item for item in requests if item.kind is RequestKind.ANSWER]
    found: list[Alert] = []
    for at, now in enumerate(answers):
        before = answers[at - 1] if at else None
        found += at_once(now, before, window_tokens=window_tokens)
        found += slow_start(answers[max(0, at - _FIT_OF) : at + 1])
    return tuple(found)


def at_once(now: RequestRecord, before: RequestRecord | None, *, window_tokens: int) -> tuple[Alert, ...]:
    """What is known as soon as a request leaves. Args: `before`: the chat's answer before it."""
    grown_tokens = _grown_tokens(now, before) if before else 0
    surge = _alert(AlertKind.SURGE, now, grown_tokens) if grown_tokens > SURGE_TOKENS else None
    return tuple(filter(None, (surge, _passed(now, before, window_tokens))))


def too_long(record: RequestRecord) -> Alert:
    """Of a request that its provider refused for its length."""
    return _alert(AlertKind.HARD, record, 0.0)


def slow_start(answers: Sequence[RequestRecord]) -> tuple[Alert, ...]:
    """What is known when the last of `answers` has ended."""
    slow = slowness(answers)
    return (_alert(AlertKind.SLOW, answers[-1], slow),) if slow is not None and slow >= SLOW else ()


def _passed(now: RequestRecord, before: RequestRecord | None, window_tokens: int) -> Alert | None:
    share = now.projected_tokens / window_tokens if window_tokens else 0.0
    was = before.projected_tokens / window_tokens if before and window_tokens else 0.0
    if now.error == TOO_LONG:
        return too_long(now)
    if was < HARD <= share:
        return _alert(AlertKind.HARD, now, share)
    return _alert(AlertKind.SOFT, now, share) if was < SOFT <= share else None


def _alert(kind: AlertKind, record: RequestRecord, amount: float) -> Alert:
    return Alert(kind=kind, request=record.id, after=record.head, amount=amount)


def size(record: RequestRecord) -> int:
    """Tokens of a request: as reported, else as projected."""
    return record.usage.prompt_tokens if record.usage else record.projected_tokens


def surges(requests: Sequence[RequestRecord]) -> int:
    """How often a request was so much longer than the answer's one before it."""
    answers = [item for item in requests if item.kind is RequestKind.ANSWER]
    return sum(_grown_tokens(now, before) > SURGE_TOKENS for before, now in pairwise(answers))


def _grown_tokens(now: RequestRecord, before: RequestRecord) -> int:
    """Against what was reported, by which the projection was corrected since: two projections would differ by that too."""
    return now.projected_tokens - size(before)


def slowness(answers: Sequence[RequestRecord]) -> float | None:
    """Time to the first token of the last answer ÷ what the earlier ones lead one to expect; None: too few tell it.

    Expected by a line through the logarithms of the time and of the tokens that no cache held, by least squares.
    """
    if not answers or (now := _start(answers[-1])) is None:
        return None
    known = [point for item in answers[-_FIT_OF - 1 : -1] if (point := _start(item)) is not None]
    if len(known) < _FEWEST_FITTED:
        return None
    mean_x, mean_y = (sum(values) / len(known) for values in zip(*known, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in known)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in known) / spread if spread > 1e-9 else 0.0
    return math.exp(now[1] - (mean_y + max(0.0, slope) * (now[0] - mean_x)))


def _start(record: RequestRecord) -> tuple[float, float] | None:
    """Logarithms of the uncached tokens and of the time to the first token."""
    usage, first_s = record.usage, record.time_to_first_token_s
    if usage is None or not first_s:
        return None
    return math.log(max(1, usage.prompt_tokens - usage.cached_tokens)), math.log(first_s)


def _speed(record: RequestRecord) -> float | None:
    if record.usage is None or record.duration_s is None or record.time_to_first_token_s is None:
        return None
    writing_s = record.duration_s - record.time_to_first_token_s
    return 60 * record.usage.completion_tokens / writing_s if writing_s > 0 else None
