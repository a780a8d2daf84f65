"""One whole body per family after LiteLLM: tools, thinking, calls, images and marks together (P3, A1)."""

import base64
from dataclasses import replace

import pytest

from app.core.parts import Blob, MediaPart, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from app.core.requests import Layer, Message, Request, Sampling
from app.providers.gateway import LiteLLMGateway
from tests.app.providers.asking import FIND, PNG, asking, assistant, events_of, target_at, tool, user
from tests.app.providers.test_marks import LONG, SHORT, marked
from tests.simulator import Simulator
from tests.simulator.openai_family_refusals import call_text
from tests.simulator.signatures import sign

pytestmark = pytest.mark.asyncio(loop_scope="session")

Json = dict[str, object]
DATA = base64.b64encode(PNG).decode()
PICTURE = MediaPart(
    source=Blob(sha256="a" * 64, n_bytes=24, mime="image/png", name="x.png"), mime="image/png"
)
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
SIGNED = f'{{"extra_content": {{"google": {{"thought_signature": "{sign(call_text("find", "{}"))}"}}}}}}'


def story(*thoughts: ThinkingPart, has_images: bool = True, fields: str = "") -> tuple[Message, ...]:
    """Asked with a picture, thought, called twice, answered, and a picture that came with the results."""
    pictures: tuple[Part, ...] = (PICTURE,) if has_images else ()
    return (
        user(TextPart(text="[note]"), TextPart(text="What is it?"), *pictures),
        assistant(
            *thoughts,
            TextPart(text="I look."),
            ToolCallPart(call_id="c1", name="find", arguments="{}", provider_fields=fields),
            ToolCallPart(call_id="c2", name="find", arguments='{"q": "汉"}'),
        ),
        tool(ToolResultPart(call_id="c1", name="find", text="one")),
        tool(ToolResultPart(call_id="c2", name="find", text="two")),
        user(TextPart(text="[what came with the results above]"), *pictures),
    )


def request_of(*messages: Message) -> Request:
    """With all the marks that there can be."""
    sampling = Sampling(max_tokens=4000, reasoning_effort="low")
    request = asking(*messages, system="Be brief.", tools=(FIND,), sampling=sampling, cache_key="chat-1")
    return marked(request, Layer.TOOLS, Layer.SYSTEM, 0, 4)


# ---- Anthropic's form


@pytest.mark.parametrize(
    ("name", "thinks"),
    [
        ("claude-sonnet-4-5", {"thinking": {"type": "enabled", "budget_tokens": 1024}}),
        (
            "claude-opus-5-5",
            {
                "thinking": {"type": "adaptive", "display": "summarized"},
                "output_config": {"effort": "low"},
            },
        ),
    ],
)
async def test_claude_gets_all_of_it(
    gateway: LiteLLMGateway, simulator: Simulator, name: str, thinks: Json
) -> None:
    request = request_of(*story(ThinkingPart(text="Hm. ", signature=sign("Hm. "))))
    hour = tuple(
        replace(mark, ttl_s=3600) if isinstance(mark.after, Layer) else mark for mark in request.breakpoints
    )

    await events_of(gateway, replace(request, breakpoints=hour), target_at(simulator, "anthropic", name))

    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}}
    assert simulator.requests[-1].status == 200
    assert simulator.requests[-1].body == {
        "model": name,
        "tools": [
            {
                "name": "find",
                "type": "custom",
                "description": "Looks up.",
                "input_schema": SCHEMA,
                "cache_control": LONG,
            }
        ],
        "system": [{"type": "text", "text": "Be brief.", "cache_control": LONG}],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "[note]"},
                    {"type": "text", "text": "What is it?"},
                    image | {"cache_control": SHORT},
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Hm. ", "signature": sign("Hm. ")},
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "id": "c1", "name": "find", "input": {}},
                    {"type": "tool_use", "id": "c2", "name": "find", "input": {"q": "汉"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "one"},
                    {"type": "tool_result", "tool_use_id": "c2", "content": "two"},
                    {"type": "text", "text": "[what came with the results above]"},
                    image | {"cache_control": SHORT},
                ],
            },
        ],
        "max_tokens": 4000,
        "stream": True,
        **thinks,
    }


