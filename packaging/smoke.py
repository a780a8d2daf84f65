"""Installs the `.deb` in a clean root file system and talks to it: `python packaging/smoke.py DEB [PICTURE]`.

As root, on a Debian system with `debootstrap`. What the program needs and does not name is missing there, and so is the
network. It is driven by keys under Xvfb, as a person would; what it kept is read from its database.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

QUESTION = "What is a palimpsest?"
DISPLAY = ":77"
PATIENCE_S = 120.0
TOOLS = ("xvfb", "xauth", "xdotool", "imagemagick")
"""What the person brings: a screen, a keyboard, and eyes."""
_ALONE = ("unshare", "--net", "sh", "-c", 'ip link set lo up && exec chroot "$0" "$@"')
_ENTRIES = "SELECT count(*) FROM entries WHERE origin = ?"


def clean_root(at: Path) -> None:
    """The least of this machine's own Debian release, from where the machine has its packages."""
    subprocess.run(
        ["debootstrap", "--variant=minbase", *_release(), at, _mirror()],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    for name in (
        "/etc/apt/apt.conf.d",
        "/etc/apt/sources.list.d",
        "/usr/local/share/ca-certificates",
        "/etc/ssl/certs",
    ):
        if Path(name).exists():
            shutil.copytree(name, at / name[1:], symlinks=True, dirs_exist_ok=True)


def _release() -> list[str]:
    text = Path("/etc/os-release").read_text("utf-8")
    found = re.search(r"^VERSION_CODENAME=(\w+)", text, re.MULTILINE)
    assert found, "this is no Debian system"
    return [found[1]]


def _mirror() -> str:
    """The first address that apt asks here."""
    listed = subprocess.check_output(["apt-get", "indextargets", "--format", "$(SITE)"], text=True)
    return listed.splitlines()[0].rstrip("/")


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    """With the devices and processes that programs expect."""
    places = [(name, root / name) for name in ("proc", "dev")]
    for name, place in places:
        subprocess.run(["mount", "--rbind", f"/{name}", place], check=True)
        subprocess.run(["mount", "--make-rslave", place], check=True)
    try:
        yield
    finally:
        for _, place in reversed(places):
            subprocess.run(["umount", "-l", place], check=True)


class Root:
    """A clean root file system, and commands in it."""

    def __init__(self, at: Path) -> None:
        self.at = at
        self._environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/",
            "LANG": "C.UTF-8",
            "DISPLAY": DISPLAY,
            "DEBIAN_FRONTEND": "noninteractive",
        }

    def run(self, *command: str) -> None:
        subprocess.run(
            ["chroot", self.at, *command], env=self._environment, check=True, stdout=subprocess.DEVNULL
        )

    def does(self, *command: str) -> bool:
        """Whether a command succeeds."""
        ended = subprocess.run(
            ["chroot", self.at, *command], env=self._environment, capture_output=True, check=False
        )
        return ended.returncode == 0

    @contextmanager
    def running(self, *command: str, is_alone: bool = False) -> Iterator["subprocess.Popen[bytes]"]:
        """`is_alone`: it reaches no computer but this one (case B73)."""
        prefix = _ALONE if is_alone else ("chroot",)
        process = subprocess.Popen([*prefix, self.at, *command], env=self._environment)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(30)

    def type(self, *arguments: str) -> None:
        self.run("xdotool", *arguments)


def until(is_so: Callable[[], bool], what: str) -> float:
    """Wait. Returns: seconds that it took."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() - began > PATIENCE_S:
            raise SystemExit(f"{what}: not within {PATIENCE_S:.0f} s")
        time.sleep(0.1)
    return time.monotonic() - began


def kept(database: Path, origin: str) -> int:
    """How many entries of an origin were stored."""
    if not database.exists():
        return 0
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        try:
            return connection.execute(_ENTRIES, (origin,)).fetchone()[0]
        except sqlite3.OperationalError:  # its tables are not made yet
            return 0


def talk(root: Root, picture: Path | None) -> None:
    """Start, take the embedded model, ask, be answered, quit, and start again: all there."""
    database = root.at / "data" / "palimpsest.sqlite3"
    sockets = root.at / "tmp" / ".X11-unix"  # a socket without a file is not seen from another network
    sockets.mkdir(exist_ok=True)
    sockets.chmod(0o1777)
    with root.running("Xvfb", DISPLAY, "-screen", "0", "1280x800x24"):
        time.sleep(2)
        with root.running("palimpsest", "--data", "/data", is_alone=True) as program:
            shown_s = until(lambda: _has_window(root), "The window shows")
            time.sleep(3)
            root.type(
                "search", "--onlyvisible", "--name", "Palimpsest", "windowfocus"
            )  # no window manager does
            root.type("key", "Return")  # "Start chatting" is what Return means on the first page
            time.sleep(3)
            root.type("type", QUESTION)
            root.type("key", "Return")
            until(lambda: kept(database, "user") == 1, "The question is kept")
            answered_s = until(lambda: kept(database, "assistant") == 1, "The embedded model answers")
            if picture:
                time.sleep(1)
                root.run("import", "-window", "root", "/picture.png")
                shutil.copyfile(root.at / "picture.png", picture)
            root.type("key", "ctrl+q")
            until(lambda: program.poll() is not None, "Quit ends the program")
        with root.running("palimpsest", "--data", "/data", is_alone=True) as program:
            again_s = until(lambda: _has_window(root), "The window shows again")
            time.sleep(3)
            root.type("search", "--onlyvisible", "--name", "Palimpsest", "windowfocus")
            root.type("key", "ctrl+q")
            until(lambda: program.poll() is not None, "Quit ends the program again")
    assert kept(database, "user") == kept(database, "assistant") == 1
    print(f"window {shown_s:.1f} s, again {again_s:.1f} s; answer {answered_s:.1f} s")


def _has_window(root: Root) -> bool:
    return root.does("xdotool", "search", "--onlyvisible", "--name", "Palimpsest")


def main() -> int:
    deb, picture = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if os.geteuid() or not shutil.which("debootstrap"):
        print("This needs root and debootstrap: nothing was tried.")
        return 1
    with tempfile.TemporaryDirectory(prefix="palimpsest-root-") as name:
        at = Path(name)
        clean_root(at)
        shutil.copyfile(deb, at / "tmp" / deb.name)
        with mounted(at):
            root = Root(at)
            root.run("apt-get", "update", "-q")
            root.run("apt-get", "install", "-y", "--no-install-recommends", f"/tmp/{deb.name}", *TOOLS)
            talk(root, picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
