"""Which files a tool may touch, and opening them so that nothing else is touched meanwhile (A13, Q23).

Fail-closed: what is not understood, can't be looked at, or lies in none of the roots, is refused. A path is judged
by where it leads, every link followed; a file is opened from its root downwards without following any, so that a
link put in its way between the two is not followed either. Hard links can't be told from files.
"""

import errno
import os
import re
import stat
import sys
import unicodedata
import uuid
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePath
from typing import BinaryIO

from app.core.errors import AppError


class Use(StrEnum):
    READ = "read"
    WRITE = "write"


class Why(StrEnum):
    """For translations and tests."""

    FORM = "form"
    """Not a path that we take: empty, an address, a device, letters that only look like others."""
    OUTSIDE = "outside"
    READ_ONLY = "read_only"
    SENSITIVE = "sensitive"
    CHANGED = "changed"
    """It became something else while it was opened."""
    UNREADABLE = "unreadable"
    """What lies there can't be looked at, or is no plain file."""


class PathRefused(AppError):
    """Caught by tools, whose result it becomes; its sentence is for the model as well."""

    code = "path_refused"

    def __init__(self, path: str, why: Why, message: str, *, hint: str = "") -> None:
        shown = path if len(path) <= 200 else f"{path[:200]}…"
        super().__init__(f"{shown!r} {message}", hint=hint, path=shown, why=why.value)
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class Roots:
    """Folders (or single files) that a chat may touch; absolute. The last two are the system's, given in tests."""

    workspace: Path | None = None
    """Read, and written with approval; what relative paths begin at."""
    inputs: tuple[Path, ...] = ()
    """Read only, the part of another root that lies in them too."""
    outputs: tuple[Path, ...] = ()
    """Read, and written with approval."""
    closed: tuple[Path, ...] = ()
    """Not touched, within a root either: the application's own data, where approvals and other chats lie."""
    folds_case: bool = sys.platform in ("win32", "darwin")
    is_windows: bool = sys.platform == "win32"

    def of(self, use: Use) -> tuple[Path, ...]:
        own = (*((self.workspace,) if self.workspace else ()), *self.outputs)
        return own if use is Use.WRITE else (*own, *self.inputs)


# ---- names that tell of secrets

_KEY_NAMES = re.compile(
    r"[._]netrc|\.(?:pgpass|npmrc|pypirc|git-credentials|htpasswd|dockercfg|my\.cnf|boto|xauthority)|kubeconfig"
    r"|g?shadow-?|logins\.json|key[34]\.db|cookies\.sqlite|login data"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)(?:[_.-].*)?|ssh_host_\w+_key"
    r"|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|keyring|keychain|keychain-db|ppk)"
)
_KEY_FOLDERS = re.compile(r"\.(?:ssh|gnupg|aws|azure|kube|password-store)|\.?gcloud|keyrings|keychains")
_WORDS = re.compile(r"(?:credential|secret|password|passphrase|token)s?|passwd")
_WORD_FOLDERS = re.compile(r"\.?(?:credentials|secrets|passwords)")
"""Not `tokens`, as many a program calls a room of its sources."""
_SAMPLE_ENV = re.compile(r"\.env\.(?:example|sample|template)")
_SOURCE = re.compile(
    r".*\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|vue|svelte|css|scss|html|c|h|cc|cpp|hpp|cs|rs|go|java|kt|swift|rb|php|scala|"
    r"ex|exs|erl|hs|ml|zig|dart|lua|proto|graphql)"
)
"""A file of sources that is called after secrets is about them: what it holds, `config.py` may hold as well."""
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def holds_keys(path: PurePath) -> bool:
    """Whether a name in `path` is that of a key, a keyring or a login, or of a folder of such."""
    names = [_plain(name).casefold() for name in path.parts]
    return bool(names and _KEY_NAMES.fullmatch(names[-1])) or any(map(_KEY_FOLDERS.fullmatch, names))


def is_sensitive(path: PurePath, *, is_folder: bool = False) -> bool:
    """Whether a name in `path`, which is relative to a root, tells of secrets; by whole words, in any case."""
    if not path.parts or holds_keys(path):
        return bool(path.parts)
    names = [_plain(name) for name in path.parts]
    folders = [name.casefold() for name in (names if is_folder else names[:-1])]
    base = names[-1].casefold()
    if is_folder or _SOURCE.fullmatch(base):
        return is_folder and any(map(_WORD_FOLDERS.fullmatch, folders))
    if base.startswith(".env"):
        return not _SAMPLE_ENV.fullmatch(base)
    return any(map(_WORD_FOLDERS.fullmatch, folders)) or any(map(_WORDS.fullmatch, _words(names[-1])))


def _words(name: str) -> set[str]:
    """Both as it is written and in one case: `clientSecret` has two words, `sEcReT` is one."""
    return {*re.split(r"[\W\d_]+", name.casefold()), *(piece.casefold() for piece in _PIECES.findall(name))}


def _plain(name: str) -> str:
    """As the least particular of file systems takes it: compatible letters, nothing that has no shape."""
    shaped = (char for char in unicodedata.normalize("NFKC", name) if unicodedata.category(char) != "Cf")
    return "".join(shaped).rstrip(" .")


