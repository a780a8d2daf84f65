import asyncio
from collections.abc import Sequence

import pytest

from app.context.budget import Count
from app.context.context import Context
from app.context.counting import Counter, must_count_first
from app.context.measure import Meter
from app.core.entries import Entry, Origin
from app.core.errors import WorkerDied
from app.core.folds import Fold, FoldKind
from app.core.ids import CompactionId
from app.core.parts import Blob, MediaPart, TextPart, ThinkingPart, ToolCallPart
from app.core.requests import Prelude, ToolSpec
from app.models.families import family_of
from app.tasks import TaskScope
from tests.app.context.counts import CHAT, MODEL, CountingHere, CountsHere, VaultHere, context_of, entry

GPT = family_of("openai", "gpt-4o")
CLAUDE = family_of("anthropic", "claude-sonnet-4-5")


def said(*texts: str) -> tuple[Entry, ...]:
    origins = (Origin.USER, Origin.ASSISTANT)
    return tuple(entry(i, origins[i % 2], TextPart(text=text)) for i, text in enumerate(texts))


class Place:
    """A counter and what it stands on."""

    def __init__(self, store: CountsHere | None = None) -> None:
        self.work = CountingHere()
        self.store = store or CountsHere()
        self.vault = VaultHere()
        self.counter = Counter(CHAT, store=self.store, work=self.work, vault=self.vault)


async def test_a_part_is_estimated_until_it_is_counted() -> None:
    """C4."""
    place = Place()
    entries = said("今天天气很好，我们去公园散步。")
    context = context_of(*entries)
    (part,) = entries[0].parts

    before = place.counter.count(part, GPT)
    await place.counter.count_new(context, GPT)

    assert before == Count(tokens=15, is_exact=False)
    assert place.counter.count(part, GPT) == Count(tokens=11)
    assert Meter(place.counter).uncounted_tokens(context, GPT) == 0


async def test_a_turn_counts_only_what_is_new() -> None:
    place = Place()
    one, two, three = said("one", "two", "three")
    context = context_of(one)
    await place.counter.count_new(context, GPT)
    context.append(two)
    context.append(three)

    await place.counter.count_new(context, GPT)
    await place.counter.count_new(context, GPT)

    assert place.work.asked == ["Be brief.", "one", "two", "three"]


async def test_counts_outlive_the_program() -> None:
    first = Place()
    entries = said("one", "two")
    await first.counter.count_new(context_of(*entries), GPT)

    second = Place(first.store)
    await second.counter.load(entries, GPT)
    await second.counter.count_new(context_of(*entries), GPT)

    assert second.work.asked == ["Be brief."]
    assert first.store.counts == {"e0": (1,), "e1": (1,)}


async def test_other_work_goes_on_while_the_counts_of_a_long_chat_are_taken_over() -> None:
    """Q8: 10,000 entries held the window's loop for 35 ms."""
    n_beats = 0

    async def beat() -> None:
        nonlocal n_beats
        while True:
            n_beats += 1
            await asyncio.sleep(0)

    async with TaskScope() as scope:
        scope.start("beat", beat())
        await Place().counter.load(said(*map(str, range(2_000))), GPT)

    assert n_beats >= 4


async def test_what_a_fold_hides_is_not_looked_at_again() -> None:
    """Q6: else each turn of a chat of 100,000 messages goes through all of them."""
    place = Place()
    entries = said("the same words", "an answer", "the same words")
    fold = Fold(
        rev=9, compaction_id=CompactionId("x"), kind=FoldKind.REMOVED,
        first=entries[0].id, last=entries[1].id, anchor=entries[2].id,
    )  # fmt: skip
    prelude = Prelude(system="Be brief.")

    await place.counter.count_new(Context(entries, (fold,), rev=9, model=MODEL, prelude=prelude), GPT)

    assert set(place.store.counts) == {entries[2].id}


async def test_counts_of_another_vocabulary_are_their_own() -> None:
    place = Place()
    entries = said("Some words to count")
    context = context_of(*entries)
    await place.counter.count_new(context, GPT)

    assert not place.counter.count(entries[0].parts[0], CLAUDE).is_exact


