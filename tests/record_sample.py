"""Records the sample chat: `python -m tests.record_sample [FILE]`, three minutes; run again, it gives the same work.

An agent works on a copy of this very repository through the real application, against the simulator: the files that it
reads, the searches and the commands are real, and what it says of a file is what the file says of itself.
"""

import ast
import asyncio
import base64
import json
import lzma
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import JsonValue

from app.bootstrap.application import Application
from app.chats.sample import FILE, MODEL, SAMPLE, WINDOW_TOKENS, Original, Recorded
from app.core.events import TurnCompleted
from app.core.ids import ModelId
from app.core.parts import blobs_of
from app.settings import Endpoint, Paths
from tests.e2e.conftest import HurriedClock, talk
from tests.e2e.test_agent import Step, asking_back, call
from tests.simulator import Simulator, ToolCall, Turn
from tests.simulator.script import own_answer
from tests.simulator.wire import Body

ROOT = Path(__file__).resolve().parents[1]
N_TURNS = 210
_ROOMS = (
    "app/context",
    "app/health",
    "app/agent",
    "app/cache",
    "app/chats",
    "app/store",
    "ui/chat",
    "ui/kit",
)
_WISHES = (
    "Never touch resources/translations by hand.",
    "Always tell the path of what you changed.",
    "We decided that figures come from the store and are never kept twice.",
    "Don't use a second formula for what the ring shows.",
)


class Colleague:
    """A model that carries out what is planned for a turn, and then says what is planned to be said."""

    def __init__(self) -> None:
        self.steps: deque[Step] = deque()
        self.last = ""

    def __call__(self, body: Body) -> Turn:
        if not body.get("tools"):
            return own_answer(body)
        if not self.steps:
            return Turn(text=self.last)
        step = self.steps.popleft()
        return Turn(tool_calls=(step if isinstance(step, ToolCall) else step(body),))


def said_of(path: Path) -> str:
    """What a module says of itself, and what it offers."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    named = [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    names = [name for name in named if not name.startswith("_")]
    about = " ".join((ast.get_docstring(tree) or "It says nothing of itself.").split())
    offers = "".join(f"\n- `{name}`" for name in names[:8])
    return f"**`{path.as_posix()}`**: {about}\n\nWhat others use of it:{offers or ' nothing by name.'}"


def turns(n: int) -> Iterator[tuple[str, list[Step], str]]:
    """What is asked, what is done, what is said at the end."""
    files = [path.relative_to(ROOT) for room in _ROOMS for path in sorted((ROOT / room).glob("*.py"))]
    files = [path for path in files if path.name != "__init__.py"]
    for at in range(n):
        path = files[at * 7 % len(files)]
        read = call("file_read", paths=[path.as_posix()])
        match at % 10:
            case 3:
                yield (
                    f"Where else is what `{path.name}` offers used?",
                    [call("search_files", pattern=path.stem, path=path.parent.as_posix()), read],
                    f"In its own room, as listed. {said_of(path)}",
                )
            case 5:
                yield (
                    f"How large has {path.parent.as_posix()} become?",
                    [call("shell", command=f"wc -l {path.parent.as_posix()}/*.py"), read],
                    f"As counted above; the largest are near their limit of 500 lines. {said_of(path)}",
                )
            case 7:
                note = f"- {path.as_posix()} looked at in step {at}\n"
                yield (
                    f"Note that you have read `{path.as_posix()}`. {_WISHES[at // 10 % len(_WISHES)]}",
                    [read, call("file_edit", path="NOTES.md", old="<!-- end -->", new=f"{note}<!-- end -->")],
                    f"Noted in `NOTES.md`, and I keep to that. {said_of(path)}",
                )
            case 9 if at > 20:
                earlier = files[(at - 6) * 7 % len(files)]
                yield (
                    f"Look again at what `{earlier.name}` said exactly.",
                    [asking_back(earlier.stem)],
                    f"As it stands in the original. {said_of(earlier)}",
                )
            case _:
                yield f"What is `{path.as_posix()}` for, and what does it promise?", [read], said_of(path)


def checkout(folder: Path) -> None:
    """The sources of this repository as they are, in a repository of their own."""
    for room in ("app", "ui"):
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    (folder / "NOTES.md").write_text("# Notes\n\n<!-- end -->\n")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)


async def record(folder: Path, n_turns: int) -> Recorded:
    work, data = folder / "palimpsest", folder / "data"
    work.mkdir(parents=True)
    checkout(work)
    async with Simulator() as simulator:
        colleague = Colleague()
        simulator.script.otherwise = colleague
        application = Application(Paths(data=data), on_error=_fail)
        application.clock = HurriedClock()
        await application.prepare()
        await application.start()
        endpoint = Endpoint(
            id="o", kind="openai", name="Sample", base_url=simulator.openai_url, models=("gpt-4o",)
        )
        await application.endpoints.add(endpoint, "sk-sample")
        await application.change(write_titles=False, cache_mode="off")
        chat = await talk(application, simulator, ModelId("o/gpt-4o"))
        own: dict[str, JsonValue] = {"workspace": str(work), "access": {"write": "allow", "shell": "allow"}}
        for name, value in own.items():
            await application.store.save_chat_setting(chat.id, name, value)
        for at, (asked, steps, last) in enumerate(turns(n_turns)):
            colleague.steps.extend(steps)
            colleague.last = last
            end = await chat.ask(asked)
            assert isinstance(end, TurnCompleted), end
            print(f"\r{at + 1} of {n_turns} turns", end="", file=sys.stderr)
        print("", len(chat.session.conversation.compactions), "compactions", file=sys.stderr)
        recorded = await taken(application, chat.id)
        await application.aclose()
    return cleaned(recorded, work)


async def taken(application: Application, chat_id: str) -> Recorded:
    """The chat's rows under the sample's name, and its originals."""
    stored = await application.store.load(chat_id)  # pyright: ignore[reportArgumentType]  # an id is a text
    blobs = {blob.sha256: blob for entry in stored.entries for blob in blobs_of(entry.parts)}
    blobs |= {blob.sha256: blob for fold in stored.folds for blob in blobs_of(fold.replacement)}
    originals = [
        Original(
            mime=blob.mime, name=blob.name, data=base64.b64encode(await application.vault.get(blob)).decode()
        )
        for blob in blobs.values()
    ]
    rows = json.loads(json.dumps(await application.store.take_rows(chat_id)).replace(chat_id, SAMPLE))  # pyright: ignore[reportArgumentType]
    rows["chats"][0] |= {"title": "Working on Palimpsest", "model": MODEL, "window_tokens": WINDOW_TOKENS}
    return Recorded(rows=rows, originals=originals)


def cleaned(recorded: Recorded, work: Path) -> Recorded:
    """
    Raises:
        ValueError: something of this machine is in it.
    """
    text = recorded.model_dump_json()
    for word in (str(ROOT), f"{Path.home()}/", "sk-sample"):
        if word in text.replace(str(work), ""):
            raise ValueError(f"The recording holds {word!r}.")
    return recorded


def _fail(error: BaseException) -> None:
    raise error


def main(arguments: Sequence[str]) -> int:
    out = Path(arguments[0]) if arguments else FILE
    n_turns = int(arguments[1]) if len(arguments) > 1 else N_TURNS
    folder = Path(tempfile.gettempdir()) / "palimpsest-sample"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        recorded = asyncio.run(record(folder, n_turns))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    data = json.dumps(recorded.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(lzma.compress(data.encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{out}: {out.stat().st_size / 1024:.0f} KB of {len(data) / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
