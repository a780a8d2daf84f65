"""Stops of the tour at originals, summaries, the ledger and forks."""

import json
from functools import partial

from app.chats.forking import ForkKind
from app.core.artifacts import Artifact
from ui.guide import Guide, Stop
from ui.kit.items import NoticeItem
from ui.shell.forks import ForkDialog
from ui.vault.view import VaultView

_LEVELS = ("INFO", "INFO", "DEBUG", "INFO", "WARN", "INFO", "ERROR")


def _log() -> str:
    rows = (
        f"2026-11-30 12:{n // 60 % 60:02}:{n % 60:02} {_LEVELS[n * 7 % 13 % 7]} billing.ledger "
        f"invoice={10_000 + n} rounded={'line' if n % 9 else 'invoice'} total={n * 37 % 9973 / 100:.2f}"
        for n in range(5_000)
    )
    return "\n".join(rows)


def _table() -> str:
    rows = (
        f"{n},2026-{n % 12 + 1:02}-01,{'季度账单' if n % 3 else 'monthly'},{n * 7 % 1000}.50"
        for n in range(6_000)
    )
    return "\n".join(("id,date,kind,amount", *rows))


def _called(number: int, name: str, **arguments: object) -> dict[str, object]:
    call = {"id": f"c{number}", "type": "function"}
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{**call, "function": {"name": name, "arguments": json.dumps(arguments)}}],
    }


def _gave(number: int, name: str, text: str) -> dict[str, object]:
    return {"role": "tool", "tool_call_id": f"c{number}", "name": name, "content": text}


async def cards(guide: Guide) -> None:
    path = guide.folder / "Migrate billing to ledger v2.json"
    messages = [
        {"role": "user", "content": "Run the whole billing suite again and tell me only what is still red."},
        _called(1, "shell", command="pytest tests/billing -q"),
        _gave(1, "shell", _log()),
        _called(2, "shell", command="cat ledger.csv"),
        _gave(2, "shell", _table()),
        _called(3, "shell", command="cat invoices.json"),
        _gave(3, "shell", _invoices()),
        {"role": "assistant", "content": "Three tests are still red, all in `test_proration.py`."},
        {"role": "user", "content": "Never round per line. And the report?"},
        {"role": "assistant", "content": "It formats before it adds up."},
    ]
    path.write_text(json.dumps({"messages": messages}), encoding="utf-8")
    await guide.import_chat(path)
    model = guide.workbench.chat.model
    assert model
    await guide.until(lambda: any(_is_read(model.items.content(item)) for item in model.items.ids()))


def _is_read(item: object) -> bool:
    return isinstance(item, NoticeItem) and "billing" in item.excerpt


async def _opened(guide: Guide, at: int) -> VaultView:
    guide.command("originals")
    view = guide.workbench.window.findChild(VaultView)
    assert view
    model = guide.workbench.beside.vault.model
    await guide.until(lambda: model.state.artifacts)
    blobs: list[Artifact] = [each for each in model.state.artifacts if each.blob]
    model.open(blobs[at].address)
    await guide.until(lambda: model.state.viewed and model.state.viewed.read_share == 1)
    return view


async def log(guide: Guide) -> None:
    view = await _opened(guide, 0)
    view.viewer.search.setText("invoice=12345")
    model = guide.workbench.beside.vault.model
    await guide.until(lambda: model.state.viewed and model.state.viewed.search.n_found)


async def table(guide: Guide) -> None:
    await _opened(guide, 1)


def _invoices() -> str:
    rows = [
        {"id": 10_000 + n, "kind": "季度账单", "total": n * 7 % 1000 + 0.5, "lines": [n, None, n % 2 == 0]}
        for n in range(2_500)
    ]
    about = {"currency": "EUR", "rounding": "half-even"}
    return json.dumps({"about": about, "note": "never round per line", "invoices": rows}, ensure_ascii=False)


async def tree(guide: Guide) -> None:
    view = await _opened(guide, 2)
    rows = view.viewer.tree
    await guide.until(lambda: view.viewer.page is rows and rows.model().rowCount() == 3)
    for path in ((0,), (2,), (2, 1), (2, 1, 3)):
        at = rows.rootIndex()
        for row in path:
            at = rows.model().index(row, 0, at)
        rows.expand(at)
        await guide.until(partial(rows.model().rowCount, at))
    rows.setCurrentIndex(rows.model().index(1, 0))


async def fork(guide: Guide) -> None:
    guide.workbench.close_settings()
    guide.command("fork")
    await guide.until(lambda: guide.workbench.window.findChild(ForkDialog))


async def forked(guide: Guide) -> None:
    before = guide.workbench.chat.model
    guide.workbench.beside.fork(kind=ForkKind.FULL)
    await guide.until(lambda: guide.workbench.chat.model is not before)
    model = guide.workbench.chat.model
    assert model
    await guide.until(lambda: model.state.kin)
    guide.workbench.chat.transcript.follow()


VAULT_STOPS: tuple[Stop, ...] = (
    Stop(name="cards", shows="Long results have cards below their rows.", bring=cards),
    Stop(
        name="original-log", shows="A log in the viewer, and what is sought in it.", bring=log, needs="cards"
    ),
    Stop(name="original-table", shows="A table in the viewer.", bring=table, needs="cards"),
    Stop(name="original-tree", shows="JSON as a tree in the viewer.", bring=tree, needs="cards"),
    Stop(name="fork", shows="Going on in a new chat: which kind.", bring=fork, needs="cards"),
    Stop(name="forked", shows="The fork, linked to where it came from.", bring=forked, needs="cards"),
)
