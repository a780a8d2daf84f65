"""Q7: 200 tokens/s into an answer of 100,000 characters, in the real window. `python -m tests.bench.streaming`."""

# pyright: reportPrivateUsage=false

import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator

from PySide6.QtWidgets import QApplication, QTextBrowser

from tests.bench.beats import Heartbeat
from tests.bench.desks import desk, on_qt
from tests.bench.measures import Measure, percentile, spread, tell
from tests.bench.stages import ToldGateway, furnish, paths_in, write_chat
from tests.bench.transcript import ANSWER_CHARS, long_answer

_CHUNK_S = 0.03
_CHUNK_CHARS = 24
"""6 tokens, 33 times a second."""
_STREAMED_S = 12


async def measures(qt: QApplication) -> list[Measure]:
    text = long_answer()
    n_streamed = int(_STREAMED_S / _CHUNK_S) * _CHUNK_CHARS
    begun, ended = asyncio.Event(), asyncio.Event()

    async def answering() -> AsyncGenerator[str, None]:
        yield text[: ANSWER_CHARS - n_streamed]
        await asyncio.sleep(2.0)  # the first piece, larger than any that comes, is laid out
        begun.set()
        due = time.perf_counter()
        for at in range(ANSWER_CHARS - n_streamed, ANSWER_CHARS, _CHUNK_CHARS):
            yield text[at : at + _CHUNK_CHARS]
            due += _CHUNK_S
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
        ended.set()

    with tempfile.TemporaryDirectory() as folder:
        paths = paths_in(folder)
        gateway = ToldGateway(answering)
        async with desk(qt, paths, gateway) as workbench:
            await furnish(workbench.application.store)
            chat_id = await write_chat(workbench.application.store, "long", 200)
            await workbench.application.prepare()
            workbench.open_chat(chat_id)
            await workbench._tasks.wait("open")
            beat = Heartbeat()
            model = workbench.chat.model
            assert model
            model.send("Go")
            await begun.wait()
            beat.restart()
            cpu, at = time.process_time(), time.perf_counter()
            await ended.wait()
            share = 100 * (time.process_time() - cpu) / (time.perf_counter() - at)
            beat.stop()
            await model.session.settled()
            await model.session.aclose()
        plain = _plain(text)
    return [
        *spread(
            "Q7 work of the window's thread per frame",
            beat.work_ms,
            at=0.99,
            target=8,
            baseline=plain,
            against="setMarkdown of all",
        ),
        Measure(what="Q7 gap between frames: p99", value=percentile(beat.gap_ms, 0.99), unit="ms"),
        Measure(what="Q7 longest gap between frames", value=max(beat.gap_ms), unit="ms", target=33),
        Measure(what="Q7 share of a core", value=share, unit="%", target=25),
    ]


def _plain(text: str) -> float:
    """ms to show all of `text` again, as a plain browser does for each piece."""
    browser = QTextBrowser()
    browser.resize(1000, 900)
    browser.show()
    took = list[float]()
    for _ in range(3):
        at = time.thread_time()
        browser.setMarkdown(text)
        browser.grab()
        took.append((time.thread_time() - at) * 1000)
    browser.close()
    return percentile(took, 0.5)


if __name__ == "__main__":
    raise SystemExit(tell(on_qt(measures)))
