"""`import` and `export`: conversation files into chats, and chats into files."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.chats.library import Library
from app.cli.command import FAILED, OK, Command, UsageError, opened, print_json, refuse
from app.core.entries import Chat
from app.core.ids import ChatId
from app.settings import Paths

if TYPE_CHECKING:
    from app.store.store import Store


def _library(store: "Store", paths: Paths) -> Library:
    from app.tasks import SystemClock
    from app.vault.vault import Vault

    return Library(store=store, vault=Vault(paths.vault), clock=SystemClock())


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+")


async def _import(given: argparse.Namespace, paths: Paths) -> int:
    async with opened(paths) as store:
        library = _library(store, paths)
        outcomes, _ = await library.import_files(given.files)
    if given.json:
        print_json(
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
            refuse(outcome.error, FAILED)
        elif not given.json:
            print(f"{outcome.file} → {' '.join(outcome.chats)}: {outcome}")
    return FAILED if any(outcome.error for outcome in outcomes) else OK


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chat", metavar="CHAT", help="its id, the beginning of its id, or its title")
    parser.add_argument("--format", choices=("json", "md"), default="json")
    parser.add_argument("--out", metavar="FILE", type=Path, help="where to; else it is printed")


async def _export(given: argparse.Namespace, paths: Paths) -> int:
    suffix = f".{given.format}"
    async with opened(paths) as store:
        library = _library(store, paths)
        chat = _chosen(given.chat, await library.chats())
        if given.out:
            target: Path = given.out if given.out.suffix.lower() == suffix else Path(f"{given.out}{suffix}")
            await library.export_to(chat, target)
            if given.json:
                print_json({"chat": chat, "file": str(target)})
            else:
                print(target)
        elif given.format == "md":
            print((await library.as_markdown(chat, folder="files")).text, end="")
        else:
            sys.stdout.buffer.write(await library.as_json(chat))
        lost = await library.lost(chat)
    for error in lost:
        refuse(error, FAILED)
    return FAILED if lost else OK


def _chosen(wanted: str, chats: Sequence[Chat]) -> ChatId:
    exact = [chat.id for chat in chats if wanted in (chat.id, chat.title)]
    found = exact or [chat.id for chat in chats if chat.id.startswith(wanted)]
    if len(found) != 1:
        many = f"{len(found)} chats are" if found else "No chat is"
        raise UsageError(f"{many} called {wanted!r}.", hint="Give the id that the import printed.")
    return found[0]


IMPORT = Command(
    name="import",
    help="Take conversation files into chats.",
    add_arguments=_import_arguments,
    run=_import,
)
EXPORT = Command(
    name="export", help="Write a chat as JSON or Markdown.", add_arguments=_export_arguments, run=_export
)
