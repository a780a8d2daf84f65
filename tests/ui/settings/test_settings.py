"""The settings (U20): saved at once, undone one by one, refused with a sentence at the field."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from app.bootstrap.application import Application
from app.core.ids import ModelId
from app.settings import Paths, Settings
from app.tasks import TaskScope
from tests.ui.settings.conftest import Opener, settled
from tests.ui.widgets import unnamed
from ui.kit.inputs import LineInput, TextInput
from ui.kit.showcase import Stage
from ui.settings.rows import Page
from ui.settings.state import (
    FIELDS,
    PAGES,
    PageId,
    SettingsState,
    off_default,
    value_of,
    with_saved,
    with_undone,
)
from ui.settings.storage.state import BackupFile
from ui.settings.view_model import SettingsViewModel


async def test_a_change_is_saved_at_once_and_can_be_undone_at_its_field(opened: Opener) -> None:
    shown = await opened("appearance")
    page = shown.view.appearance
    row = page.field("reduce_motion")

    page.motion.click()
    await settled()
    assert shown.app.settings.reduce_motion
    assert row.undo_button.isVisible()
    row.undo_button.click()
    await settled()

    assert not shown.app.settings.reduce_motion
    assert not page.motion.isChecked()
    assert not row.undo_button.isVisible()


async def test_a_value_out_of_bounds_is_refused_with_a_sentence_and_stays_to_be_mended(
    opened: Opener,
) -> None:
    shown = await opened("appearance")
    page = shown.view.appearance
    row = page.field("zoom_percent")

    for typed, sentence in (
        ("500", "At most 200."),
        ("7", "At least 80."),
        ("big", "A whole number, please."),
    ):
        page.zoom.input.setText(typed)
        QTest.keyClick(page.zoom.input, Qt.Key.Key_Return)
        await settled()
        assert (row.problem.text(), page.zoom.input.text()) == (sentence, typed)
        assert shown.app.settings.zoom_percent == 100
    page.zoom.input.setText("120")
    QTest.keyClick(page.zoom.input, Qt.Key.Key_Return)
    await settled()

    assert shown.app.settings.zoom_percent == 120
    assert not row.problem.isVisible()
    assert row.undo_button.isVisible()


async def test_a_problem_at_one_field_does_not_go_when_another_is_saved(opened: Opener) -> None:
    shown = await opened("appearance")
    page = shown.view.appearance
    page.zoom.input.setText("500")
    QTest.keyClick(page.zoom.input, Qt.Key.Key_Return)
    await settled()

    page.motion.click()
    await settled()

    assert page.field("zoom_percent").problem.text() == "At most 200."
    assert page.zoom.input.text() == "500"


async def test_a_page_is_reset_as_a_whole_and_undone_field_by_field(opened: Opener) -> None:
    shown = await opened("appearance")
    page = shown.view.appearance
    assert not page.reset_button.isEnabled()
    await shown.app.change(zoom_percent=150, theme="dark", reduce_motion=True)

    page.reset_button.click()
    await settled()
    assert off_default(shown.app.settings, "appearance") == ()
    page.field("zoom_percent").undo_button.click()
    await settled()

    assert (shown.app.settings.zoom_percent, shown.app.settings.theme) == (150, "system")
    assert page.field("theme").undo_button.isVisible()


async def test_a_change_from_elsewhere_is_shown(opened: Opener) -> None:
    shown = await opened("appearance")

    await shown.app.change(zoom_percent=130)

    assert shown.view.appearance.zoom.input.text() == "130"


async def test_search_leaves_the_pages_and_rows_that_match(opened: Opener) -> None:
    shown = await opened("about")
    view = shown.view

    view.search.setText("zoom")

    visible = [page for row, page in enumerate(PAGES) if not view.list.item(row).isHidden()]
    assert visible == ["appearance"]
    assert view.page == "appearance"
    assert view.appearance.field("zoom_percent").isVisible()
    assert not view.appearance.field("theme").isVisible()


async def test_enter_in_the_search_goes_to_the_page_and_escape_leaves_step_by_step(opened: Opener) -> None:
    shown = await opened("about")
    view = shown.view
    view.search.setFocus()
    QTest.keyClicks(view.search, "proxy")

    QTest.keyClick(view.search, Qt.Key.Key_Return)
    assert view.page == "providers"
    assert view.providers.isAncestorOf(view.focusWidget())
    view.search.setFocus()
    QTest.keyClick(view.search, Qt.Key.Key_Escape)
    assert (view.search.text(), shown.closed) == ("", [])
    QTest.keyClick(view.search, Qt.Key.Key_Escape)

    assert shown.closed == [True]


async def test_an_input_methods_keys_belong_to_it_in_every_field(opened: Opener) -> None:
    """Case B60: neither Enter nor Escape of a composition may submit, save or leave."""
    shown = await opened("models")
    shown.view.show_window(ModelId("openai/gpt-4.1"))
    shown.view.show_page("providers")
    shown.view.providers.templates["compatible"].click()
    fields = [*shown.view.findChildren(LineInput), *shown.view.findChildren(TextInput)]
    assert len(fields) >= 9

    for field in (field for field in fields if field.isEnabled()):  # else it has no focus, and no key
        QApplication.sendEvent(field, QInputMethodEvent("ni", []))
        QTest.keyClick(field, Qt.Key.Key_Return)
        QTest.keyClick(field, Qt.Key.Key_Escape)
        commit = QInputMethodEvent()
        commit.setCommitString("你")
        QApplication.sendEvent(field, commit)
        assert field.text().endswith("你")
    await settled()

    assert shown.closed == []
    assert shown.models.providers.state.form is not None
    assert shown.models.settings.state.problem is None


async def test_each_control_has_a_name_on_every_page(opened: Opener) -> None:
    shown = await opened()
    shown.view.providers.templates["openai"].click()

    for page in PAGES:
        shown.view.show_page(page)
        await settled()

    assert unnamed(shown.view) == []


async def test_a_new_language_keeps_the_page_and_the_form(opened: Opener) -> None:
    shown = await opened()
    shown.view.providers.templates["openai"].click()
    shown.view.providers.form.key.setText("sk-half")

    QCoreApplication.sendEvent(shown.view, QEvent(QEvent.Type.LanguageChange))

    assert shown.view.page == "providers"
    assert shown.view.providers.form.key.text() == "sk-half"


async def test_data_says_where_it_lies_and_opens_it(opened: Opener, tmp_path: Path) -> None:
    paths = Paths(data=tmp_path)
    paths.backups.mkdir()
    (paths.backups / "daily-2026-11-28.sqlite3").write_bytes(b"x" * 2048)
    paths.database.write_bytes(b"x" * 4096)

    shown = await opened("data")
    await shown.models.storage.wait()
    shown.view.storage.open_button.click()

    texts = " ".join(label.text() for label in shown.view.storage.findChildren(QLabel))
    assert str(tmp_path) in texts
    assert "daily" in texts
    assert "4.00 KiB database" in texts
    assert shown.folders == [tmp_path]


async def test_a_backup_is_restored_from_the_page_where_it_is_listed(opened: Opener, tmp_path: Path) -> None:
    """U21, Q25: those made before an upgrade are listed, too; the page only asks for it."""
    paths = Paths(data=tmp_path)
    paths.backups.mkdir()
    for name in ("daily-2026-11-28.sqlite3", "upgrade-0006-2026-11-28T10-00-00.sqlite3"):
        (paths.backups / name).write_bytes(b"x")
    shown = await opened("data")
    await shown.models.storage.wait()
    asked: list[BackupFile] = []
    shown.view.restore_asked.connect(asked.append)

    for button in shown.view.storage.restore_buttons:
        button.click()

    assert {backup.path for backup in asked} == {paths.backups / backup.name for backup in asked}
    assert len(asked) == 2
    assert [backup.is_upgrade for backup in asked].count(True) == 1
    assert all("backup of" in button.accessibleName() for button in shown.view.storage.restore_buttons)


async def test_a_change_outlives_the_application(tmp_path: Path) -> None:
    paths = Paths(data=tmp_path)
    app = await Application.open(paths)
    async with TaskScope() as tasks:
        model = SettingsViewModel(app, tasks)
        model.change("zoom_percent", 140)
        await tasks.wait("setting zoom_percent")
        model.change("zoom_percent", 7)
        await tasks.wait("setting zoom_percent")
    assert model.state.problem is not None
    await app.aclose()

    again = await Application.open(paths)
    zoom = again.settings.zoom_percent
    await again.aclose()

    assert zoom == 140


@given(
    zoom=st.integers(80, 200), is_reduced=st.booleans(), theme=st.sampled_from(["system", "light", "dark"])
)
def test_undoing_every_field_brings_the_settings_back(zoom: int, is_reduced: bool, theme: str) -> None:
    before = Settings(zoom_percent=110)
    after = before.model_copy(update={"zoom_percent": zoom, "reduce_motion": is_reduced, "theme": theme})
    names = FIELDS["appearance"]
    state = with_saved(
        SettingsState(settings=before), after, {name: value_of(before, name) for name in names}
    )

    settings = after
    for name, value in tuple(state.undo.items()):
        settings = Settings.model_validate(settings.model_dump() | {name: value})
        state = with_undone(state, settings, (name,))

    assert state == SettingsState(settings=before)


async def test_a_control_stands_level_with_its_name(opened: Opener) -> None:
    shown = await opened("data")
    row = shown.view.storage.rows[0]
    name = row.findChildren(QLabel)[0]

    def middle(part: QWidget) -> int:
        return part.mapTo(row, part.rect().center()).y()

    assert abs(middle(name) - middle(row.control)) <= 1


@pytest.mark.parametrize("page", PAGES)
async def test_every_page_fits_beside_the_list_of_chats_in_a_small_window(
    opened: Opener, page: PageId
) -> None:
    """At 1024 pixels the right half of a page was out of sight, with no way to scroll there."""
    shown = await opened(page)

    shown.view.resize(1024 - 256, 700)
    for _ in range(5):  # each layout asks that around it
        QCoreApplication.sendPostedEvents()

    area = shown.view.stack.currentWidget()
    assert isinstance(area, Page)
    content = area.widget()
    assert content
    assert content.width() <= area.viewport().width()


@pytest.mark.parametrize("page", PAGES)
async def test_every_page_can_be_read_at_twice_the_size(opened: Opener, stage: Stage, page: PageId) -> None:
    """The list of pages stood at the window's own width, and pages ran out at the right."""
    shown = await opened(page)

    stage.theme.set_zoom(200)
    shown.view.resize(1024 - 48, 700)
    for _ in range(6):
        QCoreApplication.sendPostedEvents()

    area = shown.view.stack.currentWidget()
    stage.theme.set_zoom(100)
    assert isinstance(area, Page)
    content = area.widget()
    assert content
    assert area.viewport().width() > (1024 - 48) // 2
    assert content.minimumSizeHint().width() <= area.viewport().width()


