"""What the page of servers draws: each with how it is, and the form while one is edited."""

import re
import shlex
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.agent.mcp.importing import unused_id
from app.agent.mcp.servers import ServerState
from app.core.errors import AppError
from app.settings import McpServer
from app.tokens.estimate import estimate

_LINE = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_-]*)\s*[=:]\s*(.*?)\s*")
FormProblem = Literal["", "name", "command", "url", "env", "headers", "numbers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerForm:
    """A server as typed; `id` is empty while it is new. A name with nothing behind it keeps its value."""

    id: str = ""
    kind: Literal["stdio", "http"] = "stdio"
    name: str = ""
    command: str = ""
    """With its arguments, as in a shell."""
    cwd: str = ""
    env: str = ""
    url: str = ""
    headers: str = ""
    timeout_s: str = "60"
    max_output_chars: str = "100000"
    approval: Literal["ask", "allow"] = "ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRow:
    server: McpServer
    state: ServerState
    prices: tuple[tuple[str, int], ...] = ()
    """Name and tokens of each tool, about, by name."""

    @property
    def n_tokens(self) -> int:
        """What each request pays for its tools that are on."""
        return sum(n for name, n in self.prices if name not in self.server.tools_off)


@dataclass(frozen=True, slots=True, kw_only=True)
class McpState:
    rows: tuple[ServerRow, ...] = ()
    form: ServerForm | None = None
    problem: FormProblem = ""
    testing: str = ""
    """The server that is started anew to see whether it comes up."""
    tested: Mapping[str, float] = field(default_factory=dict[str, float])
    """After how many seconds a server was up, or had failed, when it was tested."""
    opened: str = ""
    """The server whose tools are shown."""
    removing: str = ""
    """The server whose removal was asked for and waits for a yes."""
    is_importing: bool = False
    failure: AppError | None = None
    """Why the last wish was not carried out."""


def row_of(server: McpServer, state: ServerState) -> ServerRow:
    priced = sorted(
        (tool.name, estimate(f"{tool.name}{tool.description}{tool.schema}")) for tool in state.tools
    )
    return ServerRow(server=server, state=state, prices=tuple(priced))


def starts(server: McpServer) -> str:
    """All that is run or reached, in one line, as the person is to see it before they let it (Q23)."""
    if server.kind == "http":
        return " ".join((server.url, *(f"[{name}: …]" for name in server.headers)))
    env = (f"{name}=…" for name in server.env)
    where = f"  (in {server.cwd})" if server.cwd else ""
    return " ".join((*env, shlex.join((server.command, *server.args)))) + where


def form_of(server: McpServer) -> ServerForm:
    return ServerForm(
        id=server.id,
        kind=server.kind,
        name=server.name,
        command=shlex.join((server.command, *server.args)) if server.command else "",
        cwd=server.cwd,
        env="\n".join(f"{name}=" for name in server.env),
        url=server.url,
        headers="\n".join(f"{name}:" for name in server.headers),
        timeout_s=f"{server.timeout_s:g}",
        max_output_chars=str(server.max_output_chars),
        approval=server.approval,
    )


def problem_in(form: ServerForm) -> FormProblem:
    """The first field that keeps `form` from being a server."""
    if not form.name.strip():
        return "name"
    if form.kind == "stdio" and not _words(form.command):
        return "command"
    if form.kind == "http" and not form.url.strip().startswith(("http://", "https://")):
        return "url"
    if _named(form.env) is None:
        return "env"
    if _named(form.headers) is None:
        return "headers"
    try:
        is_right = 1 <= float(form.timeout_s) <= 3_600 and 1_000 <= int(form.max_output_chars) <= 16_000_000
    except ValueError:
        is_right = False
    return "" if is_right else "numbers"


def server_of(
    form: ServerForm, servers: Collection[McpServer]
) -> tuple[McpServer, Mapping[str, str], Mapping[str, str]]:
    """What `form` describes, and the values that are new; only for a form without a problem."""
    known = next((item for item in servers if item.id == form.id), None)
    is_stdio = form.kind == "stdio"
    command, *args = (_words(form.command) or [""]) if is_stdio else [""]
    env = (_named(form.env) or {}) if is_stdio else {}
    headers = {} if is_stdio else _named(form.headers) or {}
    server_id = form.id or unused_id(form.name, {item.id for item in servers})
    server = (known or McpServer(id=server_id, name="")).model_copy(
        update={
            "kind": form.kind,
            "name": form.name.strip(),
            "command": command,
            "args": tuple(args),
            "cwd": form.cwd.strip() if is_stdio else "",
            "env": tuple(env),
            "url": "" if is_stdio else form.url.strip(),
            "headers": tuple(headers),
            "timeout_s": float(form.timeout_s),
            "max_output_chars": int(form.max_output_chars),
            "approval": form.approval,
        }
    )
    return server, _given(env), _given(headers)


def _words(command: str) -> list[str]:
    """Of a command line; none where it doesn't close its quotes."""
    try:
        return shlex.split(command, posix=sys.platform != "win32")
    except ValueError:
        return []


def _named(text: str) -> dict[str, str] | None:
    """Values by name, a line each; None: a line is none."""
    found = [_LINE.fullmatch(line) for line in text.splitlines() if line.strip()]
    return {str(match[1]): str(match[2]) for match in found if match} if all(found) else None


def _given(values: Mapping[str, str]) -> Mapping[str, str]:
    return {name: value for name, value in values.items() if value}
