"""The command line: each subcommand is a row in `COMMANDS`; people read its output, programs add `--json`."""

import argparse
import asyncio
import io
import json
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from app.chats.library import Library
from app.core.entries import Chat
from app.core.errors import AppError
from app.core.ids import ChatId
from app.settings import Paths

if TYPE_CHECKING:
    from app.chats.inspection import Inspection

OK, FAILED, MISUSED = 0, 1, 2
"""Exit codes; argparse itself ends with the last."""


class UsageError(AppError):
    """What was asked for is not there; caught by `main`."""

    code = "usage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Paths], Coroutine[None, None, int]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns: its exit code."""
    # Defaults stand here: were they the parser's, a subcommand's would overwrite what stood before its name.
    given = _parser().parse_args(arguments, argparse.Namespace(data="", json=False))
    command: Command = given.command
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")  # Windows pipes would refuse half the world's letters
    paths = Paths(data=Path(given.data).expanduser().absolute()) if given.data else Paths.default()
    try:
        return asyncio.run(command.run(given, paths))
    except UsageError as error:
        return _refuse(error, MISUSED)
    except AppError as error:
        return _refuse(error, FAILED)
    except KeyboardInterrupt:
        return FAILED


def _refuse(error: AppError, code: int) -> int:
    print(" ".join(filter(None, (error.message, error.hint))), file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    everywhere = argparse.ArgumentParser(add_help=False)
    everywhere.add_argument(
        "--data", metavar="DIR", default=argparse.SUPPRESS, help="the folder of this run; runs stay apart"
    )
    everywhere.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="print JSON for programs"
    )
    parser = argparse.ArgumentParser(
        prog="python -m app", description="Palimpsest without its window.", parents=[everywhere]
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        sub = commands.add_parser(
            command.name, help=command.help, description=command.help, parents=[everywhere]
        )
        command.add_arguments(sub)
        sub.set_defaults(command=command)
    return parser


def _print_json(value: JsonValue) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=1))


@asynccontextmanager
async def _opened(paths: Paths) -> AsyncGenerator[Library]:
    """The library alone. Not `Application.open`: it puts right what a sudden end left, and beside an open
    window the answers that are running there would look as left behind."""
    from app.bootstrap import SystemClock
    from app.store.store import Store
    from app.vault.vault import Vault

    store = await Store.open(paths)
    try:
        yield Library(store=store, vault=Vault(paths.vault), clock=SystemClock())
    finally:
        await store.aclose()


# ---- inspect


def _inspect_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument(
        "--model",
        metavar="M",
        default="",
        help="whose tokens and window count: `gpt-4o`, `anthropic/claude…`",
    )
    parser.add_argument("--window", metavar="N", type=_positive, help="tokens that the model can read")


def _positive(text: str) -> int:
    number = int(text)
    if number <= 0:
        raise argparse.ArgumentTypeError("a window has at least one token")
    return number


async def _inspect(given: argparse.Namespace, _paths: Paths) -> int:
    from app.chats.formats import read_file
    from app.chats.inspection import inspect
    from app.models.families import family_of
    from app.models.files import registry_path
    from app.models.registry import Registry
    from app.models.window import window_of
    from app.tokens.exact import Vocabularies, vocabulary_folder

    imported, *_more = read_file(given.file)
    model: str = given.model
    kind, _slash, name = model.partition("/") if "/" in model else ("compatible", "", model)
    registry = registry_path() if model and not given.window else None
    facts = Registry(registry.read_bytes() if registry else b"").lookup(kind, name)
    family = family_of(kind, name)
    vocabularies = Vocabularies(vocabulary_folder() or Path())
    found = inspect(
        imported,
        family=family,
        window=window_of(override=given.window, reported=None, registry=facts.window_tokens, learned=None),
        count=lambda text: vocabularies.count(text, family.tokenizer),
    )
    if given.json:
        _print_json(
            {
                "messages": found.n_messages,
                "turns": found.n_turns,
                "tokens": dict(found.tokens),
                "window": found.window_tokens,
                "projected": found.projected_tokens,
                "use": None if found.use is None else round(found.use, 4),
                "stage": found.stage.value,
                "faults": list(found.faults),
            }
        )
    else:
        _tell(found)
    return OK


