"""What crosses the pipe between `servers.py` and `mcp_work.py`, as values."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter


class Opening(BaseModel):
    """All that a session is opened with, its secrets in the clear."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["stdio", "http"]
    command: str
    args: tuple[str, ...]
    env: dict[str, str]
    cwd: str
    url: str
    headers: dict[str, str]
    timeout_s: float
    up_s: float
    """Until it is up and has listed its tools; one that its launcher fetches first takes its time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTool:
    """A tool as its server has it."""

    name: str
    title: str
    description: str
    schema: str
    """Canonical JSON."""
    is_read_only: bool
    """Marked `readOnlyHint`."""
    is_destructive: bool
    """Marked `destructiveHint`."""


LISTED: TypeAdapter[tuple[ListedTool, ...]] = TypeAdapter(tuple[ListedTool, ...])