async def test_a_long_original_is_read_from_the_vault_to_be_counted() -> None:
    place = Place()
    blob = await place.vault.put(b"hello " * 20_000, mime="text/plain", name="log")
    asked = entry(0, Origin.USER, TextPart(text=blob))

    await place.counter.count_new(context_of(asked), GPT)

    assert place.counter.count(asked.parts[0], GPT) == Count(tokens=20_001)


async def test_an_original_that_is_lost_leaves_the_others_to_be_counted() -> None:
    place = Place()
    lost = Blob(sha256="0" * 64, n_bytes=400, mime="text/plain", name="log")
    asked = entry(0, Origin.USER, TextPart(text=lost), TextPart(text="Read it."))

    await place.counter.count_new(context_of(asked), GPT)

    counts = [place.counter.count(part, GPT) for part in asked.parts]
    assert counts == [Count(tokens=100, is_exact=False), Count(tokens=3)]
    assert place.store.counts == {}


async def test_media_count_by_formula_and_calls_with_their_names() -> None:
    place = Place()
    image = MediaPart(source="https://example.com/a.png", mime="image/png", width_px=512, height_px=512)
    call = ToolCallPart(call_id="a", name="read_file", arguments='{"path":"a"}')
    entries = (entry(0, Origin.USER, image), entry(1, Origin.ASSISTANT, call))

    await place.counter.count_new(context_of(*entries), GPT)

    assert place.counter.count(image, GPT) == Count(tokens=255)
    assert place.work.asked[:2] == ["Be brief.", 'read_file {"path":"a"}']


async def test_a_signature_counts_beside_its_thought() -> None:
    place = Place()
    thought = ThinkingPart(text="Hm.", signature="QmFzZTY0" * 20)
    entries = (*said("x"), entry(1, Origin.ASSISTANT, thought))

    await place.counter.count_new(context_of(*entries), CLAUDE)

    assert place.counter.tokens(thought, CLAUDE) > 40


async def test_a_tool_counts_with_its_whole_schema() -> None:
    """Trap: tools and thinking left out."""
    place = Place()
    tool = ToolSpec(name="read", description="Reads a file", schema='{"type":"object"}')
    prelude = Prelude(system="Be brief.", tools=(tool,))

    await place.counter.count_new(context_of(*said("x"), prelude=prelude), GPT)

    assert place.work.asked[1] == 'read\nReads a file\n{"type":"object"}'
    assert place.counter.tool_tokens(prelude, GPT) == 11


async def test_without_the_text_worker_the_estimates_stay() -> None:
    class Dead:
        async def count(self, texts: Sequence[str], tokenizer: str) -> tuple[int, ...]:
            raise WorkerDied("The process that works on texts keeps ending")

    counter = Counter(CHAT, store=CountsHere(), work=Dead(), vault=VaultHere())
    entries = said("one")

    await counter.count_new(context_of(*entries), GPT)

    assert counter.count(entries[0].parts[0], GPT) == Count(tokens=1, is_exact=False)


@pytest.mark.parametrize(
    ("uncounted", "projected", "window", "waits"),
    [
        (4999, 59_999, 100_000, False),
        (5000, 5000, 100_000, True),
        (1, 60_000, 100_000, True),
        (0, 99_000, 100_000, False),
        (4999, 10**6, 0, False),
    ],
)
def test_an_exact_count_is_waited_for_when_the_estimate_says_much(
    uncounted: int, projected: int, window: int, waits: bool
) -> None:
    """C4: 60 % of the window, or 5,000 tokens."""
    assert must_count_first(uncounted, projected, window) is waits


def test_reasoning_that_claude_is_never_shown_again_counts_nothing() -> None:
    """C4: without a signature it is not sent back."""
    counter = Place().counter

    assert counter.tokens(ThinkingPart(text="so " * 100), CLAUDE) == 0
    assert counter.tokens(ThinkingPart(text="so " * 100, signature="s"), CLAUDE) > 50


async def test_what_was_looked_up_holds_though_it_was_counted_meanwhile() -> None:
    """A plan that counts a text twice goes by one figure."""
    place = Place()
    (asked,) = said("Some words to count, more of them than are usual")
    tokens = place.counter.looked_up(GPT)
    before = tokens(asked.parts[0])

    await place.counter.count_new(context_of(asked), GPT)

    assert before == tokens(asked.parts[0])
    assert place.counter.looked_up(GPT)(asked.parts[0]) == place.counter.tokens(asked.parts[0], GPT) != before
