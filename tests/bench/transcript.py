"""Q7 and Q8 measured: streaming into a long answer, opening and scrolling 10,000 messages."""

import os
import sys
from collections.abc import Callable
from time import thread_time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from tests.bench.measures import Measure, spread, tell
from ui.kit.icons import Icons
from ui.kit.items import AssistantItem, Item, UserItem
from ui.kit.theme import Mode, Theme
from ui.kit.transcript.samples import FOOTER, MARKDOWN, SampleModel
from ui.kit.transcript_view import TranscriptView

PARAGRAPH = (
    "The ledger rounds **per line**, the old code rounded `per invoice`; 中文与 English 混排也要快。 " * 3
)
CODE = (
    "```python\n"
    + "\n".join(f"    total += line_{n}.amount * days / period  # {n}" for n in range(80))
    + "\n```"
)
ANSWER_CHARS = 100_000
FRAME_CHARS = 32  # 200 tokens/s of 4 characters, drawn 25 times a second
SIZE = (1000, 900)


def long_answer(n_chars: int = ANSWER_CHARS) -> str:
    """Paragraphs, lists, tables and code, over and over."""
    unit = f"{MARKDOWN}\n\n{PARAGRAPH}\n\n{CODE}\n\n{PARAGRAPH}\n\n"
    return (unit * (n_chars // len(unit) + 1))[:n_chars]


def messages(n: int) -> list[Item]:
    """User and assistant in turn, about 310 characters each."""
    return [
        UserItem(text=f"{number}. {PARAGRAPH}"[:160], footer=FOOTER)
        if number % 2 == 0
        else AssistantItem(text=f"Message {number}: {PARAGRAPH}\n\n- one\n- two `code`", footer=FOOTER)
        for number in range(n)
    ]


class Stage:
    """A view, and frames painted into a picture the way the window would."""

    def __init__(self, app: QApplication) -> None:
        self._theme = Theme(app, Mode.LIGHT)
        self.view = TranscriptView(self._theme, Icons(self._theme))
        self.view.resize(*SIZE)
        self.view.show()
        self._image = QImage(*SIZE, QImage.Format.Format_RGB32)

    def paint(self) -> None:
        self.view.viewport().render(self._image)

    def close(self) -> None:
        self.view.close()
        self.view.deleteLater()


def work_ms(work: Callable[[], None]) -> float:
    """Work of this thread, whatever else the machine does."""
    started_at = thread_time()
    work()
    return (thread_time() - started_at) * 1000


def stream(
    stage: Stage, text: str, *, start: int = 0, step: int = FRAME_CHARS
) -> tuple[list[float], list[float]]:
    """ms of layout and ms of paint for each frame while `text` arrives from `start` on."""
    model = SampleModel([UserItem(text="go"), AssistantItem(text=text[:start], is_streaming=True)])
    stage.view.set_model(model)
    layout: list[float] = []
    paint: list[float] = []
    for end in range(start + step, len(text) + step, step):
        model.replace("1", AssistantItem(text=text[:end], is_streaming=True))

        def lay() -> None:
            stage.view.update_item("1")
            stage.view.flush()

        layout.append(work_ms(lay))
        paint.append(work_ms(stage.paint))
    return layout, paint


def open_and_scroll(stage: Stage, n: int, n_frames: int = 300) -> tuple[float, list[float]]:
    """ms to the first paint of `n` messages, and ms for each frame of scrolling up by 120 px."""
    model = SampleModel(messages(n))

    def show() -> None:
        stage.view.set_model(model)
        stage.paint()

    opened = work_ms(show)
    frames: list[float] = []

    def scroll() -> None:
        stage.view.scroll_by(-120)
        stage.paint()

    for _ in range(n_frames):
        frames.append(work_ms(scroll))
        stage.view.lay_ahead()
    return opened, frames


def measures() -> list[Measure]:
    app = QApplication(sys.argv[:1])
    stage = Stage(app)
    layout, paint = stream(stage, long_answer())
    both = [sum(pair) for pair in zip(layout, paint, strict=True)]
    found = list(spread("Q7 kit: an update of 100,000 characters", both, at=0.99, target=8))
    code = "```python\n" + "x = 1  # a line of an open fence\n" * 1500
    layout, paint = stream(stage, code, start=40_000)
    both = [sum(pair) for pair in zip(layout, paint, strict=True)]
    found += spread("Q7 kit: an update of an open fence of 45,000", both, at=0.99, target=8)
    opened, frames = open_and_scroll(stage, 10_000)
    found.append(Measure(what="Q8 kit: 10,000 messages to first paint", value=opened, unit="ms", target=100))
    found += spread("Q8 kit: a frame of scrolling", frames, at=0.95, target=8)
    stage.close()
    return found


if __name__ == "__main__":
    raise SystemExit(tell(measures()))
