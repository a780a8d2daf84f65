"""`inspect`: what a conversation file holds and how full it makes a window."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.command import OK, Command, positive, print_json
from app.settings import Paths

if TYPE_CHECKING:
    from app.chats.inspection import Inspection


def _inspect_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument(
        "--model",
        metavar="M",
        default="",
        help="whose tokens and window count: `gpt-4o`, `anthropic/claude…`",
    )
    parser.add_argument("--window", metavar="N", type=positive, help="tokens that the model can read")


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
        print_json(
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


INSPECT = Command(
    name="inspect",
    help="Tell what a conversation file holds and how full it makes a window; nothing is stored.",
    add_arguments=_inspect_arguments,
    run=_inspect,
)
