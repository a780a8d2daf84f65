"""What arrives at a server, byte by byte where bytes count: golden bodies through the whole stack."""

import base64
import json
from dataclasses import replace

import pytest
from aiohttp import web

from app.agent.ports import Target
from app.core.errors import ProviderError
from app.core.events import ReasoningArrived
from app.core.parts import Blob, MediaPart, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from app.core.requests import Message, Sampling, ToolSpec
from app.providers.gateway import LiteLLMGateway
from app.settings import Endpoint
from tests.app.providers.asking import FIND, KEY, PNG, asking, assistant, events_of, target_at, tool, user
from tests.simulator import Simulator, Turn
from tests.simulator.signatures import seal, sign
from tests.simulator.wire import mapping, mappings, string

pytestmark = pytest.mark.asyncio(loop_scope="session")

OPENAI_TOOL = {
    "type": "function",
    "function": {
        "name": "find",
        "description": "Looks up.",
        "parameters": {"type": "object", "properties": {"q": {"type": "string"}}},
    },
}
THOUGHT = "First  this,\n then\ttht. 汉"


def loop(*thoughts: ThinkingPart, fields: str = "") -> tuple[Message, ...]:
    """A running tool loop: asked, thought, called, answered."""
    call = ToolCallPart(call_id="c1", name="find", arguments='{"q": "x"}', provider_fields=fields)
    return (
        user("Find x."),
        assistant(*thoughts, TextPart(text="I look."), call),
        tool(ToolResultPart(call_id="c1", name="find", text="x is 7")),
    )


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("openai", "gpt-4o"),
        ("deepseek", "deepseek-chat"),
        ("gemini", "gemini-2.5-flash"),
        ("compatible", "gpt-4o"),
    ],
)
async def test_texts_tools_and_results_arrive_in_openais_form_as_they_were_given(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str
) -> None:
    request = asking(*loop(), system="Be brief.", tools=(FIND,), sampling=Sampling(temperature=0.5))

    await events_of(gateway, request, target_at(simulator, kind, name))

    assert simulator.requests[-1].body == {
        "model": name,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Find x."},
            {
                "role": "assistant",
                "content": "I look.",
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q": "x"}'}}
                ],
            }
            # DeepSeek wants the field beside calls, an empty one where there never was any (S1).
            | ({"reasoning_content": ""} if kind == "deepseek" else {}),
            {"role": "tool", "tool_call_id": "c1", "content": "x is 7"},
        ],
        "tools": [OPENAI_TOOL],
        "temperature": 0.5,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_anthropic_gets_signed_thinking_first_and_byte_for_byte(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    thoughts = (
        ThinkingPart(text=THOUGHT, signature=sign(THOUGHT)),
        ThinkingPart(text=seal("hidden"), redacted=True),
    )
    request = asking(
        *loop(*thoughts),
        system="Be brief.",
        tools=(FIND,),
        sampling=Sampling(max_tokens=4000, reasoning_effort="low"),
    )

    await events_of(gateway, request, target_at(simulator, "anthropic", "claude-sonnet-4-5"))

    assert simulator.requests[-1].body == {
        "model": "claude-sonnet-4-5",
        "system": [{"type": "text", "text": "Be brief."}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Find x."}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": THOUGHT, "signature": sign(THOUGHT)},
                    {"type": "redacted_thinking", "data": seal("hidden")},
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "id": "c1", "name": "find", "input": {"q": "x"}},
                ],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "x is 7"}]},
        ],
        "tools": [
            {
                "name": "find",
                "type": "custom",
                "description": "Looks up.",
                "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}},
            }
        ],
        "max_tokens": 4000,
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "stream": True,
    }