def _tell(found: "Inspection") -> None:
    print(f"{found.n_messages} messages, {found.n_turns} turns")
    for category, tokens in found.tokens.items():
        print(f"{category.replace('_', ' '):>13} {tokens:>11,} tokens")
    window = f"{found.window_tokens:,}" if found.window_tokens else "unknown"
    use = "" if found.use is None else f", {found.use:.0%}"
    print(
        f"Next request ≈ {found.projected_tokens:,} tokens; window {window}{use}; stage {found.stage.value}"
    )
    for fault in found.faults:
        print(f"! {fault}")


# ---- import and export


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+")


async def _import(given: argparse.Namespace, paths: Paths) -> int:
    async with _opened(paths) as library:
        outcomes, _ = await library.import_files(given.files)
    if given.json:
        _print_json(
            {
                "files": [
                    {
                        "file": outcome.file,
                        "chats": list(outcome.chats),
                        "messages": outcome.n_messages,
                        "faults": [str(fault) for fault in outcome.faults],
                        "error": outcome.error.message if outcome.error else None,
                    }
                    for outcome in outcomes
                ]
            }
        )
    for outcome in outcomes:
        if outcome.error:
            _refuse(outcome.error, FAILED)
        elif not given.json:
            print(f"{outcome.file} → {' '.join(outcome.chats)}: {outcome}")
    return FAILED if any(outcome.error for outcome in outcomes) else OK


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chat", metavar="CHAT", help="its id, the beginning of its id, or its title")
    parser.add_argument("--format", choices=("json", "md"), default="json")
    parser.add_argument("--out", metavar="FILE", type=Path, help="where to; else it is printed")


async def _export(given: argparse.Namespace, paths: Paths) -> int:
    suffix = f".{given.format}"
    async with _opened(paths) as library:
        chat = _chosen(given.chat, await library.chats())
        if given.out:
            target: Path = given.out if given.out.suffix.lower() == suffix else Path(f"{given.out}{suffix}")
            await library.export_to(chat, target)
            if given.json:
                _print_json({"chat": chat, "file": str(target)})
            else:
                print(target)
        elif given.format == "md":
            print((await library.as_markdown(chat, folder="files")).text, end="")
        else:
            sys.stdout.buffer.write(await library.as_json(chat))
    return OK


def _chosen(wanted: str, chats: Sequence[Chat]) -> ChatId:
    exact = [chat.id for chat in chats if wanted in (chat.id, chat.title)]
    found = exact or [chat.id for chat in chats if chat.id.startswith(wanted)]
    if len(found) != 1:
        many = f"{len(found)} chats are" if found else "No chat is"
        raise UsageError(f"{many} called {wanted!r}.", hint="Give the id that the import printed.")
    return found[0]


# ---- doctor


async def _doctor(given: argparse.Namespace, paths: Paths) -> int:
    from app.doctor import State, examine

    found = await examine(paths)
    worst = max((finding.state for _, finding in found), key=list(State).index)
    if given.json:
        _print_json(
            {
                "state": worst.value,
                "data": str(paths.data),
                "checks": [
                    {
                        "name": name,
                        "state": finding.state.value,
                        "text": finding.text,
                        "mend": finding.mend,
                    }
                    for name, finding in found
                ],
            }
        )
    else:
        for name, finding in found:
            print(f"{finding.state.value:<4}  {name:<15} {finding.text}")
            if finding.mend:
                print(f"{'':22}→ {finding.mend}")
    return FAILED if worst is State.BAD else OK


COMMANDS: tuple[Command, ...] = (
    Command(
        name="inspect",
        help="Tell what a conversation file holds and how full it makes a window; nothing is stored.",
        add_arguments=_inspect_arguments,
        run=_inspect,
    ),
    Command(
        name="import",
        help="Take conversation files into chats.",
        add_arguments=_import_arguments,
        run=_import,
    ),
    Command(
        name="export", help="Write a chat as JSON or Markdown.", add_arguments=_export_arguments, run=_export
    ),
    Command(
        name="doctor",
        help="Tell what is installed, where things lie, what is wrong and how to mend it.",
        add_arguments=lambda _: None,
        run=_doctor,
    ),
)
