"""Why a long result stands whole although room is wanted: the first reason that holds, at the edge of each (U5)."""

from app.context.cover import Cover
from app.core.entries import Origin
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.health.deferral import deferred
from app.health.pruning import Deferral
from tests.app.context.histories import Said, path_of
from tests.app.context.steps.compressing import Turn, proposal

LONG = "some words that take about a dozen tokens when they are counted " * 20


def calling(n: int) -> tuple[Said, Said]:
    call = ToolCallPart(call_id=f"c{n}", name="run", arguments="{}")
    result = ToolResultPart(call_id=f"c{n}", name="run", text=LONG)
    return (Origin.ASSISTANT, (call,)), (Origin.TOOL, (result,))


def test_each_long_result_is_counted_by_the_first_reason_that_keeps_it() -> None:
    path = path_of([(Origin.USER, (TextPart(text="Go."),)), *calling(0), *calling(1)])
    context = proposal(path)
    n_items = len(context.items)
    with_results = [at for at, item in enumerate(context.items) if any(e.results for e in item.entries)]
    first, last = with_results
    facts = Turn(target=10, window=10).facts(path)

    def told(
        *, tail: int = n_items, kept: tuple[int, ...] = (), named: tuple[int, ...] = (), n_sealed: int = 0
    ) -> dict[Deferral, int]:
        cover = Cover(kept=frozenset(kept), tail=tail, named=frozenset(named), important=frozenset())
        return dict(deferred(context, facts, cover, n_sealed=n_sealed))

    assert told() == {}
    assert told(tail=last) == {Deferral.TAIL: 1}
    assert told(tail=last + 1) == {}
    assert told(kept=(first,), named=(first, last)) == {Deferral.PROTECTED: 1, Deferral.FOCUS: 1}
    assert told(n_sealed=len(path)) == {Deferral.HOT: 2}
    assert told(n_sealed=len(path), tail=last) == {Deferral.HOT: 1, Deferral.TAIL: 1}
