"""What the simulator has received, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulator.wire import Body

_SECRET_HEADERS = {"authorization", "x-api-key", "api-key", "x-goog-api-key"}


@dataclass(slots=True, kw_only=True)
class RequestRecord:
    """One request; it grows while the answer is sent.

    Attributes:
        verdict: "pending", "answered", "refused", "fault:<kind>".
        remark: What this provider lets pass although another would refuse it.
        streamed_tokens: How much of the answer left before it ended, however it ended.
    """

    number: int
    at: float
    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes
    body: Body
    verdict: str = "pending"
    status: int = 0
    refusal: str = ""
    remark: str = ""
    usage: Mapping[str, object] = field(default_factory=dict[str, object])
    prompt_tokens: int = 0
    streamed_tokens: int = 0
    finished: bool = False
    client_disconnected: bool = False

    @property
    def model(self) -> str:
        name = self.body.get("model")
        return name if isinstance(name, str) else ""

    def to_json(self) -> dict[str, object]:
        return {**asdict(self), "raw": self.raw.decode(errors="replace"), "model": self.model}


def masked(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers with lower-case names; of a key only the last four characters stay."""
    return {
        name.lower(): f"…{value[-4:]}" if name.lower() in _SECRET_HEADERS else value
        for name, value in headers.items()
    }
