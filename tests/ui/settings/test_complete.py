"""All there is to set has a place (U20), is found in both languages, and the last change of any of it is taken back."""

from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest

from app.settings import Settings
from tests.ui.settings.conftest import Opener, settled
from ui.settings.state import FIELDS, PAGES

_ELSEWHERE = {
    "endpoints": "the page of providers",
    "mcp_servers": "the page of MCP servers",
    "hooks": "the page of hooks",
    "metrics_port": "the page of data",
    "prompts": "the page of prompts",
    "workspace": "each chat's header",
    "allowed_here": "what was answered in one chat",
}
"""Set on pages of their own, or in a chat."""
_KEPT = {"reported_windows", "learned_windows", "window_layout", "has_started", "last_chat"}
"""What the program notes for itself."""


def test_every_setting_has_a_control() -> None:
    on_pages = {name for names in FIELDS.values() for name in names}

    assert on_pages | _ELSEWHERE.keys() | _KEPT == set(Settings.model_fields)
    assert not on_pages & _KEPT


async def test_what_is_typed_on_the_page_of_chats_holds_from_the_next_message_on(opened: Opener) -> None:
    shown = await opened("chat")
    page = shown.view.chat

    page.longest.setText("4096")
    page.longest.submitted.emit("4096")
    page.temperature.submitted.emit("0.4")
    page.effort.chosen.emit("low")
    page.instructions.setFocus()
    page.instructions.insertPlainText("Answer shortly.")
    shown.view.search.setFocus()
    await settled()
    page.longest.setText("")
    page.longest.submitted.emit("")
    await settled()

    settings = shown.app.settings
    assert (settings.max_tokens, settings.temperature) == (None, 0.4)
    assert (settings.reasoning_effort, settings.instructions) == ("low", "Answer shortly.")
    page.temperature.submitted.emit("3")
    await settled()
    assert page.field("temperature").problem.text() == "At most 2."


async def test_ctrl_z_takes_back_change_after_change_on_any_page(opened: Opener) -> None:
    shown = await opened("appearance")
    shown.view.appearance.motion.click()
    await settled()
    shown.view.show_page("context")
    shown.view.context.switch.click()
    await settled()

    changed = shown.app.settings
    QTest.keyClick(shown.view.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await settled()
    after_one = shown.app.settings
    QTest.keyClick(shown.view.search, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await settled()

    assert (changed.reduce_motion, changed.compresses) == (True, False)
    assert (after_one.reduce_motion, after_one.compresses) == (True, True)
    assert shown.app.settings == Settings(endpoints=changed.endpoints)


async def test_a_setting_is_found_by_its_words_in_the_other_language_and_by_its_hint(opened: Opener) -> None:
    shown = await opened("about")
    view = shown.view

    def found(words: str) -> list[str]:
        view.search.setText(words)
        return [page for row, page in enumerate(PAGES) if not view.list.item(row).isHidden()]

    assert found("动画") == ["appearance"]
    assert view.appearance.field("reduce_motion").isVisible()
    assert not view.appearance.field("theme").isVisible()
    assert found("slides simply") == ["appearance"]
    assert found("fork chat") == ["shortcuts"] or "shortcuts" in found("continue new")
    assert found("no such thing at all") == []


async def test_the_page_of_the_context_shows_where_each_stage_begins_and_why(opened: Opener) -> None:
    shown = await opened("context")
    page = shown.view.context
    await shown.app.change(model="openai/gpt-4.1")
    await settled()

    page.why_button.click()

    assert page.bar.accessibleName() == (
        "40% watch · 419K · 50% light · 524K · 70% full · 733K · 90% emergency · 943K"
    )
    assert page.model_line.text() == f"gpt-4.1 · {page.locale().toString(1_047_576)} tokens · model registry"
    assert f"{QLocale().toString(8192)} tokens are kept free" in page.why.text()


async def test_the_key_of_the_web_search_is_kept_with_the_others_and_shown_by_its_end(opened: Opener) -> None:
    """Q22"""
    shown = await opened("tools")
    page = shown.view.tools

    page.engine.chosen.emit("tavily")
    await settled()
    page.key.setText("tvly-secret-9Zk4")
    page.key_button.click()
    await settled()

    assert shown.app.secrets.values["search-tavily"] == "tvly-secret-9Zk4"
    assert (page.key.text(), page.key.placeholderText()) == ("", "•••• 9Zk4")
    assert "tvly" not in shown.app.settings.model_dump_json()
    assert (page.key_row.isEnabled(), page.address_row.isEnabled()) == (True, False)


async def test_a_host_whose_links_open_is_forgotten(opened: Opener) -> None:
    """U12"""
    shown = await opened("privacy")
    await shown.app.change(confirmed_hosts=["a.example", "b.example"])
    await settled()

    shown.view.privacy.hosts.removed.emit("a.example")
    await settled()

    assert shown.app.settings.confirmed_hosts == ("b.example",)
