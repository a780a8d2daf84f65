"""The page of MCP servers (U20, A11, Q23): nothing starts before its command was shown and allowed."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.agent.mcp.servers import Status
from app.settings import McpServer
from tests.ui.settings.conftest import Opener, Shown, settled
from tests.ui.widgets import unnamed
from ui.settings.mcp.samples import SERVERS
from ui.settings.mcp.state import ServerForm, form_of, problem_in, server_of, starts


async def with_servers(opened: Opener) -> Shown:
    shown = await opened("mcp")
    await shown.app.change(mcp_servers=[server.model_dump(mode="json") for server in SERVERS])
    await settled()
    return shown


def stored(shown: Shown, server_id: str) -> McpServer:
    return next(item for item in shown.app.settings.mcp_servers if item.id == server_id)


async def test_what_would_run_is_shown_whole_before_it_is_allowed(opened: Opener) -> None:
    """Q23."""
    shown = await with_servers(opened)
    card = shown.view.mcp.cards["files"]
    before = stored(shown, "files").may_start

    text = card.starts.text()
    QTest.keyClick(card.allow_button, Qt.Key.Key_Space)
    await settled()

    assert text == "TOKEN=… npx -y @modelcontextprotocol/server-filesystem /projects/team"
    assert not before
    assert stored(shown, "files").may_start
    assert shown.app.mcp.state("files").status is Status.RUNNING
    assert not card.allow_button.isVisible()


async def test_a_server_is_added_by_keyboard_and_waits_to_be_allowed(opened: Opener) -> None:
    shown = await with_servers(opened)
    page = shown.view.mcp
    QTest.keyClick(page.add_button, Qt.Key.Key_Space)
    form = page.form

    QTest.keyClicks(form.name, "Time of day")
    QTest.keyClick(form.name, Qt.Key.Key_Return)
    refused = form.problem.text()
    QTest.keyClicks(form.command, "uvx 'mcp server' -v")
    form.env.set_text("TOKEN=s3cret\n")
    QTest.keyClick(form.command, Qt.Key.Key_Return)
    await settled()

    made = stored(shown, "time-of-day")
    assert "needs a command" in refused
    assert (made.command, made.args, made.env) == ("uvx", ("mcp server", "-v"), ("TOKEN",))
    assert shown.app.mcp.values["time-of-day"] == {"TOKEN": "s3cret"}
    assert not made.may_start
    card = page.cards["time-of-day"]
    assert card.allow_button.isVisibleTo(card)
    assert not form.isVisible()


async def test_servers_are_taken_over_from_json_or_it_is_said_why_not(opened: Opener) -> None:
    shown = await with_servers(opened)
    page = shown.view.mcp

    page.import_button.click()
    page.json.set_text('{"mcpServers": {"clock": {}}}')
    page.take_button.click()
    await settled()
    refused = page.failure.text()
    page.json.set_text('{"mcpServers": {"clock": {"command": "clock"}}}')
    page.take_button.click()
    await settled()

    assert "'clock' needs either a command or a url" in refused
    assert not page.failure.isVisible()
    assert stored(shown, "clock").command == "clock"


async def test_a_tool_has_its_price_and_is_switched_off_and_on(opened: Opener) -> None:
    shown = await with_servers(opened)
    card = shown.view.mcp.cards["git"]
    card.tools_button.click()
    before = card.status.text()

    QTest.keyClick(card.boxes["git_commit"], Qt.Key.Key_Space)
    QTest.keyClick(card.boxes["git_log"], Qt.Key.Key_Space)  # at once
    await settled()
    off, after = stored(shown, "git").tools_off, card.status.text()
    QTest.keyClick(card.boxes["git_commit"], Qt.Key.Key_Space)
    await settled()

    assert (off, stored(shown, "git").tools_off) == (("git_commit", "git_log"), ("git_log",))
    assert "tokens" in card.boxes["git_log"].text()
    assert before != after


async def test_how_a_server_ended_is_told_with_the_last_it_said(opened: Opener) -> None:
    shown = await with_servers(opened)
    card = shown.view.mcp.cards["web"]

    card.restart_button.click()
    await settled()

    assert "It ended with exit code 3." in card.status.text()
    assert "out of luck" in card.said.text()
    assert shown.app.mcp.restarted == ["web"]
    assert card.tested.text() == "Tested: it failed after 0.4 s. It ended with exit code 3."


async def test_a_test_of_a_server_tells_its_tools_and_how_long_it_took(opened: Opener) -> None:
    shown = await with_servers(opened)
    git, files = (shown.view.mcp.cards[name] for name in ("git", "files"))

    QTest.keyClick(git.restart_button, Qt.Key.Key_Space)
    await settled()

    assert git.tested.text().startswith("Tested: it was up after 0.4 s, with 5 tool")
    assert git.restart_button.isEnabled()
    assert not files.restart_button.isVisible()  # it has to be allowed first


async def test_a_server_is_switched_off_and_removed_after_a_question(opened: Opener) -> None:
    shown = await with_servers(opened)
    card = shown.view.mcp.cards["git"]

    QTest.keyClick(card.switch, Qt.Key.Key_Space)
    await settled()
    is_on = stored(shown, "git").enabled
    card.remove_button.click()
    asked = card.no_button.hasFocus()
    card.yes_button.click()
    await settled()

    assert (is_on, asked) == (False, True)
    assert "git" not in {server.id for server in shown.app.settings.mcp_servers}
    assert "git" not in shown.view.mcp.cards


async def test_every_control_of_the_page_has_a_name(opened: Opener) -> None:
    shown = await with_servers(opened)
    shown.view.mcp.cards["git"].tools_button.click()
    shown.view.mcp.add_button.click()
    await settled()

    assert unnamed(shown.view.mcp) == []


def test_a_form_that_is_saved_untouched_changes_nothing() -> None:
    for server in SERVERS:
        form = form_of(server)
        assert problem_in(form) == ""
        assert server_of(form, SERVERS) == (server, {}, {})


def test_what_keeps_a_form_from_being_a_server_is_named() -> None:
    right = ServerForm(name="A", command="a")

    assert problem_in(right) == ""
    assert problem_in(ServerForm(command="a")) == "name"
    assert problem_in(ServerForm(name="A", command="a 'b")) == "command"
    assert problem_in(ServerForm(name="A", kind="http", url="ftp://a")) == "url"
    assert problem_in(ServerForm(name="A", command="a", env="no value here")) == "env"
    assert problem_in(ServerForm(name="A", command="a", timeout_s="soon")) == "numbers"


def test_no_value_is_shown_with_what_is_run() -> None:
    assert starts(SERVERS[2]) == "https://tools.example/mcp [Authorization: …]"
