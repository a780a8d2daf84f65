"""Going on in a new chat, by keys alone: both kinds, the way back, and the tree that shows whose fork it is (U10)."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.chats.forking import ForkKind
from app.core.ids import ChatId
from tests.ui.chat.conftest import Gateway
from tests.ui.e2e.conftest import Person, Program
from tests.ui.e2e.test_chat import started
from tests.ui.e2e.test_context import REAL, n_standing
from tests.ui.widgets import nameless
from ui.chat.items import KIN
from ui.kit.items import ItemId
from ui.shell.forks import ForkDialog
from ui.sidebar.list_model import Role


def asked(person: Person) -> ForkDialog | None:
    found = (box for box in person.workbench.window.findChildren(ForkDialog) if box.isVisible())
    return next(found, None)


async def forked(person: Person, kind: ForkKind) -> None:
    """Choose it in the dialog, which opens on the summary."""
    before = person.model.id
    person.command("fork")
    await person.until(lambda: asked(person))
    dialog = asked(person)
    assert dialog
    assert dialog.focusWidget() is dialog.summary
    if kind is ForkKind.FULL:
        QTest.keyClick(dialog.summary, Qt.Key.Key_Tab)
        assert dialog.focusWidget() is dialog.full
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    await person.until(lambda: person.chat.model and person.model.id != before)
    await person.until(lambda: person.model.session.fill())


async def follow_link(person: Person, to: ChatId) -> None:
    """Tab through the transcript to the line that names it, and open it."""
    transcript = person.chat.transcript
    await person.until(lambda: any(kin.id == to for kin in person.model.state.kin))
    transcript.setFocus()
    line = ItemId(f"{KIN}{to}")
    QTest.keyClick(transcript, Qt.Key.Key_End)
    for _ in range(200):
        transcript.focusNextPrevChild(True)  # what Tab does
        if transcript._focused == line and transcript._spot:  # pyright: ignore[reportPrivateUsage]  # nobody else needs to know
            break
    QTest.keyClick(transcript, Qt.Key.Key_Return)
    await person.until(lambda: person.model.id == to)


def test_both_kinds_of_fork_are_made_and_left_again_by_keys_alone(program: Program) -> None:
    async def work(person: Person) -> None:
        await started(person)
        person.workbench.doors.import_files([REAL])
        await person.until(lambda: person.chat.model and len(person.said) > 5)
        await person.until(lambda: person.model.session.fill())
        parent, said = person.model.id, person.said

        person.command("fork")
        await person.until(lambda: asked(person))
        dialog = asked(person)
        assert dialog
        assert nameless(dialog) == []
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        await person.until(lambda: asked(person) is None)
        assert person.model.id == parent

        await forked(person, ForkKind.FULL)
        copy = person.model.id
        assert person.said == said
        assert not n_standing(person)
        assert await standing_below(person, parent) == copy
        await follow_link(person, parent)
        await follow_link(person, copy)
        await follow_link(person, parent)

        await forked(person, ForkKind.SUMMARY)
        assert person.said == said  # the transcript is whole, what the model sees is not
        assert n_standing(person)
        await person.until(lambda: person.model.state.compressed)
        await follow_link(person, parent)
        assert not n_standing(person)

    program(work, Gateway())


async def standing_below(person: Person, parent: ChatId) -> ChatId:
    """The chat that the list shows below `parent`, once it has its forks in."""
    model = person.workbench.sidebar._rows  # pyright: ignore[reportPrivateUsage]  # what a person sees of the list
    await person.until(lambda: model.row_of(parent).isValid() and model.rowCount() > 2)
    below = model.row_of(parent).siblingAtRow(model.row_of(parent).row() + 1)
    row = below.data(Role.ROW)
    assert row.depth == 1
    return row.id
