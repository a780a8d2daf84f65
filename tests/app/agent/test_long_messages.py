"""A message longer than an entry holds: said, answered, counted, folded and edited like any other (M6)."""

from collections.abc import AsyncIterator

import pytest

from app.context.conversation import Conversation
from app.core.entries import Entry, Finish, Origin
from app.core.events import Accepted, Finished, TextArrived, TurnCompleted
from app.core.parts import Blob, blobs_of, body_of
from app.core.requests import Message
from app.settings import Paths
from app.store.store import Store
from app.vault.vault import Vault
from tests.app.agent.opening import CHAT, FACTS, Opened, opened
from tests.app.chats.reading import conversation

WINDOW_TOKENS = FACTS.window_tokens or 0
PASTE = "\n".join(f"{n:06} GET /orders/{n * 7919 % 10_007} 200 in {n % 97} ms" for n in range(4_000))
SAID = f"Read this log:\n\n{PASTE}\n\nNever restart the server while you look."


@pytest.fixture
def vault(paths: Paths) -> Vault:
    return Vault(paths.vault)


@pytest.fixture
async def chat(store: Store, vault: Vault) -> AsyncIterator[Opened]:
    found = await opened(store, vault=vault)
    yield found
    await found.session.aclose()
    assert found.errors == []


async def text_of(entry: Entry | Message, vault: Vault) -> str:
    bodies = map(body_of, entry.parts)
    texts = [body if isinstance(body, str) else (await vault.get(body)).decode() for body in bodies]
    return "\n\n".join(texts)


async def test_the_model_sees_every_word_of_it_and_so_does_the_next_start(
    chat: Opened, store: Store, vault: Vault
) -> None:
    await chat.ask(SAID)

    (message,) = chat.gateway.requests[-1].messages
    again = Conversation(await store.load(CHAT)).path[0]
    assert await text_of(message, vault) == SAID
    assert await text_of(again, vault) == SAID
    assert [blob.n_bytes for blob in blobs_of(again.parts)] == [len(PASTE)]


async def test_what_is_said_around_a_paste_is_read_without_the_vault(chat: Opened) -> None:
    """For the ledger, the intent and the title."""
    await chat.ask(SAID)

    assert chat.session.conversation.path[0].text == (
        "Read this log:\n\nNever restart the server while you look."
    )


async def test_it_is_counted_as_long_as_it_is(chat: Opened) -> None:
    await chat.ask(SAID)

    fill = chat.session.fill()

    assert fill is not None
    assert fill.projection.estimated_tokens >= len(PASTE) // 4


async def test_an_edit_of_it_is_a_sibling_with_a_text_of_its_own(
    chat: Opened, store: Store, vault: Vault
) -> None:
    await chat.ask(SAID)
    first = chat.session.conversation.path[0]

    await chat.session.edit(first.id, SAID.replace("000000", "EDITED"))
    await chat.end(2)

    versions = chat.session.conversation.transcript.siblings(first.id)
    texts = [await text_of(chat.session.conversation.transcript[version], vault) for version in versions]
    assert texts == [SAID, SAID.replace("000000", "EDITED")]


async def test_a_retry_sends_the_same_words(chat: Opened, vault: Vault) -> None:
    await chat.ask(SAID)

    await chat.session.retry(chat.last())
    await chat.end(2)

    seen = [await text_of(request.messages[0], vault) for request in chat.gateway.requests]
    assert seen == [SAID, SAID]
    assert chat.gateway.requests[0].messages == chat.gateway.requests[1].messages


async def test_a_long_answer_is_whole_and_goes_out_again_whole(chat: Opened, vault: Vault) -> None:
    chat.gateway.say(
        (Accepted(), TextArrived(text=PASTE), TextArrived(text=" End."), Finished(finish=Finish.STOP))
    )
    ended = await chat.ask("Write it all down.")

    await chat.ask("Go on.")

    assert isinstance(ended, TurnCompleted)
    assert isinstance(body_of(ended.answer.parts[0]), Blob)
    assert await text_of(chat.gateway.requests[-1].messages[1], vault) == f"{PASTE} End."


async def test_a_paste_longer_than_the_window_keeps_its_ends_and_an_address_to_the_rest(
    chat: Opened, vault: Vault
) -> None:
    """C37, with the words of a recorded session; the address reads it back byte for byte."""
    paste = conversation("pi-mono-refactor-session").read_text("utf-8")[: WINDOW_TOKENS * 8]
    await chat.ask("Hello.")

    await chat.ask(f"What went wrong here?\n\n{paste}")

    sent = " ".join(
        str(body_of(part)) for message in chat.gateway.requests[-1].messages for part in message.parts
    )
    entry = chat.session.conversation.path[2]
    (blob,) = blobs_of(entry.parts)
    assert len(sent) // 4 < WINDOW_TOKENS
    assert f"vault://{blob.sha256[:12]}" in sent
    assert (await vault.get(blob)).decode() == paste
    assert entry.origin is Origin.USER
