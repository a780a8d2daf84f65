"""What the page of tools knows beside the settings: the tools there are, and whether commands are kept in a sandbox."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.tasks import TaskScope
from app.tokens.estimate import estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFact:
    name: str
    description: str
    """As the model reads it."""
    n_tokens: int
    """About what each request pays for it."""


def tool_facts() -> tuple[ToolFact, ...]:
    """Every built-in tool, in the order in which models are given them."""
    from app.agent.tools.offered import (  # no start waits for them
        ALWAYS,
        IN_A_WORKSPACE,
        WEB_FETCH,
        WEB_SEARCH,
    )

    specs = [tool.spec for tool in (*ALWAYS, *IN_A_WORKSPACE, WEB_FETCH, WEB_SEARCH)]
    return tuple(
        ToolFact(
            name=spec.name,
            description=spec.description,
            n_tokens=estimate(f"{spec.name}{spec.description}{spec.schema}"),
        )
        for spec in specs
    )


class ToolsViewModel(QObject):
    """Signals:
    changed(bool): whether there is a sandbox.
    """

    changed = Signal(bool)

    def __init__(
        self, has_sandbox: Callable[[], Awaitable[bool]], tasks: TaskScope, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._ask = has_sandbox
        self._tasks = tasks

    def refresh(self) -> None:
        """When the page opens."""
        self._tasks.start("sandbox", self._read())

    async def _read(self) -> None:
        self.changed.emit(await self._ask())
