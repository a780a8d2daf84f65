"""Servers of tools in the whole program: set up, allowed, offered, asked about, and gone (A8, A11, A12, Q23)."""

import json
import sys
from collections.abc import Iterable

import pytest
from pydantic import JsonValue

from app.agent.mcp.servers import Status
from app.agent.mcp.tool import McpTool, tools_of
from app.agent.tools.tool import Reply
from app.bootstrap.application import Application, KnownFacts
from app.core.approvals import Access, Consent
from app.core.entries import Finish
from app.core.events import Accepted, Finished, PersonAsked, ToolCallArrived, TurnEvent
from app.core.ids import ChatId
from app.core.parts import Blob, MediaPart, TextPart
from app.core.requests import Role
from app.models.registry import ModelFacts
from tests.app.agent.mcp.test_servers import SCRIPT
from tests.app.store.conftest import empty_database, paths
from tests.app.test_bootstrap import a_chat, application, no_keyring, scripted
from tests.fakes import Step, answer, until

__all__ = ["application", "empty_database", "no_keyring", "paths"]

UP_S = 60.0
BAD = json.dumps(
    {"mcpServers": {"bad": {"command": sys.executable, "args": [SCRIPT], "env": {"TOKEN": "s3cret"}}}}
)


def calling(tool: str, **arguments: JsonValue) -> tuple[Step, ...]:
    call = ToolCallArrived(index=0, call_id="c0", name=tool, arguments=json.dumps(arguments))
    return (Accepted(), call, Finished(finish=Finish.TOOL_CALLS))


class At:
    """A chat, what it told, and its model."""

    def __init__(self, application: Application, chat_id: ChatId) -> None:
        self.application = application
        self.gateway = scripted(application)
        self.chat_id = chat_id
        self.events: list[TurnEvent] = []

    @property
    def questions(self) -> list[PersonAsked]:
        return [event for event in self.events if isinstance(event, PersonAsked)]

    async def ask(self, *says: tuple[Step, ...]) -> None:
        self.gateway.say(*says)
        session = await self.application.session(self.chat_id)
        await session.send("Go on.")

    async def settled(self) -> list[str]:
        """What the tools gave so far."""
        session = await self.application.session(self.chat_id)
        await session.settled()
        parts = [part for entry in session.conversation.path for part in entry.results]
        return [
            part.text if isinstance(part.text, str) else f"{part.text.n_bytes} bytes in the vault"
            for part in parts
        ]

    async def reply(self, n: int, consent: Consent) -> None:
        await until(lambda: len(self.questions) == n, within_s=UP_S)
        question = self.questions[-1]
        session = await self.application.session(self.chat_id)
        session.reply(question.answer_id, question.index, Reply(consent=consent))

    def offered(self) -> list[str]:
        """Names of the tools in the newest request."""
        return [tool.name for tool in self.gateway.requests[-1].prelude.tools]


@pytest.fixture
async def at(application: Application, monkeypatch: pytest.MonkeyPatch) -> At:
    """With the server that misbehaves, allowed and running, and a model that calls tools."""

    async def calls_tools(book: KnownFacts, kind: str, names: Iterable[str]) -> dict[str, ModelFacts]:
        return dict.fromkeys(names, ModelFacts(window_tokens=100_000, tools=True))

    monkeypatch.setattr(KnownFacts, "facts", calls_tools)
    (server,) = await application.mcp.take_over(BAD)
    await application.mcp.allow(server.id, server.start_hash)
    found = At(application, await a_chat(application))
    session = await application.session(found.chat_id)
    session.watch(found.events.append)
    await until(lambda: application.mcp.state("bad").status is Status.RUNNING, within_s=UP_S)
    return found


async def test_nothing_starts_before_the_person_has_seen_it(application: Application) -> None:
    """Q23: and an answer to what was shown before it changed starts nothing."""
    (server,) = await application.mcp.take_over(BAD)
    assert application.mcp.state("bad").status is Status.UNCONFIRMED
    await application.mcp.put(server.model_copy(update={"args": (SCRIPT, "stays")}))

    await application.mcp.allow("bad", server.start_hash)

    assert application.mcp.state("bad").status is Status.UNCONFIRMED
    assert application.mcp.servers.pid is None


async def test_values_are_kept_with_the_keys_and_go_with_their_server(application: Application) -> None:
    """A4."""
    (server,) = await application.mcp.take_over(BAD)

    kept = await application.mcp.values(server)
    stored = application.settings.model_dump_json()
    changed = await application.mcp.put(server, env={"TOKEN": "another"})
    anew = await application.mcp.values(changed)
    await application.mcp.remove("bad")

    assert (kept, anew) == (({"TOKEN": "s3cret"}, {}), ({"TOKEN": "another"}, {}))
    assert "s3cret" not in stored
    assert changed.start_hash != server.start_hash
    assert await application.mcp.values(server) == ({}, {})
    assert application.settings.mcp_servers == ()


