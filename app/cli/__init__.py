"""The command line: each subcommand is a row in `COMMANDS`; people read its output, programs add `--json`."""

import argparse
import asyncio
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from app.cli.command import FAILED, MISUSED, Command, UsageError, refuse
from app.cli.compressing import COMPRESS
from app.cli.examining import DOCTOR
from app.cli.files import EXPORT, IMPORT
from app.cli.inspecting import INSPECT
from app.cli.replaying import REPLAY
from app.cli.vault import VAULT
from app.core.errors import AppError
from app.settings import Paths

COMMANDS: tuple[Command, ...] = (INSPECT, COMPRESS, VAULT, REPLAY, IMPORT, EXPORT, DOCTOR)


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
        return refuse(error, MISUSED)
    except AppError as error:
        return refuse(error, FAILED)
    except KeyboardInterrupt:
        return FAILED


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
