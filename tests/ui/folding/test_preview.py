"""What compressing would do, in the window: it is what is then stored, and its figures are one basis (U7, C35)."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.bootstrap.uses import Uses
from app.core.errors import AppError
from app.core.ids import ModelId
from tests.fakes import until
from tests.ui.chat.test_compress import line_of, seen
from tests.ui.folding.conftest import Looking
from tests.ui.widgets import unnamed
from ui.folding.state import Work, Worth
from ui.kit.figures import compact

REAL = ("sweagent-marshmallow-1867", "tau2-retail-single", "holmes-multiple-root-causes")


def words(looking: Looking) -> list[str]:
    return [label.text() for label in looking.dialog.findChildren(QLabel) if label.isVisible()]


def is_done(looking: Looking) -> bool:
    return line_of(looking.model) is not None and looking.model.state.compressing is None


@pytest.mark.parametrize("name", REAL)
async def test_what_was_shown_is_what_is_stored(looking: Looking, name: str) -> None:
    """C35; before and after on one basis, and rows that add up (traps of research 2.4)."""
    await looking.open(name)
    await looking.look()
    preview = looking.state.preview
    assert preview
    shown, locale = words(looking), looking.dialog.locale()
    assert await looking.desk.application.store.compactions(looking.model.id) == ()
    assert looking.state.worth is Worth.MUCH
    assert compact(preview.tokens_before, locale) in shown
    assert compact(preview.tokens_after, locale) in shown
    assert sum(row.tokens_freed for row in preview.fates) == preview.tokens_before - preview.tokens_after
    assert sum(tokens for _, tokens in preview.before) == preview.tokens_before
    n_said = len(looking.model.state.path)

    QTest.keyClick(looking.dialog.topic, Qt.Key.Key_Return)
    await until(lambda: is_done(looking))

    (made,) = await looking.desk.application.store.compactions(looking.model.id)
    assert (made.tokens_before, made.tokens_after) == (preview.tokens_before, preview.tokens_after)
    assert [step.folded for step in made.steps] == [step.folded for step in preview.planned.reports]
    held = looking.model.session.conversation
    assert [fold.replacement for fold in held.folds] == [
        fold.replacement for fold in preview.planned.proposal.proposed
    ]
    assert len(looking.model.state.path) == n_said  # every word is still shown, and none was added


async def test_the_ring_has_the_new_figure_at_once(looking: Looking) -> None:
    """A meter that is stale after a compaction cries wolf (research 2.4)."""
    await looking.open(REAL[0])
    await looking.look()
    preview = looking.state.preview
    assert preview

    looking.dialog.apply.click()
    await until(lambda: is_done(looking))

    fill = looking.model.session.fill()
    assert fill
    assert fill.projection.projected_tokens == pytest.approx(preview.tokens_after, rel=0.02)


async def test_undo_gives_the_model_what_it_saw_before(looking: Looking) -> None:
    """No one-way door (research 2.4, C34)."""
    await looking.open(REAL[1])
    await looking.look()
    before = seen(looking.desk, looking.model)
    looking.dialog.apply.click()
    await until(lambda: is_done(looking))
    folded = seen(looking.desk, looking.model)

    looking.model.undo(next(item for item in looking.model.items.ids() if item.startswith("compressed/")))
    await until(lambda: (line := line_of(looking.model)) is not None and not line.actions)

    assert folded != before
    assert seen(looking.desk, looking.model) == before


async def test_what_is_typed_as_focus_is_planned_once_when_the_keys_rest(looking: Looking) -> None:
    await looking.open(REAL[0])
    await looking.look()
    first = looking.state.preview

    QTest.keyClicks(looking.dialog.topic, "reproduce.py")
    assert looking.state.work is Work.PLANNING
    assert not looking.dialog.apply.isEnabled()
    await looking.planned()

    assert looking.state.preview is not first
    assert looking.state.preview
    assert looking.state.preview.wish.topic == "reproduce.py"


async def test_a_target_that_the_person_aims_at_is_planned_for(looking: Looking) -> None:
    """C2: a slider; it moves by keys."""
    await looking.open(REAL[0])
    await looking.look()
    first = looking.state.preview
    assert first

    for _ in range(3):
        QTest.keyClick(looking.dialog.target, Qt.Key.Key_PageUp)
    await looking.planned()
    second = looking.state.preview

    assert second
    assert second.decision.target_tokens > first.decision.target_tokens
    assert second.tokens_after >= first.tokens_after


async def test_where_nothing_is_won_compress_says_the_figure_and_asks(looking: Looking) -> None:
    """U4; no success is told of a compression that was none (research 2.4)."""
    await looking.show(await looking.desk.chat())
    looking.chat.composer.input.insertPlainText("Hello")
    QTest.keyClick(looking.chat.composer.input, Qt.Key.Key_Return)
    await until(lambda: len(looking.model.state.path) == 2 and not looking.model.session.is_running)

    looking.model.compressing.begin()
    await looking.planned()

    assert looking.state.worth is Worth.NOTHING
    preview = looking.state.preview
    assert preview
    figure = compact(preview.tokens_before, looking.dialog.locale())
    assert any(f"make these {figure} tokens fewer" in text for text in words(looking))
    assert not looking.dialog.apply.isEnabled()
    QTest.keyClick(looking.dialog, Qt.Key.Key_Escape)
    await until(lambda: looking.compression.dialog is None)
    assert line_of(looking.model) is None
    assert await looking.desk.application.store.compactions(looking.model.id) == ()


async def test_a_window_that_nobody_knows_hinders_no_preview(looking: Looking) -> None:
    """Nothing is gated by a window that was made up (research 2.4)."""
    app = looking.desk.application
    endpoint = {
        "id": "x",
        "kind": "compatible",
        "name": "X",
        "base_url": "http://127.0.0.1:1",
        "needs_key": False,
    }
    await app.change(endpoints=[{**endpoint, "models": ["unheard-of"]}])
    await looking.open(REAL[2])
    await app.choose_model(looking.model.id, ModelId("x/unheard-of"))

    await looking.look()

    assert looking.state.preview
    assert looking.state.preview.standing.fill.window.tokens == 0
    assert looking.state.worth is Worth.MUCH


async def test_escape_drops_a_plan_under_way(looking: Looking) -> None:
    await looking.open(REAL[0])
    looking.compression.preview()
    await until(lambda: looking.compression.dialog is not None)

    QTest.keyClick(looking.dialog.topic, Qt.Key.Key_Escape)
    await until(lambda: looking.compression.dialog is None)

    assert await looking.desk.application.store.compactions(looking.model.id) == ()


async def test_the_facts_open_as_a_list_that_says_where_each_can_be_read(looking: Looking) -> None:
    """C36."""
    await looking.open(REAL[0])
    await looking.look()
    preview, dialog = looking.state.preview, looking.dialog
    assert preview

    QTest.keyClick(dialog.facts_button, Qt.Key.Key_Space)

    shown = [dialog.facts_list.item(row).text() for row in range(dialog.facts_list.count())]
    assert dialog.facts_list.isVisible()
    assert len(shown) == preview.receipt.total >= 20
    n_reachable = sum(text.startswith("✓") for text in shown)
    assert n_reachable == preview.receipt.n_reachable
    assert str(n_reachable) in dialog.facts_button.text()
    assert unnamed(dialog) == []


async def test_a_failure_is_told_in_the_dialog(looking: Looking, monkeypatch: pytest.MonkeyPatch) -> None:
    await looking.open(REAL[2])

    async def fails(_: Uses, __: object) -> None:
        raise AppError("The disk is full, so this could not be saved.")

    monkeypatch.setattr(Uses, "folding", fails)
    await looking.look()

    assert "The disk is full" in " ".join(words(looking))
    assert not looking.dialog.apply.isEnabled()
    QTest.keyClick(looking.dialog, Qt.Key.Key_Escape)
    await until(lambda: looking.compression.dialog is None)
