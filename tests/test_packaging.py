"""What is installed is what pyproject.toml asks for: each pin, each with its hash, and no address of any index."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ASKED = {
    "requirements.lock": [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]],
    "requirements-local.lock": PROJECT["dependency-groups"]["local"],
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
