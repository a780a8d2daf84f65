"""Q3: from the start of the process to a window in which one can type, and to the first message on the wire.

`python -m tests.bench.start`; each start is a process of its own, which drives the real `ui.main.main`.
"""

# pyright: reportPrivateUsage=false

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.measures import Measure, percentile, tell

_N_RUNS = 5
_N_CHATS = 50
_CONVERSATION = Path(__file__).parents[1] / "data" / "conversations" / "pi-mono-refactor-session.json"
_PATIENCE_S = 120
_GIVEN_UP_S = 20
_WINDOW_TOKENS = 2_000_000
"""The long chat, of 600,000 tokens, is sent as it is."""


# ---- the processes that are measured


def child(folder: str) -> None:
    """The program, with somebody who types a message and sends it as soon as the window is there."""
    from app.core.loading import loading

    with loading():  # as `ui.__main__` does
        import ui.main as program

    from PySide6.QtCore import QEvent, Qt, QTimer
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QApplication

    from app.settings import Paths
    from tests.bench.beats import Heartbeat, Painted
    from ui.shell.notices import Notices
    from ui.shell.workbench import Workbench

    told: dict[str, float] = {}
    build = program.build

    def watched(qt: QApplication, paths: Paths, notices: Notices) -> Workbench:
        workbench = build(qt, paths, notices)
        field = workbench.chat.composer.input
        beat = Heartbeat()

        def press(key: Qt.Key, text: str) -> None:
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                qt.postEvent(field, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))

        def accepted() -> None:
            if "typed" not in told:
                told["typed"] = time.perf_counter()
                press(Qt.Key.Key_Return, "\r")

        def first_paint() -> None:
            told["painted"] = painted.at
            beat.restart()
            press(Qt.Key.Key_X, "x")

        def look() -> None:
            model = workbench.chat.model
            is_running = model is not None and model.session.is_running
            told["ran"] = told.get("ran", False) or is_running
            is_late = time.perf_counter() > told.get("typed", float("inf")) + _GIVEN_UP_S
            if is_late or (told["ran"] and not is_running):
                beat.stop()
                told["gap_ms"], told["work_ms"] = max(beat.gap_ms), max(beat.work_ms)
                told["stalls"] = sum(gap > 20 for gap in beat.gap_ms)
                looking.stop()
                workbench.window.close()

        painted = Painted(workbench.chat.transcript.viewport(), on_paint=first_paint)
        field.textChanged.connect(accepted)
        looking = QTimer(workbench, interval=100)
        looking.timeout.connect(look)
        looking.start()
        return workbench

    program.build = watched
    program.main(["--data", folder])
    print(json.dumps(told))


def empty() -> None:
    """A window with nothing in it."""
    from PySide6.QtWidgets import QApplication, QWidget

    from tests.bench.beats import Painted

    qt = QApplication(["bench"])
    window = QWidget()
    painted = Painted(window, on_paint=qt.quit)
    window.show()
    qt.exec()
    print(json.dumps({"painted": painted.at}))


# ---- the one that measures


def measures() -> list[Measure]:
    from tests.simulator import Simulator
    from tests.simulator.thread import SimulatorThread

    simulator = Simulator(windows={"gpt-4o": _WINDOW_TOKENS})
    with SimulatorThread(simulator) as sim, tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", __spec__.name, "--prepare", folder, sim.openai_url], check=True)
        pairs = [(_run("--child", folder), _run("--empty")) for _ in range(_N_RUNS + 1)]
        arrived = [record.at for record in sim.chats]
    runs, blank = zip(*pairs[1:], strict=True)  # the first warms the disk up
    plain = percentile([run["painted"] for run in blank], 0.5)
    wires = [
        min((at for at in arrived if at >= run["spawned_at"]), default=float("inf")) - run["spawned_at"]
        for run in runs
    ]

    def median(name: str) -> float:
        return percentile([run[name] for run in runs], 0.5)

    return [
        Measure(
            what="Q3 start to first paint", value=median("painted"), unit="s", target=1.0, baseline=plain,
            against="an empty window of Qt",
        ),
        Measure(
            what="Q3 start to the first letter typed", value=median("typed"), unit="s", target=1.0, baseline=plain,
            against="an empty window of Qt",
        ),
        Measure(what="Q3 longest gap of the window's loop while all loads", value=median("gap_ms"), unit="ms", target=20),
        Measure(what="Q3 gaps over 20 ms in one start", value=median("stalls"), unit=""),
        Measure(what="Q3 longest work of the window's thread at a stretch", value=median("work_ms"), unit="ms", target=20),
        Measure(what="Q3 start to a first message on the wire", value=percentile(wires, 0.5), unit="s", target=9),
    ]  # fmt: skip


def _run(*arguments: str) -> dict[str, float]:
    """What one process told; times are seconds from its start."""
    spawned, spawned_at = time.perf_counter(), time.time()
    done = subprocess.run(
        [sys.executable, "-m", __spec__.name, *arguments],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
        timeout=_PATIENCE_S,
        check=True,
    )
    told: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return {
        "spawned_at": spawned_at,
        **{name: value - spawned if name in ("painted", "typed") else value for name, value in told.items()},
    }


async def prepare(folder: str, url: str) -> None:
    """50 chats, and a long one that was open last."""
    from app.bootstrap.application import Application
    from app.settings import Paths
    from tests.bench.stages import furnish, write_chat

    application = await Application.open(Paths(data=Path(folder)))
    for number in range(_N_CHATS):
        await write_chat(application.store, f"chat{number}", 20)
    _, changes = await application.library.import_files([_CONVERSATION])
    (long,) = changes.chats
    await furnish(application.store, base_url=url, window_tokens=_WINDOW_TOKENS, last_chat=long)
    await application.aclose()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--child", folder]:
            child(folder)
        case ["--empty"]:
            empty()
        case ["--prepare", folder, url]:
            asyncio.run(prepare(folder, url))
        case _:
            raise SystemExit(tell(measures()))
