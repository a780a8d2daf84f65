"""An agent at work on a real checkout, for hundreds of turns, in a window that holds a thirtieth of what it reads (A10, C28)."""

import hashlib
import json
import re
import shutil
import subprocess
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import JsonValue

from app.bootstrap.application import Application
from app.core.events import CallFinished, TurnCompleted
from app.core.ids import ModelId
from app.core.parts import Blob
from tests.e2e.conftest import MODELS, Talk, talk
from tests.simulator import Simulator, ToolCall, Turn
from tests.simulator.script import last_user_text, own_answer
from tests.simulator.wire import Body, mapping, mappings, sequence

pytestmark = pytest.mark.asyncio(loop_scope="session")

WINDOW = 32_000
ROOT = Path(__file__).resolve().parents[2]
_ADDRESS = re.compile(r"vault://[0-9a-f]{12,64}/[\w.+@=,~%-]*\w")
_BIG = """
import hashlib, sys
name = sys.argv[1]
for n in range(22_000):
    if n == 12_345:
        print(f"entry {n}: the value of {name} is {hashlib.sha256(name.encode()).hexdigest()[:16]}")
    else:
        print(f"entry {n}: nothing of note happened at step {n % 97}")
"""

Step = ToolCall | Callable[[Body], ToolCall]


def call(name: str, **arguments: object) -> ToolCall:
    return ToolCall(name=name, arguments=json.dumps(arguments))


class Player:
    """A model that does what it is planned to do in a turn, then says that it is done."""

    def __init__(self) -> None:
        self.steps: deque[Step] = deque()

    def __call__(self, body: Body) -> Turn:
        if not body.get("tools"):
            return own_answer(body)
        question = last_user_text(body)
        if question.startswith("Count"):  # it is a sub-agent
            has_looked = "list_files" in json.dumps(mappings(body.get("messages"))[1:])
            return (
                Turn(text="Done: counted. Pending: none. Risks: none. Files: none.")
                if has_looked
                else Turn(tool_calls=(call("list_files", path="src"),))
            )
        if not self.steps:
            return Turn(text=f"That is done: {question[:40]}")
        step = self.steps.popleft()
        return Turn(tool_calls=(step if isinstance(step, ToolCall) else step(body),))


def asking_back(name: str) -> Step:
    """One reading by the addresses that stand in the context, those beside the name first."""

    def step(body: Body) -> ToolCall:
        lines = "\n".join(_texts(body)).split("\n")
        beside = [where for line in lines if name in line for where in _ADDRESS.findall(line)]
        others = [where for line in reversed(lines) for where in _ADDRESS.findall(line)]
        paths = list(dict.fromkeys((*beside, *others)))[:8]
        return call("file_read", paths=paths, pattern=rf"value of {name} is")

    return step


def _texts(body: Body) -> list[str]:
    """All strings of the messages."""
    return [text for message in mappings(body.get("messages")) for text in strings(message)]


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    items = (*mapping(value).values(), *sequence(value))
    return [text for item in items for text in strings(item)]


def checkout(folder: Path) -> None:
    """A repository with sources of ours."""
    shutil.copytree(ROOT / "app" / "context", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "notes.md").write_text("# Notes\n\nstep: 0\n")
    (folder / "big.py").write_text(_BIG)
    (folder / "test_notes.py").write_text("def test_notes():\n    assert 'step' in open('notes.md').read()\n")
    for command in (["git", "init", "-q"], ["git", "add", "-A"]):
        subprocess.run(command, cwd=folder, check=True)


def plan(n: int) -> list[Step]:
    """What the model does in turn `n`."""
    sources = sorted(path.name for path in (ROOT / "app" / "context").glob("*.py"))
    match n % 5:
        case 0:
            return [call("shell", command=f"python3 big.py K{n}")]
        case 1:
            return [
                call("file_read", paths=[f"src/{sources[n % len(sources)]}"]),
                call("search_files", pattern=f"def .*{'abcdefghij'[n % 10]}", path="src"),
            ]
        case 2:
            return [
                call("file_read", paths=["notes.md"]),
                call("file_edit", path="notes.md", old="step: ", new=f"note {n}\nstep: "),
            ]
        case 3:
            return [call("shell", command="python3 -m pytest -q test_notes.py -p no:cacheprovider")]
        case _:
            return (
                [call("delegate", task=f"Count the sources ({n}).")] if n % 20 == 4 else [call("list_files")]
            )


async def at_work(
    application: Application, simulator: Simulator, folder: Path, model: ModelId
) -> tuple[Talk, Player]:
    player = Player()
    simulator.script.otherwise = player
    chat = await talk(application, simulator, model)
    own: dict[str, JsonValue] = {"workspace": str(folder), "access": {"write": "allow", "shell": "allow"}}
    for name, value in own.items():
        await application.store.save_chat_setting(chat.id, name, value)
    await application.change(model_overrides={model: {"window_tokens": WINDOW}})
    return chat, player


