"""Servers are taken over from other programs' JSON, and nothing of them starts by that (A11, Q23)."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.mcp.importing import ImportRefused, imported, unused_id
from app.agent.mcp.tool import wire_names
from app.settings import McpServer

COMMON = {
    "mcpServers": {
        "Git Server": {"command": "uvx", "args": ["mcp-server-git"], "env": {"TOKEN": "s3cret"}},
        "web": {"type": "http", "url": "https://tools.example/mcp", "headers": {"Authorization": "Bearer x"}},
        "off": {"command": "x", "disabled": True},
    }
}


def test_the_common_form_is_taken_over_and_may_not_start() -> None:
    git, web, off = imported(json.dumps(COMMON), {"web"})

    assert git.server == McpServer(
        id="git-server", name="Git Server", command="uvx", args=("mcp-server-git",), env=("TOKEN",)
    )
    assert git.env == {"TOKEN": "s3cret"}
    assert (web.server.id, web.server.kind, web.server.headers) == ("web2", "http", ("Authorization",))
    assert not off.server.enabled
    assert not any(item.server.may_start for item in (git, web, off))
    assert "s3cret" not in git.server.model_dump_json()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no", "no JSON object"),
        ("[]", "no JSON object"),
        ('{"mcpServers": {}}', "no servers"),
        ('{"mcpServers": {"a": 3}}', "'a' is not as it should be"),
        ('{"mcpServers": {"a": {}}}', "'a' needs either a command or a url"),
        ('{"mcpServers": {"a": {"command": "x", "url": "http://y"}}}', "either"),
        ('{"mcpServers": {"a": {"url": "file:///etc/passwd"}}}', "starts with http"),
        ('{"mcpServers": {"a": {"type": "sse", "url": "http://y"}}}', "older SSE form"),
        ('{"mcpServers": {"a": {"command": "x", "env": {"A": 1}}}}', "'a' is not as it should be"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(ImportRefused, match=said):
        imported(text)


@given(st.text() | st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.dictionaries(st.text(), inner)).map(json.dumps))  # fmt: skip
def test_nothing_but_a_refusal_comes_of_any_text(text: str) -> None:
    with contextlib.suppress(ImportRefused):
        assert imported(text)


@given(st.lists(st.text(), max_size=5))
def test_ids_are_plain_and_each_is_its_own(names: list[str]) -> None:
    taken: set[str] = set()
    for name in names:
        found = unused_id(name, taken)
        assert found not in taken
        McpServer(id=found, name=name)
        taken.add(found)


@given(st.sets(st.text(max_size=80), max_size=8))
def test_every_provider_takes_the_names_of_tools_and_none_is_like_another(names: set[str]) -> None:
    found = wire_names("time", names)

    assert found.keys() == names
    assert len(set(found.values())) == len(names)
    assert all(name.isascii() and len(name) <= 64 for name in found.values())
    assert all(name.startswith("mcp__time__") for name in found.values())


def test_what_a_start_depends_on_has_to_be_allowed_anew() -> None:
    """Q23."""
    server = McpServer(id="a", name="A", command="x", args=("y",))
    allowed = server.model_copy(update={"confirmed": server.start_hash})

    assert allowed.may_start
    for change in (
        {"command": "z"},
        {"args": ("y", "-v")},
        {"env": ("A",)},
        {"cwd": "/"},
        {"secrets_version": 1},
    ):
        assert not allowed.model_copy(update=change).may_start
    assert allowed.model_copy(update={"name": "B", "timeout_s": 5.0, "tools_off": ("t",)}).may_start
