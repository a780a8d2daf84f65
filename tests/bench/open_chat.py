"""Q8: a chat of 10,000 messages opened by a click, scrolled, weighed. `python -m tests.bench.open_chat`."""

# pyright: reportPrivateUsage=false

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.core.ids import ChatId
from app.settings import Paths
from app.store.store import Store
from tests.bench.beats import Heartbeat, Painted
from tests.bench.desks import desk, on_qt
from tests.bench.measures import Measure, percentile, spread, tell
from tests.bench.stages import furnish, words, write_chat
from ui.shell.workbench import Workbench

_N = 10_000
_CHATS = (ChatId("long0"), ChatId("long1"), ChatId("long2"))
_N_FRAMES = 300
_N_PLAIN = 1_000


async def measures(qt: QApplication) -> list[Measure]:
    with tempfile.TemporaryDirectory() as folder:
        paths = Paths(data=Path(folder))
        command = [sys.executable, "-m", "tests.bench.open_chat", "--prepare", folder]
        prepared = await asyncio.to_thread(
            subprocess.run, command, check=True, capture_output=True, text=True
        )
        load_ms = float(prepared.stdout)
        async with desk(qt, paths) as workbench:
            await _settled(workbench)
            before_mb = _pss_mb(os.getpid())
            beat = Heartbeat()
            opened = [await _opened_ms(workbench, _CHATS[0])]
            await _settled(workbench)
            beat.stop()
            frames = await _scrolled_ms(workbench)
            window_mb, all_mb = _pss_mb(os.getpid()), sum(map(_pss_mb, _family(os.getpid())))
            for chat_id in _CHATS[1:]:
                opened.append(await _opened_ms(workbench, chat_id))
                await _settled(workbench)
        plain_ms = _plain_ms() * _N / _N_PLAIN
    return [
        Measure(
            what=f"Q8 click to first paint, {_N:,} messages, the worst of {len(opened)} chats",
            value=max(opened),
            unit="ms",
            target=100,
            baseline=plain_ms,
            against="a widget a message, extrapolated",
        ),
        Measure(what=f"Q8 all {_N:,} messages from the disk", value=load_ms, unit="ms"),
        Measure(
            what="Q8 longest work at a stretch until all is read and counted",
            value=max(beat.work_ms),
            unit="ms",
        ),
        *spread("Q8 scrolling, work per frame", frames, at=0.95, target=8),
        Measure(what="Q8 memory of the window's process before (PSS)", value=before_mb, unit="MB"),
        Measure(what="Q8 memory of the window's process (PSS)", value=window_mb, unit="MB", target=150),
        Measure(what="Q8 memory of all processes (PSS)", value=all_mb, unit="MB", target=550),
    ]


async def _prepared(paths: Paths) -> float:
    """Write the chats, in a process of its own whose memory is not the window's; ms that reading one takes."""
    store = await Store.open(paths)
    await furnish(store)
    for chat_id in _CHATS:
        await write_chat(store, chat_id, _N)
    await store.save_setting("last_chat", await write_chat(store, "short", 20))
    took = list[float]()
    for _ in range(3):
        at = time.perf_counter()
        await store.load(_CHATS[0])
        took.append((time.perf_counter() - at) * 1000)
    await store.aclose()
    return percentile(took, 0.5)


async def _opened_ms(workbench: Workbench, chat_id: ChatId) -> float:
    """From the click until messages of that chat are on the screen; every answer of it is still to be read."""
    view = workbench.chat.transcript
    painted = Painted(view.viewport(), lambda: view.column.ids[-1].startswith(chat_id))
    at = time.perf_counter()
    workbench.open_chat(chat_id)
    return (await painted.wait() - at) * 1000


async def _scrolled_ms(workbench: Workbench) -> list[float]:
    """ms of work for each frame of scrolling up by 120 px."""
    view = workbench.chat.transcript
    frames = list[float]()
    for _ in range(_N_FRAMES):
        at = time.thread_time()
        view.scroll_by(-120)
        view.viewport().repaint()
        frames.append((time.thread_time() - at) * 1000)
        await asyncio.sleep(0.001)
    return frames


async def _settled(workbench: Workbench) -> None:
    """Until the processes behind the window are up, and what opening left to count is counted."""
    await workbench._tasks.wait("open")
    application = workbench.application
    while not application.gateway.is_ready:  # noqa: ASYNC110  # it tells nobody
        await asyncio.sleep(0.05)
    for session in application._sessions.values():
        await application._tasks.wait(f"look {session.conversation.id}")
        await session._scope.wait("count")


def _pss_mb(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:  # it has ended
        return 0.0
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _family(pid: int) -> list[int]:
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text(encoding="ascii").split()):
            found += _family(child)
    return found


def _plain_ms() -> float:
    area, inside = QScrollArea(), QWidget()
    at = time.thread_time()
    layout = QVBoxLayout(inside)
    for number in range(_N_PLAIN):
        label = QLabel(words(number))
        label.setTextFormat(Qt.TextFormat.MarkdownText)
        label.setWordWrap(True)
        layout.addWidget(label)
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.resize(1000, 900)
    area.show()
    area.grab()
    took_ms = (time.thread_time() - at) * 1000
    area.close()
    return took_ms


if __name__ == "__main__":
    if "--prepare" in sys.argv:
        print(asyncio.run(_prepared(Paths(data=Path(sys.argv[-1])))))
        raise SystemExit
    raise SystemExit(tell(on_qt(measures)))
