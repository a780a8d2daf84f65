"""U9: an original of 100 MB and of 1 GB in the vault opened, searched and scrolled. `python -m tests.bench.vault_viewer`."""

import tempfile
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.tasks import log_bug
from app.vault.kinds import Kind
from app.vault.lines import Lines
from app.vault.vault import Vault
from tests.bench.desks import on_qt
from tests.bench.measures import Measure, percentile, tell
from tests.fakes import until
from ui.kit.theme import Mode, Theme
from ui.vault.lines_view import LinesView
from ui.vault.pager import Pager

SIZES = {"100 MB": 100_000_000, "1 GB": 1_000_000_000}
_LINE = b"2026-11-30 12:00:00 INFO GET /orders 200 in 12 ms\n"
_NEEDLE = b"2026-11-30 12:00:01 ERROR needle 500 in 9000 ms  \n"
_N_FRAMES = 200
_PATIENCE_S = 100.0


async def measures(qt: QApplication) -> list[Measure]:
    found: list[Measure] = []
    for name, n_bytes in SIZES.items():
        found += await _of(qt, name, n_bytes)
    return found


async def _of(qt: QApplication, name: str, n_bytes: int) -> list[Measure]:
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(Path(folder))
        n_lines = n_bytes // len(_LINE)
        data = _LINE * (n_lines - 1) + _NEEDLE
        blob = await vault.put(data, mime="text/plain", name="huge.log")
        del data
        view = LinesView(Theme(qt, Mode.LIGHT))
        view.resize(900, 700)
        view.show()
        pager = Pager(Lines(vault.reader(blob), blob.n_bytes, sha256=blob.sha256), log_bug)
        began_s = time.perf_counter()
        view.show_lines(pager, Kind.LOG)
        pager.begin()
        await _read(pager, 1)
        view.grab()
        opened_ms = (time.perf_counter() - began_s) * 1000
        await until(lambda: pager.lines.is_complete, within_s=_PATIENCE_S)
        indexed_s = time.perf_counter() - began_s
        began_s = time.perf_counter()
        pager.seek("needle", 1)
        await until(lambda: not pager.search.is_running, within_s=_PATIENCE_S)
        sought_s = time.perf_counter() - began_s
        assert pager.hits == [n_lines]
        frames_ms: list[float] = []
        for n in range(_N_FRAMES):
            began_s = time.thread_time()
            view.verticalScrollBar().setValue(n_lines * n // _N_FRAMES)
            view.viewport().repaint()
            frames_ms.append((time.thread_time() - began_s) * 1000)
            await _read(pager, view.top)
        view.show_lines(None, Kind.TEXT)
        await pager.aclose()
        view.close()
    return [
        Measure(what=f"U9 {name}: open, to its first lines", value=opened_ms, unit="ms", target=100),
        Measure(what=f"U9 {name}: all lines known and its hash held against it", value=indexed_s, unit="s"),
        Measure(what=f"U9 {name}: search to its last line", value=sought_s, unit="s"),
        Measure(
            what=f"U9 {name}: a frame of scrolling, p95",
            value=percentile(frames_ms, 0.95),
            unit="ms",
            target=8,
        ),
    ]


async def _read(pager: Pager, line: int) -> None:
    await until(lambda: pager.line(line) is not None, within_s=_PATIENCE_S)


if __name__ == "__main__":
    raise SystemExit(tell(on_qt(measures)))
