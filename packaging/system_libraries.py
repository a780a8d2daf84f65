"""The few system libraries that Qt needs on Linux: installed where that is possible, else named in one command."""

import os
import shutil
import subprocess
import sys

QT = [
    "libegl1",
    "libgl1",
    "libxkbcommon0",
    "libdbus-1-3",
    "libfontconfig1",
    "libxcb-cursor0",
    "libxkbcommon-x11-0",
    "libxcb-icccm4",
    "libxcb-keysyms1",
    "libxcb-image0",
    "libxcb-render-util0",
    "libxcb-randr0",
    "libxcb-shape0",
    "libxcb-sync1",
    "libxcb-xfixes0",
    "libxcb-xkb1",
]
GLIB = ("libglib2.0-0t64", "libglib2.0-0")  # renamed in Debian 13 and Ubuntu 24.04
FONTS = ["fonts-noto-cjk", "fonts-dejavu-core"]
TESTS = ["dbus", "gnome-keyring"]
IMPORTS = (
    "import ctypes, PySide6.QtGui, PySide6.QtWidgets, PySide6.QtSvg; "
    "ctypes.CDLL(PySide6.__path__[0] + '/Qt/plugins/platforms/libqxcb.so')"
)
"""What a window under X11 loads: with it, every library that it needs."""


def is_qt_complete() -> bool:
    """Whether Qt loads, in a process of its own, since a failed import stays half done."""
    return subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, check=False).returncode == 0


def missing(*, for_tests: bool) -> list[str]:
    packages: list[str] = []
    if not is_qt_complete():
        packages += QT
    if not shutil.which("fc-list") or "CJK" not in _output(["fc-list", ":lang=zh", "family"]):
        packages += FONTS
    if for_tests and not shutil.which("gnome-keyring-daemon"):
        packages += TESTS
    return packages


def main() -> int:
    """0 in any case but one: Qt can't be loaded and nothing here could mend it."""
    if sys.platform != "linux":
        return 0
    packages = missing(for_tests="--tests" in sys.argv)
    if not packages:
        return 0
    if QT[0] in packages:
        packages.append(next((name for name in GLIB if _output(["apt-cache", "show", name])), GLIB[0]))
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if shutil.which("apt-get") and os.geteuid() == 0:
        print("Installing system libraries:", *packages)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-q"], env=environment, stdout=subprocess.DEVNULL, check=False)
        if not _output(["apt-cache", "show", packages[-1]]):
            packages[-1] = GLIB[1] if packages[-1] == GLIB[0] else packages[-1]
            command[-1] = packages[-1]
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    left = missing(for_tests="--tests" in sys.argv)
    if left:
        print("Some system packages are missing. On Debian or Ubuntu:\n  sudo", *command)
    return 0 if is_qt_complete() else 1


def _output(command: list[str]) -> str:
    if not shutil.which(command[0]):
        return ""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    sys.exit(main())
