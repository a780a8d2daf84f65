"""The eighteen traps of context meters and compactions (research, desktop apps 2.4): each is held by a test that names it.

`python -m tests.test_traps` lists which.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent
TRAPS = (
    "a cumulative figure",
    "tools and thinking left out",
    "the wrong field of usage",
    "a foreign tokenizer used as truth",
    "images counted as text",
    "a breakdown that does not add up",
    "success told of a compaction that won nothing",
    "a stale meter after a compaction",
    "an invented window",
    "keeping by the number of messages",
    "what compaction 1 kept vanishes in compaction 2",
    "a summary that leaks into the chat",
    "a summariser that fails, again and again",
    "a compaction that blocks",
    "a one-way door",
    "too long to be compacted",
    "a file sent in full with every request",
    "keep-alive that does nothing",
)
"""As their tests call them: `Trap: …` in the docstring."""


def held() -> dict[str, list[str]]:
    """The tests of each trap."""
    found: dict[str, list[str]] = {trap: [] for trap in TRAPS}
    for path in sorted(ROOT.rglob("test_*.py")):
        if path == Path(__file__).resolve():
            continue
        for name, words in _docstrings(path):
            for trap in TRAPS:
                if f"Trap: {trap}" in words:
                    found[trap].append(f"{path.relative_to(ROOT).as_posix()}::{name}")
    return found


def _docstrings(path: Path) -> Iterator[tuple[str, str]]:
    text = path.read_text(encoding="utf-8")
    if "Trap: " not in text:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name, " ".join((ast.get_docstring(node) or "").split())


def test_each_trap_is_held_by_a_test_that_names_it() -> None:
    assert [trap for trap, tests in held().items() if not tests] == []
    assert len(TRAPS) == 18


if __name__ == "__main__":
    for trap, tests in held().items():
        print(trap, *tests, sep="\n    ")
