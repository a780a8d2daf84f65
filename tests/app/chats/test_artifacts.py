"""A chat's originals: what there is, how it stands in the context, and what of it the model read (U9, C26, C27)."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.bootstrap.application import Application
from app.chats.artifacts import ModelRead, Opened
from app.context.originals import run_text
from app.core.artifacts import Artifact
from app.core.errors import OriginalLost
from app.core.folds import FoldKind
from app.core.ids import ChatId
from app.settings import Paths

DATA = Path(__file__).parents[2] / "data" / "conversations"
LOG = "\n".join(f"{n} GET /orders/{n} 200" for n in range(1, 12_001))


@pytest.fixture
async def application(tmp_path: Path) -> AsyncIterator[Application]:
    application = await Application.open(Paths(data=tmp_path / "data"))
    yield application
    await application.aclose()


async def imported(application: Application, path: Path) -> ChatId:
    (outcome,), changes = await application.library.import_files([path])
    assert changes.chats, outcome
    return next(iter(changes.chats))


async def with_log(application: Application, folder: Path, **arguments: object) -> ChatId:
    """A chat in which a command wrote a long log, and the model read a piece of it."""
    calls = [{"id": "c1", "type": "function", "function": {"name": "shell", "arguments": "{}"}}]
    reading = {"paths": ["vault://ADDRESS/shell.txt"], **arguments}
    again = [{"id": "c2", "function": {"name": "file_read", "arguments": json.dumps(reading)}}]
    shown = "\n".join(f"{n} GET /orders/{n} 200" for n in range(100, 121))
    messages = [
        {"role": "user", "content": "Run it."},
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c1", "name": "shell", "content": LOG},
        {"role": "assistant", "content": "", "tool_calls": [{**again[0], "type": "function"}]},
        {"role": "tool", "tool_call_id": "c2", "name": "file_read", "content": shown},
        {"role": "assistant", "content": "All is well."},
    ]
    path = folder / "log.json"

    short = hashlib.sha256(LOG.encode()).hexdigest()[:12]
    path.write_text(json.dumps({"messages": messages}).replace("ADDRESS", short), encoding="utf-8")
    return await imported(application, path)


async def text_of(opened: Opened) -> str:
    return (await asyncio.to_thread(opened.read, 0, opened.n_bytes)).decode()


def named(artifacts: tuple[Artifact, ...], address: str) -> Artifact:
    return next(each for each in artifacts if each.address == address)


async def test_a_result_in_the_vault_is_one_and_the_lines_that_the_model_read_are_known(
    application: Application, tmp_path: Path
) -> None:
    chat_id = await with_log(application, tmp_path, line_range="100:120")
    artifacts = await application.uses.artifacts(chat_id)

    (log,) = [each for each in await artifacts.list() if each.blob]
    opened = await artifacts.open(log.address)

    assert (log.n_bytes, log.n_lines, log.mime) == (len(LOG), 12_000, "text/plain")
    assert log.sight
    assert (log.sight.fate, log.sight.back_tokens) == (None, 0)
    assert await text_of(opened) == LOG
    assert [read.lines(12_000) for read in opened.reads] == [((100, 120),)]


async def test_what_a_compression_hid_is_listed_with_its_price_and_opens_as_it_was(
    application: Application,
) -> None:
    chat_id = await imported(application, DATA / "minisweagent-astropy__astropy-12907.json")
    await application.change(model="builtin/extractive")
    await (await application.uses.folding(chat_id)).sum_up()
    artifacts = await application.uses.artifacts(chat_id)
    conversation = (await application.session(chat_id)).conversation

    found = await artifacts.list()

    runs = [each for each in found if each.is_run]
    assert runs
    assert all(run.sight and run.sight.tokens > run.sight.shown_tokens for run in runs)
    for each in found:
        text = await text_of(await artifacts.open(each.address))
        assert len(text.encode()) == each.n_bytes
    path = conversation.path
    summarised = next(fold for fold in conversation.folds if fold.kind is FoldKind.SUMMARISED)
    ids = [entry.id for entry in path]
    run = path[ids.index(summarised.first) : ids.index(summarised.last) + 1]
    assert await text_of(await artifacts.open(runs[0].address)) == run_text(run)
    assert artifacts.of_compaction([summarised]) == {entry.id for entry in run}


async def test_what_is_kept_for_ever_says_so(application: Application, tmp_path: Path) -> None:
    artifacts = await application.uses.artifacts(await with_log(application, tmp_path))
    (log,) = [each for each in await artifacts.list() if each.blob]
    assert log.blob
    assert not log.is_kept

    await application.keep_blob(log.blob)

    assert named(await artifacts.list(), log.address).is_kept


async def test_an_address_of_another_chat_opens_nothing(application: Application, tmp_path: Path) -> None:
    log = await application.uses.artifacts(await with_log(application, tmp_path))
    (address,) = [each.address for each in await log.list() if each.blob]
    other = await application.uses.artifacts(await imported(application, DATA / "tau2-retail-single.json"))

    with pytest.raises(OriginalLost):
        await other.open(address)


@pytest.mark.parametrize(
    ("arguments", "shown", "lines"),
    [
        ({"pattern": "x"}, "7: a\n8: x\n…\n20: x", ((7, 8), (20, 20))),
        (
            {"line_range": "1:900"},
            'a\n[lines 1–400 of 4,812; read on with line_range "401:900"]',
            ((1, 400),),
        ),
        ({"line_range": "-50:"}, "a", ((951, 1000),)),
        ({}, "a", ((1, 1000),)),
        ({"line_range": "nonsense"}, "a", ()),
    ],
)
def test_what_a_reading_brought_is_known_by_its_text(
    arguments: dict[str, str], shown: str, lines: tuple[tuple[int, int], ...]
) -> None:

    given = {"line_range": "", "pattern": "", **arguments}

    assert ModelRead(text=shown, **given).lines(1000) == lines
