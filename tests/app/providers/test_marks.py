"""Marks of the prompt cache as they arrive at a server, and what comes back for them (P3, P4; golden bodies)."""

from dataclasses import replace

import pytest

from app.agent.ports import Target
from app.core.errors import ProviderError
from app.core.events import UsageReported
from app.core.parts import Blob, MediaPart, OpaquePart, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from app.core.requests import Breakpoint, Layer, Message, Request, Sampling
from app.core.usage import Usage
from app.providers.gateway import LiteLLMGateway
from app.settings import Endpoint
from tests.app.providers.asking import FIND, asking, assistant, events_of, target_at, tool, user
from tests.simulator import Simulator
from tests.simulator.signatures import sign
from tests.simulator.wire import Body, mapping, mappings

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHORT, LONG = {"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}
PROSE = " ".join(f"word{n}" for n in range(1500))
MARKED = [("anthropic", "claude-sonnet-4-5"), ("dashscope", "qwen-plus")]


def looping() -> tuple[Message, ...]:
    """A running tool loop with signed thinking and two calls."""
    calls = [ToolCallPart(call_id=f"c{n}", name="find", arguments=f'{{"q": "{n}"}}') for n in (1, 2)]
    return (
        user(TextPart(text="[note]"), TextPart(text="Find both.")),
        assistant(ThinkingPart(text="Hm.", signature=sign("Hm.")), TextPart(text="I look."), *calls),
        tool(ToolResultPart(call_id="c1", name="find", text="one")),
        tool(ToolResultPart(call_id="c2", name="find", text="two")),
    )


def marked(request: Request, *after: Layer | int, long: tuple[Layer | int, ...] = ()) -> Request:
    marks = tuple(Breakpoint(after=item, ttl_s=3600 if item in long else 300) for item in after)
    return replace(request, breakpoints=marks)


def openrouter(simulator: Simulator) -> Target:
    endpoint = Endpoint(id="e", kind="openrouter", name="Simulated", base_url=simulator.openai_url)
    return Target(endpoint=endpoint, name="anthropic/claude-sonnet-4-5")


async def usage_of(gateway: LiteLLMGateway, request: Request, target: Target) -> Usage:
    events = await events_of(gateway, request, target)
    return next(event.usage for event in events if isinstance(event, UsageReported))


def unmarked(value: object) -> object:
    """Without marks, and with texts as Anthropic and Qwen read them, whether in a list or plain."""
    if isinstance(value, list):
        return [unmarked(item) for item in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # JSON
    if isinstance(value, dict):
        found = mapping(value)  # pyright: ignore[reportUnknownArgumentType]
        kept = {key: unmarked(item) for key, item in found.items() if key != "cache_control"}
        if isinstance(kept.get("content"), str):
            kept["content"] = [{"type": "text", "text": kept["content"]}]
        return kept
    return value


async def test_anthropic_gets_four_marks_where_they_were_set(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    request = asking(
        *looping(),
        system="Be brief.",
        tools=(FIND,),
        sampling=Sampling(max_tokens=4000, reasoning_effort="low"),
    )
    request = marked(request, Layer.TOOLS, Layer.SYSTEM, 0, 3, long=(Layer.TOOLS, Layer.SYSTEM))

    await events_of(gateway, request, target_at(simulator, "anthropic", "claude-sonnet-4-5"))

    body = simulator.requests[-1].body
    assert mappings(body["tools"])[-1]["cache_control"] == LONG
    assert body["system"] == [{"type": "text", "text": "Be brief.", "cache_control": LONG}]
    assert body["messages"] == [
        {
            "role": "user",
            "content": [{"type": "text", "text": "[note]\n\nFind both.", "cache_control": SHORT}],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": sign("Hm.")},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "c1", "name": "find", "input": {"q": "1"}},
                {"type": "tool_use", "id": "c2", "name": "find", "input": {"q": "2"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "one"},
                {"type": "tool_result", "tool_use_id": "c2", "content": "two", "cache_control": SHORT},
            ],
        },
    ]
    assert simulator.requests[-1].status == 200


async def test_qwen_gets_its_marks_in_messages_only(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    request = asking(*looping(), system="Be brief.", tools=(FIND,))
    request = marked(request, Layer.TOOLS, Layer.SYSTEM, 0, 3)

    await events_of(gateway, request, target_at(simulator, "dashscope", "qwen-plus"))

    body = simulator.requests[-1].body
    messages = mappings(body["messages"])
    assert "cache_control" not in mappings(body["tools"])[-1]
    assert [messages[at]["content"] for at in (0, 1, 4)] == [
        [{"type": "text", "text": text, "cache_control": SHORT}]
        for text in ("Be brief.", "[note]\n\nFind both.", "two")
    ]
    assert messages[3]["content"] == "one"
    assert simulator.requests[-1].status == 200


async def test_marks_reach_a_claude_behind_openrouter(gateway: LiteLLMGateway, simulator: Simulator) -> None:
    request = marked(asking("Hi.", system="Be brief."), Layer.SYSTEM, 0)

    with pytest.raises(ProviderError):  # the simulator has no Claude in this form; its log has what came
        await events_of(gateway, request, openrouter(simulator))

    messages = mappings(simulator.requests[-1].body["messages"])
    assert [message["content"] for message in messages] == [
        [{"type": "text", "text": text, "cache_control": SHORT}] for text in ("Be brief.", "Hi.")
    ]


async def test_what_an_import_had_marked_is_not_sent_as_marked(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    """B44: five marks, four of them old, and every request was refused."""
    old = OpaquePart(
        kind="document",
        json='{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "x"}, '
        '"cache_control": {"type": "ephemeral"}}',
    )
    request = marked(
        asking(user("Read.", old), assistant("Done."), user("Go on.", old), assistant("Done."), "New."), 4
    )

    await events_of(gateway, request, target_at(simulator, "anthropic", "claude-sonnet-4-5"))

    body = simulator.requests[-1].body
    assert simulator.requests[-1].status == 200
    assert _count_marks(body["messages"]) == 1


async def test_a_picture_without_words_carries_the_mark(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    """B48: the mark went to an empty text."""
    png = Blob(sha256="a" * 64, n_bytes=24, mime="image/png", name="x.png")
    request = marked(asking(user(MediaPart(source=png, mime="image/png"))), 0)

    await events_of(gateway, request, target_at(simulator, "anthropic", "claude-sonnet-4-5"))

    (message,) = mappings(simulator.requests[-1].body["messages"])
    assert [block["type"] for block in mappings(message["content"])] == ["image"]
    assert mappings(message["content"])[-1]["cache_control"] == SHORT


@pytest.mark.parametrize(("kind", "name"), MARKED)
async def test_what_was_marked_is_read_back_by_the_next_request(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str
) -> None:
    target = target_at(simulator, kind, name)
    first = marked(asking(PROSE, system="Be brief."), 0)
    second = marked(asking(PROSE, assistant("Yes."), "And now?", system="Be brief."), 2)
    written = await usage_of(gateway, first, target)

    read = await usage_of(gateway, second, target)

    assert written.cached_tokens == 0
    assert read.cached_tokens == written.prompt_tokens


async def test_what_is_asked_to_be_kept_for_an_hour_is_reported_as_such(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    """P6: the two lives have two prices."""
    request = marked(asking("Hi.", system=PROSE), Layer.SYSTEM, 0, long=(Layer.SYSTEM,))

    usage = await usage_of(gateway, request, target_at(simulator, "anthropic", "claude-sonnet-4-5"))

    lives = mapping(simulator.requests[-1].usage["cache_creation"])
    assert usage.cache_write_1h_tokens == lives["ephemeral_1h_input_tokens"]
    assert 0 < usage.cache_write_1h_tokens < usage.cache_write_tokens == usage.prompt_tokens


@pytest.mark.parametrize(("kind", "name"), MARKED)
async def test_a_mark_that_moves_on_changes_no_byte_before_it(
    gateway: LiteLLMGateway, simulator: Simulator, kind: str, name: str
) -> None:
    asked, said, *results = looping()
    said = replace(said, parts=said.parts[1:])  # reasoning that the provider itself leaves out later
    loop = (asked, said, *results)
    first = marked(asking(*loop, system="Be brief.", tools=(FIND,)), Layer.SYSTEM, 0, 3)
    second = marked(
        asking(*loop, assistant("Both."), "Thanks.", system="Be brief.", tools=(FIND,)), Layer.TOOLS, 5
    )
    for request in (first, second):
        await events_of(gateway, request, target_at(simulator, kind, name))

    bodies = [_prompt(record.body) for record in simulator.requests[-2:]]
    assert bodies[1][: len(bodies[0])] == bodies[0]


@pytest.mark.parametrize("name", ["claude-opus-4-5", "claude-opus-4-6", "claude-opus-4-7"])
async def test_the_turn_after_a_thinking_tool_loop_reads_all_of_it_from_the_cache(
    gateway: LiteLLMGateway, simulator: Simulator, name: str
) -> None:
    """From Opus 4.5 on thinking stays part of the prompt: left out at the next turn, all after it was written anew."""
    asked, *loop = looping()
    asked = replace(asked, parts=(TextPart(text=4 * PROSE), *asked.parts))
    thinking = Sampling(max_tokens=4000, reasoning_effort="low")
    answer = assistant(ThinkingPart(text="Good.", signature=sign("Good.")), TextPart(text="Both."))
    first = marked(asking(asked, *loop, tools=(FIND,), sampling=thinking), 3)
    second = marked(asking(asked, *loop, answer, "Thanks.", tools=(FIND,), sampling=thinking), 5)
    target = target_at(simulator, "anthropic", name)
    written = await usage_of(gateway, first, target)

    read = await usage_of(gateway, second, target)

    assert written.cached_tokens == 0
    assert read.cached_tokens == written.prompt_tokens


async def test_openai_is_routed_by_the_chat_and_gets_no_marks(
    gateway: LiteLLMGateway, simulator: Simulator
) -> None:
    request = marked(asking(PROSE, cache_key="chat-1"), 0)

    await events_of(gateway, request, target_at(simulator, "openai", "gpt-4o"))

    assert simulator.requests[-1].body["prompt_cache_key"] == "chat-1"


def _prompt(body: Body) -> list[object]:
    """What the cache compares, in order: tools, system, messages."""
    found = [*mappings(body.get("tools")), *mappings(body.get("system")), *mappings(body["messages"])]
    return [unmarked(item) for item in found]


def _count_marks(value: object) -> int:
    if isinstance(value, list):
        return sum(map(_count_marks, value))  # pyright: ignore[reportUnknownArgumentType]  # JSON
    if isinstance(value, dict):
        found = mapping(value)  # pyright: ignore[reportUnknownArgumentType]
        return ("cache_control" in found) + sum(_count_marks(item) for item in found.values())
    return 0
