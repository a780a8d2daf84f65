"""Sample states of the transcript, shown in a window or written as pictures."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ui.kit.icons import Icons
from ui.kit.items import (
    Action,
    AssistantItem,
    DividerItem,
    Footer,
    Item,
    ItemId,
    ItemModel,
    NoticeItem,
    ReasoningItem,
    StatusItem,
    Tone,
    ToolItem,
    UserItem,
)
from ui.kit.theme import Mode, Theme

CONVERSATIONS = Path(__file__).resolve().parents[3] / "tests" / "data" / "conversations"
ACTIONS = (
    Action(id="copy", label="Copy", icon="copy"),
    Action(id="retry", label="Retry", icon="retry"),
    Action(id="edit", label="Edit", icon="edit"),
    Action(id="fork", label="Fork from here", icon="fork"),
    Action(id="pin", label="Pin", icon="pin"),
)
FOOTER = Footer(actions=ACTIONS, figures="1.9 s to first token · 97% cached · $0.021")

MARKDOWN = """## What is still red

Three tests are still red, all in `test_proration.py`. They share one cause: the ledger rounds **per line**, the old
code rounded *per invoice*. See the [notes](https://example.org/notes) or vault://9f2c41d7a3b0/pytest-billing.log.

1. Round once, at the end:
   ```python
   def prorate(lines: Sequence[Line], days: int) -> Money:
       exact = sum(line.amount * days / line.period for line in lines)
       return Money(exact).rounded()   # once, at the end
   ```
2. Keep the exact sum in the row
   - as `Decimal`, never as a float
   - with its currency
     - even when it is the default one
3. Then run the suite again

Rounded line by line, $n$ lines are off by at most $\\frac{n}{2}$ cents:

$$\\left|\\sum_{k=1}^{n} \\operatorname{round}(x_k) - \\sum_{k=1}^{n} x_k\\right| \\le \\frac{n}{2}$$

- [x] reproduce
- [ ] mend, and ~~guess~~ measure

> A price such as $5 to $10 stays text, and so does 2*3*4.
>
> > Quoted twice, 第二层引用。

| Test | Expected | Got |
|:-----|:--------:|----:|
| `test_half_month` | 12.50 | 12.49 |
| `test_leap_year` | 1,204.00 | 1,204.01 |
| 季度报表 | 88.00 | 87.99 |

---

![chart](https://example.org/chart.png) and <b>raw HTML</b> is text. 中文与 English 混排，`代码` 也在其中。
"""


class SampleModel:
    """A fixed list of items; `replace` bumps the revision."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = {str(number): item for number, item in enumerate(items)}
        self._revisions = dict.fromkeys(self._items, 0)

    def ids(self) -> Sequence[ItemId]:
        return list(self._items)

    def revision(self, item: ItemId) -> int:
        return self._revisions[item]

    def n_chars(self, item: ItemId) -> int:
        content = self._items[item]
        return len(content.text) if isinstance(content, UserItem | AssistantItem) else 0

    def content(self, item: ItemId) -> Item:
        return self._items[item]

    def is_own(self, item: ItemId) -> bool:
        return isinstance(self._items[item], UserItem)

    def replace(self, item: ItemId, content: Item) -> None:
        self._items[item] = content
        self._revisions[item] = self._revisions.get(item, 0) + 1


def gallery() -> list[Item]:
    """Every kind of item once."""
    undo = tuple(Action(id=name.lower(), label=name) for name in ("Summary", "Originals", "Undo"))
    card = tuple(
        Action(id=name, label=name) for name in ("Open", "Put back in context (+59.8K)", "Copy link")
    )
    retry = (Action(id="retry", label="Retry", icon="retry"), Action(id="model", label="Change model"))
    return [
        DividerItem(text="Folded 84 messages · 112.4K → 3.1K tokens", actions=undo),
        UserItem(text="Run the whole billing suite again and tell me only what is still red.", footer=FOOTER),
        ReasoningItem(title="Thought for 12 s", text="The suite is *long*; only failures matter."),
        ToolItem(title="$ pytest tests/billing -q", figures="38.2 s · 61.0K → 1.2K tokens", body="3 failed"),
        NoticeItem(
            title="pytest-billing.log",
            chip="text/log",
            figures="244 KB · 4,812 lines",
            address="vault://9f2c41d7a3b0/pytest-billing.log",
            actions=card,
        ),
        AssistantItem(text=MARKDOWN, footer=Footer(actions=ACTIONS, n_versions=3, version=2)),
        UserItem(
            text="季度报表里的数字核对一下，好吗？\n第二行。", attachments=("report-Q3.csv", "截图.png")
        ),
        ToolItem(
            title="read_file src/billing/ledger.py", state="failed", figures="0.1 s", body="no such file"
        ),
        NoticeItem(
            title="The provider is busy",
            text="openai answered 429: too many requests. It asks to wait 20 seconds.",
            tone=Tone.CRITICAL,
            actions=retry,
        ),
        StatusItem(text="thinking 12 s"),
        AssistantItem(
            text="```json\n" + "\n".join(f'{{"line": {n}}}' for n in range(60)) + "\n```", footer=FOOTER
        ),
    ]


def conversation(name: str) -> Iterator[Item]:
    """A real conversation of the test data."""
    table: dict[str, Any] = json.loads((CONVERSATIONS / f"{name}.json").read_text(encoding="utf-8"))
    for message in table["messages"]:
        text = message.get("content") or ""
        if not isinstance(text, str):
            continue
        match message["role"]:
            case "user":
                yield UserItem(text=text, footer=FOOTER)
            case "assistant" if text:
                yield AssistantItem(text=text, footer=FOOTER)
            case "tool":
                yield ToolItem(
                    title=message.get("name") or "tool", figures=f"{len(text):,} characters", body=text
                )
            case _:
                pass


def _samples() -> dict[str, Callable[[], Sequence[Item]]]:
    return {
        "gallery": gallery,
        "chinese": lambda: list(conversation("memorybank-zh")),
        "code": lambda: list(conversation("pi-mono-refactor-session")),
        "tables": lambda: list(conversation("deerflow-trends-2026")),
    }


class SampleView(Protocol):
    """What `show` needs of the transcript view, which imports this module and not the other way round."""

    def set_model(self, model: ItemModel) -> None: ...
    def scroll_to(self, item: ItemId) -> None: ...
    def setWindowTitle(self, arg__1: str, /) -> None: ...
    def resize(self, w: int, h: int, /) -> None: ...
    def show(self) -> None: ...
    def isVisible(self) -> bool: ...
    def grab(self) -> QPixmap: ...


def show(made: Callable[[Theme, Icons], SampleView]) -> None:
    """The gallery in a window; with `--shot DIR` pictures of every sample, top and end."""
    app = QApplication(sys.argv)
    mode = Mode(sys.argv[sys.argv.index("--theme") + 1]) if "--theme" in sys.argv else Mode.SYSTEM
    theme = Theme(app, mode)
    view = made(theme, Icons(theme))
    view.setWindowTitle("Transcript")
    view.resize(900, 1000)
    view.set_model(SampleModel(gallery()))
    view.show()
    if "--shot" not in sys.argv:
        while view.isVisible():
            QTest.qWait(50)
        return
    folder = Path(sys.argv[sys.argv.index("--shot") + 1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, items in _samples().items():
        view.set_model(SampleModel(items()))
        QTest.qWait(400)
        view.grab().save(str(folder / f"{name}-{theme.mode}-end.png"))
        view.scroll_to("0")
        QTest.qWait(400)
        view.grab().save(str(folder / f"{name}-{theme.mode}-top.png"))
