"""`shell`, `job_output`, `job_stop`: commands in the workspace, with the person's approval (A10, A12)."""

import asyncio
import os
from pathlib import Path

from pydantic import BaseModel, Field

from app.agent.approvals import shell_wish
from app.agent.paths import Use, resolve
from app.agent.tools.running import Program, clean_environment, output_of, started
from app.agent.tools.tool import BuiltIn, Given, Place
from app.core.approvals import Wish
from app.tokens.estimate import estimate
from app.vault.reading import read_pattern, read_range

_TIMEOUT_S = 120


class Shell(BaseModel):
    command: str = Field(min_length=1, description="As for sh; no terminal, nothing can be typed into it.")
    folder: str = Field(default=".", description="Where it runs: a folder of the workspace.")
    timeout_s: int = Field(default=_TIMEOUT_S, ge=1, le=3_600)
    background: bool = Field(
        default=False, description="Return at once; see what it writes with job_output, end it with job_stop."
    )


class JobOutput(BaseModel):
    job: str
    line_range: str = Field(default="-100:", description='As for file_read; "1:" from the first line.')
    pattern: str = ""
    wait_s: int = Field(default=0, ge=0, le=60, description="Wait so long for it to end first.")


class JobStop(BaseModel):
    job: str


async def _asks(wanted: Shell, place: Place) -> Wish | None:
    return await asyncio.to_thread(shell_wish, wanted.command, place.roots, _folder(wanted, place))


def _folder(wanted: Shell, place: Place) -> Path:
    return resolve(place.roots, wanted.folder, Use.READ)


async def _shell(wanted: Shell, place: Place) -> Given:
    roots = place.roots
    folder = _folder(wanted, place)
    command = await place.sandbox.around(
        ["sh", "-c", wanted.command],
        writable=tuple(path for path in (roots.workspace, *roots.outputs) if path),
        readable=roots.inputs,
        network=place.settings.shell_network,
    )
    env = clean_environment(os.environ)
    if wanted.background:
        program = await started(command, cwd=folder, env=env)
        return Given(text=f"Runs in the background as {place.jobs.add(place.chat_id, program)}.")
    code, text = await output_of(command, cwd=folder, timeout_s=wanted.timeout_s, env=env, say=place.say)
    if code is None:
        return Given(text=f"{text}\n[ended after {wanted.timeout_s} s: it had not finished]", is_error=True)
    if code:
        return Given(text=f"{text}\n[exit code {code}]".lstrip("\n"), is_error=True)
    return Given(text=text or "(no output)")


async def _job_output(wanted: JobOutput, place: Place) -> Given:
    program = place.jobs.get(place.chat_id, wanted.job)
    for _ in range(wanted.wait_s * 10):
        if program.code is not None:
            break
        await place.clock.sleep(0.1)
    return Given(text=await asyncio.to_thread(_seen, program, wanted))


def _seen(program: Program, wanted: JobOutput) -> str:
    state = "runs" if program.code is None else f"ended with exit code {program.code}"
    text = program.output.text
    if wanted.pattern:
        reading = read_pattern(text, wanted.pattern, wanted.line_range, count=estimate)
    else:
        reading = read_range(text, wanted.line_range, count=estimate)
    return f"[{wanted.job} {state}; {reading.n_lines:,} lines so far]\n{reading}"


async def _job_stop(wanted: JobStop, place: Place) -> Given:
    program = place.jobs.get(place.chat_id, wanted.job)
    await program.end()
    return Given(text=f"{wanted.job} was ended.")


SHELL = BuiltIn(
    name="shell",
    description="Run a command in the workspace. The person may be asked first.",
    arguments=Shell,
    deed=_shell,
    asks=_asks,
)
JOB_OUTPUT = BuiltIn(
    name="job_output",
    description="What a background job has written so far.",
    arguments=JobOutput,
    deed=_job_output,
)
JOB_STOP = BuiltIn(name="job_stop", description="End a background job.", arguments=JobStop, deed=_job_stop)
