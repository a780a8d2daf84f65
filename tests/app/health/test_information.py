"""What the texts of a context are worth (A18)."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from app.health.information import Information, Said, information_of, noise_of

NOISE = noise_of(yaml.safe_load(Path("resources/health/noise.yaml").read_text(encoding="utf-8")))
LONG = " ".join(f"word{n}" for n in range(40))


def said(*texts: str, results: bool = False, turn: int = 1) -> list[Said]:
    return [Said(text=text, turn=turn, is_result=results) for text in texts]


def test_what_is_said_once_is_worth_all_and_what_is_said_twice_half() -> None:
    assert information_of(said(LONG), NOISE).effective == 1
    assert information_of(said(LONG, LONG), NOISE).effective == pytest.approx(0.5)


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "  })",
        "-----------",
        "Downloading numpy-1.26.4.whl (18 MB)",
        "    at java.base/java.lang.Thread.run(Thread.java:833)",
        "2026-11-30T12:00:00Z DEBUG polling",
        "# Copyright 2020 The Authors",
    ],
)
def test_boilerplate_is_worth_nothing(line: str) -> None:
    assert information_of(said(line), NOISE).effective == 0


@pytest.mark.parametrize(
    "line", ["ValueError: bad rate", "def prorate(lines):", "把结果四舍五入一次", "3 failed, 2 passed"]
)
def test_what_tells_something_is_no_boilerplate(line: str) -> None:
    assert information_of(said(line), NOISE).effective == 1


def test_a_result_that_says_nearly_what_an_earlier_one_did_is_repeated() -> None:
    other = " ".join(f"other{n}" for n in range(40))

    found = information_of(said(LONG, other, f"{LONG} done", results=True), NOISE)

    assert found.repeated == pytest.approx(41 / 121)
    assert information_of(said(LONG, LONG), NOISE).repeated is None  # no results


def test_what_is_old_is_stale_until_one_of_its_names_is_spoken_of_again() -> None:
    old = Said(text="billing/ledger.py rounds each line", turn=1)
    new = Said(text="What now?", turn=22)
    named = Said(text="Open billing/ledger.py again.", turn=22)

    assert information_of([old, new], NOISE).stale == pytest.approx(9 / 12, abs=0.1)
    assert information_of([old, named], NOISE).stale == 0
    assert information_of([Said(text=old.text, turn=1, is_pinned=True), new], NOISE).stale == 0
    assert information_of([Said(text=old.text, turn=2), new], NOISE).stale == 0


@given(
    st.lists(st.builds(Said, text=st.text(max_size=200), turn=st.integers(1, 60), is_result=st.booleans()))
)
def test_shares_are_shares(texts: list[Said]) -> None:
    found = information_of(texts, NOISE)

    shares = [share for share in (found.effective, found.repeated, found.stale) if share is not None]
    assert all(0 <= share <= 1 for share in shares)
    assert (found == Information()) is (not any(item.text.split() for item in texts)) or not shares
