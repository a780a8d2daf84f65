"""The receipt tells what is in the context, what is one reading away, and what is neither."""

from hypothesis import given
from hypothesis import strategies as st

from app.context.fact_check import FEWEST, MOST, Receipt, check, probes_of, seen
from app.context.originals import resolve, run_address, run_text
from app.context.steps.summarise import summarise
from app.vault.address import parse
from tests.app.context.histories import path_of
from tests.app.context.summary.making import facts, ports, proposal, talk, user


def test_probes_are_spread_over_the_run() -> None:
    """C36: 20 to 60 probes by rule."""
    path = talk(40)

    probes = probes_of(path)

    assert FEWEST <= len(probes) <= MOST
    places = [path.index(next(e for e in path if e.id == probe.entry_id)) for probe in probes]
    assert places == sorted(places)
    assert places[0] < 10
    assert places[-1] > len(path) - 10


def test_each_probe_is_direct_or_reachable_or_gone() -> None:
    path = path_of([user("The port is 8443. The budget is 1,250.50 EUR. Commit 4d6bb2b is good.")])
    address = str(run_address(path))
    texts = {address: "the budget is 1,250.50 EUR"}

    receipt = check(probes_of(path), f"port 8443, see {address}", lambda name: texts.get(name, ""))

    told = {item.probe.text: (item.is_direct, item.address) for item in receipt.checked}
    assert told["8443"] == (True, "")
    assert told["1,250.50 EUR"] == (False, address)
    assert told["4d6bb2b"] == (False, "")
    assert (receipt.n_direct, receipt.total) == (1, len(receipt.checked))


async def test_after_a_summary_everything_is_at_most_one_reading_away() -> None:
    path = talk(20)
    context = proposal(path)
    result = await summarise(context, facts(path), ports())
    after = context.with_folds(result.folds)
    hidden = [entry for item in after.items if not hasattr(item, "parts") for entry in item.entries]
    entries = {entry.id: entry for entry in path}

    def opened(name: str) -> str:
        address = parse(name)
        assert address
        at = {entry.id: index for index, entry in enumerate(path)}
        found = resolve(address, entries, lambda head: path[: at[head] + 1], after.folds)
        assert isinstance(found, str)
        return found

    receipt = check(probes_of(hidden), seen(after.items), opened)

    assert receipt.total >= FEWEST
    assert receipt.n_reachable == receipt.total
    assert receipt.n_direct >= 0.5 * receipt.total


@given(st.lists(st.text(max_size=80), max_size=6))
def test_a_receipt_reads_back_from_its_json(texts: list[str]) -> None:
    path = path_of(map(user, texts))

    receipt = check(probes_of(path), run_text(path), lambda name: "")

    assert Receipt.model_validate_json(receipt.model_dump_json()) == receipt
    assert receipt.n_direct == receipt.total
