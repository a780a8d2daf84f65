"""Skills: texts that teach a piece of work, told by name, loaded by the tool `skill`, which narrows what may be called (A20)."""

import asyncio
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pydantic import BaseModel, Field, ValidationError

from app.agent.paths import PathRefused, Roots, Use, resolve, safe_open
from app.agent.tools.failing import ToolFailed
from app.agent.tools.roots import roots_of
from app.agent.tools.tool import BuiltIn, Given, Place, Tool, parsed
from app.context.pairing import pair
from app.context.transcript import groups
from app.core.entries import Entry
from app.core.parts import Blob, ToolCallPart, clean_text
from app.settings import Settings

SKILL = "skill"
_FILE = "SKILL.md"
_MOST = 100
_MOST_BYTES = 256 * 1024
_MOST_FRONT_CHARS = 8 * 1024
_MOST_DESCRIPTION_CHARS = 300
_MOST_NOTE_CHARS = 8_000
_NAME = re.compile(r"\w[\w.-]{0,63}")
_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*$\r?\n?(.*)\Z", re.DOTALL | re.MULTILINE)
_ALWAYS = frozenset((SKILL, "ask_user"))
"""Neither changes anything; without the first no skill could ever be left for another."""
_OPEN, _CLOSE = '<memory-context source="skills">', "</memory-context>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    name: str
    description: str
    text: str
    tools: tuple[str, ...] | None = None
    """Names of what may be called once it is loaded; None: whatever is offered."""

    @property
    def sha256(self) -> str:
        """Of all that it says."""
        told = repr((self.name, self.description, self.tools, self.text))
        return hashlib.sha256(told.encode()).hexdigest()


class _Front(BaseModel):
    name: str = ""
    description: str = ""
    tools: tuple[str, ...] | str | None = Field(default=None, alias="allowed-tools")


async def skills_of(data: Path, settings: Settings) -> tuple[Skill, ...]:
    """Those that a chat with these settings has. `data`: our folder."""
    return await asyncio.to_thread(find_skills, roots_of(settings, data), data)


def find_skills(roots: Roots, data: Path) -> tuple[Skill, ...]:
    """Those of the person and of the workspace, by name; of two with one name the person's own.

    What can't be read, or is no skill, is left out: a folder of somebody else's must not end a turn.

    Args:
        data: Our folder.
    """
    found: dict[str, Skill] = {}
    for name, file in (*_of_person(data / "skills"), *_of_workspace(roots)):
        skill = read_skill(name, file) if len(found) < _MOST and _NAME.fullmatch(name) else None
        if skill:
            found.setdefault(skill.name, skill)
    return tuple(found[name] for name in sorted(found))


def _of_person(folder: Path) -> Iterator[tuple[str, bytes]]:
    for inner in _folders(folder):
        try:
            with (inner / _FILE).open("rb") as file:
                yield inner.name, file.read(_MOST_BYTES + 1)
        except OSError:
            continue


def _of_workspace(roots: Roots) -> Iterator[tuple[str, bytes]]:
    if roots.workspace is None:
        return
    try:
        folder = resolve(roots, "skills", Use.READ)
    except PathRefused:
        return
    for inner in _folders(folder):
        try:
            with safe_open(roots, str(inner / _FILE)) as file:
                yield inner.name, file.read(_MOST_BYTES + 1)
        except (PathRefused, OSError):
            continue


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(inner for inner in folder.iterdir() if inner.is_dir())[:_MOST]
    except OSError:
        return []


def read_skill(folder: str, data: bytes) -> Skill | None:
    """A skill from its file; None: it is none, or one that nobody should read.

    Args:
        folder: The name of the folder that it lies in, which is its own where it gives none.
    """
    split = _FRONT.match(clean_text(data.decode("utf-8", "replace"))) if len(data) <= _MOST_BYTES else None
    if split is None or len(split[1]) > _MOST_FRONT_CHARS:
        return None
    try:
        front = _Front.model_validate(_plain_yaml(split[1]))
    except ValueError:
        return None
    name = front.name.strip() or folder
    if not _NAME.fullmatch(name) or not split[2].strip():
        return None
    description = " ".join(front.description.split())[:_MOST_DESCRIPTION_CHARS]
    tools = re.split(r"[\s,]+", front.tools.strip()) if isinstance(front.tools, str) else front.tools
    return Skill(
        name=name,
        description=description,
        text=split[2].strip(),
        tools=None if tools is None else tuple(sorted({tool for tool in tools if tool})),
    )


