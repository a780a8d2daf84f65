import asyncio
from cProfile import Profile
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.budget import Category, Fill
from app.context.context import Context
from app.context.counting import Counter, parts_of
from app.context.measure import Meter
from app.core.entries import Entry, Origin
from app.core.parts import MediaPart, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from app.core.records import RequestRecord
from app.core.requests import Prelude, ToolSpec
from app.models.families import Family, family_of
from app.models.window import Window, WindowSource
from app.tokens.estimate import estimate
from tests.app.context.counts import CHAT, CountingHere, CountsHere, VaultHere, context_of, entry, record

GPT = family_of("openai", "gpt-4o")
CLAUDE = family_of("anthropic", "claude-sonnet-4-5")
OPUS = family_of("anthropic", "claude-opus-4-5")
DEEPSEEK = family_of("deepseek", "deepseek-reasoner")
MINIMAX = family_of("minimax", "MiniMax-M2")
WINDOW = Window(tokens=1000, source=WindowSource.YOU)
ANSWER = Origin.ASSISTANT


def counter() -> Counter:
    return Counter(CHAT, store=CountsHere(), work=CountingHere(), vault=VaultHere())


def filled(context: Context, family: Family, requests: tuple[RequestRecord, ...] = ()) -> Fill:
    return Meter(counter()).fill(context, requests, family, window=WINDOW)


def thought(n_words: int) -> ThinkingPart:
    return ThinkingPart(text="so " * n_words, signature="s")


def call(call_id: str) -> ToolCallPart:
    return ToolCallPart(call_id=call_id, name="read", arguments="{}")


def result(call_id: str) -> ToolResultPart:
    return ToolResultPart(call_id=call_id, name="read", text="A file.")


LOOP = (
    entry(0, Origin.USER, TextPart(text="Why?")),
    entry(1, ANSWER, thought(10), TextPart(text="Because.")),
    entry(2, Origin.USER, TextPart(text="Read it.")),
    entry(3, ANSWER, thought(100), call("a")),
    entry(4, Origin.TOOL, result("a")),
    entry(5, ANSWER, thought(1000), TextPart(text="It says so.")),
    entry(6, Origin.USER, TextPart(text="And this one?")),
    entry(7, ANSWER, thought(10_000), call("b")),
    entry(8, Origin.TOOL, result("b")),
)


@pytest.mark.parametrize(
    ("family", "n_words"),
    [
        (GPT, []),
        (CLAUDE, [10_000]),
        (DEEPSEEK, [100, 10_000]),
        (MINIMAX, [10, 100, 1000, 10_000]),
        (OPUS, [10, 100, 1000, 10_000]),
    ],
)
def test_reasoning_counts_only_where_the_model_reads_it_again(family: Family, n_words: list[int]) -> None:
    """S1: what a provider leaves out of the prompt itself isn't counted either."""
    family = replace(family, ratio=1.0)
    without = [
        replace(item, parts=tuple(p for p in item.parts if not isinstance(p, ThinkingPart))) for item in LOOP
    ]

    with_it = filled(context_of(*LOOP), family).projection.projected_tokens

    expected = sum(estimate("so " * n) + estimate("s") for n in n_words)
    assert with_it - filled(context_of(*without), family).projection.projected_tokens == expected


def test_thinking_of_a_base_that_has_left_the_prompt_lowers_the_projection() -> None:
    """Anthropic counted the tool loop's reasoning in the base, and drops it from the next turn on."""
    context = context_of(*LOOP)
    first = record(context, estimated=9000, reported=9000)
    context.append(entry(9, ANSWER, TextPart(text="The same.")))
    context.append(entry(10, Origin.USER, TextPart(text="Thanks.")))

    fill = filled(context, CLAUDE, (first,))

    assert fill.projection.has_base
    assert fill.projection.projected_tokens < 9000 - estimate("so " * 10_000) + 100


