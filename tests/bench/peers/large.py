"""Q9 beside others: a conversation in which a tool said 10 MB."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.bench.filters import LARGE, LIMIT, large
from tests.bench.peers.pipe import Asked, Told, Wire, text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Filtered:
    peer: str
    kind: str
    n_chars: int
    left_chars: int
    ms: float
    failed: str = ""


def asked_of(kind: str) -> Asked:
    """The result is not among the newest messages, which some leave alone."""
    call = {"id": "a", "type": "function", "function": {"name": "fetch_report", "arguments": "{}"}}
    messages: list[Wire] = [
        {"role": "user", "content": "What failed?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": large(*LARGE[kind])},
        *({"role": role, "content": "Go on."} for role in ("assistant", "user") * 2),
    ]
    return Asked(messages=messages, budget_tokens=LIMIT, summary_tokens=LIMIT // 4)


def filtered(kind: str, asked: Asked, told: Told, peer: str) -> Filtered:
    return Filtered(
        peer=peer,
        kind=kind,
        n_chars=len(text_of(asked.messages)),
        left_chars=len(text_of(told.messages)),
        ms=told.ms,
        failed=told.failed,
    )


def lines_of(found: Sequence[Filtered]) -> Iterator[str]:
    yield f"{'Q9: 10 MB from a tool':<36}{'kind':<16}{'left':>12}{'s of work':>12}"
    for item in found:
        told = item.failed or f"{item.left_chars:>12,}{item.ms / 1000:>12.2f}"
        yield f"{item.peer:<36}{item.kind:<16}{told}"
