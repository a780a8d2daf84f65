"""Every provider takes what any folds leave of real conversations (Q13, C31, C32).

The simulator refuses as the providers do; it shares nothing with what makes the requests.
"""

import asyncio
import io
import json
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

import aiohttp
import pytest
import pytest_asyncio

from app.chats.formats import Imported, read_file
from app.context.context import Context
from app.context.validate import mended
from app.core.entries import Entry, Origin
from app.core.ids import ModelId
from app.core.parts import Blob, Part, TextPart, ThinkingPart, ToolResultPart
from app.core.requests import Prelude, Request, Sampling
from app.models.families import family_of
from app.providers.gateway import LiteLLMGateway
from app.providers.templates import template_of
from app.providers.translate import arguments_of
from tests.app.chats.reading import CONVERSATIONS, stored
from tests.app.context.folding import Folding
from tests.app.providers.asking import KEY, Keys, asking, events_of, target_at
from tests.simulator import Simulator, Turn
from tests.simulator.counting import Counter
from tests.simulator.wire import Body

pytestmark = pytest.mark.asyncio(loop_scope="module")

MODEL = ModelId("any/model")
PRELUDE = Prelude(system="Be brief.")
MODELS = (
    ("openai", "gpt-4o"),
    ("deepseek", "deepseek-v4-flash"),
    ("gemini", "gemini-3-pro-preview"),
    ("dashscope", "qwen-plus"),
    ("anthropic", "claude-sonnet-4-5"),
)
_LITELLMS_OWN = ("num_retries", "max_retries", "drop_params", "extra_body")
_WINDOW_TOKENS = 100_000_000
"""Length is another test's matter."""
_N_STEPS = 6
N_QUICK = 150
"""Entries of a conversation in the quick run, its first; the slow one takes stretches of as many from anywhere, with
their texts as they are, and the whole of it once in so many sequences:"""
_WHOLE_EVERY = 20
_HEADERS = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}


class _Lengths(Counter):
    """What is counted decides nothing here, so that a word is not looked up five times a sequence."""

    def raw(self, text: str) -> int:
        return len(text) // 4


def _yes(body: Body) -> Turn:
    return Turn(text="Yes.")


class _Originals:
    """The vault, as the one file that is being read gave it."""

    def __init__(self) -> None:
        self.bytes_of: dict[str, bytes] = {}

    async def get(self, blob: Blob) -> bytes:
        return self.bytes_of[blob.sha256]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    simulator: Simulator
    session: aiohttp.ClientSession
    gateway: LiteLLMGateway
    originals: _Originals

    async def send(self, request: Request, kind: str, name: str) -> None:
        """By the wire form itself; Anthropic's is made by LiteLLM, in its worker."""
        target = target_at(self.simulator, kind, name)
        if kind == "anthropic":
            await events_of(self.gateway, request, target)
            return
        template = template_of(target.endpoint)
        arguments = arguments_of(request, template, model=name, blobs=self.originals.bytes_of)
        body = {key: value for key, value in arguments.items() if key not in _LITELLMS_OWN}
        body |= arguments.get("extra_body", {}) | {"model": name}
        url = f"{self.simulator.openai_url}/chat/completions"
        async with self.session.post(url, data=io.BytesIO(json.dumps(body).encode())) as response:
            await response.read()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def provider() -> AsyncIterator[Provider]:
    windows = {name: _WINDOW_TOKENS for _, name in MODELS}
    originals = _Originals()
    gateway = LiteLLMGateway(Keys(), originals)
    async with (
        Simulator(windows=windows) as simulator,
        aiohttp.ClientSession(headers=_HEADERS) as session,
    ):
        simulator.counter = _Lengths()
        simulator.script.otherwise = _yes
        await gateway.start()
        await events_of(gateway, asking("Are you there?"), target_at(simulator))
        yield Provider(simulator=simulator, session=session, gateway=gateway, originals=originals)
        await gateway.aclose()


@pytest.fixture(params=CONVERSATIONS, ids=lambda path: path.stem)
def conversation(request: pytest.FixtureRequest, provider: Provider) -> Imported:
    (found,) = read_file(request.param)
    provider.originals.bytes_of = dict(found.bytes_of)
    return found


def _folded(path: Sequence[Entry], seed: int) -> Context:
    """One sequence of folds."""
    folding = Folding(path, seed)
    for _ in range(_N_STEPS):
        folding.step()
    return Context(folding.path, folding.folds, rev=folding.rev, model=MODEL, prelude=PRELUDE)


async def all_take(provider: Provider, context: Context, *, seed: int) -> None:
    """Sent to a model of each family; every other seed thinks."""
    asked = Request(
        model=context.model,
        prelude=context.prelude,
        messages=tuple(context.messages),
        sampling=Sampling(max_tokens=4000, reasoning_effort="low" if seed % 2 else None),
    )
    requests = [(mended(asked, family_of(kind, name)), kind, name) for kind, name in MODELS]
    provider.simulator.reset()

    await asyncio.gather(*(provider.send(*one) for one in requests))

    told = {
        record.model: (record.verdict, record.refusal, record.remark) for record in provider.simulator.chats
    }
    assert told == {name: ("answered", "", "") for _, name in MODELS}


async def test_every_provider_takes_what_twenty_sequences_of_folds_leave(
    provider: Provider, conversation: Imported
) -> None:
    path = [short(entry) for entry in stored(conversation).entries[:N_QUICK]]
    for seed in range(20):
        await all_take(provider, _folded(path, seed), seed=seed)


@pytest.mark.slow
@pytest.mark.timeout(3600)
async def test_every_provider_takes_what_a_thousand_sequences_of_folds_leave(
    provider: Provider, conversation: Imported
) -> None:
    whole = stored(conversation).entries
    for seed in range(1000):
        path = _stretch(whole, seed) if seed % _WHOLE_EVERY else whole
        await all_take(provider, _folded(path, seed), seed=seed)


def _stretch(path: Sequence[Entry], seed: int) -> Sequence[Entry]:
    """From something that the person said on."""
    starts = [at for at, entry in enumerate(path) if entry.origin is Origin.USER]
    start = random.Random(seed).choice(starts)
    return path[start : start + N_QUICK]


def short(entry: Entry) -> Entry:
    """Its texts to their first words: whether they say anything counts here, not what, and short ones are quick."""
    return replace(entry, parts=tuple(map(_short_part, entry.parts)))


def _short_part(part: Part) -> Part:
    match part:
        case TextPart(text=str(text)) | ThinkingPart(text=str(text)) | ToolResultPart(text=str(text)):
            return replace(part, text=text[:200])
        case _:
            return part