async def test_calls_without_tools_get_litellms_stand_in_for_a_tool_always_the_same(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    """A chat whose tools were switched off: Anthropic wants a list beside calls, so LiteLLM adds a tool that is none.

    It stands before the system text from then on, the same in each request, so that the next one is read from the
    cache; a call of it is refused as that of any tool that is not there.
    """
    request = marked(asking(*story(), system=" ".join(f"word{n}" for n in range(1500))), Layer.SYSTEM, 4)
    target = target_at(simulator, "anthropic", "claude-sonnet-4-5")
    longer = replace(
        marked(request, Layer.SYSTEM, 6), messages=(*request.messages, assistant("Both."), user("Thanks."))
    )

    for sent in (request, longer):
        await events_of(gateway, sent, target)

    first, second = (record.body for record in simulator.requests[-2:])
    assert (
        first["tools"]
        == second["tools"]
        == [
            {
                "name": "dummy_tool",
                "type": "custom",
                "description": "This is a dummy tool call",
                "input_schema": {"type": "object", "properties": {}},
            }
        ]
    )
    assert simulator.requests[-1].usage["cache_read_input_tokens"] == simulator.requests[-2].prompt_tokens


# ---- OpenAI's form


def body(
    name: str, *, marks: Json | None = None, other: dict[int, Json] | None = None, **more: object
) -> Json:
    """What all of them get.

    Args:
        marks: At the end of the system text, of the first message and of the last.
        other: What a family's messages have otherwise, by their index.
    """
    mark = marks or {}
    image: Json = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{DATA}"}}
    system: object = [{"type": "text", "text": "Be brief.", **mark}] if marks else "Be brief."
    messages: list[Json] = [
        {"role": "system", "content": system},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "[note]"},
                {"type": "text", "text": "What is it?"},
                image | mark,
            ],
        },
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [call("c1", "{}"), call("c2", '{"q": "汉"}')],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "one"},
        {"role": "tool", "tool_call_id": "c2", "content": "two"},
        {
            "role": "user",
            "content": [{"type": "text", "text": "[what came with the results above]"}, image | mark],
        },
    ]
    return {
        "model": name,
        "messages": [message | (other or {}).get(at, {}) for at, message in enumerate(messages)],
        "tools": [
            {
                "type": "function",
                "function": {"name": "find", "description": "Looks up.", "parameters": SCHEMA},
            }
        ],
        "reasoning_effort": "low",
        "stream": True,
        "stream_options": {"include_usage": True},
        **more,
    }


def call(identity: str, arguments: str) -> Json:
    return {"id": identity, "type": "function", "function": {"name": "find", "arguments": arguments}}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("openai", body("gpt-5", max_completion_tokens=4000, prompt_cache_key="chat-1")),
        ("dashscope", body("qwen-plus", marks={"cache_control": SHORT}, max_tokens=4000)),
        ("gemini", body("gemini-2.5-flash", max_tokens=4000)),
    ],
)
async def test_who_speaks_openais_form_gets_its_own_of_it_and_no_thinking(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, expected: Json
) -> None:
    thought = ThinkingPart(text="Hm. ")

    await events_of(gateway, request_of(*story(thought)), target_at(simulator, kind, str(expected["model"])))

    assert simulator.requests[-1].status == 200
    assert simulator.requests[-1].body == expected


async def test_gemini_3_gets_its_signature_back(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    request = request_of(*story(ThinkingPart(text="Hm. "), fields=SIGNED))

    await events_of(gateway, request, target_at(simulator, "gemini", "gemini-3-pro-preview"))

    signature = {"google": {"thought_signature": sign(call_text("find", "{}"))}}
    calls = [call("c1", "{}") | {"extra_content": signature}, call("c2", '{"q": "汉"}')]
    assert simulator.requests[-1].status == 200
    assert simulator.requests[-1].body == body(
        "gemini-3-pro-preview", other={2: {"tool_calls": calls}}, max_tokens=4000
    )


async def test_deepseek_gets_its_reasoning_beside_the_calls(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    """It sees no images."""
    request = request_of(*story(ThinkingPart(text="Hm. "), has_images=False))

    await events_of(gateway, request, target_at(simulator, "deepseek", "deepseek-reasoner"))

    other: dict[int, Json] = {
        1: {"content": "[note]\n\nWhat is it?"},
        2: {"reasoning_content": "Hm. "},
        5: {"content": "[what came with the results above]"},
    }
    assert simulator.requests[-1].status == 200
    assert simulator.requests[-1].body == body("deepseek-reasoner", other=other, max_tokens=4000)