# ---- where a path leads

_PSEUDO = tuple(Path(name) for name in ("/proc", "/dev", "/sys"))
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])[ .]*(?:[.:].*)?", re.IGNORECASE
)


def resolve(roots: Roots, path: str, use: Use) -> Path:
    """Where `path` leads, without links; it need not exist.

    Args:
        path: Relative to the workspace, absolute, or from `~/`.
    Raises:
        PathRefused: it leads out of the roots that `use` has, or has a name or a form that is not taken.
    """
    given = _formed(roots, path)
    _check_steps(roots, path, given)
    real = _real(path, given)
    if any(_is_within(each, pseudo, roots) for each in (given, real) for pseudo in _PSEUDO):
        raise PathRefused(path, Why.FORM, "is a device or the system's own, not a file.")
    root = root_of(roots, real, use)
    if root is None:
        raise _outside(roots, path, real)
    # By its own name, too: a link that is called after a secret leads to one.
    asked = _below(roots, given) or PurePath(*given.parts[1:])
    below = real.relative_to(root) if real.is_relative_to(root) else PurePath(*real.parts[len(root.parts) :])
    is_folder = real.is_dir()
    if is_sensitive(below, is_folder=is_folder) or is_sensitive(asked, is_folder=is_folder):
        raise PathRefused(
            path,
            Why.SENSITIVE,
            "may hold a password or a key, and is not opened.",
            hint="Ask the person for what is needed.",
        )
    if use is Use.WRITE and any(part.casefold() == ".git" for part in map(_plain, below.parts)):
        # What stands there, git runs.
        raise PathRefused(path, Why.READ_ONLY, "belongs to git.", hint="Use git's commands.")
    return real


def _formed(roots: Roots, path: str) -> Path:
    if not path.strip() or any(unicodedata.category(char) == "Cc" for char in path):
        raise PathRefused(path, Why.FORM, "is no path.")
    if re.match(r"\w+:/", path) and not (roots.is_windows and re.match(r"[A-Za-z]:/", path)):
        raise PathRefused(path, Why.FORM, "is an address, not a path.")
    if re.match(r"[\\/]{2}", path):
        raise PathRefused(path, Why.FORM, "is the name of a share or a device.")
    try:
        os.fsencode(path)
        found = Path(path)
        if path == "~" or path.startswith(("~/", "~\\")):
            found = found.expanduser()
    except (ValueError, RuntimeError) as error:
        raise PathRefused(path, Why.FORM, "is no path.") from error
    for name in found.parts[1:] if found.anchor else found.parts:
        _check_name(roots, path, name)
    if found.is_absolute():
        return found
    if roots.workspace is None or found.anchor:
        raise PathRefused(path, Why.OUTSIDE, "is relative, and this chat has no workspace folder.")
    return roots.workspace / found


def _check_name(roots: Roots, path: str, name: str) -> None:
    alike = unicodedata.normalize("NFKC", name)
    if alike != name and (alike in (".", "..") or set(alike) & set("/\\:")):
        raise PathRefused(path, Why.FORM, "has letters that only look like those of a path.")
    if roots.is_windows and (_DEVICE.fullmatch(name) or ":" in name or (name != ".." and name[-1] in " .")):
        raise PathRefused(path, Why.FORM, "is the name of a device or a stream.")


def _check_steps(roots: Roots, path: str, given: Path) -> None:
    """Each `..` stays within the roots: else a path that comes back would tell what there is outside."""
    for at, part in enumerate(given.parts):
        if part == "..":
            for end in (at, at + 1):
                step = _real(path, Path(*given.parts[:end]))
                if root_of(roots, step, Use.READ) is None:
                    raise _outside(roots, path, step)


def _real(path: str, given: Path) -> Path:
    """`given` with all links followed; the part that does not exist is as it is written."""
    try:
        real = Path(os.path.realpath(given))
        with suppress(FileNotFoundError):
            real.stat()
    except (OSError, ValueError) as error:  # a loop, no right to look, too long, below a file
        raise PathRefused(path, Why.UNREADABLE, "can't be looked at.") from error
    return real


def _outside(roots: Roots, path: str, real: Path) -> PathRefused:
    if root_of(roots, real, Use.READ) is not None:
        return PathRefused(path, Why.READ_ONLY, "may be read in this chat, but not written.")
    return PathRefused(path, Why.OUTSIDE, "lies outside the folders of this chat.")


def root_of(roots: Roots, real: Path, use: Use) -> Path | None:
    """The innermost root that `real`, which has no links, lies in for `use`; None: none."""
    if any(root is None or _is_within(real, root, roots) for root in map(_root, roots.closed)):
        return None
    holding = [root for root in map(_root, roots.of(use)) if root and _is_within(real, root, roots)]
    best = max(holding, key=lambda root: len(root.parts), default=None)
    if best and use is Use.WRITE:
        locked = [root for root in map(_root, roots.inputs) if root and _is_within(real, root, roots)]
        if any(len(root.parts) >= len(best.parts) for root in locked):
            return None
    return best


