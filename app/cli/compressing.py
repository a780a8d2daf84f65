"""`compress`: a conversation file made to fit, and what would be sent, in a file."""

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from app.cli.command import FAILED, OK, Command, opened, positive, print_json
from app.settings import Paths

if TYPE_CHECKING:
    from app.chats.compressing import Compressed, Compressing
    from app.chats.kinds.kind import Imported
    from app.context.conversation import Conversation
    from app.core.requests import Request
    from app.models.families import Family
    from app.models.window import Window
    from app.providers.templates import Template
    from app.store.store import Store
    from app.tokens.text_work import TextWorker
    from app.vault.vault import Vault

_FAMILIES = {
    "openai": ("openai", "gpt-4o"),
    "anthropic": ("anthropic", "claude-sonnet-4-5"),
    "deepseek": ("deepseek", "deepseek-chat"),
    "gemini": ("gemini", "gemini-3-pro-preview"),
    "qwen": ("dashscope", "qwen-plus"),
}
"""Where a family is at home, and the model that stands for it where none is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Goal:
    """For whom it is made to fit."""

    template: "Template"
    name: str
    family: "Family"
    window: "Window"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--model", metavar="M", default="", help="for whom: `gpt-4o`, `anthropic/claude…`")
    parser.add_argument(
        "--family", choices=tuple(_FAMILIES), help="whose form, whatever the model's name says"
    )
    parser.add_argument("--window", metavar="N", type=positive, help="tokens that the model can read")
    parser.add_argument("--trigger", choices=("auto", "manual", "emergency"), default="auto")
    parser.add_argument("--target", metavar="TOKENS", type=positive, help="at most so many; else the stage's")
    parser.add_argument("--focus", metavar="TEXT", default="", help="what is kept before all else")
    parser.add_argument(
        "--next", metavar="TEXT", default="Continue.", help="said where the conversation ends with an answer"
    )
    parser.add_argument("--offline", action="store_true", help="ask no model for a summary")
    parser.add_argument("--out", metavar="OUT.json", type=Path, required=True)
    parser.add_argument(
        "--vault",
        metavar="DIR",
        type=Path,
        required=True,
        help="the data folder of this run, for `vault read`",
    )


async def _compress(given: argparse.Namespace, _paths: Paths) -> int:
    from app.chats.compressing import Asked, Push
    from app.chats.formats import read_file
    from app.tokens.text_work import TextWorker
    from app.vault.vault import Vault

    imported, *_more = await asyncio.to_thread(read_file, given.file)
    goal = _goal(given.model, given.family, given.window)
    asked = Asked(
        push=Push(given.trigger), target_tokens=given.target, topic=given.focus, is_offline=given.offline
    )
    paths = Paths(data=given.vault.expanduser().absolute())
    vault, texts = Vault(paths.vault), TextWorker()
    async with opened(paths) as store:
        try:
            conversation = await _stored(imported, given.next, store, vault)
            compressing = _compressing(imported, conversation, goal, store, vault, texts)
            made = await compressing.compress(asked)
        finally:
            await texts.aclose()
        wire = await _wire(made.request, goal, vault)
    report = _report(made)
    await asyncio.to_thread(_write, given.out, {**wire, "report": report})
    if given.json:
        print_json(report)
    else:
        _tell(made, given.out)
    return FAILED if made.is_over else OK


def _goal(model: str, family: str | None, window: int | None) -> _Goal:
    from app.models.families import family_of
    from app.models.files import registry_path
    from app.models.registry import Registry
    from app.models.window import window_of
    from app.providers.templates import TEMPLATES

    by_id = {template.id: template for template in TEMPLATES}
    kind, _slash, name = model.partition("/")
    if kind not in by_id or not name:
        kind, name = "", model
    own = family or (_family_name(name) if name else "openai")
    home, usual = _FAMILIES.get(own, ("compatible", name))
    kind = home if family else kind or home
    registry = None if window else registry_path()
    facts = Registry(registry.read_bytes() if registry else b"").lookup(kind, name or usual)
    if family and _family_name(name) != family:
        name = usual
    return _Goal(
        template=by_id[kind],
        name=name or usual,
        family=family_of(kind, name or usual),
        window=window_of(override=window, reported=None, registry=facts.window_tokens, learned=None),
    )


def _family_name(model: str) -> str:
    """`openai` of `openai-reasoning`: the name that people know."""
    from app.models.families import family_of

    return family_of("compatible", model).id.partition("-")[0]


async def _stored(imported: "Imported", words: str, store: "Store", vault: "Vault") -> "Conversation":
    """The chat in the store of this run, closed by the person's `words` where it ends with an answer."""
    from app.chats.importing import store_imported
    from app.context.conversation import Conversation
    from app.context.ports import NewEntry
    from app.core.entries import Origin
    from app.core.ids import EntryId, new_id
    from app.core.parts import TextPart, clean_text
    from app.tasks import SystemClock

    chat_id, _ = await store_imported(imported, store=store, vault=vault, clock=SystemClock())
    conversation = Conversation(await store.load(chat_id))
    last = conversation.path[-1] if conversation.path else None
    if last and last.origin is Origin.ASSISTANT and not last.calls:
        said = NewEntry(
            id=EntryId(new_id("e")),
            parent_id=last.id,
            origin=Origin.USER,
            parts=(TextPart(text=clean_text(words)),),
        )
        (entry,) = await store.append(chat_id, [said])
        conversation.add(entry)
    return conversation