async def test_a_picture_in_a_result_reaches_the_model_as_one_and_is_kept_whole(at: At) -> None:
    """A11, S11: beside the results, on the person's side; what only says that it is a picture is named."""
    await at.ask(calling("mcp__bad__pictures"), answer("A dot."))
    await at.reply(1, Consent.ONCE)
    await at.settled()

    result, beside = at.gateway.requests[-1].messages[-2:]
    *_, picture, named = beside.parts
    assert (result.role, beside.role) == (Role.TOOL, Role.USER)
    assert isinstance(picture, MediaPart)
    assert isinstance(picture.source, Blob)
    assert (picture.mime, picture.width_px, picture.height_px) == ("image/png", 1, 1)
    assert len(await at.application.vault.get(picture.source)) == 70
    assert named == TextPart(text="[no image: image/png]")


async def test_a_tool_is_asked_about_once_and_then_carried_out_in_this_chat(at: At) -> None:
    """A12."""
    await at.ask(
        calling("mcp__bad__echo", text="one"), calling("mcp__bad__echo", text="two"), answer("Done.")
    )
    await at.reply(1, Consent.CHAT)
    given = await at.settled()

    wish = at.questions[0].wish
    assert given == ["one", "two"]
    assert (wish.access, wish.what, json.loads(wish.detail)) == (Access.MCP, "bad: echo", {"text": "one"})
    assert len(at.questions) == 1


async def test_what_may_destroy_something_is_asked_about_each_time(at: At) -> None:
    server = at.application.settings.mcp_servers[0]
    await at.application.mcp.put(server.model_copy(update={"approval": "allow"}))

    await at.ask(
        calling("mcp__bad__add", text="x"),
        calling("mcp__bad__wipe"),
        calling("mcp__bad__wipe"),
        answer("Well."),
    )
    await at.reply(1, Consent.ALWAYS)
    await at.reply(2, Consent.REFUSED)
    await at.settled()

    assert [question.wish.tool for question in at.questions] == ["mcp__bad__wipe"] * 2
    assert at.questions[0].wish.access is Access.DANGEROUS


async def test_what_is_forbidden_is_refused_also_to_a_server_that_is_allowed_everything(at: At) -> None:
    server = at.application.settings.mcp_servers[0]
    await at.application.mcp.put(server.model_copy(update={"approval": "allow"}))
    await at.application.change(access={"mcp": "refuse"})

    await at.ask(calling("mcp__bad__echo", text="x"), answer("Well."))

    assert (await at.settled())[0].startswith("[error] The settings of this chat do not allow this.")


async def test_a_server_that_dies_in_the_middle_keeps_its_place_in_the_prompt(at: At) -> None:
    """P1."""
    server = at.application.settings.mcp_servers[0]
    await at.application.mcp.put(server.model_copy(update={"approval": "allow"}))

    await at.ask(calling("mcp__bad__die"), calling("mcp__bad__echo", text="x"), answer("It is gone."))
    given = await at.settled()
    first, *later = [request.prelude.tools for request in at.gateway.requests]

    assert given[0] == "[error] bad: It ended with exit code 3."
    assert "not there just now" in given[1]
    assert any(tool.name == "mcp__bad__echo" for tool in first)
    assert all(tools == first for tools in later)


async def test_a_change_holds_from_the_next_message(at: At) -> None:
    """A7, A8: a tool that is switched off, a list that changed, a server that is removed."""
    server = at.application.settings.mcp_servers[0]
    await at.application.mcp.put(server.model_copy(update={"approval": "allow", "tools_off": ("env",)}))
    await at.ask(calling("mcp__bad__grow"), answer("Grown."))
    await at.settled()
    during = at.offered()
    await until(
        lambda: any(tool.name == "grown" for tool in at.application.mcp.state("bad").tools), within_s=UP_S
    )
    await at.ask(answer("And on."))
    await at.settled()
    after = at.offered()
    await at.application.mcp.remove("bad")
    await at.ask(answer("Gone."))
    await at.settled()

    assert "mcp__bad__env" not in during
    assert "mcp__bad__grown" not in during
    assert "mcp__bad__grown" in after
    assert at.offered() == ["file_read"]
    await until(lambda: at.application.mcp.servers.pid is None, within_s=UP_S)


async def test_tools_stand_in_the_order_of_the_settings_and_by_name(at: At) -> None:
    """P1."""
    found = tools_of(at.application.mcp.servers, at.application.settings)

    names = [tool.spec.name for tool in found]
    assert names == sorted(names)
    assert all(isinstance(tool, McpTool) for tool in found)
    assert {tool.name for tool in found if tool.is_read_only} == {"mcp__bad__echo"}