async def test_thinking_that_came_goes_back_as_it_came(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    """The simulator refuses a signature that does not fit its text."""
    target = target_at(simulator, "anthropic", "claude-sonnet-4-5")
    sampling = Sampling(max_tokens=4000, reasoning_effort="low")
    simulator.script.say(Turn(reasoning=f"{THOUGHT} \x00 end", text="Looking."))
    events = await events_of(gateway, asking("Find x.", sampling=sampling), target)
    came = [event for event in events if isinstance(event, ReasoningArrived)]
    thought = ThinkingPart(text="".join(event.text for event in came), signature=came[-1].signature)

    await events_of(gateway, asking(*loop(thought), tools=(FIND,), sampling=sampling), target)

    assert simulator.requests[-1].status == 200


async def test_thinking_of_earlier_turns_stays_at_home(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    """S1: DeepSeek's reasoning before the last user entry goes, but on messages with calls."""
    old = ThinkingPart(text="old")
    request = asking(
        "Hi",
        assistant(ThinkingPart(text="older"), "Hello"),
        *loop(old),
        assistant("7"),
        "And y?",
        tools=(FIND,),
    )

    await events_of(gateway, request, target_at(simulator, "deepseek", "deepseek-reasoner"))

    messages = mappings(simulator.requests[-1].body["messages"])
    assert [message.get("reasoning_content") for message in messages] == [
        None,
        None,
        None,
        "old",
        None,
        None,
        None,
    ]


async def test_geminis_signature_travels_with_its_call(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    fields = '{"extra_content": {"google": {"thought_signature": "' + sign("find") + '"}}}'
    request = asking(*loop(fields=fields), tools=(FIND,))

    await events_of(gateway, request, target_at(simulator, "gemini", "gemini-2.5-flash"))

    messages = mappings(simulator.requests[-1].body["messages"])
    assert mappings(messages[1]["tool_calls"])[0]["extra_content"] == json.loads(fields)["extra_content"]


@pytest.mark.parametrize(("kind", "name"), [("openai", "gpt-4o"), ("anthropic", "claude-sonnet-4-5")])
async def test_an_image_arrives_with_its_bytes(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str
) -> None:
    png = Blob(sha256="a" * 64, n_bytes=24, mime="image/png", name="x.png")
    request = asking(user("See:", MediaPart(source=png, mime="image/png")))

    await events_of(gateway, request, target_at(simulator, kind, name))

    messages = mappings(simulator.requests[-1].body["messages"])
    data = base64.b64encode(PNG).decode()
    assert messages[0]["content"] == (
        [
            {"type": "text", "text": "See:"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
        ]
        if kind == "openai"
        else [
            {"type": "text", "text": "See:"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}},
        ]
    )


async def test_a_long_text_from_the_vault_arrives_as_text(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    blob = Blob(sha256="b" * 64, n_bytes=9, mime="text/plain", name="汉字 long")

    await events_of(gateway, asking(user(TextPart(text=blob))), target_at(simulator))

    assert simulator.requests[-1].body["messages"] == [{"role": "user", "content": "汉字 long"}]


async def test_a_chat_goes_on_where_an_original_is_lost_and_the_request_says_so(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    text, image = (Blob(sha256=key * 64, n_bytes=9, mime="a/b", name="lost") for key in "bc")
    call = ToolCallPart(call_id="1", name="find", arguments=text)
    result = ToolResultPart(call_id="1", name="find", text=text)

    await events_of(
        gateway,
        asking(
            user("Look:", TextPart(text=text), MediaPart(source=image, mime="image/png")),
            assistant(ThinkingPart(text=text), call),
            tool(result),
        ),
        target_at(simulator),
    )

    told = "['lost' in the vault is damaged.]"
    asked, called, answered = mappings(simulator.requests[-1].body["messages"])
    (function,) = (call["function"] for call in mappings(called["tool_calls"]))
    assert asked == {"role": "user", "content": f"Look:\n\n{told}\n\n{told}"}
    assert function == {"name": "find", "arguments": json.dumps({"lost": told})}
    assert answered["content"] == told


async def test_reasoning_models_of_openai_get_their_own_names_and_the_cache_key(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    request = asking("Hi", sampling=Sampling(max_tokens=99, reasoning_effort="low"), cache_key="chat-1")

    await events_of(gateway, request, target_at(simulator, "openai", "gpt-5"))

    assert simulator.requests[-1].body == {
        "model": "gpt-5",
        "messages": [{"role": "user", "content": "Hi"}],
        "max_completion_tokens": 99,
        "reasoning_effort": "low",
        "prompt_cache_key": "chat-1",
        "stream": True,
        "stream_options": {"include_usage": True},
    }


@pytest.mark.parametrize("kind", ["openai", "compatible"])
async def test_fewer_tools_are_allowed_beside_a_list_that_stays(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str
) -> None:
    """P1: only where the provider takes it; elsewhere the call is refused when it comes."""
    other = ToolSpec(name="other", description="Other.", schema="{}")
    request = replace(asking("Hi", tools=(FIND, other)), allowed_tools=("find",))

    await events_of(gateway, request, target_at(simulator, kind, "gpt-4o"))

    body = simulator.requests[-1].body
    names = [string(mapping(tool.get("function")).get("name")) for tool in mappings(body.get("tools"))]
    allowed = {"mode": "auto", "tools": [{"type": "function", "function": {"name": "find"}}]}
    assert names == ["find", "other"]
    assert body.get("tool_choice") == (
        {"type": "allowed_tools", "allowed_tools": allowed} if kind == "openai" else None
    )


async def test_a_server_of_ones_own_is_sent_no_cache_key(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    await events_of(gateway, asking("Hi", cache_key="chat-1"), target_at(simulator, "compatible"))

    assert "prompt_cache_key" not in simulator.requests[-1].body


async def test_extra_headers_arrive(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    target = target_at(simulator)
    endpoint = target.endpoint.model_copy(update={"headers": {"X-Team": "blue"}})

    await events_of(gateway, asking("Hi"), type(target)(endpoint=endpoint, name=target.name))

    assert simulator.requests[-1].headers["x-team"] == "blue"


async def test_half_an_emoji_and_a_nul_leave_as_what_every_server_takes(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    """Case B76."""
    await events_of(gateway, asking("half \ud83d emoji, nul \x00 here"), target_at(simulator))

    assert simulator.requests[-1].body["messages"] == [
        {"role": "user", "content": "half \ufffd emoji, nul \u2400 here"}
    ]


# ---- what is not tried live: its bodies


async def refused_by(
    gateway: LiteLLMGateway, kind: str, name: str, root: str
) -> tuple[str, dict[str, str], object]:
    """Path, headers and body that a server got, which refuses everything."""
    seen: list[tuple[str, dict[str, str], object]] = []

    async def handle(request: web.Request) -> web.Response:
        headers = {header.lower(): value for header, value in request.headers.items()}
        seen.append((request.path_qs, headers, await request.json()))
        return web.json_response({"message": "no"}, status=400)

    app = web.Application()
    app.router.add_post("/{path:.*}", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}{root}"
    target = Target(endpoint=Endpoint(id="e", kind=kind, name="Mine", base_url=url), name=name)
    request = asking(*loop(), system="Be brief.", tools=(FIND,), sampling=Sampling(max_tokens=100))
    with pytest.raises(ProviderError):
        await events_of(gateway, request, target)
    await runner.cleanup()
    assert len(seen) == 1
    return seen[0]


OPENAI_LOOP = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Find x."},
    {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q": "x"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "x is 7"},
]


async def test_azures_body_and_path(gateway: LiteLLMGateway) -> None:
    """A2: not tried live."""
    path, headers, body = await refused_by(gateway, "azure", "my-gpt", "")

    assert path.startswith("/openai/deployments/my-gpt/chat/completions?api-version=")
    assert headers["api-key"] == KEY
    assert body == {
        "model": "my-gpt",
        "messages": OPENAI_LOOP,
        "tools": [OPENAI_TOOL],
        "max_tokens": 100,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_vertexs_body_and_path(gateway: LiteLLMGateway) -> None:
    """A2: not tried live."""
    root = "/v1/projects/p/locations/l/endpoints/openapi"

    path, headers, body = await refused_by(gateway, "vertex", "google/gemini-2.5-flash", root)

    assert path == f"{root}/chat/completions"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body == {
        "model": "google/gemini-2.5-flash",
        "messages": OPENAI_LOOP,
        "tools": [OPENAI_TOOL],
        "max_tokens": 100,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_bedrocks_body_and_path(gateway: LiteLLMGateway) -> None:
    """A2: not tried live."""
    path, headers, body = await refused_by(gateway, "bedrock", "amazon.nova-lite-v1:0", "")

    assert path in {
        "/model/amazon.nova-lite-v1:0/converse-stream",
        "/model/amazon.nova-lite-v1%3A0/converse-stream",
    }
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body == {
        "system": [{"text": "Be brief."}],
        "messages": [
            {"role": "user", "content": [{"text": "Find x."}]},
            {
                "role": "assistant",
                "content": [
                    {"text": "I look."},
                    {"toolUse": {"toolUseId": "c1", "name": "find", "input": {"q": "x"}}},
                ],
            },
            {
                "role": "user",
                "content": [{"toolResult": {"toolUseId": "c1", "content": [{"text": "x is 7"}]}}],
            },
        ],
        "toolConfig": {
            "tools": [
                {
                    "toolSpec": {
                        "name": "find",
                        "description": "Looks up.",
                        "inputSchema": {
                            "json": {
                                "type": "object",
                                "properties": {"q": {"type": "string"}},
                                "required": [],
                            }
                        },
                    }
                }
            ]
        },
        "inferenceConfig": {"maxTokens": 100},
    }


async def test_a_call_without_a_word_gets_none_added(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    """C32: adapters fill empty content with words of their own."""
    call = ToolCallPart(call_id="c1", name="find", arguments="{}")
    request = asking(
        "Find x.", assistant(call), tool(ToolResultPart(call_id="c1", name="find", text="7")), tools=(FIND,)
    )

    await events_of(gateway, request, target_at(simulator, "anthropic", "claude-sonnet-4-5"))

    messages = mappings(simulator.requests[-1].body["messages"])
    assert messages[1]["content"] == [{"type": "tool_use", "id": "c1", "name": "find", "input": {}}]
