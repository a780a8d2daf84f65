"""`list_files` and `search_files`: what is in the workspace, as the person's ignore files show it."""

import asyncio
import fnmatch
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import regex
from pydantic import BaseModel, Field

from app.agent.paths import PathRefused, Roots, Use, resolve
from app.agent.tools.failing import ToolFailed
from app.agent.tools.running import output_of
from app.agent.tools.tool import BuiltIn, Given, Place

_MOST_FILES = 1_000
_MOST_HITS = 200
_LONGEST_LINE = 400
_SKIPPED = {
    ".git",
    "node_modules",
    "__pycache__",
    ".venv",
    ".hg",
    ".svn",
    ".tox",
    ".mypy_cache",
    ".ruff_cache",
}
_MOST_BYTES = 4 * 1024 * 1024
_LINE_S = 0.05


class ListFiles(BaseModel):
    path: str = Field(default=".", description="A folder of the workspace.")
    glob: str = Field(default="*", description='Names, as "*.py" or "tests/**/test_*.py".')


class SearchFiles(BaseModel):
    pattern: str = Field(min_length=1, description="A regular expression.")
    path: str = Field(default=".", description="A folder or file of the workspace.")
    glob: str = Field(default="", description='Only in such files, as "*.py".')
    ignore_case: bool = False


async def _list_files(wanted: ListFiles, place: Place) -> Given:
    folder = resolve(place.roots, wanted.path, Use.READ)
    found = await asyncio.to_thread(_listed, place.roots, folder, wanted.glob)
    shown = found[:_MOST_FILES]
    left = len(found) - len(shown)
    more = f"\n[{left:,} more; narrow the path or the glob]" if left else ""
    return Given(text="\n".join(shown) + more if shown else "(no files)")


def _listed(roots: Roots, folder: Path, glob: str) -> list[str]:
    if not folder.is_dir():
        raise ToolFailed(f"There is no folder {folder.name!r}.")
    return [
        f"{name}  {path.stat().st_size:,} bytes"
        for path in files_below(roots, folder)
        if _fits(name := path.relative_to(folder).as_posix(), glob)
    ]


def _fits(name: str, glob: str) -> bool:
    plain = glob.replace("**/", "")
    whole = "/" in glob
    return fnmatch.fnmatch(name, glob) or fnmatch.fnmatch(name if whole else name.rpartition("/")[2], plain)


def files_below(roots: Roots, folder: Path) -> Iterator[Path]:
    """Files that may be read, by name; no link is followed out of the roots."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        for name in sorted(names):
            path = Path(here, name)
            try:
                resolve(roots, str(path), Use.READ)
            except PathRefused:
                continue
            if path.is_file():
                yield path


async def _search_files(wanted: SearchFiles, place: Place) -> Given:
    where = resolve(place.roots, wanted.path, Use.READ)
    try:
        regex.compile(wanted.pattern)
    except regex.error as error:
        raise ToolFailed(f"{wanted.pattern!r} is no regular expression: {error}") from error
    if program := shutil.which("rg"):
        hits = await _by_ripgrep(program, wanted, where, place.roots)
    else:
        hits = await asyncio.to_thread(_by_python, wanted, where, place.roots)
    if not hits:
        return Given(text="No matches found")
    shown = hits[:_MOST_HITS]
    more = "\n[more match; narrow the pattern or the path]" if len(hits) > len(shown) else ""
    return Given(text="\n".join(shown) + more)


async def _by_ripgrep(program: str, wanted: SearchFiles, where: Path, roots: Roots) -> list[str]:
    options = ["--line-number", "--no-heading", "--with-filename", "--color=never", "--sort=path"]
    options += [f"--max-columns={_LONGEST_LINE}", "--max-columns-preview", "--max-count=100", "--no-config"]
    options += ["--ignore-case"] if wanted.ignore_case else []
    options += [f"--glob={wanted.glob}"] if wanted.glob else []
    base, target = await asyncio.to_thread(_base, where)
    command = [program, *options, "--regexp", wanted.pattern, "--", target]
    code, output = await output_of(command, cwd=base, timeout_s=30)
    if code == 2 and not output.strip():
        return await asyncio.to_thread(_by_python, wanted, where, roots)  # a pattern of another dialect
    lines = (line.removeprefix("./") for line in output.splitlines())
    return [line for line in lines if _may_read(roots, base / line.partition(":")[0])]


def _base(where: Path) -> tuple[Path, str]:
    """Where a search begins, and what is searched from there."""
    return (where, ".") if where.is_dir() else (where.parent, where.name)


def _may_read(roots: Roots, path: Path) -> bool:
    try:
        resolve(roots, str(path), Use.READ)
    except PathRefused:
        return False
    return True


def _by_python(wanted: SearchFiles, where: Path, roots: Roots) -> list[str]:
    flags = regex.IGNORECASE if wanted.ignore_case else 0
    pattern = regex.compile(wanted.pattern, flags)
    base, _ = _base(where)
    paths: Sequence[Path] | Iterator[Path] = files_below(roots, where) if where.is_dir() else (where,)
    found: list[str] = []
    for path in paths:
        name = path.relative_to(base).as_posix()
        if (wanted.glob and not _fits(name, wanted.glob)) or path.stat().st_size > _MOST_BYTES:
            continue
        data = path.read_bytes()
        if b"\x00" in data[:8192]:
            continue
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            try:
                is_hit = pattern.search(line, timeout=_LINE_S)
            except TimeoutError as error:
                raise ToolFailed(
                    f"The pattern {wanted.pattern!r} takes too long; write a simpler one."
                ) from error
            if is_hit:
                found.append(f"{name}:{number}:{line[:_LONGEST_LINE]}")
                if len(found) > _MOST_HITS:
                    return found
    return found


LIST_FILES = BuiltIn(
    name="list_files",
    description="The files below a folder of the workspace, with their sizes.",
    arguments=ListFiles,
    deed=_list_files,
    is_read_only=True,
)
SEARCH_FILES = BuiltIn(
    name="search_files",
    description="Lines of the workspace's files in which a regular expression is found, as path:line:text.",
    arguments=SearchFiles,
    deed=_search_files,
    is_read_only=True,
)