def test_a_base_that_ended_within_the_persons_words_is_counted_to_there() -> None:
    """Two user entries in a row are one message; the first request held only the first."""
    context = context_of(entry(0, Origin.USER, TextPart(text="one two three")))
    first = record(context, estimated=20, reported=60)
    context.append(entry(1, Origin.USER, TextPart(text="four five six")))

    fill = filled(context, replace(GPT, ratio=1.0), (first,))

    assert fill.projection.projected_tokens == 60 + 3 * estimate("four five six")


def test_every_kind_of_content_has_its_category() -> None:
    tools = (ToolSpec(name="read", description="Reads", schema="{}"),)
    image = MediaPart(source="https://x", mime="image/png")
    context = context_of(
        entry(0, Origin.SYSTEM, TextPart(text="Imported rules.")),
        entry(1, Origin.USER, TextPart(text="Look at this picture."), image),
        entry(2, Origin.NOTE, TextPart(text="Today is Monday.")),
        entry(3, ANSWER, ThinkingPart(text="Hm.", signature="s"), call("a")),
        entry(4, Origin.TOOL, result("a")),
        prelude=Prelude(system="Be brief.", tools=tools),
    )

    fill = Meter(counter()).fill(context, [], CLAUDE, window=WINDOW, draft="And then?")

    assert [name for name, _ in fill.composition] == [
        Category.SYSTEM,
        Category.TOOLS,
        Category.NOTES,
        Category.TOOL_RESULTS,
        Category.YOU,
        Category.ASSISTANT,
        Category.REASONING,
        Category.MEDIA,
        Category.DRAFT,
    ]
    assert sum(tokens for _, tokens in fill.composition) == fill.projection.projected_tokens
    assert fill.use == fill.projection.projected_tokens / 1000


def test_leading_system_entries_are_counted_once_and_later_ones_too() -> None:
    """The leading ones are part of the system text already."""
    rules = entry(0, Origin.SYSTEM, TextPart(text="rule " * 1000))
    asked = entry(1, Origin.USER, TextPart(text="rule " * 1000))

    middle = entry(2, Origin.SYSTEM, TextPart(text="rule " * 1000))

    leading = dict(filled(context_of(rules, asked), GPT).composition)
    both = dict(filled(context_of(rules, asked, middle), GPT).composition)

    assert leading[Category.SYSTEM] == pytest.approx(leading[Category.YOU], rel=0.02)
    assert both[Category.SYSTEM] == pytest.approx(2 * leading[Category.SYSTEM], rel=0.02)


PARTS: st.SearchStrategy[tuple[Origin, tuple[Part, ...]]] = st.one_of(
    st.tuples(
        st.just(Origin.USER), st.tuples(st.builds(TextPart, text=st.text("ab", min_size=1, max_size=9)))
    ),
    st.tuples(st.just(Origin.NOTE), st.tuples(st.builds(TextPart, text=st.just("a note")))),
    st.tuples(
        st.just(ANSWER),
        st.tuples(st.just(thought(3)), st.builds(TextPart, text=st.text("cd", min_size=1, max_size=9))),
    ),
    st.tuples(st.just(ANSWER), st.tuples(st.just(thought(7)), st.just(call("x")))),
    st.tuples(st.just(Origin.TOOL), st.tuples(st.just(result("x")))),
)


@given(
    st.lists(PARTS, min_size=1, max_size=12),
    st.sampled_from([GPT, CLAUDE, DEEPSEEK, MINIMAX]),
    st.sets(st.integers(0, 11)),
)
def test_measuring_as_it_grows_gives_what_measuring_at_once_gives(
    made: list[tuple[Origin, tuple[Part, ...]]], family: Family, requested: set[int]
) -> None:
    entries = [entry(i, origin, *parts) for i, (origin, parts) in enumerate(made)]
    context = context_of(entries[0])
    meter = Meter(counter())
    requests: list[RequestRecord] = []

    for number, new in enumerate(entries[1:]):
        if number in requested and context.messages and context.messages[-1].role != "assistant":
            requests.append(record(context, estimated=100, reported=120, turn=number))
        meter.fill(context, requests, family, window=WINDOW)
        context.append(new)

    anew = context_of(*entries)
    assert anew.tip == context.tip
    assert meter.fill(context, requests, family, window=WINDOW) == filled(anew, family, tuple(requests))


