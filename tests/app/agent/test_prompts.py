"""The system text is made of sections, the same each time, in the language that a chat began in (A9, P1)."""

import re
from dataclasses import replace
from itertools import product

import pytest

from app.agent.execution import ChatAgentExecutionCache
from app.agent.prompts import MODES, prelude
from app.bootstrap.shipped import shipped_prompts
from app.core.ids import ChatId
from app.core.requests import ToolSpec
from app.settings import Settings
from app.store.store import Store
from tests.app.agent.opening import HERE, execution_ports, opened

PROMPTS = shipped_prompts()
READ = ToolSpec(name="file_read", description="Read.", schema="{}")
FIND = ToolSpec(name="find", description="Find.", schema="{}")
DISCIPLINES = ("claude", "gemini", "gpt", "open")
ALL = list(product(MODES, ("en", "zh"), DISCIPLINES))


def system(mode: str, language: str, discipline: str, *, has_tools: bool = True) -> str:
    tools = (READ,) if has_tools else ()
    found = prelude(
        PROMPTS, mode=mode, language=language, instructions="", discipline=discipline, tools=tools
    )
    return found.system


@pytest.mark.parametrize(("mode", "language", "discipline"), ALL)
def test_each_mode_is_whole_in_each_language_for_each_family(
    mode: str, language: str, discipline: str
) -> None:
    text = system(mode, language, discipline)

    opened_tags = re.findall(r"<(\w+)>", text)
    assert opened_tags == re.findall(r"</(\w+)>", text)
    assert len(set(opened_tags)) == len(opened_tags)
    assert "security_rules" in opened_tags
    assert "{" not in text


@pytest.mark.parametrize(("mode", "language"), list(product(MODES, ("en", "zh"))))
def test_a_system_text_holds_nothing_that_changes(mode: str, language: str) -> None:
    """P1: no date, no name, no path, no count."""
    assert not re.search(r"\d|[A-Za-z]:\\|/home|/Users", system(mode, language, "gpt"))


def test_what_is_said_of_tools_is_said_only_where_there_are_some() -> None:
    with_tools, without = (system("full", "en", "claude", has_tools=has) for has in (True, False))

    assert "<execution_discipline>" in with_tools
    assert "tool" not in re.sub(
        r"<identity>.*?</identity>|<ruleset>.*?</ruleset>|<security.*?</security_rules>",
        "",
        without,
        flags=re.S,
    )


def test_each_family_is_told_what_it_needs() -> None:
    texts = {system("lean", "en", discipline) for discipline in DISCIPLINES}

    assert len(texts) == len(DISCIPLINES)


def test_the_chinese_texts_hold_no_english_but_names() -> None:
    """U22."""
    names = {
        "Palimpsest",
        "Markdown",
        "vault",
        "file_read",
        "pattern",
        "note",
        "delegate",
        "JSON",
        "schema",
        "yes",
    }
    for mode, discipline in product(MODES, DISCIPLINES):
        words = set(re.findall(r"[A-Za-z_]{2,}", re.sub(r"</?\w+>", "", system(mode, "zh", discipline))))
        assert words <= names


def test_tools_come_in_one_order_whoever_lists_them() -> None:
    """P1."""
    one, other = (
        prelude(PROMPTS, mode="lean", language="en", instructions="", tools=tools)
        for tools in ((READ, FIND), (FIND, READ))
    )

    assert one == other


def test_a_language_without_texts_gets_the_english_ones() -> None:
    assert system("full", "fr", "gpt") == system("full", "en", "gpt")


async def test_a_chat_keeps_the_language_that_it_began_in(store: Store) -> None:
    """A9: else a change of the interface's language would break the prompt cache of every chat."""
    chat = await opened(store, settings=Settings(endpoints=(HERE,), model="here/m"))
    spoken = ["en"]
    ports = replace(execution_ports(store, chat.settings), language=lambda: spoken[-1])
    before = await ChatAgentExecutionCache(ports).of(chat.session.conversation.chat)
    await chat.ask("First.")
    began = await ChatAgentExecutionCache(ports).of(chat.session.conversation.chat)
    spoken.append("zh")
    after = await ChatAgentExecutionCache(ports).of(chat.session.conversation.chat)
    other = await ChatAgentExecutionCache(ports).would(
        replace(chat.session.conversation.chat, id=ChatId("new"))
    )

    texts = [found.prelude.system for found in (before, began, after, other)]
    assert texts == ["Be brief.", "Be brief.", "Be brief.", "请简短。"]
    assert began.fingerprint == after.fingerprint
    await chat.session.aclose()
