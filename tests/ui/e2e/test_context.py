"""By the keyboard alone: look, compress, see what the model sees, undo, put back; all of it has names (U6, U7, U24, C34, C35)."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.core.folds import FoldKind
from tests.ui.chat.conftest import Gateway
from tests.ui.e2e.conftest import Person, Program
from tests.ui.e2e.test_chat import started
from tests.ui.widgets import nameless
from ui.folding.state import Work
from ui.kit.transcript_view import TranscriptView
from ui.vault.view import VaultView

REAL = Path(__file__).parents[2] / "data" / "conversations" / "sweagent-marshmallow-1867.json"


def key(person: Person, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """To whoever has the keyboard."""
    QTest.keyClick(at(person), key, modifiers)


def at(person: Person) -> QWidget:
    dialog = person.workbench.compression.dialog
    where: QWidget = dialog or person.workbench.window
    return where.focusWidget() or QApplication.focusWidget() or where


def n_standing(person: Person) -> int:
    folds = person.model.session.conversation.folds
    return sum(fold.undone_rev is None and fold.kind is not FoldKind.WHOLE for fold in folds)


def is_undo_of_compression(transcript: TranscriptView) -> bool:
    """Whether the keyboard is at that word of a compression's line, after those that open what it folded."""
    item, spot = transcript._focused, transcript._spot  # pyright: ignore[reportPrivateUsage]  # nobody else needs to know
    return (
        item is not None and item.startswith("compressed/") and spot is not None and spot.zone.value == "undo"
    )


def test_from_the_preview_to_what_is_put_back_by_keys_alone(program: Program) -> None:
    """Trap: a one-way door."""

    async def work(person: Person) -> None:
        bench = person.workbench
        await started(person)
        bench.doors.import_files([REAL])
        await person.until(lambda: person.chat.model and len(person.said) > 5)
        await person.until(lambda: person.model.session.fill())
        n_said = len(person.said)
        person.chat.setFocus()

        person.command("preview")
        await person.until(lambda: (dialog := bench.compression.dialog) and dialog.state.work is Work.NONE)
        dialog = bench.compression.dialog
        assert dialog
        assert dialog.focusWidget() is dialog.topic
        assert nameless(dialog) == []
        key(person, Qt.Key.Key_Return)
        await person.until(lambda: n_standing(person) and person.model.state.compressing is None)
        assert len(person.said) == n_said

        person.command("originals")
        await person.until(lambda: (shown := bench.window.findChild(VaultView)) and shown.isVisible())
        originals = bench.window.findChild(VaultView)
        assert originals
        assert nameless(originals) == []
        key(person, Qt.Key.Key_Escape)
        await person.until(lambda: not originals.isVisible())

        person.command("lens")
        await person.until(lambda: bench.lens.view and bench.lens.view.strip.look)
        view = bench.lens.view
        assert view
        assert bench.window.page == "lens"
        person.command("panel")
        await person.until(lambda: bench.health.panel and bench.health.panel.plots.plot)
        assert bench.window.is_panel_open
        assert nameless(bench.window) == []
        strip = view.strip
        look = strip.look
        assert look
        QTest.keyClick(strip, Qt.Key.Key_Home)
        while (selected := strip.selected) is not None and not look.band(selected).fate:
            QTest.keyClick(strip, Qt.Key.Key_Down)
        await person.until(view.put_back.isVisible)
        n = n_standing(person)
        view.put_back.setFocus()
        QTest.keyClick(view.put_back, Qt.Key.Key_Space)
        await person.until(
            lambda: any(f.kind is FoldKind.WHOLE for f in person.model.session.conversation.folds)
        )
        assert n_standing(person) == n
        QTest.keyClick(strip, Qt.Key.Key_Escape)
        assert bench.window.page == "chat"

        transcript = person.chat.transcript
        transcript.setFocus()
        QTest.keyClick(transcript, Qt.Key.Key_End)
        for _ in range(60):
            transcript.focusNextPrevChild(True)  # what Tab does
            if is_undo_of_compression(transcript):
                break
        QTest.keyClick(transcript, Qt.Key.Key_Return)
        await person.until(lambda: n_standing(person) == 0)
        assert len(person.said) == n_said

    program(work, Gateway())
