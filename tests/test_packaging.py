"""What is installed is what pyproject.toml asks for: each pin, each with its hash, and no address of any index."""

import configparser
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LINUX = ROOT / "packaging" / "linux"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ASKED = {
    "requirements.lock": [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]],
    "requirements-local.lock": PROJECT["dependency-groups"]["local"],
    "requirements-package.lock": PROJECT["dependency-groups"]["package"],
    "requirements-peers.lock": PROJECT["dependency-groups"]["peers"],
}


def pins(lock: str) -> dict[str, str]:
    found = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text("utf-8"), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


@pytest.mark.parametrize("lock", ASKED)
def test_the_lock_holds_what_the_project_asks_for(lock: str) -> None:
    """Else `make lock` was forgotten."""
    pinned = pins(lock)

    for asked in map(Requirement, ASKED[lock]):
        version = pinned.get(canonicalize_name(asked.name))
        assert version is not None, f"{asked.name} is not in {lock}"
        assert version in asked.specifier, f"{asked.name} {version} is not {asked.specifier}"


@pytest.mark.parametrize("lock", ASKED)
def test_a_lock_names_no_address_and_hashes_everything(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")

    blocks = re.split(r"\n(?=[\w.-]+==)", text)[1:]
    assert "://" not in text
    assert all("--hash=sha256:" in block for block in blocks)


def test_the_desktop_opens_with_it_what_it_says_that_it_opens() -> None:
    """U24, Q24: the entry's types are the scheme, and the one that the package declares."""
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(LINUX / "palimpsest.desktop", encoding="utf-8")
    declared = ElementTree.parse(LINUX / "palimpsest-mime.xml").getroot()[0].attrib["type"]

    types = entry["Desktop Entry"]["MimeType"].strip(";").split(";")

    assert types == [declared, "x-scheme-handler/palimpsest"]
    assert entry["Desktop Entry"]["Exec"] == "palimpsest %U"
    assert entry["Desktop Entry"]["StartupWMClass"] == "palimpsest"


def test_the_wheel_has_all_that_the_program_reads() -> None:
    """Q24: its translations are kept by no repository, and come along all the same."""
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]

    assert {"app", "ui", "resources", "migrations"} <= set(wheel["packages"])
    assert all((ROOT / package / "__init__.py").exists() for package in ("app", "ui", "migrations"))
    assert "resources/translations/*.qm" in wheel["artifacts"]
