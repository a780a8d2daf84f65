"""Rules as data: the person's win, run within their time, and are told when they are wrong (C23)."""

import time

import pytest

from app.filters.commands import command_rules
from app.filters.filter import filter_text
from app.filters.filtered import Filtered, Hint
from app.filters.rules import Rules
from app.tokens.estimate import estimate
from tests.app.filters.outputs import rules

_BUILD = "\n".join(
    [
        *(f"compiling part {n}" for n in range(400)),
        "note: keep me",
        "error: broken in part 77",
        "done building",
    ]
)


def _own(own: str, text: str = _BUILD, command: str = "build all") -> Filtered:
    made: Rules = command_rules({}, own)
    return filter_text(text, limit_tokens=300, count=estimate, rules=made, hint=Hint(command=command))


def test_a_person_s_rule_goes_before_the_shipped_ones() -> None:
    own = "- {name: mine, command: build, keep: ['^note'], drop: ['^compiling'], tells: false, rest: drop, head: 0, tail: 0}"

    found = _own(own)

    assert (found.kind, found.text) == ("mine", "⋯ 1–400\nnote: keep me\n⋯ 402–403")


def test_failures_stay_whatever_the_rest_is() -> None:
    found = _own("- {name: mine, command: build, rest: drop, head: 0, tail: 0}")

    assert "error: broken" in found.text


def test_keep_wins_over_drop() -> None:
    found = _own("- {name: mine, command: build, keep: ['part 7$'], drop: ['^compiling'], rest: drop}")

    assert "compiling part 7" in found.text
    assert "compiling part 8" not in found.text


def test_lines_that_differ_in_values_only_are_one_with_the_count() -> None:
    found = _own("- {name: mine, command: build, group: ['^compiling'], rest: drop, head: 0, tail: 0}")

    assert "compiling part 0  [×400]" in found.text


def test_replacements_are_made_in_what_stays() -> None:
    found = _own("- {name: mine, command: build, rest: drop, replace: [{pattern: 'broken', put: 'BROKEN'}]}")

    assert "error: BROKEN in part 77" in found.text


def test_nothing_left_is_told_in_the_rule_s_words() -> None:
    found = _own(
        "- {name: mine, command: build, drop: ['.'], tells: false, on_empty: All went well., head: 0, tail: 0}"
    )

    assert found.text.startswith("All went well.")


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*a){20}$"])
def test_a_pattern_that_takes_too_long_is_cut_off_and_told(pattern: str) -> None:
    """Q23: a rule of the person's can't hold the program."""
    text = "\n".join("a" * 3_000 + "!" for _ in range(40))
    begun = time.process_time()

    found = _own(f"- {{name: bomb, command: build, drop: ['{pattern}']}}", text)

    assert time.process_time() - begun < 3
    assert found.kind != "bomb"
    assert "'bomb' was set aside" in found.why


@pytest.mark.parametrize(
    "own",
    [
        "- {name: a, keep: ['(']}",
        "- {nome: a}",
        "{",
        "- &a {name: x}\n- *a",
        "- {name: a, compressor: diagnostics}",
        "x" * 300_000,
    ],
)
def test_a_wrong_rule_is_told_and_the_others_work(own: str) -> None:
    made = command_rules({}, own)

    assert made.compiled == ()
    assert len(made.faults) == 1


def test_the_shipped_rules_are_read_and_named_once() -> None:
    names = [each.rule.name for each in rules().compiled]

    assert len(names) > 20
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("command", "text", "kept", "gone"),
    [
        ("pip install x", ["Collecting x", "  Downloading x.whl (1 MB)"] * 60 + ["WARNING: old pip", "Successfully installed x-1.0"],
         ["WARNING: old pip", "Successfully installed x-1.0"], ["Downloading"]),
        ("npm install", ["npm http fetch GET 200 x"] * 90 + ["npm WARN deprecated a@1", "added 3 packages in 2s"],
         ["npm WARN deprecated a@1", "added 3 packages in 2s"], ["fetch"]),
        ("cargo test", [f"test module::case_{n} ... ok" for n in range(90)] + ["test b ... FAILED", "test result: FAILED. 90 passed; 1 failed"],
         ["test b ... FAILED", "1 failed"], ["... ok"]),
        ("make", ["make[1]: Entering directory '/x'", "gcc -c a.c -o a.o"] * 60 + ["a.c:3:1: error: expected ';'", "make: *** [a.o] Error 1"],
         ["error: expected", "*** [a.o]"], ["Entering"]),
        ("git status", ["On branch main", '  (use "git add")'] * 3 + [f"\tmodified:   file{n}.py" for n in range(80)],
         ["On branch main", "file0.py", "file79.py"], ["use \"git"]),
        ("docker build .", [f"#{n} sha256:{n:064} done" for n in range(90)] + ["#91 [2/3] RUN make", "#91 ERROR: exit code: 2"],
         ["RUN make", "exit code: 2"], ["sha256"]),
        ("jest", ["  ✓ adds (1 ms)"] * 90 + ["FAIL src/a.test.js", "  ● adds › badly", "Tests:  1 failed, 90 passed, 91 total"],
         ["FAIL src/a.test.js", "● adds › badly", "1 failed, 90 passed"], ["✓"]),
        ("terraform plan", ["aws_x.y: Refreshing state... [id=1]"] * 90 + ["  # aws_x.y will be destroyed", "Plan: 0 to add, 0 to change, 1 to destroy."],
         ["will be destroyed", "1 to destroy"], ["Refreshing"]),
        ("ruff check", [f"a{n % 2}.py:{n}:1: F401 `os` imported but unused" for n in range(90)],
         ["F401 `os` imported but unused", "88:1"], []),
    ],
)  # fmt: skip
def test_a_command_s_noise_goes_and_its_outcome_stays(
    command: str, text: list[str], kept: list[str], gone: list[str]
) -> None:
    found = filter_text(
        "\n".join(text), limit_tokens=400, count=estimate, rules=rules(), hint=Hint(command=command)
    )

    assert [item for item in kept if item not in found.text] == []
    assert [item for item in gone if item in found.text] == []
