"""Filtering in the text worker."""

from pathlib import Path

from app.filters.filtered import Focus, Hint
from app.filters.work import FilterWork
from app.tokens.text_work import TextWorker
from tests.app.filters.outputs import text_of


async def test_the_text_worker_filters_and_says_what_it_did() -> None:
    worker = TextWorker()
    work = FilterWork(worker.call)
    try:
        found = await work.filter(
            text_of("pytest__pytest_output_1.txt"),
            limit_tokens=3_000,
            tokenizer="o200k",
            hint=Hint(command="pytest", path=str(Path("a"))),
            focus=Focus(terms=("compound",)),
        )
        own = await work.filter(
            "\n".join(f"row {n}" for n in range(2_000)),
            limit_tokens=100,
            tokenizer="o200k",
            own="- {name: mine, text: '^row', rest: drop}",
        )
    finally:
        await worker.aclose()

    assert found.kind == "pytest"
    assert (
        "FAILED astropy/modeling/tests/test_separable.py::test_separable[compound_model0-result0]"
        in found.text
    )
    assert found.ranges
    assert own.kind == "mine"
