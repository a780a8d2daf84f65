"""Programs that a chat starts: run to their end or in the background, with all of their output, and ended for sure."""

import asyncio
import codecs
import contextlib
import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from app.agent.tools.failing import ToolFailed
from app.core.ids import ChatId
from app.tasks import TaskScope

MOST_CHARS = 32 * 1024 * 1024
"""Of one program's output; one that writes more is ended."""
_CHUNK_BYTES = 64 * 1024
_GRACE_S = 2.0
_SECRETS = frozenset(
    ("KEY", "APIKEY", "KEYS", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASS", "PASSPHRASE",
     "CREDENTIAL", "CREDENTIALS", "AUTH", "PAT", "DSN", "COOKIE")
)  # fmt: skip
"""Words of names of variables that are not handed on."""
_TOO_MUCH = "\n[ended: it wrote more than 32 million characters]\n"


@dataclass(slots=True)
class Output:
    """What a program has written so far; standard error is part of it, in order."""

    pieces: list[str] = field(default_factory=list[str])
    n_chars: int = 0

    @property
    def text(self) -> str:
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""

    def add(self, text: str) -> None:
        self.pieces.append(text)
        self.n_chars += len(text)


async def started(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    stdin: IO[bytes] | None = None,
) -> "Program":
    """
    Args:
        stdin: A file that it reads; None: there is nothing to read.
    Raises:
        ToolFailed: there is no such program, or it may not be run.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=cwd,
            env=env,
            stdin=asyncio.subprocess.DEVNULL if stdin is None else stdin,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # so that what it starts is ended with it
        )
    except OSError as error:
        raise ToolFailed(f"{command[0]!r} could not be started: {error.strerror}") from error
    return Program(process)


class Program:
    """A program that runs."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.output = Output()
        self._process = process

    @property
    def code(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.returncode

    async def follow(self, say: Callable[[str], None] = lambda text: None) -> int:
        """Read it to its end. Returns: its exit code."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        assert self._process.stdout
        while chunk := await self._process.stdout.read(_CHUNK_BYTES):
            self._take(decoder.decode(chunk), say)
            if self.output.n_chars > MOST_CHARS:
                self._take(_TOO_MUCH, say)
                await self.end()
                break
        self._take(decoder.decode(b"", final=True), say)
        return await self._process.wait()

    def _take(self, text: str, say: Callable[[str], None]) -> None:
        if text:
            self.output.add(text)
            say(text)

    async def rest(self) -> None:
        """Read what is left after it ended and nobody follows it, so that its pipe is closed."""
        assert self._process.stdout
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_S):  # what left the group may hold it open
                while await self._process.stdout.read(_CHUNK_BYTES):
                    pass

    async def end(self) -> None:
        """End it and all that it started: asked first, then for sure."""
        for signal_ in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal_)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_GRACE_S):
                    await self._process.wait()
                    return


async def output_of(
    command: Sequence[str],
    *,
    cwd: Path,
    timeout_s: float,
    env: Mapping[str, str] | None = None,
    say: Callable[[str], None] = lambda text: None,
    stdin: IO[bytes] | None = None,
) -> tuple[int | None, str]:
    """Run a program to its end.

    Returns: exit code, None where it ran out of time; and all that it wrote.
    """
    program = await started(command, cwd=cwd, env=env, stdin=stdin)
    code: int | None = None
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                code = await program.follow(say)
    finally:
        await program.end()
        await program.rest()
    return code, program.output.text


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Without what is named like a secret; nothing of the terminal that would colour or page."""
    kept = {
        name: value for name, value in environment.items() if _SECRETS.isdisjoint(name.upper().split("_"))
    }
    return {**kept, "TERM": "dumb", "NO_COLOR": "1", "PAGER": "cat", "GIT_PAGER": "cat", "CI": "1"}


class Sandbox:
    """bubblewrap around a shell, where the system has it and lets us (A13)."""

    def __init__(self) -> None:
        self._is_there: bool | None = None

    async def is_there(self) -> bool:
        """Found out once, by trying."""
        if self._is_there is None:
            program = shutil.which("bwrap") if sys.platform == "linux" else None
            self._is_there = False
            if program:
                tried = [program, "--ro-bind", "/", "/", "--unshare-all", "--dev", "/dev", "true"]
                with contextlib.suppress(ToolFailed):
                    code, _ = await output_of(tried, cwd=Path("/"), timeout_s=5)
                    self._is_there = code == 0
        return self._is_there

    async def around(
        self, command: Sequence[str], *, writable: Sequence[Path], readable: Sequence[Path], network: bool
    ) -> list[str]:
        """`command` as it is run: the system read-only, the home folder empty but for the roots."""
        if not await self.is_there():
            return list(command)
        home = str(Path.home())
        options = [
            "--die-with-parent",
            "--unshare-all",
            "--ro-bind",
            "/",
            "/",
            "--dev",
            "/dev",
            "--proc",
            "/proc",
        ]
        options += ["--tmpfs", "/tmp", "--tmpfs", "/run", *(["--tmpfs", home] if home != "/" else [])]
        options += ["--share-net"] if network else []
        for path in readable:
            options += ["--ro-bind", str(path), str(path)]
        for path in writable:
            options += ["--bind", str(path), str(path)]
        for path in _tool_chains(home):
            options += ["--ro-bind-try", path, path]
        return ["bwrap", *options, "--", *command]


def _tool_chains(home: str) -> list[str]:
    """Below the home folder, and needed by what is installed there."""
    return [f"{home}/{name}" for name in (".local", ".cargo", ".rustup", ".pyenv", ".nvm", ".bun", "go")]


class Jobs:
    """Programs in the background, each with a name that the model uses; ended with the chat that started them."""

    def __init__(self) -> None:
        self._programs: dict[tuple[ChatId, str], Program] = {}
        self._scope = TaskScope()

    def add(self, chat_id: ChatId, program: Program) -> str:
        name = f"job{sum(key[0] == chat_id for key in self._programs) + 1}"
        self._programs[chat_id, name] = program
        self._scope.start(f"{chat_id} {name}", self._follow(program))
        return name

    async def _follow(self, program: Program) -> None:
        try:
            await program.follow()
        finally:
            await program.end()
            await program.rest()

    def get(self, chat_id: ChatId, name: str) -> Program:
        """
        Raises:
            ToolFailed: this chat has none of that name.
        """
        found = self._programs.get((chat_id, name))
        if found is None:
            names = ", ".join(job for chat, job in self._programs if chat == chat_id) or "none"
            raise ToolFailed(f"There is no job {name!r} in this conversation; there are: {names}.")
        return found

    async def aclose(self) -> None:
        await self._scope.aclose()
