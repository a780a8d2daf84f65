"""Translations: `update` collects the sources' strings into the .ts files, `release [FOLDER]` makes .qm of them."""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

import PySide6

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "translations"
TOOLS = Path(PySide6.__file__).parent
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'


def update() -> None:
    """English holds plural forms only: its texts are the sources themselves."""
    sys.path.insert(0, str(ROOT))
    from ui.shell.languages import marked  # the path must be set first

    with tempfile.TemporaryDirectory() as folder:
        tables = Path(folder) / "tables.py"
        tables.write_text(
            "\n".join(
                f"QT_TRANSLATE_NOOP({_literal(context)}, {_literal(text)})"
                for context, texts in marked().items()
                for text in texts
            ),
            encoding="utf-8",
        )
        sources = [*sorted(map(str, (ROOT / "ui").rglob("*.py"))), str(tables)]
        for language, more in (("zh_CN", []), ("en", ["-pluralonly"])):
            target = str(FOLDER / f"palimpsest_{language}.ts")
            options = ["-silent", "-locations", "none", "-no-obsolete", "-target-language", language, *more]
            _run("lupdate", *options, *sources, "-ts", target)
    _fill_english(FOLDER / "palimpsest_en.ts")


def release(into: str = str(FOLDER)) -> None:
    for source in sorted(FOLDER.glob("*.ts")):
        _run("lrelease", "-silent", str(source), "-qm", str(Path(into) / f"{source.stem}.qm"))


def _fill_english(path: Path) -> None:
    """Regular plurals follow from the source: `%n turn(s)` is `%n turn` and `%n turns`."""
    tree = ET.parse(path)
    for message in tree.iter("message"):
        source, translation = message.findtext("source", ""), message.find("translation")
        if translation is None or "(s)" not in source:
            continue
        for form, ending in zip(translation, ("", "s"), strict=True):
            form.text = source.replace("(s)", ending)
        translation.attrib.pop("type", None)
    path.write_text(HEAD + ET.tostring(tree.getroot(), encoding="unicode") + "\n", encoding="utf-8")


def _literal(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _run(tool: str, *arguments: str) -> None:
    name = tool + (".exe" if sys.platform == "win32" else "")
    subprocess.run([str(TOOLS / name), *arguments], check=True)


if __name__ == "__main__":
    {"update": update, "release": release}[sys.argv[1]](*sys.argv[2:])
