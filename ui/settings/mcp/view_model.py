"""Setting up servers of tools: the form, what they run, their tools, and how they are."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.agent.mcp.servers import ServerState
from app.core.errors import AppError
from app.core.ids import new_id
from app.core.records import Changes, Fact
from app.settings import McpServer, Settings
from app.tasks import TaskScope
from ui.settings.mcp.state import McpState, ServerForm, form_of, problem_in, row_of, server_of


class ServersPort(Protocol):
    """See `app.agent.mcp.setting_up.McpSettings`."""

    def state(self, server_id: str) -> ServerState: ...

    async def put(
        self,
        server: McpServer,
        *,
        env: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> McpServer: ...

    async def allow(self, server_id: str, start_hash: str) -> None: ...

    async def remove(self, server_id: str) -> None: ...

    async def take_over(self, text: str) -> Sequence[McpServer]: ...

    async def restart(self, server_id: str) -> float: ...


class McpPort(Protocol):
    """What the page needs of the application."""

    @property
    def settings(self) -> Settings: ...

    @property
    def mcp(self) -> ServersPort: ...

    def watch(self, listener: Callable[[Changes], None]) -> Callable[[], None]: ...


class McpViewModel(QObject):
    """Signals:
    changed(McpState): the whole new state.
    """

    changed = Signal(object)

    def __init__(self, port: McpPort, tasks: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._port = port
        self._tasks = tasks
        self.state = McpState()
        self._doing = asyncio.Lock()
        self.stop_watching = port.watch(self._note)
        self.refresh()

    def refresh(self) -> None:
        servers = self._port.settings.mcp_servers
        self._fold(
            replace(self.state, rows=tuple(row_of(item, self._port.mcp.state(item.id)) for item in servers))
        )

    def begin(self) -> None:
        """Open the form for a new server."""
        self._fold(replace(self.state, form=ServerForm(), problem="", is_importing=False, failure=None))

    def edit(self, server_id: str) -> None:
        server = self._find(server_id)
        if server:
            self._fold(replace(self.state, form=form_of(server), problem="", failure=None))

    def type(self, form: ServerForm) -> None:
        """The form as it now stands."""
        self._fold(replace(self.state, form=form))

    def close_form(self) -> None:
        self._fold(replace(self.state, form=None, problem="", failure=None))

    def save(self) -> None:
        """Store the form as a server; or say at the field what is missing."""
        form = self.state.form
        if form is None:
            return
        problem = problem_in(form)
        self._fold(replace(self.state, problem=problem))
        if not problem:
            server, env, headers = server_of(form, self._port.settings.mcp_servers)
            self._do(self._save(server, env, headers))

    def allow(self, server_id: str, start_hash: str) -> None:
        """What was shown is what may start."""
        self._do(self._port.mcp.allow(server_id, start_hash))

    def switch(self, server_id: str, *, is_on: bool) -> None:
        self._do(self._change(server_id, lambda server: {"enabled": is_on}))

    def switch_tool(self, server_id: str, tool: str, *, is_on: bool) -> None:
        def change(server: McpServer) -> dict[str, object]:
            off = {*server.tools_off} - {tool} if is_on else {*server.tools_off, tool}
            return {"tools_off": tuple(sorted(off))}

        self._do(self._change(server_id, change))

    def test(self, server_id: str) -> None:
        """Start it anew, and tell how long that took and what came of it."""
        if not self.state.testing:
            self._fold(replace(self.state, testing=server_id))
            self._tasks.start("test a server", self._test(server_id))

    async def _test(self, server_id: str) -> None:
        try:
            took_s = await self._port.mcp.restart(server_id)
            self._fold(replace(self.state, tested={**self.state.tested, server_id: took_s}))
        finally:
            self._fold(replace(self.state, testing=""))
            self.refresh()

    def open(self, server_id: str) -> None:
        """Show a server's tools, or no longer."""
        self._fold(replace(self.state, opened="" if self.state.opened == server_id else server_id))

    def ask_removal(self, server_id: str) -> None:
        """Ask first; `remove` does it. Empty: not after all."""
        self._fold(replace(self.state, removing=server_id))

    def remove(self) -> None:
        if self.state.removing:
            self._do(self._port.mcp.remove(self.state.removing))
            self._fold(replace(self.state, removing=""))

    def ask_import(self, *, is_wanted: bool) -> None:
        self._fold(replace(self.state, is_importing=is_wanted, form=None, failure=None))

    def take_over(self, text: str) -> None:
        """Add the servers of another program's JSON."""
        self._do(self._take_over(text))

    def _find(self, server_id: str) -> McpServer | None:
        return next((item for item in self._port.settings.mcp_servers if item.id == server_id), None)

    def _do(self, work: Coroutine[object, object, None]) -> None:
        """One after another: each changes what the one before it left."""
        self._tasks.start(new_id("mcp"), self._told(work))

    async def _told(self, work: Coroutine[object, object, None]) -> None:
        try:
            async with self._doing:
                await work
        except AppError as error:
            self._fold(replace(self.state, failure=error))
        else:
            self._fold(replace(self.state, failure=None))
            self.refresh()

    async def _change(self, server_id: str, change: Callable[[McpServer], dict[str, object]]) -> None:
        if server := self._find(server_id):
            await self._port.mcp.put(server.model_copy(update=change(server)))

    async def _save(self, server: McpServer, env: Mapping[str, str], headers: Mapping[str, str]) -> None:
        await self._port.mcp.put(server, env=env, headers=headers)
        self._fold(replace(self.state, form=None))

    async def _take_over(self, text: str) -> None:
        await self._port.mcp.take_over(text)
        self._fold(replace(self.state, is_importing=False))

    def _note(self, changes: Changes) -> None:
        if Fact.SETTINGS in changes.facts:
            self.refresh()

    def _fold(self, state: McpState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