async def test_a_long_path_ends_before_the_button_beside_it(opened: Opener) -> None:
    """In a small window the path of the data folder ran on below "Open folder"."""
    shown = await opened("data")
    page = shown.view.storage

    page.draw(replace(shown.models.storage.state, folder=Path("deep/" * 40)))
    shown.view.resize(1024 - 256, 700)
    for _ in range(5):
        QCoreApplication.sendPostedEvents()

    assert page.folder.width() > 100
    assert page.folder.geometry().right() < page.open_button.x()
    assert page.open_button.mapTo(page, page.open_button.rect().topRight()).x() < page.width()


async def test_the_caches_mode_and_limit_are_saved_at_once(opened: Opener) -> None:
    """U20, P8"""
    shown = await opened("cache")
    page = shown.view.cache

    next(each for each in page.mode.findChildren(QPushButton) if each.text() == "Always").click()
    page.limit.setText("$0.25")
    QTest.keyClick(page.limit, Qt.Key.Key_Return)
    await settled()

    settings = shown.app.settings
    assert (settings.cache_mode, settings.cache_limit_usd) == ("always", 0.25)
    page.field("cache_limit_usd").undo_button.click()
    await settled()
    assert (shown.app.settings.cache_limit_usd, page.limit.text()) == (1.0, "1")