def _root(root: Path) -> Path | None:
    return Path(os.path.realpath(root)) if root.is_absolute() else None


def _is_within(path: PurePath, root: PurePath, roots: Roots) -> bool:
    """Compared by whole names, letter by letter: what is the same only when normalised is another."""
    names, of_root = path.parts, root.parts
    if roots.folds_case:
        names = tuple(name.casefold() for name in names)
        of_root = tuple(name.casefold() for name in of_root)
    return names[: len(of_root)] == of_root


def _below(roots: Roots, given: Path) -> PurePath | None:
    """The part of a path, as it was given, that is not a root's."""
    holding = [root for root in roots.of(Use.READ) if _is_within(given, root, roots)]
    longest = max((len(root.parts) for root in holding), default=None)
    return None if longest is None else PurePath(*given.parts[longest:])


# ---- opening

_HAS_DIR_FD = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_FOLDER_FLAGS = (
    os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
)
_FILE_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe without a writer would wait for one
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def safe_open(roots: Roots, path: str, use: Use = Use.READ) -> BinaryIO:
    """The plain file at `path`, for reading. `use`: what will be done with it; writing is `write_whole`'s.

    Raises:
        PathRefused: as `resolve`; it is no plain file; or it became a link meanwhile.
        OSError: as `open`, e.g. FileNotFoundError.
    """
    real = resolve(roots, path, use)
    with _folder_of(roots, path, real, use) as (folder, name):
        with _no_links(path):
            handle = os.open(name, _FILE_FLAGS, dir_fd=folder)
        try:
            _check_opened(roots, path, real, handle, use)
        except BaseException:
            os.close(handle)
            raise
    return os.fdopen(handle, "rb")


def write_whole(roots: Roots, path: str, data: bytes) -> Path:
    """Make `data` the file's whole content, at once or not at all; folders are made, its mode is kept.

    Returns: what was written, links followed.
    Raises:
        PathRefused: as `resolve`; there is something that is no plain file; or a folder became a link meanwhile.
        OSError: as `open`; the file that was there before still is.
    """
    real = resolve(roots, path, Use.WRITE)
    with _folder_of(roots, path, real, Use.WRITE, makes=True) as (folder, name):
        mode = _mode_of(path, name, folder)
        part = str(PurePath(name).with_name(f".{uuid.uuid4().hex}.part"))
        flags = (
            os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        )
        handle = os.open(part, flags, 0o666, dir_fd=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                if mode is not None and hasattr(os, "fchmod"):
                    os.fchmod(handle, mode)
                os.fsync(handle)
            os.replace(part, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(part, dir_fd=folder)
            raise
        if folder is not None:
            os.fsync(folder)
    return real


def remove_file(roots: Roots, path: str) -> Path:
    """Delete the plain file at `path`; a link's target, not the link.

    Raises: as `write_whole`; FileNotFoundError.
    """
    real = resolve(roots, path, Use.WRITE)
    with _folder_of(roots, path, real, Use.WRITE) as (folder, name):
        if _mode_of(path, name, folder) is None:
            raise FileNotFoundError(path)
        os.unlink(name, dir_fd=folder)
    return real


def _mode_of(path: str, name: str, folder: int | None) -> int | None:
    """Permissions of the plain file that is there; None: there is nothing."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise PathRefused(path, Why.UNREADABLE, "is no plain file.")
    return stat.S_IMODE(found.st_mode)


@contextmanager
def _no_links(path: str) -> Generator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            raise
        raise PathRefused(path, Why.CHANGED, "became a link or no folder while it was opened.") from error


@contextmanager
def _folder_of(
    roots: Roots, path: str, real: Path, use: Use, *, makes: bool = False
) -> Generator[tuple[int | None, str]]:
    """The open folder of `real`, reached from its root without a link, and the file's name in it.

    Where the system can't open below a folder: None and the whole path.
    """
    root = root_of(roots, real, use)
    if root is None:
        raise _outside(roots, path, real)
    if not _HAS_DIR_FD:
        if makes:
            real.parent.mkdir(parents=True, exist_ok=True)
            resolve(roots, path, use)
        yield None, str(real)
        return
    names = real.parts[len(root.parts) :]
    with _no_links(path):
        folder = os.open(root if names else root.parent, _FOLDER_FLAGS)
    try:
        for name in names[:-1]:
            if makes:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=folder)
            with _no_links(path):
                inner = os.open(name, _FOLDER_FLAGS, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder, names[-1] if names else root.name
    finally:
        os.close(folder)


def _check_opened(roots: Roots, path: str, real: Path, handle: int, use: Use) -> None:
    opened = os.fstat(handle)
    if not stat.S_ISREG(opened.st_mode):
        raise PathRefused(path, Why.UNREADABLE, "is no plain file.")
    if not _HAS_DIR_FD and not (
        resolve(roots, path, use) == real and os.path.samestat(opened, real.stat(follow_symlinks=False))
    ):
        raise PathRefused(path, Why.CHANGED, "became something else while it was opened.")
