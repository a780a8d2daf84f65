"""U5, U6: the panel and the Lens of a chat of 10,000 messages and 500 requests. `python -m tests.bench.panel`."""

# pyright: reportPrivateUsage=false

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from PySide6.QtWidgets import QApplication

from app.context.ports import NewFold, Outcome
from app.core.folds import FoldKind
from app.core.ids import ChatId, CompactionId, EntryId, ModelId, RequestId, TurnId
from app.core.parts import TextPart
from app.core.records import Changes, Compaction, Fact, RequestRecord, RequestState
from app.core.requests import Prelude
from app.core.usage import Usage
from app.settings import Paths
from app.store.store import Store
from tests.bench.beats import Heartbeat
from tests.bench.desks import desk, on_qt
from tests.bench.measures import Measure, spread, tell
from tests.bench.stages import MODEL, ToldGateway, furnish, paths_in, write_chat
from ui.shell.workbench import Workbench

_N, _N_REQUESTS, _N_COMPACTIONS = 10_000, 500, 20
_CHAT = ChatId("long")
_STEPS = 120


async def measures(qt: QApplication) -> list[Measure]:
    with tempfile.TemporaryDirectory() as folder:
        paths = paths_in(folder)
        await _furnished(paths)
        async with desk(qt, paths, ToldGateway()) as workbench:
            workbench.open_chat(_CHAT)
            await _until(lambda: workbench.chat.model and workbench.chat.model.session.fill())
            await workbench._tasks.wait("panel modules")
            opened = await _panel_opened(workbench)
            updates = await _panel_updated(workbench)
            workbench.health.toggle()
            first_ms, steps = await _scrubbed(workbench)
    return [
        Measure(
            what=f"U5 panel opens, {_N:,} messages, work at a stretch",
            value=max(opened.work_ms),
            unit="ms",
            target=100,
        ),
        *spread("U5 panel follows a change, work at a stretch", updates, at=0.95, target=16),
        Measure(what="U6 Lens opens, work at a stretch", value=first_ms, unit="ms", target=100),
        *spread("U6 Lens, a step of the slider", steps, at=0.95, target=16),
    ]


async def _panel_opened(workbench: Workbench) -> Heartbeat:
    """Until its cards have figures and its plots are there."""
    beat = Heartbeat()
    workbench.health.toggle()
    await _until(lambda: (panel := workbench.health.panel) and panel.plots.plot and panel._state.facts)
    beat.stop()
    return beat


async def _panel_updated(workbench: Workbench) -> list[float]:
    beat = Heartbeat()
    worked = [await _updated(workbench, beat) for _ in range(20)]
    beat.stop()
    return worked


async def _updated(workbench: Workbench, beat: Heartbeat) -> float:
    panel = workbench.health.panel
    assert panel
    before = panel._state.facts
    beat.restart()
    workbench.health.on_changes(Changes(facts=frozenset({Fact.REQUESTS}), chats=frozenset({_CHAT})))
    await _until(lambda: panel._state.facts is not before)
    await asyncio.sleep(0.05)
    return max(beat.work_ms)


async def _scrubbed(workbench: Workbench) -> tuple[float, list[float]]:
    """ms until the Lens has its first strip at a stretch, and of each step to another request, painted."""
    beat = Heartbeat()
    workbench.window.command("lens").run()
    page = workbench.lens
    await _until(lambda: page.view and page.view.strip.look)
    view = page.view
    assert view
    model = view._model
    assert model
    model.go(1)  # all are read now
    await _until(lambda: model.state.look and model.state.look.moment.n == 1)
    beat.stop()
    took = list[float]()
    for n in range(_STEPS):
        at = time.thread_time()
        view.slider.setValue(2 + n * (_N_REQUESTS - 2) // _STEPS)
        view.repaint()
        took.append((time.thread_time() - at) * 1000)
        await asyncio.sleep(0.01)
    return max(beat.work_ms), took


async def _until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(120):
        while not is_so():  # noqa: ASYNC110  # a window tells nobody
            await asyncio.sleep(0.005)


async def _furnished(paths: Paths) -> None:
    store = await Store.open(paths)
    await furnish(store, window_tokens=1_000_000)
    await write_chat(store, _CHAT, _N)
    for record, outcome in _requests():
        await store.begin_request(record, Prelude(system="Be brief."))
        await store.mark_request(record.id, outcome)
    for n in range(_N_COMPACTIONS):
        await _compacted(store, n)
    await store.save_setting("last_chat", await write_chat(store, "short", 20))
    await store.aclose()


def _entry(at: int) -> EntryId:
    return EntryId(f"{_CHAT}-{at:07}")


def _requests() -> Iterable[tuple[RequestRecord, Outcome]]:
    began, each = datetime.now(UTC) - timedelta(days=1), _N // _N_REQUESTS
    for n in range(_N_REQUESTS):
        head, tokens = n * each, 2_000 + 900 * n
        record = RequestRecord(
            id=RequestId(f"r{n:04}"),
            chat_id=_CHAT,
            turn_id=TurnId(f"t{n}"),
            head=_entry(head),
            answer_id=_entry(head + 1),
            rev=head + 1,
            model=ModelId(MODEL),
            prelude_hash="p",
            n_blocks=head + 1,
            chain_tip="",
            renderer=1,
            fingerprint="f",
            estimated_tokens=tokens,
            projected_tokens=tokens,
            state=RequestState.SENT,
            created_at=began + timedelta(minutes=n),
        )
        usage = Usage(prompt_tokens=tokens, completion_tokens=80, cached_tokens=tokens // 2)
        yield (
            record,
            Outcome(
                state=RequestState.FINISHED,
                usage=usage,
                cost_usd=0.01,
                time_to_first_token_s=0.4,
                duration_s=2.0,
            ),
        )


async def _compacted(store: Store, n: int) -> None:
    chat, first = await store.chat(_CHAT), n * 200
    made = Compaction(
        id=CompactionId(f"k{n}"),
        chat_id=_CHAT,
        rev=0,
        trigger="send",
        reason="bench",
        tokens_before=60_000,
        tokens_after=30_000,
        elapsed_ms=40.0,
        created_at=datetime.now(UTC),
    )
    folds = [
        NewFold(
            compaction_id=made.id,
            kind=FoldKind.REMOVED,
            first=_entry(first + 10 * at),
            last=_entry(first + 10 * at + 9),
            anchor=_entry(_N - 1),
            replacement=(TextPart(text=f"[folded: {at}]"),),
        )
        for at in range(20)
    ]
    assert await store.commit(made, folds, planned_rev=chat.rev) is not None


if __name__ == "__main__":
    raise SystemExit(tell(on_qt(measures)))