async def test_a_limit_that_is_no_amount_is_refused_with_a_sentence_and_stays_to_be_mended(
    opened: Opener,
) -> None:
    shown = await opened("cache")
    page = shown.view.cache

    for typed, sentence in (
        ("-1", "At least 0."),
        ("a lot", "A number, please."),
        ("inf", "A number, please."),
    ):
        page.limit.setText(typed)
        QTest.keyClick(page.limit, Qt.Key.Key_Return)
        await settled()
        assert (page.field("cache_limit_usd").problem.text(), page.limit.text()) == (sentence, typed)

    assert shown.app.settings.cache_limit_usd == 1.0


async def test_the_metrics_port_is_saved_at_once_and_what_is_none_is_refused(opened: Opener) -> None:
    """A18: off by itself; an empty field is off again."""
    shown = await opened("data")
    page = shown.view.storage
    assert page.port.text() == ""

    for typed, saved, sentence in (
        ("9464", 9464, ""),
        ("70000", 9464, "At most 65535."),
        ("often", 9464, "A whole number, please."),
        ("", 0, ""),
    ):
        page.port.setText(typed)
        QTest.keyClick(page.port, Qt.Key.Key_Return)
        await settled()
        assert (shown.app.settings.metrics_port, page.port_row.problem.text()) == (saved, sentence)
