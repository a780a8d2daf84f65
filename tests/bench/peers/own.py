"""Ours, asked as the others are: the same messages in, the same form out, counting included."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

from app.context.context import Context
from app.context.pipeline import plan
from app.context.ports import StepPorts
from app.context.proposal import Proposal
from app.context.validate import mended
from app.core.ids import ModelId
from app.core.requests import Prelude, Request
from app.filters.filter import InPlaceFilters, filter_text
from app.models.families import OPENAI
from app.providers.templates import TEMPLATES
from app.providers.translate import arguments_of
from app.tokens.estimate import estimate
from tests.app.context.counts import VaultHere, entries_of
from tests.app.context.summary.making import PROMPTS, ScriptedWriter
from tests.app.filters.outputs import rules
from tests.bench.fidelity import NoFiles, facts_of, originals, tokens_of, whole
from tests.bench.filters import LIMIT
from tests.bench.peers.pipe import Asked, Counting, Made, Wire
from tests.bench.peers.stub import facts
from tests.fakes import FakeClock

_TEMPLATE = next(template for template in TEMPLATES if template.id == "openai")
_MODEL = "gpt-4o"
_LISTS = {
    "completed_actions": 10,
    "key_findings": 5,
    "key_decisions": 8,
    "errors_and_fixes": 8,
    "resolved_questions": 5,
    "pending_user_asks": 5,
    "next_steps": 5,
    "constraints_and_preferences": 5,
}


class _Counts:
    """`TextWork` by the counter that all are given."""

    def __init__(self, counting: Counting) -> None:
        self._counting = counting

    async def count(self, texts: Sequence[str], tokenizer: str) -> tuple[int, ...]:
        return tuple(map(self._counting, texts))


def offline(asked: Asked, counting: Counting) -> Made:
    return asyncio.run(_made(asked, counting, None))


def with_a_model(asked: Asked, counting: Counting) -> Made:
    def write(text: str) -> str:
        return _as_fields(facts(text, cap_tokens=asked.summary_tokens, count=counting))

    return asyncio.run(_made(asked, counting, ScriptedWriter(answers=[write])))


def filtered(asked: Asked, counting: Counting) -> Made:
    """Each result by the filters alone, as it is taken in."""
    return Made(messages=[_filtered(message) for message in asked.messages])


def _filtered(message: Wire) -> Wire:
    if message["role"] != "tool":
        return message
    found = filter_text(message["content"], limit_tokens=LIMIT, count=estimate, rules=rules())
    return {**message, "content": found.text}


async def _made(asked: Asked, counting: Counting, writer: ScriptedWriter | None) -> Made:
    vault = VaultHere()
    context = whole(entries_of(asked.messages))
    tokens = cache(partial(tokens_of, count=counting))
    turn = replace(facts_of(context, tokens), target_tokens=asked.budget_tokens, is_offline=writer is None)
    ports = StepPorts(
        vault=vault,
        text=_Counts(counting),
        filters=InPlaceFilters(),
        files=NoFiles(),
        clock=FakeClock(),
        writer=writer,
        prompts=PROMPTS,
    )
    found = (await plan(context, turn, ports)).proposal
    return Made(messages=wire(found, vault.files), behind=partial(originals, found))


def wire(context: Proposal, blobs: dict[str, bytes]) -> list[Wire]:
    """As it is handed to LiteLLM for a model of OpenAI's."""
    reading = Context(
        context.path,
        context.folds,
        context.deletions,
        rev=context.rev,
        model=ModelId(f"openai/{_MODEL}"),
        prelude=Prelude(system=""),
    )
    request = Request(model=reading.model, prelude=reading.prelude, messages=tuple(reading.messages))
    return arguments_of(mended(request, OPENAI), _TEMPLATE, model=_MODEL, blobs=blobs)["messages"]


def _as_fields(sentences: Sequence[str]) -> str:
    """Spread over the fields, as long as there is room in one of them."""
    fields: dict[str, object] = {"user_goal": sentences[0] if sentences else ""}
    at = 1
    for name, most in _LISTS.items():
        fields[name] = sentences[at : at + most]
        at += most
    return json.dumps(fields)
