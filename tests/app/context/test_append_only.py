"""What was sent is the beginning of what is sent next, on every conversation and for every family (P1, P2; case B45)."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from app.chats.formats import read_file
from app.context.context import Context
from app.context.transcript import Transcript
from app.context.validate import mended
from app.core.entries import Entry, Origin
from app.core.ids import ModelId
from app.core.requests import Breakpoint, Prelude, Request, ToolSpec
from app.models.families import family_of
from app.providers.templates import template_of
from app.providers.translate import arguments_of
from app.settings import Endpoint
from tests.app.chats.reading import CONVERSATIONS, stored
from tests.simulator.wire import Body, mapping, mappings

MODELS = [
    ("openai", "gpt-4o"),
    ("anthropic", "claude-sonnet-4-5"),
    ("deepseek", "deepseek-chat"),
    ("gemini", "gemini-2.5-flash"),
    ("dashscope", "qwen-plus"),
]
_N_TURNS = 12
TOOLS = tuple(ToolSpec(name=name, description="", schema="{}") for name in ("find", "read"))


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_a_request_begins_with_all_of_the_one_before_it(path: Path) -> None:
    (found,) = read_file(path)
    contents = stored(found)
    whole = Transcript(contents.entries).path(contents.chat.head)
    for kind, name in MODELS:
        before: list[object] = []
        for ends_with in _asked(whole):
            now = _prompt(kind, name, ends_with, found.bytes_of)

            assert now[: len(before)] == before, (name, len(ends_with))
            before = now


def _asked(path: tuple[Entry, ...]) -> Iterator[tuple[Entry, ...]]:
    """Paths at whose end the model was asked, a dozen of them."""
    origins = [entry.origin for entry in path]
    ends = [
        at
        for at, origin in enumerate(origins, start=1)
        if origin in (Origin.USER, Origin.TOOL) and origins[at : at + 1] in ([], [Origin.ASSISTANT])
    ]
    for at in ends[:: max(1, len(ends) // _N_TURNS)]:
        yield path[:at]


def _prompt(kind: str, name: str, path: tuple[Entry, ...], bytes_of: Mapping[str, bytes]) -> list[object]:
    """Tools, system and messages as the provider compares them: without marks, and without what it leaves out itself."""
    family, template = family_of(kind, name), template_of(Endpoint(id="e", kind=kind, name="E"))
    context = Context(
        path, rev=len(path), model=ModelId("e/m"), prelude=Prelude(system="Be brief.", tools=TOOLS)
    )
    request = Request(
        model=context.model,
        prelude=context.prelude,
        messages=tuple(context.messages),
        breakpoints=(Breakpoint(after=len(context.messages) - 1, ttl_s=300),),
    )
    wire = arguments_of(mended(request, family), template, model=name, blobs=bytes_of)
    return [
        *wire["tools"],
        *(_plain(message, leaves_out=family.thinking.is_left_out) for message in wire["messages"]),
    ]


def _plain(message: Body, *, leaves_out: bool) -> dict[str, object]:
    plain: dict[str, object] = {
        key: value for key, value in message.items() if not (leaves_out and key == "thinking_blocks")
    }
    content = plain["content"]
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    plain["content"] = [
        {key: value for key, value in mapping(block).items() if key != "cache_control"}
        for block in mappings(content)
    ]
    plain.pop("cache_control", None)
    return plain
