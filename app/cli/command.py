"""What the subcommands share: what one is, how it ends, how it prints, and the store that it opens."""

import argparse
import json
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import JsonValue

from app.core.errors import AppError
from app.settings import Paths

if TYPE_CHECKING:
    from app.store.store import Store

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


def refuse(error: AppError, code: int) -> int:
    """Say it where people look. Returns: `code`."""
    print(" ".join(filter(None, (error.message, error.hint))), file=sys.stderr)
    return code


def print_json(value: JsonValue) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=1))


def positive(text: str) -> int:
    """A number of tokens or turns, for `argparse`."""
    number = int(text)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


@asynccontextmanager
async def opened(paths: Paths) -> AsyncGenerator["Store"]:
    """The store alone. Not `Application.open`: it puts right what a sudden end left, and beside an open
    window the answers that are running there would look as left behind."""
    from app.store.store import Store

    store = await Store.open(paths)
    try:
        yield store
    finally:
        await store.aclose()