async def test_a_count_that_became_exact_is_taken_over() -> None:
    counts = counter()
    meter = Meter(counts)
    context = context_of(entry(0, Origin.USER, TextPart(text="今天天气很好，我们去公园散步。" * 10)))
    before = meter.fill(context, [], GPT, window=WINDOW)
    uncounted = meter.uncounted_tokens(context, GPT)

    await counts.count_new(context, GPT)

    after = meter.fill(context, [], GPT, window=WINDOW)
    assert after.projection.projected_tokens < before.projection.projected_tokens
    assert uncounted == 148
    assert meter.uncounted_tokens(context, GPT) == 0


async def test_what_is_new_is_counted_and_the_rest_not_looked_at() -> None:
    """Q5: each turn that comes near the limit went through all messages."""
    counts = counter()
    meter = Meter(counts)
    context = context_of()
    for n in range(6):
        context.append(entry(n, (Origin.USER, ANSWER)[n % 2], TextPart(text=f"Message {n}")))
        if n == 3:
            await counts.count_new(context, GPT)
    meter.fill(context, [], GPT, window=WINDOW)

    new = meter.uncounted(context, GPT)

    assert list(new) == context.messages[4:]
    await counts.count_parts(parts_of(new), GPT)
    assert meter.uncounted_tokens(context, GPT) == 0
    assert list(meter.uncounted(context, GPT)) == []


async def test_a_figure_that_would_hold_the_window_is_told_to_be_far() -> None:
    """Q8: 10,000 messages that nobody measured yet, or that became exact all at once, take 0.3 s."""
    entries = [entry(i, (Origin.USER, ANSWER)[i % 2], TextPart(text=f"Message {i}")) for i in range(1_000)]
    counts = counter()
    meter = Meter(counts)
    context = context_of(*entries)

    was_near = [meter.is_near(context, GPT)]
    await meter.follow(context, GPT)
    was_near.append(meter.is_near(context, GPT))
    await counts.count_new(context, GPT)
    was_near.append(meter.is_near(context, GPT))
    await meter.follow(context, GPT)
    was_near.append(meter.is_near(context, GPT))

    assert was_near == [False, True, False, True]


async def test_measuring_a_context_ends_where_another_one_is_measured() -> None:
    entries = [entry(i, (Origin.USER, ANSWER)[i % 2], TextPart(text=f"Message {i}")) for i in range(1_000)]
    old, new = context_of(*entries), context_of(*entries[:900])
    meter = Meter(counter())

    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        for context in (old, new):
            tasks.create_task(meter.follow(context, GPT))

    assert meter.is_near(new, GPT)


@pytest.mark.parametrize("n_messages", [1_000, 10_000])
async def test_typing_measures_only_the_draft_however_long_the_chat_is(n_messages: int) -> None:
    origins = (Origin.USER, ANSWER)
    entries: list[Entry] = [
        entry(i, origins[i % 2], TextPart(text=f"This is message {i} of a long chat."))
        for i in range(n_messages)
    ]
    context = context_of(*entries)
    meter = Meter(counter())
    await meter.follow(context, GPT)

    with Profile() as calls:
        fill = meter.fill(context, [], GPT, window=WINDOW, draft="And now?")

    assert sum(entry.callcount for entry in calls.getstats()) < 500
    assert fill.composition[-1][0] is Category.DRAFT
    assert fill.projection == filled_projection(context, "And now?")


def test_a_draft_counts_what_it_will_count_once_it_is_said() -> None:
    talk = (entry(0, Origin.USER, TextPart(text="One?")), entry(1, ANSWER, TextPart(text="One.")))
    said = entry(2, Origin.USER, TextPart(text="And then?"))

    typed = Meter(counter()).fill(context_of(*talk), [], GPT, window=WINDOW, draft="And then?")

    assert typed.projection == filled(context_of(*talk, said), GPT).projection


def filled_projection(context: Context, draft: str) -> object:
    return Meter(counter()).fill(context, [], GPT, window=WINDOW, draft=draft).projection