def _compressing(
    imported: "Imported",
    conversation: "Conversation",
    goal: _Goal,
    store: "Store",
    vault: "Vault",
    texts: "TextWorker",
) -> "Compressing":
    from app.agent.tools.workspace import NoFiles
    from app.chats.compressing import Compressing, ExactCounts
    from app.chats.inspection import tools_of
    from app.context.engine import Engine
    from app.context.ports import StepPorts
    from app.core.ids import ModelId
    from app.core.requests import Prelude
    from app.filters.work import FilterWork
    from app.tasks import SystemClock
    from app.tokens.exact import Vocabularies, vocabulary_folder

    vocabularies = Vocabularies(vocabulary_folder() or Path())
    ports = StepPorts(
        vault=vault, text=texts, filters=FilterWork(texts.call), files=NoFiles(), clock=SystemClock()
    )
    return Compressing(
        conversation,
        Engine(conversation, store=store, ports=ports),
        counts=ExactCounts(
            goal.family, lambda text: vocabularies.count(text, goal.family.tokenizer), imported.bytes_of
        ),
        family=goal.family,
        window=goal.window,
        model=ModelId(f"{goal.template.id}/{goal.name}"),
        prelude=Prelude(system="", tools=tools_of(imported)),
        clock=SystemClock(),
    )


async def _wire(request: "Request", goal: _Goal, vault: "Vault") -> dict[str, JsonValue]:
    """Messages and tools as LiteLLM gets them; the same function as for a request that leaves."""
    from app.core.parts import blobs_of
    from app.providers.translate import arguments_of

    needed = {blob.sha256: blob for message in request.messages for blob in blobs_of(message.parts)}
    blobs = {sha256: await vault.get(blob) for sha256, blob in needed.items()}
    arguments = arguments_of(request, goal.template, model=goal.name, blobs=blobs)
    return {"messages": arguments["messages"], "tools": arguments.get("tools", [])}


def _report(made: "Compressed") -> dict[str, JsonValue]:
    planned = made.planned
    steps: Sequence[JsonValue] = [
        {
            "step": step.step,
            "candidates": step.candidates,
            "folded": step.folded,
            "tokens_saved": step.tokens_saved,
            "ms": round(step.ms, 1),
            "why": step.why,
        }
        for step in (planned.reports if planned else ())
    ]
    return {
        "stage": made.decision.stage.value,
        "why": _why(made),
        "window": made.after.window.tokens or None,
        "tokens_before": made.before.projection.projected_tokens,
        "tokens_after": made.after.projection.projected_tokens,
        "steps": list(steps),
        "summary": json.loads(planned.summary) if planned and planned.summary else None,
        "fact_check": {
            "probes": made.receipt.total,
            "direct": made.receipt.n_direct,
            "reachable": made.receipt.n_reachable,
        },
        "elapsed_ms": round(made.elapsed_ms, 1),
    }


def _why(made: "Compressed") -> str:
    if not made.is_over:
        return made.decision.why
    tokens, window = made.after.projection.projected_tokens, made.after.window.tokens
    return f"{made.decision.why} Still, {tokens:,} tokens are left, and the window has {window:,}."


def _write(path: Path, value: JsonValue) -> None:
    from app.chats.library import FileUnwritable

    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise FileUnwritable(f"The file {path.name!r} can't be written.", detail=str(error)) from error


def _tell(made: "Compressed", out: Path) -> None:
    before, after = made.before.projection.projected_tokens, made.after.projection.projected_tokens
    print(f"{before:,} → {after:,} tokens; stage {made.decision.stage.value}. {_why(made)}")
    for step in made.planned.reports if made.planned else ():
        if step.folded:
            print(f"{step.step:>16} {step.folded:>5} folded {step.tokens_saved:>11,} tokens  {step.why}")
    print(out)


COMPRESS = Command(
    name="compress",
    help="Make a conversation file fit a model's window, and write what would be sent.",
    add_arguments=_arguments,
    run=_compress,
)
