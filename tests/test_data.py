"""The test data is small, accounted for, and all there is: nothing in the repository reaches outside it."""

import json
import re
import subprocess
from pathlib import Path

_ROOT = Path(__file__).parent.parent
_DATA = _ROOT / "tests" / "data"
_LIMIT_BYTES = 20_000_000

# Places of one machine: what a program may name is below a folder that it asks the system for.
_OUTSIDE = re.compile(rb"(?<![\w.~/-])/(?:work|root|home/\w+|Users/\w+|mnt|srv)/[\w.-]")


def _tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=_ROOT, capture_output=True, check=True, text=True
    ).stdout
    return [path for name in listed.split("\0") if name and (path := _ROOT / name).is_file()]


def test_the_test_data_stays_below_twenty_megabytes() -> None:
    assert sum(path.stat().st_size for path in _DATA.rglob("*") if path.is_file()) <= _LIMIT_BYTES


def test_every_conversation_is_accounted_for_with_its_source_and_licence() -> None:
    told = (_DATA / "README.md").read_text()

    for path in (_DATA / "conversations").glob("*.json"):
        held = json.loads(path.read_text())
        line = next(line for line in told.splitlines() if line.startswith(f"| {path.stem} |"))
        repository = held["source"]["repo"].removeprefix("https://github.com/")
        assert f"| {held['licence']} | {repository} `{held['source']['commit'][:12]}` |" in line
        assert (_DATA / "licences" / f"{held['licence']}.txt").is_file()


def test_nothing_in_the_repository_refers_to_a_place_outside_it() -> None:
    """Transcripts quote the paths of the machines they were recorded on; those are what was said."""
    referring = {
        f"{path.relative_to(_ROOT)}: {match.group()!r}"
        for path in _tracked()
        if _DATA not in path.parents
        for match in _OUTSIDE.finditer(path.read_bytes())
    }

    assert referring == set()


def test_no_link_in_the_repository_leads_outside_it() -> None:
    assert [path for path in _tracked() if path.is_symlink() and _ROOT not in path.resolve().parents] == []
