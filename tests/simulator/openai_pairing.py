"""Do calls and results of an OpenAI message list belong together?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tests.simulator.wire import mappings, string

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.simulator.wire import Body


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingProblem:
    """`index` is the message at which it shows.

    unanswered: another message came before all results; orphan: a result after no call; stranger: a
    result for an id that the calls before it don't have; duplicate: a second result or call with one id.
    """

    kind: Literal["unanswered", "orphan", "stranger", "duplicate"]
    index: int
    ids: tuple[str, ...] = ()


def pairing_problem(messages: Sequence[Body]) -> PairingProblem | None:
    """The first problem, or None."""
    called: list[str] = []
    waiting: list[str] = []
    for index, message in enumerate(messages):
        if message.get("role") == "tool":
            identity = string(message.get("tool_call_id"))
            if not called:
                return PairingProblem(kind="orphan", index=index, ids=(identity,))
            if identity not in called:
                return PairingProblem(kind="stranger", index=index, ids=(identity,))
            if identity not in waiting:
                return PairingProblem(kind="duplicate", index=index, ids=(identity,))
            waiting.remove(identity)
            continue
        if waiting:
            return PairingProblem(kind="unanswered", index=index, ids=tuple(waiting))
        called = [string(call.get("id")) for call in mappings(message.get("tool_calls"))]
        twice = [identity for at, identity in enumerate(called) if identity in called[:at]]
        if twice:
            return PairingProblem(kind="duplicate", index=index, ids=(twice[0],))
        waiting = list(called)
    return PairingProblem(kind="unanswered", index=len(messages), ids=tuple(waiting)) if waiting else None