@pytest.mark.parametrize(
    ("form", "n_turns"),
    [("openai", 15), pytest.param("anthropic", 200, marks=[pytest.mark.slow, pytest.mark.timeout(1_800)])],
)
async def test_a_long_session_of_work_stays_in_its_window_and_every_original_can_be_read(
    application: Application, simulator: Simulator, tmp_path: Path, form: str, n_turns: int
) -> None:
    """Outputs of 1 MB, edits, tests, sub-agents: no request is refused, and values are asked back once each.

    Trap: a file sent in full with every request.
    """
    folder = tmp_path / "work"
    folder.mkdir()
    checkout(folder)
    chat, player = await at_work(application, simulator, folder, MODELS[form])
    told: dict[str, str] = {}

    for n in range(n_turns):
        player.steps.extend(plan(n))
        if n % 5 == 4 and n >= 9:  # what came four turns ago, and has been folded since
            player.steps.append(asking_back(f"K{n - 4}"))
        before = len(chat.session.conversation.path)
        end = await chat.ask(f"Turn {n}: go on.")
        assert isinstance(end, TurnCompleted), end
        results = [part for entry in chat.session.conversation.path[before:] for part in entry.results]
        assert not any(part.is_error for part in results if part.name != "shell"), results
        if n % 5 == 4 and n >= 9:
            text = results[-1].text
            assert isinstance(text, str)
            told[f"K{n - 4}"] = text

    assert [item.verdict for item in simulator.chats if item.verdict != "answered"] == []
    assert max(item.prompt_tokens for item in simulator.chats) <= WINDOW
    for name, text in told.items():
        assert hashlib.sha256(name.encode()).hexdigest()[:16] in text, name
    blobs = [
        part.text
        for entry in chat.session.conversation.path
        for part in entry.results
        if isinstance(part.text, Blob)
    ]
    assert len(blobs) >= n_turns // 5
    for blob in blobs:
        data = await application.vault.get(blob)
        assert len(data) == blob.n_bytes > 900_000
    assert sum(isinstance(event, CallFinished) for event in chat.events) > n_turns
    assert (folder / "notes.md").read_text().count("note ") == len(range(2, n_turns, 5))
    print(form, len(simulator.chats), "requests,", len(chat.session.conversation.compactions), "compactions")


async def test_without_a_key_or_a_network_a_tool_is_called_and_its_result_answered_from(
    application: Application, simulator: Simulator, tmp_path: Path
) -> None:
    """Q1: the built-in responder searches the workspace."""
    (tmp_path / "plan.md").write_text("# Plan\n\nThe launch window opens on 14 March at 6.30.\n")
    chat = await talk(application, simulator, ModelId("builtin/extractive"))
    await application.store.save_chat_setting(chat.id, "workspace", str(tmp_path))

    end = await chat.ask("When does the launch window open?")

    assert isinstance(end, TurnCompleted)
    assert "14 March at 6.30" in end.answer.text
    assert simulator.chats == []


async def test_what_a_summary_shows_of_a_file_in_full_counts_as_read(
    application: Application, simulator: Simulator, tmp_path: Path
) -> None:
    """S9: changed elsewhere since it was written, a file is edited only once its new text was seen; no longer one is."""
    chat, player = await at_work(application, simulator, tmp_path, MODELS["openai"])
    await application.change(model_overrides={})
    await chat.ask("We set up a server.")
    player.steps += [call("file_write", path=name, text="port: 1\n") for name in ("short.yml", "long.yml")]
    await chat.ask("Write two files.")
    for n in range(12):
        await chat.ask(f"Question {n}: {'what was that about? ' * 200}")
    (tmp_path / "short.yml").write_text("port: 2\n")
    (tmp_path / "long.yml").write_text("port: 2\n" + "# a line of it\n" * 20_000)
    edits = [call("file_edit", path=name, old="port: 2", new="port: 3") for name in ("short.yml", "long.yml")]

    player.steps += edits
    before = await chat.ask("Change both.")
    unseen = [part.is_error for entry in chat.session.conversation.path[-6:] for part in entry.results]
    await (await application.uses.folding(chat.id)).sum_up()
    player.steps += edits
    after = await chat.ask("Change both now.")
    seen = [part.is_error for entry in chat.session.conversation.path[-6:] for part in entry.results]

    assert isinstance(before, TurnCompleted)
    assert isinstance(after, TurnCompleted)
    assert (unseen, seen) == ([True, True], [False, True])
    assert (tmp_path / "short.yml").read_text() == "port: 3\n"


async def test_what_a_sub_agent_costs_adds_up_in_the_chat_that_called_it(
    application: Application, simulator: Simulator, tmp_path: Path
) -> None:
    """A14."""
    (tmp_path / "src").mkdir()
    chat, player = await at_work(application, simulator, tmp_path, MODELS["anthropic"])
    player.steps.append(call("delegate", task="Count the sources."))
    await chat.ask("Have them counted.")
    answers = [entry.id for entry in chat.session.conversation.path if entry.calls]
    (child,) = await application.store.called_by(answers)

    card = await chat.session.cache_card()

    own, theirs = [await application.store.requests(chat_id) for chat_id in (chat.id, child.id)]
    assert card
    assert len(theirs) == 2
    assert card.chat.spent.usd == pytest.approx(sum(item.cost_usd or 0.0 for item in (*own, *theirs)))
    assert child.id not in {item.id for item in await application.store.chats()}