def _plain_yaml(text: str) -> object:
    """
    Raises:
        ValueError: it is no YAML, or one with references, which a few lines of can fill the memory (Q23).
    """
    import yaml  # no start waits for it

    try:
        events = cast(
            Iterable[object],
            yaml.parse(text, yaml.SafeLoader),  # pyright: ignore[reportUnknownMemberType]  # untyped upstream
        )
        if any(isinstance(event, yaml.AliasEvent) for event in events):
            raise ValueError("References are not followed.")
        found: object = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error)) from error
    return found


def skills_note(skills: Sequence[Skill]) -> str:
    """What a chat's first message is told of them; never part of the system text, which others share (P1)."""
    lines: list[str] = []
    left = _MOST_NOTE_CHARS
    for skill in skills:
        line = f"- {skill.name}: {_harmless(skill.description)}".rstrip(": ")
        left -= len(line)
        if left < 0:
            lines.append(
                f"- … and {len(skills) - len(lines)} more; the tool `skill` without a name lists all"
            )
            break
        lines.append(line)
    told = "\n".join(lines)
    return f"{_OPEN}\nSkills that are here, unverified; load one with the tool `skill` before work that it fits:\n{told}\n{_CLOSE}"


def _harmless(text: str) -> str:
    """So that no description ends the marks that it stands in."""
    return text.replace("<", "‹").replace(">", "›")


class LoadSkill(BaseModel):
    name: str = Field(default="", description="As it was listed; without one all are listed.")


def skill_tool(skills: Sequence[Skill]) -> Tool:
    """The tool `skill` over these; what the model is told of it is the same for all."""
    by_name = {skill.name: skill for skill in skills}

    async def load(wanted: LoadSkill, place: Place) -> Given:
        if not wanted.name.strip():
            return Given(text="\n".join(f"{skill.name}: {skill.description}" for skill in skills))
        skill = by_name.get(wanted.name.strip())
        if skill is None:
            raise ToolFailed(f"There is no skill {wanted.name!r}. There are: {', '.join(by_name)}.")
        told = "" if skill.tools is None else f"[from now on only these tools: {_listed(skill.tools)}]\n\n"
        return Given(text=told + skill.text)

    return BuiltIn(
        name=SKILL,
        description=(
            "Load a skill: how a piece of work is done here. While one is loaded only the tools that it names "
            "can be called; loading another takes its place."
        ),
        arguments=LoadSkill,
        deed=load,
    )


def _listed(tools: Sequence[str]) -> str:
    return ", ".join(tools) or "none"


def loaded_skill(path: Sequence[Entry], skills: Sequence[Skill]) -> Skill | None:
    """The one that was loaded last on a branch."""
    by_name = {skill.name: skill for skill in skills}
    for group in reversed(list(groups(tuple(path)))) if by_name else ():
        calls = group[0].calls
        if not any(call.name == SKILL for call in calls):
            continue
        results = [part for entry in group[1:] for part in entry.results]
        for call, index in reversed(list(zip(calls, pair(calls, results), strict=True))):
            is_loaded = call.name == SKILL and index is not None and not results[index].is_error
            if is_loaded and (found := by_name.get(_name_in(call))):
                return found
    return None


def _name_in(call: ToolCallPart) -> str:
    if isinstance(call.arguments, Blob):
        return ""
    try:
        return LoadSkill.model_validate(parsed(call.arguments)).name.strip()
    except (ToolFailed, ValidationError):
        return ""


def allowed_tools(skill: Skill | None, offered: Iterable[str]) -> tuple[str, ...]:
    """Names of the tools that a provider who takes such a list lets its model call; empty: all.

    `file_read` is among them, since it reads what was folded; what else it may read, `check_allowed` says.
    """
    if skill is None or skill.tools is None:
        return ()
    return tuple(name for name in offered if name in _ALWAYS or name in skill.tools or name == "file_read")


def check_allowed(skill: Skill | None, name: str, is_original: Callable[[], bool]) -> None:
    """
    Args:
        is_original: Whether the call only reads what was folded out of the chat, which is part of it.
    Raises:
        ToolFailed: the loaded skill leaves this tool out.
    """
    if skill is None or skill.tools is None or name in _ALWAYS or name in skill.tools or is_original():
        return
    raise ToolFailed(
        f"The skill {skill.name!r}, which is loaded, does not allow {name!r}. It allows: {_listed(skill.tools)}. "
        "Load another skill if the work needs it."
    )
