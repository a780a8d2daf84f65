"""What goes wrong on request: refused requests, broken answers, broken streams."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from tests.simulator.wire import Body, integer, mappings, string


class Kind(StrEnum):
    STATUS = "status"  # the provider's own error with `status`
    QUOTA = "insufficient_quota"
    HTML = "html_502"
    INVALID_JSON = "invalid_json"  # status 200, half a JSON text
    RESET = "reset_before_headers"
    SLOW_HEADERS = "slow_headers"  # `seconds` pass, then all is well
    STALL_FIRST = "stall_before_first_token"  # headers come, then nothing for `seconds`
    STALL_MID = "stall_mid_stream"
    CUT = "cut_mid_token"  # the connection ends inside an event
    CUT_UTF8 = "cut_mid_character"  # the connection ends inside a UTF-8 character
    CUT_CLEAN = "cut_between_events"  # the body ends properly, but too early
    ERROR_EVENT = "error_event"
    USAGE_WITHOUT_CHOICES = "usage_without_choices"
    NO_USAGE = "no_usage"
    NO_FINISH = "no_finish_reason"
    CRLF = "crlf"
    TWO_DATA_LINES = "two_data_lines"
    COMMENTS = "comments"  # SSE comment lines between the events
    SPLIT_BYTES = "split_bytes"  # every event in several writes, also inside a character


RANDOM_CHOICES: tuple[tuple[Kind, int], ...] = (
    (Kind.STATUS, 408), (Kind.STATUS, 429), (Kind.STATUS, 500), (Kind.STATUS, 503), (Kind.STATUS, 529),
    (Kind.HTML, 502), (Kind.INVALID_JSON, 200), (Kind.RESET, 0), (Kind.CUT, 200), (Kind.CUT_UTF8, 200),
    (Kind.CUT_CLEAN, 200), (Kind.ERROR_EVENT, 200), (Kind.NO_USAGE, 200), (Kind.NO_FINISH, 200),
    (Kind.CRLF, 200), (Kind.TWO_DATA_LINES, 200), (Kind.COMMENTS, 200), (Kind.SPLIT_BYTES, 200),
    (Kind.USAGE_WITHOUT_CHOICES, 200),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One failure.

    `retry_after_s` is sent as seconds, or as an HTTP date with `retry_after_date`. `after_pieces` says how
    much of the answer arrives before a stream breaks. `times` requests in a row fail so. `message`
    replaces the provider's usual words. `route` "models" fails the list of models instead, for which only
    what happens before an answer makes sense (status, quota, HTML, reset, slow headers).
    """

    kind: Kind = Kind.STATUS
    status: int = 500
    retry_after_s: float | None = None
    retry_after_date: bool = False
    seconds: float = 3600.0
    after_pieces: int = 3
    times: int = 1
    message: str | None = None
    route: Literal["chat", "models"] = "chat"


class Faults:
    """A queue for the next requests; when it is empty, chance (with a seed) decides."""

    def __init__(self, *, rate: float = 0.0, seed: int = 0) -> None:
        self._queue: deque[Fault] = deque()
        self.shuffle(rate=rate, seed=seed)

    def push(self, *faults: Fault) -> None:
        for fault in faults:
            self._queue.extend([replace(fault, times=1)] * fault.times)

    def shuffle(self, *, rate: float, seed: int = 0) -> None:
        """From now on `rate` of the requests (0–1) fail, the same ones for the same seed."""
        self._rate, self._random = rate, random.Random(seed)

    def next(self, route: Literal["chat", "models"]) -> Fault | None:
        """The fault of a request that arrives now; chance strikes chats only."""
        for fault in self._queue:
            if fault.route == route:
                self._queue.remove(fault)
                return fault
        if route == "chat" and self._rate and self._random.random() < self._rate:
            kind, status = self._random.choice(RANDOM_CHOICES)
            # A short pause keeps a session of random failures quick; stalls are asked for by name.
            retry_after_s = 0.0 if status in {429, 503} else None
            return Fault(
                kind=kind,
                status=status,
                retry_after_s=retry_after_s,
                after_pieces=self._random.randrange(1, 12),
            )
        return None

    def clear(self) -> None:
        self._queue.clear()
        self._rate = 0.0

    def __len__(self) -> int:
        return len(self._queue)


def faults_from_json(value: object) -> list[Fault]:
    """The form that `POST /_faults` takes: a list of objects with the fields of `Fault`."""
    return [_fault(item) for item in mappings(value)]


def _fault(item: Body) -> Fault:
    plain = Fault()
    return Fault(
        kind=Kind(string(item.get("kind")) or plain.kind),
        status=integer(item.get("status")) or plain.status,
        retry_after_s=_number(item.get("retry_after_s")),
        retry_after_date=item.get("retry_after_date") is True,
        seconds=_number(item.get("seconds")) or plain.seconds,
        after_pieces=integer(item.get("after_pieces")) or plain.after_pieces,
        times=integer(item.get("times")) or plain.times,
        message=string(item.get("message")) or None,
        route="models" if item.get("route") == "models" else "chat",
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
