"""Builds what people install from a checkout: `python packaging/build.py [OUT]`, for the system that it runs on.

On Linux OUT (`dist`) has then the one-folder program, a `.deb` of it and an AppDir in a `.tar.zst`; each size is printed.
macOS and Windows make their installers from the folder, see `macos/` and `windows/`.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import zstandard
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from system_libraries import QT

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "packaging"
BUILD = ROOT / "build"
NAME = "palimpsest"
PAPER, INK = "#FAF7F0", "#2F4B7C"
"""Of the light theme: an icon stands on a desktop, which has none of ours."""
SIZES = (16, 32, 48, 128, 256, 512)
_ICNS = {"ic07": 128, "ic08": 256, "ic09": 512}
"""Which of them macOS takes as PNG, by its own names."""
# What a window needs that no wheel brings, and a secret service where there is one.
GLIB = "libglib2.0-0t64 | libglib2.0-0"
CONTROL = """Package: palimpsest
Version: {version}
Architecture: {architecture}
Maintainer: Palimpsest developers <developers@palimpsest.invalid>
Installed-Size: {kilobytes}
Depends: libc6 (>= 2.31), {depends}
Recommends: fonts-noto-cjk, fonts-dejavu-core, gnome-keyring | kwalletmanager
Suggests: bubblewrap
Section: net
Priority: optional
Description: chat application for long conversations with language models
 It shows what fills a model's context window, keeps a conversation healthy for
 hundreds of turns, and never loses a word of it.
"""


def version() -> str:
    found = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert found
    return found[1]


def draw_icons(into: Path) -> None:
    """The logo on a sheet of paper, as PNG in each of `SIZES`, as ICO and as ICNS."""
    logo = (ROOT / "resources" / "icons" / "logo.svg").read_text("utf-8").replace("currentColor", INK)
    sheet = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 -5 30 30">'
        f'<rect x="-5" y="-5" width="30" height="30" rx="6.6" fill="{PAPER}"/>{logo.partition(">")[2]}'
    ).replace("<circle", f'<g fill="none" stroke="{INK}" stroke-width="3.2" stroke-linecap="round"><circle')
    sheet = sheet.replace("</svg>", "</g></svg>")
    into.mkdir(parents=True, exist_ok=True)
    (into / f"{NAME}.svg").write_text(sheet, encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(sheet.encode()))
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        assert image.save(str(into / f"{size}.png"))
    assert image.scaled(256, 256).save(str(into / f"{NAME}.ico"))
    pictures = {kind: (into / f"{size}.png").read_bytes() for kind, size in _ICNS.items()}
    chunks = b"".join(_chunk(kind, picture) for kind, picture in pictures.items())
    (into / f"{NAME}.icns").write_bytes(_chunk("icns", chunks))


def _chunk(kind: str, body: bytes) -> bytes:
    return kind.encode() + (len(body) + 8).to_bytes(4, "big") + body


def freeze(into: Path) -> Path:
    """The one-folder program. Its libraries are imported on the way, none of which may look anything up."""
    environment = {
        **os.environ,
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_MODE": "PRODUCTION",
        "QT_QPA_PLATFORM": "offscreen",
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    places = ["--distpath", str(into), "--workpath", str(BUILD / "pyinstaller")]
    subprocess.run([*command, *places, str(HERE / f"{NAME}.spec")], env=environment, cwd=ROOT, check=True)
    return into / NAME


def lay_out(program: Path, root: Path, place: str) -> None:
    """As a Linux system wants it below `root`: the folder at `place`, a command, a desktop entry, types, icons."""
    if root.exists():
        shutil.rmtree(root)
    shutil.copytree(program, root / place, symlinks=True)
    share = root / "usr" / "share"
    for source, target in (
        (HERE / "linux" / f"{NAME}.desktop", share / "applications" / f"{NAME}.desktop"),
        (HERE / "linux" / f"{NAME}-mime.xml", share / "mime" / "packages" / f"{NAME}.xml"),
        (BUILD / "icons" / f"{NAME}.svg", share / "icons/hicolor/scalable/apps" / f"{NAME}.svg"),
        (ROOT / "LICENSE", share / "doc" / NAME / "copyright"),
        (ROOT / "THIRD-PARTY-NOTICES.md", share / "doc" / NAME / "THIRD-PARTY-NOTICES.md"),
        *(
            (BUILD / "icons" / f"{size}.png", share / f"icons/hicolor/{size}x{size}/apps" / f"{NAME}.png")
            for size in SIZES
        ),
    ):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    command = root / "usr" / "bin" / NAME
    command.parent.mkdir(parents=True)
    command.symlink_to(os.path.relpath(root / place / NAME, command.parent))


def make_deb(program: Path, into: Path) -> Path:
    root = BUILD / "deb"
    lay_out(program, root, f"opt/{NAME}")
    kilobytes = sum(path.stat().st_size for path in _files(root)) // 1024
    control = CONTROL.format(
        version=version(),
        architecture=subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip(),
        kilobytes=kilobytes,
        depends=", ".join((*QT, GLIB)),
    )
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    sums = (
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}" for path in _files(root)
    )
    (root / "DEBIAN" / "md5sums").write_text("\n".join(sums) + "\n", encoding="utf-8")
    target = into / f"{NAME}_{version()}.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z10", "--build", str(root), str(target)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return target


def make_app_dir(program: Path, into: Path) -> Path:
    """An AppDir, from which an AppImage is one command of its tool; unpacked anywhere, `AppRun` starts it."""
    root = BUILD / "Palimpsest.AppDir"
    lay_out(program, root, f"usr/lib/{NAME}")
    (root / "AppRun").symlink_to(f"usr/lib/{NAME}/{NAME}")
    for name, source in (
        (f"{NAME}.desktop", f"usr/share/applications/{NAME}.desktop"),
        (f"{NAME}.png", "usr/share/icons/hicolor/256x256/apps/palimpsest.png"),
    ):
        (root / name).symlink_to(source)
    target = into / f"{NAME}-{version()}.AppDir.tar.zst"
    with (
        target.open("wb") as file,
        zstandard.ZstdCompressor(level=10, threads=-1).stream_writer(file) as packed,
        tarfile.open(fileobj=packed, mode="w|") as archive,
    ):
        archive.add(root, root.name, filter=_rootless)
    return target


def _rootless(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def _files(root: Path) -> Iterator[Path]:
    """Of a package, without its control files."""
    return (
        path
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink() and path.relative_to(root).parts[0] != "DEBIAN"
    )


def main() -> int:
    into = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "dist"
    subprocess.run([sys.executable, str(HERE / "translations.py"), "release"], check=True)
    draw_icons(BUILD / "icons")
    made = [freeze(into)]
    if sys.platform == "linux":
        made.append(make_app_dir(made[0], into))
        if shutil.which("dpkg-deb"):
            made.append(make_deb(made[0], into))
    for item in made:
        size = item.stat().st_size if item.is_file() else sum(path.stat().st_size for path in _files(item))
        print(f"{size / 1e6:7.1f} MB  {item.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
