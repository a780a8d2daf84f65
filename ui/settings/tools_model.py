"""What the page of tools knows beside the settings: the tools there are, and whether commands are kept in a sandbox."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.tasks import TaskScope
from app.tokens.estimate import estimate

_SHOWN_CHARS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFact:
    name: str
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
            n_tokens=estimate(f"{spec.name}{spec.description}{spec.schema}"),
        )
        for spec in specs
    )


class KeysPort(Protocol):
    """Where keys are kept: `app.store.secrets.Secrets`."""

    async def get(self, name: str) -> str | None: ...

    async def put(self, name: str, value: str) -> None: ...

    async def delete(self, name: str) -> None: ...


class ToolsViewModel(QObject):
    """Signals:
    changed(bool): whether there is a sandbox.
    key_read(str): the end of the key of the web search; empty: none is kept.
    """

    changed = Signal(bool)
    key_read = Signal(str)

    def __init__(
        self,
        has_sandbox: Callable[[], Awaitable[bool]],
        keys: KeysPort,
        tasks: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._ask, self._keys = has_sandbox, keys
        self._tasks = tasks
        self._engine = ""

    def refresh(self) -> None:
        """When the page opens."""
        self._tasks.start("sandbox", self._read())
        self._tasks.start("search key", self._read_key())

    def read_key(self, engine: str) -> None:
        """Tell of the key of another `engine`; the keyring is asked only when the page is looked at."""
        if engine != self._engine:
            self._engine = engine
            self._tasks.start("search key", self._read_key())

    def save_key(self, engine: str, key: str) -> None:
        """Empty: it is forgotten."""
        self._tasks.start("search key", self._save_key(f"search-{engine}", key))

    async def _read(self) -> None:
        self.changed.emit(await self._ask())

    async def _read_key(self) -> None:
        key = await self._keys.get(f"search-{self._engine}") if self._engine not in ("", "searxng") else ""
        self.key_read.emit((key or "")[-_SHOWN_CHARS:])

    async def _save_key(self, name: str, key: str) -> None:
        if key:
            await self._keys.put(name, key)
        else:
            await self._keys.delete(name)
        await self._read_key()
