"""The list of a chat: each id once, the live answer and its entry one item, little work for each change."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chats.formats import read_file
from app.context.transcript import Transcript
from app.core.entries import Entry, Origin
from app.core.errors import AppError
from app.core.events import (
    RequestQueued,
    RequestSent,
    RetryScheduled,
    TextDelta,
    TurnCompleted,
    TurnStarted,
    TurnStopped,
)
from app.core.ids import ChatId, EntryId, RequestId, TurnId
from app.core.parts import Blob, MediaPart, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from app.core.records import Alert, AlertKind
from tests import strategies
from tests.app.chats.reading import CONVERSATIONS, stored
from tests.ui.chat.conftest import told
from ui.chat.item_ports import ItemPorts
from ui.chat.items import FAILURE, STATUS, ChatItems
from ui.chat.live import Live
from ui.chat.parts import LONGEST_SHOWN_BYTES
from ui.chat.samples import ASKED, CALLS, RESULTS, SETTLED, entry
from ui.chat.state import ChatState, passed, reduce
from ui.kit.items import AssistantItem, DividerItem, NoticeItem, ReasoningItem, StatusItem, ToolItem, UserItem

T = TurnId("t")
SENT = RequestSent(turn=T, answer_id=EntryId("answer"), projected_tokens=3)


def items_of(state: ChatState = ChatState(), *, wanted: list[Blob] | None = None) -> ChatItems:  # noqa: B008  # a frozen value
    ports = ItemPorts(
        versions=lambda _: (1, 1),
        record=lambda _: None,
        failed=lambda _: None,
        tell=told,
        want=wanted.append if wanted is not None else lambda _: None,
        peek=lambda _: None,
    )
    items = ChatItems(ports)
    items.update(state)
    return items


def contents(items: ChatItems) -> list[object]:
    return [items.content(item) for item in items.ids()]


def real_path(file: Path) -> tuple[Entry, ...]:
    found = stored(read_file(file)[0])
    return Transcript(found.entries).path(found.chat.head)


# ---- the list


@pytest.mark.parametrize("file", CONVERSATIONS, ids=lambda file: file.stem)
def test_every_real_conversation_is_shown_whole(file: Path) -> None:
    """U16: each id once, nothing that was said is missing, no item fails."""
    path = real_path(file)

    items = items_of(ChatState(path=path))

    ids = items.ids()
    assert len(set(ids)) == len(ids)
    shown = "\n".join(getattr(item, "body", "") + getattr(item, "text", "") for item in contents(items))
    for said in path:
        for part in said.parts:
            if isinstance(part, TextPart | ToolResultPart) and isinstance(part.text, str):
                assert part.text in shown, said.id
    assert all(items.n_chars(item) >= 0 for item in ids)


def _with_parts(said: Entry) -> st.SearchStrategy[Entry]:
    return strategies.tuples_of(strategies.parts, 5).map(lambda parts: replace(said, parts=parts))


paths = st.lists(strategies.entries.flatmap(_with_parts), max_size=8, unique_by=lambda said: said.id).map(
    tuple
)


@given(paths, paths)
def test_from_any_chat_to_any_other_the_list_is_what_it_is_from_nothing(
    old: tuple[Entry, ...], new: tuple[Entry, ...]
) -> None:
    items = items_of(ChatState(path=old))
    before = list(items.ids())

    is_other, changed = items.update(ChatState(path=new))

    fresh = items_of(ChatState(path=new))
    assert list(items.ids()) == list(fresh.ids())
    assert len(set(items.ids())) == len(items.ids())
    assert contents(items) == contents(fresh)
    assert is_other or before == list(items.ids())
    assert set(changed) <= set(items.ids())


@given(paths, st.data())
def test_what_changed_is_told(path: tuple[Entry, ...], data: st.DataObject) -> None:
    """An item that is there before and after, and differs, has another revision and is named."""
    cut, back = (data.draw(st.integers(0, len(path))) for _ in range(2))
    items = items_of(ChatState(path=path[:cut]))
    before = {item: (items.content(item), items.revision(item)) for item in items.ids()}

    _, changed = items.update(ChatState(path=path[:back]))

    for item in items.ids():
        if item in before and items.content(item) != before[item][0]:
            assert item in changed
            assert items.revision(item) != before[item][1]


def test_a_live_answer_and_its_entry_are_one_item() -> None:
    """Nothing is laid out anew when an answer is done."""
    items = items_of()
    state = ChatState()
    seen: list[tuple[Sequence[str], bool]] = []
    answer = entry("answer", Origin.ASSISTANT, "Because.")
    for event in (
        TurnStarted(chat_id=ChatId("c"), turn=T, user=ASKED),
        SENT,
        TextDelta(turn=T, text="Because"),
        TextDelta(turn=T, text="."),
        TurnCompleted(turn=T, answer=answer),
    ):
        state = reduce(state, event)
        is_other, _ = items.update(state)
        seen.append((tuple(items.ids()), is_other))

    assert seen == [
        (("asked", STATUS), True),
        (("asked", STATUS), False),
        (("asked", "answer"), True),
        (("asked", "answer"), False),
        (("asked", "answer"), False),
    ]
    assert items.revision("answer") == 2  # the last words, and the footer
    assert items.content("answer") == replace(
        items_of(state).content("answer"), text="Because.", is_streaming=False
    )


def test_one_more_entry_costs_little_in_a_long_chat() -> None:
    """U16: 10,000 messages; at most 5 ms, and so does every word of an answer."""
    path = tuple(entry(f"e{n}", (Origin.USER, Origin.ASSISTANT)[n % 2], f"Text {n}") for n in range(10_000))
    items = items_of(ChatState(path=path))
    steps: list[float] = []
    for n in range(20):
        state = ChatState(path=path, live=Live(turn=T, answer_id=EntryId("answer"), text="word " * n))
        steps.append(_ms(items, state))
    for n in range(20):
        path = (*path, entry(f"more{n}", Origin.USER, "More"))
        steps.append(_ms(items, ChatState(path=path)))
    for n in range(1, 20):
        steps.append(_ms(items, ChatState(path=path[: -3 * n])))

    print("worst", max(steps), "ms; median", sorted(steps)[len(steps) // 2])
    assert sorted(steps)[len(steps) // 2] <= 5


def _ms(items: ChatItems, state: ChatState) -> float:
    began = thread_time()
    items.update(state)
    return (thread_time() - began) * 1000


# ---- what stands in it


def test_calls_have_their_results_and_a_call_of_the_same_id_later_has_its_own() -> None:
    """C31: ids repeat across turns."""
    again = (
        entry("calls2", Origin.ASSISTANT, ToolCallPart(call_id="1", name="bash", arguments="{}")),
        entry("r3", Origin.TOOL, ToolResultPart(call_id="1", name="bash", text="second")),
    )

    items = items_of(ChatState(path=(ASKED, CALLS, *RESULTS, *again)))

    rows = [item for item in contents(items) if isinstance(item, ToolItem)]
    assert [row.state for row in rows] == ["done", "failed", "waiting", "done"]
    assert rows[0].title == "bash  pytest tests/billing -q"
    assert rows[1].title == "read  path: ledger.py, lines: 1-80"
    assert rows[3].body.endswith("second")


def test_results_in_one_entry_go_to_their_own_calls() -> None:
    both = entry(
        "both",
        Origin.TOOL,
        ToolResultPart(call_id="2", name="read", text="two"),
        ToolResultPart(call_id="1", name="bash", text="one"),
    )

    items = items_of(ChatState(path=(ASKED, CALLS, both)))

    rows = [item for item in contents(items) if isinstance(item, ToolItem)]
    assert [row.body.rsplit("\n", 1)[-1] for row in rows[:2]] == ["one", "two"]


def test_a_result_without_its_call_is_shown_all_the_same() -> None:
    orphan = entry("r", Origin.TOOL, ToolResultPart(call_id="?", name="ls", text="a.py"))

    shown = items_of(ChatState(path=(ASKED, orphan))).content("r/ToolResultPart0")

    assert isinstance(shown, ToolItem)
    assert (shown.title, shown.body) == ("Result of ls", "a.py")


def test_a_text_in_the_vault_is_asked_for_when_it_is_seen_and_shown_when_it_comes() -> None:
    blob = Blob(sha256="a" * 64, n_bytes=70_000, mime="text/plain", name="long.txt", n_lines=900)
    wanted: list[Blob] = []
    path = (ASKED, entry("a", Origin.ASSISTANT, "See:", TextPart(text=blob), "Done."))
    items = items_of(ChatState(path=path), wanted=wanted)
    assert wanted == []

    before = contents(items)
    told_of = items.take(blob, "the long text")

    assert wanted == [blob]
    assert [type(item) for item in before[1:]] == [AssistantItem, NoticeItem, AssistantItem]
    assert told_of == ("a/TextPart1",)
    assert items.content("a/TextPart1") == AssistantItem(text="the long text")


def test_what_is_too_long_stays_a_card_and_is_not_read() -> None:
    huge = Blob(sha256="b" * 64, n_bytes=LONGEST_SHOWN_BYTES + 1, mime="text/log", name="huge.log", n_lines=9)
    wanted: list[Blob] = []
    items = items_of(ChatState(path=(entry("a", Origin.ASSISTANT, TextPart(text=huge)),)), wanted=wanted)

    card = items.content("a")

    assert isinstance(card, NoticeItem)
    assert (card.title, card.chip, card.address) == ("huge.log", "text/log", f"vault://{'b' * 12}/huge.log")
    assert wanted == []
    assert items.n_chars("a") < 1000


def test_pictures_of_the_person_are_chips_and_a_remote_picture_of_an_answer_is_its_address() -> None:
    """U12, B66: nothing is fetched."""
    url = "https://pictures.example/p.png"
    mine = entry("u", Origin.USER, MediaPart(source=url, mime="image/png", width_px=2, height_px=3), "Look")
    its = entry("a", Origin.ASSISTANT, MediaPart(source=url, mime="image/png"))

    user, card = contents(items_of(ChatState(path=(mine, its))))

    assert isinstance(user, UserItem)
    assert user.attachments == (f"{url} · 2×3",)
    assert card == NoticeItem(icon="image", title="Image", text=url)


def test_an_answer_whose_thoughts_are_hidden_says_so() -> None:
    path = (entry("a", Origin.ASSISTANT, ThinkingPart(text="opaque==", redacted=True), "Yes."),)

    hidden, _ = contents(items_of(ChatState(path=path)))

    assert hidden == ReasoningItem(title="Reasoning that the provider keeps to itself", text="")


def test_a_failure_stands_below_what_had_arrived_and_is_copied_whole() -> None:
    """U17, TS5."""
    cut = entry("cut", Origin.ASSISTANT, "It is")
    detail = "status 500 " * 50
    error = AppError("No.", hint="Ask again.", detail=detail)
    items = items_of(ChatState(path=(ASKED, cut), failure=error))

    card = items.content(FAILURE)

    assert list(items.ids()) == ["asked", "cut", FAILURE]
    assert isinstance(card, NoticeItem)
    assert card.text == "No.\nAsk again.\n" + detail[:400] + "…"
    assert items.source(FAILURE) == f"error\nNo.\nAsk again.\n{detail}"


def test_a_stopped_question_offers_to_be_asked_again() -> None:
    state = reduce(
        reduce(ChatState(), TurnStarted(chat_id=ChatId("c"), turn=T, user=ASKED)),
        TurnStopped(turn=T, answer=None),
    )

    card = items_of(state).content(FAILURE)

    assert isinstance(card, NoticeItem)
    assert [action.id for action in card.actions] == ["retry"]


def test_waiting_counts_its_seconds_and_a_retry_counts_them_down() -> None:
    live = Live(turn=T, answer_id=EntryId("answer"), phase_s=3)
    waiting = items_of(ChatState(path=(ASKED,), live=live)).content(STATUS)
    retry = RetryScheduled(turn=T, attempt=2, of=3, in_s=7.2, error=AppError("Full."))

    again = items_of(ChatState(path=(ASKED,), live=replace(live, retry=retry))).content(STATUS)

    assert waiting == StatusItem(text="Waiting for the first words, 3 s")
    assert again == StatusItem(text="Full. Trying again in 5 s (2 of 3)")


def test_what_is_worth_a_word_is_a_line_where_its_request_ended_and_adds_no_result_twice() -> None:
    """A18: also between a call and its answer."""
    settled = replace(SETTLED, live=None)
    items = items_of(settled)
    before = {item: items.content(item) for item in items.ids()}
    at = next(entry for entry in settled.path if entry.origin is Origin.TOOL)
    surge, soft = (
        Alert(kind=kind, request=RequestId("r"), after=at.id, amount=amount)
        for kind, amount in ((AlertKind.SURGE, 12_300), (AlertKind.SOFT, 0.714))
    )

    items.update(replace(settled, alerts=(surge, soft)))

    (line,) = (item for item in items.ids() if item not in before)
    assert items.content(line) == DividerItem(
        text="12.3K tokens more in one step · 71% of the window is used"
    )
    assert {item: items.content(item) for item in items.ids() if item != line} == before


def test_a_wait_for_the_providers_limit_is_counted_down() -> None:
    """A19: as long at least; whoever goes first may take longer."""
    state = reduce(ChatState(path=(ASKED,), live=Live(turn=T, phase_s=9)), RequestQueued(turn=T, in_s=4.2))

    told = [items_of(passed(state, seconds)).content(STATUS) for seconds in (0, 3, 6)]

    assert told == [
        StatusItem(text="The provider's limit is reached: sent in 5 s"),
        StatusItem(text="The provider's limit is reached: sent in 2 s"),
        StatusItem(text="Waiting for the provider's limit …"),
    ]


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ('{"command": "ls\\n -a"}', "ls -a"),
        ('{"path": "a b", "lines": [1, 2]}', "path: a b, lines: [1, 2]"),
        ("not json", "not json"),
        ("[1]", "[1]"),
        ("", ""),
        (json.dumps({"text": "x" * 9000}), '{"text": "xxxx'),
    ],
)
def test_a_call_says_in_one_line_what_it_does(arguments: str, shown: str) -> None:
    call = entry("c", Origin.ASSISTANT, ToolCallPart(call_id="1", name="run", arguments=arguments))

    (row,) = contents(items_of(ChatState(path=(call,))))

    assert isinstance(row, ToolItem)
    assert row.title.startswith(f"run  {shown}".rstrip())
    assert len(row.title) <= 200


def test_copy_gives_what_is_stored() -> None:
    """B62."""
    items = items_of(SETTLED)

    assert items.source("said") == tuple(
        part.text for part in SETTLED.path[-1].parts if isinstance(part, TextPart)
    )
