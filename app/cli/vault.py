"""`vault read`: the originals behind the addresses that folds leave, of any chat of a data folder."""

import argparse
import base64
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.command import FAILED, OK, Command, UsageError, opened, print_json, refuse
from app.core.errors import AppError
from app.settings import Paths

if TYPE_CHECKING:
    from app.core.parts import Blob
    from app.store.store import Store
    from app.vault.address import Address
    from app.vault.vault import Vault


class _Unknown(AppError):
    """An address that names nothing here; the others are read all the same."""

    code = "unknown_address"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("read",))
    parser.add_argument("addresses", metavar="ADDRESS", nargs="+", help="`vault://…`, as a fold tells it")
    parser.add_argument("--vault", metavar="DIR", type=Path, help="a data folder, in place of --data")
    parser.add_argument(
        "--lines", metavar="A:B", default="", help="from 1, both inclusive; `100:`, `--lines=-50:`"
    )
    parser.add_argument("--grep", metavar="PATTERN", default="", help="lines in which it is found")


async def _read(given: argparse.Namespace, paths: Paths) -> int:
    from app.vault.vault import Vault

    if given.vault:
        paths = Paths(data=given.vault.expanduser().absolute())
    if not paths.database.is_file():  # nothing is made by looking
        raise UsageError(f"There are no chats in the folder {str(paths.data)!r}.")
    async with opened(paths) as store:
        texts, unknown = await _texts(given.addresses, store, Vault(paths.vault))
    texts = {name: _selected(text, given.lines, given.grep) for name, text in texts.items()}
    if given.json or len(given.addresses) > 1:
        print_json(dict(texts))
    else:
        for text in texts.values():
            print(text)
    for name in unknown:
        refuse(_Unknown(f"Nothing here has the address {name!r}."), FAILED)
    return FAILED if unknown else OK


async def _texts(
    names: Sequence[str], store: "Store", vault: "Vault"
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The texts by address, and the addresses that name nothing; newest chats are asked first."""
    from app.context.originals import Originals
    from app.context.transcript import Transcript
    from app.core.parts import Blob
    from app.vault.address import parse

    wanted: dict[str, Address] = {}
    for name in names:
        if address := parse(name.rstrip("/")):
            wanted[name] = address
    found: dict[str, str | Blob] = {}
    for chat in await store.chats():
        missing = [name for name in wanted if name not in found]
        if not missing:
            break
        contents = await store.load(chat.id)
        entries = {entry.id: entry for entry in contents.entries}
        paths_to = Transcript(contents.entries).path
        originals = Originals(entries, paths_to, contents.folds, contents.deletions)
        for name in missing:
            if (original := originals.find(wanted[name])) is not None:
                found[name] = original
    texts = {
        name: await _text(original, vault) if isinstance(original, Blob) else original
        for name in names
        if (original := found.get(name)) is not None
    }
    return texts, tuple(name for name in names if name not in texts)


async def _text(blob: "Blob", vault: "Vault") -> str:
    """What is no text is a `data:` address."""
    data = await vault.get(blob)
    if blob.mime.startswith("text/") or blob.mime == "application/json":
        return data.decode(errors="replace")
    return f"data:{blob.mime};base64,{base64.b64encode(data).decode()}"


def _selected(text: str, lines: str, pattern: str) -> str:
    """As a model would get it, in pieces of what a call may bring; the whole where no piece is asked for."""
    from app.tokens.estimate import estimate
    from app.vault.reading import read_pattern, read_range

    if pattern:
        return str(read_pattern(text, pattern, lines, count=estimate))
    return str(read_range(text, lines, count=estimate)) if lines else text


VAULT = Command(
    name="vault",
    help="Read the originals behind the addresses that folds leave.",
    add_arguments=_arguments,
    run=_read,
)
