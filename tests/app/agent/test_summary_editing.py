"""The person writes a summary anew: versions, a request that stays as it is, and the words in the next compaction (U8)."""

import pytest

from app.chats.summary_editing import SummaryEditing, SummaryRefused
from app.context.ports import NewEntry
from app.context.summary.fields import KeptSummary, Summary
from app.core.entries import Origin
from app.core.folds import FoldKind
from app.core.ids import CompactionId, EntryId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from app.core.records import Compaction
from app.store.store import Store
from tests.app.agent.opening import CHAT, Opened, opened
from tests.app.agent.test_fork import Forks
from tests.app.agent.test_room import folding_of
from tests.app.agent.test_summary import GOOD, TARGET_TOKENS, WIDE, long_talk
from tests.app.context.summary.making import PROMPTS
from tests.app.context.summary.making import answer as fields
from tests.fakes import answer

OWN = Summary(user_goal="Rewrite the parser", next_steps=("Measure it",))


def summaries_of(chat: Opened) -> SummaryEditing:
    return SummaryEditing(chat.session.conversation, store=chat.store, publish=chat.changes.append)


async def summed_up(store: Store) -> tuple[Opened, Compaction]:
    """A long talk with a model's summary, and a turn after it."""
    chat = await long_talk(store, WIDE)
    chat.gateway.say(GOOD, GOOD)
    made = await folding_of(chat).compress(target_tokens=TARGET_TOKENS)
    await chat.ask("One")
    return chat, made


async def with_tool_work(chat: Opened) -> None:
    """Long results at the end of the chat, for free steps to fold."""
    parent = chat.session.conversation.path[-1].id
    entries: list[NewEntry] = []
    for n in range(6):
        text = "\n".join(f"line {i} of file {n}: value_{n}_{i} = {i * n}" for i in range(60))
        call = ToolCallPart(call_id=f"c{n}", name="read", arguments=f'{{"path": "file_{n}.py"}}')
        result = ToolResultPart(call_id=f"c{n}", name="read", text=text)
        for name, origin, part in ((f"a{n}", Origin.ASSISTANT, call), (f"t{n}", Origin.TOOL, result)):
            above = entries[-1].id if entries else parent
            entries.append(NewEntry(id=EntryId(name), parent_id=above, origin=origin, parts=(part,)))
    end = TextPart(text="Done.")
    entries.append(
        NewEntry(id=EntryId("done"), parent_id=entries[-1].id, origin=Origin.ASSISTANT, parts=(end,))
    )
    for entry in await chat.store.append(CHAT, entries):
        chat.session.conversation.add(entry)


async def test_a_summary_that_was_written_anew_changes_no_request_before_a_compaction(store: Store) -> None:
    """C38."""
    chat, made = await summed_up(store)
    before = chat.model_saw()

    await summaries_of(chat).write(made.id, OWN)
    await chat.ask("Two")

    assert chat.model_saw()[: len(before)] == before
    assert "Tidy src/file_3.py" in before[0]


async def test_free_steps_take_the_new_words_up_and_leave_what_stands_beside_them(store: Store) -> None:
    chat, made = await summed_up(store)
    await chat.ask("Two")
    await with_tool_work(chat)
    await chat.ask("Three")
    before = chat.model_saw()
    await summaries_of(chat).write(made.id, OWN)

    again = await folding_of(chat).compress(target_tokens=6_000)
    await chat.ask("Four")

    after = chat.model_saw()
    texts = {fold.kind for fold in (await store.load(CHAT)).folds if fold.compaction_id == again.id}
    assert FoldKind.SHORTENED in texts or FoldKind.REMOVED in texts
    assert "Rewrite the parser" in after[0]
    assert "Tidy src/file_3.py" not in after[0]
    assert _sections(after[0]) == _sections(before[0])
    assert KeptSummary.model_validate_json(again.summary).user_goal == "Rewrite the parser"
    assert [step.why for step in again.steps if step.step == "your words"] == [
        "The summary stands as you wrote it."
    ]
    await folding_of(chat).undo(again.id)
    await chat.ask("Four")
    assert chat.model_saw()[0] == before[0]  # and the words wait again
    assert await summaries_of(chat).standing() == (made.id,)


async def test_the_next_summary_goes_on_from_the_new_words(store: Store) -> None:
    """C14: by a model, which reads them as what was summed up so far."""
    chat, made = await summed_up(store)
    await summaries_of(chat).write(made.id, OWN)
    for n in range(8):
        chat.gateway.say(answer("word " * 600, usage=None))
        await chat.ask(f"More of it, please: part {n} of src/part_{n}.py")
    n_asked = len(chat.gateway.requests)
    chat.gateway.say(*[answer(fields(user_goal="Go on", active_state="Fine"))] * 3)

    await folding_of(chat).compress(target_tokens=TARGET_TOKENS)

    asked = chat.gateway.requests[n_asked]
    (part,) = asked.messages[0].parts
    assert isinstance(part, TextPart)
    assert isinstance(part.text, str)
    former = part.text.partition("</summary_so_far>")[0]
    assert "Rewrite the parser" in former
    assert "Tidy src/file_3.py" not in former


async def test_versions_are_kept_and_undone_one_by_one_after_a_restart_too(store: Store) -> None:
    chat, made = await summed_up(store)
    first = await summaries_of(chat).write(made.id, OWN)
    second = await summaries_of(chat).write(made.id, OWN.model_copy(update={"user_goal": "Drop the parser"}))
    await chat.session.aclose()

    again = await opened(store, settings=WIDE, prompts=PROMPTS)
    await summaries_of(again).undo(second)

    versions = await summaries_of(again).versions(made.id)
    assert [(one.rev, one.summary.user_goal, one.is_undone) for one in versions] == [
        (versions[0].rev, "Tidy src/file_3.py", False),
        (first, "Rewrite the parser", False),
        (second, "Drop the parser", True),
    ]
    assert (await again.session.engine.written())[made.id] == OWN.model_dump_json()
    assert first < second <= (await store.chat(CHAT)).rev


async def test_a_fork_takes_the_new_words_along(store: Store) -> None:
    chat, made = await summed_up(store)
    await summaries_of(chat).write(made.id, OWN)

    _, fork = await Forks(chat).fork()

    assert [one.summary.user_goal for one in await summaries_of(fork).versions(made.id)] == [
        "Tidy src/file_3.py",
        "Rewrite the parser",
    ]


async def test_words_about_what_is_deleted_for_good_go_with_it(store: Store) -> None:
    """M10."""
    chat, made = await summed_up(store)
    await summaries_of(chat).write(made.id, OWN)

    await store.purge_group(CHAT, EntryId("e10"))

    assert await store.summary_versions(CHAT) == ()


async def test_a_summary_that_says_nothing_or_stands_nowhere_is_refused(store: Store) -> None:
    chat, made = await summed_up(store)

    with pytest.raises(SummaryRefused, match="empty"):
        await summaries_of(chat).write(made.id, Summary())
    with pytest.raises(SummaryRefused, match="not in the context"):
        await summaries_of(chat).write(CompactionId("nobody"), OWN)
    await folding_of(chat).undo(made.id)
    with pytest.raises(SummaryRefused, match="not in the context"):
        await summaries_of(chat).write(made.id, OWN)

    assert await store.summary_versions(CHAT) == ()


def _sections(text: str) -> str:
    """What stands between the fields and the end."""
    return (
        text[text.index("## From the conversation") :]
        .partition("## Next steps")[0]
        .rstrip("\n")
        .partition("</memory-context>")[0]
        .rstrip("\n")
    )
