"""A chat's title: made here at no cost, asked of a model once, and the person's own for ever (A17)."""

import asyncio
import time
from dataclasses import replace

import pytest

from app.agent.titles import as_title, local_title, title_request, without_noise
from app.core.errors import AppError, Unreachable
from app.core.events import Accepted, TextArrived
from app.core.ids import ModelId
from app.core.records import RequestKind
from app.store.store import Store
from tests.app.agent.opening import CHAT, Opened, opened, titles_by_n
from tests.fakes import answer, until

LONG = "How do I sort a list of dictionaries by two keys? " * 20_000


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("How do I sort a list?", "How do I sort a list?"),
        ("Sort it. Then print it.", "Sort it"),
        ("如何排序？谢谢", "如何排序"),
        ("```python\nprint(1)\n```", "Python snippet"),
        ("```\nprint(1)\n```", "Untitled"),
        ("", "Untitled"),
        ("Hi", "Hi"),
        ("https://example.com/a/b?c=d", "Untitled"),
        ("Look at https://example.com/a/b and tell me", "Look at and tell me"),
        ("<div class='x'>Make this blue</div>", "Make this blue"),
        ("<think>secret plan</think>Say hello to everyone", "Say hello to everyone"),
        ("Fix this:\n```c\nint main() {}\n```\nplease", "Fix this: please"),
        (
            "Why does my very long question about nothing in particular never come to an end at all",
            "Why does my very long question about nothing in particular…",
        ),
    ],
)
def test_a_title_is_made_of_what_was_said_without_its_noise(text: str, title: str) -> None:
    assert local_title(text) == title


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefghijklmnop1234",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "AKIAIOSFODNN7EXAMPLE",
        "xoxb-123456789012-abcdefghijkl",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9eyJzdWIiOiIxMjM0NTY3ODkw",
    ],
)
def test_no_secret_becomes_a_title_or_is_sent_for_one(secret: str) -> None:
    text = f"My key {secret} does not work any more"

    request = title_request(ModelId("here/n"), text)

    assert secret not in local_title(text)
    assert secret not in repr(request)
    assert "does not work any more" in repr(request)


def test_a_megabyte_costs_no_more_than_a_line() -> None:
    """A17: only the first 2,000 characters are looked at."""

    def fastest_ms(text: str) -> float:
        took: list[float] = []
        for _ in range(5):
            began = time.thread_time()
            local_title(text)
            title_request(ModelId("here/n"), text)
            took.append((time.thread_time() - began) * 1000)
        return min(took)

    for text in (LONG, "<" * 1_000_000, "```" * 300_000, "a" * 1_000_000, "https://" * 125_000):
        assert fastest_ms(text) <= 5
    assert without_noise(LONG) == without_noise(LONG[:2000])


def test_too_little_to_ask_about_is_not_asked() -> None:
    assert title_request(ModelId("here/n"), "```python\nprint(1)\n```") is None


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ('"Sorting lists."', "Sorting lists"),
        ("# **Sorting lists**\n\nI chose this because …", "Sorting lists"),
        ("<think>What fits?</think>\nSorting lists", "Sorting lists"),
        ("“排序列表”。", "排序列表"),
        ("", ""),
        ("I am sorry, but " * 20, ""),
        ("t" * 120, "t" * 120),
        ("t" * 121, ""),
    ],
)
def test_a_models_words_become_a_title_or_nothing(said: str, title: str) -> None:
    assert as_title(said) == title


# ---- in a chat


async def untitled(store: Store) -> Opened:
    return await opened(store, titles=titles_by_n, title="")


async def test_a_chat_has_a_title_from_its_first_message_at_once(store: Store) -> None:
    chat = await untitled(store)
    chat.gateway.say((Accepted(), TextArrived(text="Half"), asyncio.Event()))

    await chat.session.send("How do I sort a list?")

    assert (await store.chat(CHAT)).title == "How do I sort a list?"
    await chat.session.aclose()


async def test_a_better_title_is_asked_of_the_lite_model_once(store: Store) -> None:
    """A5, A17: behind the first answer, and never again."""
    chat = await untitled(store)
    chat.gateway.say(answer("So."), answer("Sorting ", "lists"))

    await chat.ask("How do I sort a list? ```py\nx\n```")
    await until(lambda: chat.session.conversation.chat.title == "Sorting lists")
    await chat.ask("And a dictionary?")
    await asyncio.sleep(0.02)

    assert [target.name for target in chat.gateway.targets] == ["m", "n", "m"]
    assert "How do I sort a list?" in chat.model_saw(1)[0]
    assert "```" not in chat.model_saw(1)[0]
    assert (await store.chat(CHAT)).title == "Sorting lists"
    records = await store.requests(CHAT)
    assert [record.kind for record in records] == [RequestKind.ANSWER, RequestKind.TITLE, RequestKind.ANSWER]
    assert [record.cost_usd for record in records] == [0.014] * 3  # what a title costs adds up, too
    await chat.session.aclose()


async def test_a_first_answer_that_took_two_tries_gets_its_title_too(store: Store) -> None:
    chat = await untitled(store)
    chat.gateway.say((Unreachable("Nothing listens."),), answer("So."), answer("Sorting lists"))

    await chat.session.send("How do I sort a list?")
    await chat.pass_the_retry()
    await until(lambda: chat.session.conversation.chat.title == "Sorting lists")

    await chat.session.aclose()


async def test_a_title_that_could_not_be_asked_for_leaves_the_first_one(store: Store) -> None:
    chat = await untitled(store)
    chat.gateway.say(answer("So."), (AppError("No."),))

    await chat.ask("How do I sort a list?")
    await until(lambda: len(chat.gateway.requests) == 2 and chat.gateway.n_open == 0)

    assert (await store.chat(CHAT)).title == "How do I sort a list?"
    assert chat.errors == []
    await chat.session.aclose()


@pytest.mark.parametrize("when", ["before", "while"])
async def test_the_persons_title_is_never_overwritten(store: Store, when: str) -> None:
    chat = await untitled(store)
    asked = asyncio.Event()
    chat.gateway.say(answer("So."), (Accepted(), asked, TextArrived(text="Sorting lists")))

    async def rename() -> None:
        await store.update_chat(CHAT, title="Mine", is_title_manual=True)
        held = chat.session.conversation
        held.chat = replace(held.chat, title="Mine", is_title_manual=True)

    if when == "before":
        await rename()
    await chat.ask("How do I sort a list?")
    if when == "while":
        await until(lambda: len(chat.gateway.requests) == 2)
        await rename()
    asked.set()
    await until(lambda: chat.gateway.n_open == 0)
    await asyncio.sleep(0.02)

    assert (await store.chat(CHAT)).title == "Mine"
    assert len(chat.gateway.requests) == (1 if when == "before" else 2)
    await chat.session.aclose()
