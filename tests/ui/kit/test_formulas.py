"""LaTeX is drawn where it can be, off the window's thread, and is its source wherever else it goes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from tests.ui.kit.transcript.conftest import Shown
from tests.ui.kit.transcript.conftest import shown as shown
from ui.kit.formulas import MAX_CHARS, Formula, Formulas, is_typeset, typeset
from ui.kit.items import AssistantItem, UserItem
from ui.kit.theme import Mode, Theme
from ui.kit.transcript_view import TranscriptView

_latex = st.text(st.sampled_from(r"\{}^_&$x1+ ") | st.sampled_from("速αs"), max_size=30) | st.lists(
    st.sampled_from(
        [r"\frac", r"\sqrt", r"\left(", r"\begin{pmatrix}", r"\text", "{", "}", "^", "_", "x", " "]
    ),
    max_size=12,
).map("".join)


@given(_latex)
def test_whatever_a_model_writes_becomes_a_picture_or_stays_its_source(latex: str) -> None:
    """U11: what breaks the typesetter breaks nothing else."""
    try:
        formula = typeset(latex, is_display=False)
    except Exception:  # noqa: BLE001  # any: see `Formulas`
        return
    assert formula.width >= 0
    assert formula.svg.startswith(b"<svg")


@pytest.mark.parametrize("latex", ["", "  ", r"\text{速度} = v", "x" * (MAX_CHARS + 1)])
def test_what_its_font_has_no_signs_for_or_is_too_long_is_never_tried(qtbot: QtBot, latex: str) -> None:
    formulas = Formulas()

    assert not is_typeset(latex)
    assert formulas.find(latex, is_display=False) is None
    assert not formulas.is_awaited(latex, is_display=False)
    formulas.close()


def test_a_formula_is_typeset_once_and_what_is_none_is_not_asked_for_again(qtbot: QtBot) -> None:
    formulas = Formulas()
    for latex in (r"\frac{1}{2}", r"\frac{1"):
        with qtbot.waitSignal(formulas.ready):
            assert formulas.find(latex, is_display=False) is None
            assert formulas.is_awaited(latex, is_display=False)

    assert isinstance(formulas.find(r"\frac{1}{2}", is_display=False), Formula)
    assert formulas.find(r"\frac{1", is_display=False) is None
    assert not formulas.is_awaited(r"\frac{1", is_display=False)
    formulas.close()


def test_a_formula_has_the_colour_of_the_text_and_its_baseline_inside() -> None:
    formula = typeset(r"\frac{a}{b}", is_display=True)
    white = QColor("white")

    image = formula.image(em_px=40, dpr=2, color=white, above_px=0, below_px=10)

    inked = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    assert {colour.name() for colour in inked if colour.alpha() == 255} == {white.name()}
    assert formula.ascent > 0
    assert formula.descent > 0
    assert image.height() == round((formula.ascent + formula.descent) * 80 + 20)


def text_of(view: TranscriptView) -> str:
    view.select_all()
    return view.selection.text()


def test_a_formula_takes_its_source_s_place_on_the_screen_and_not_in_the_clipboard(
    shown: Shown, qtbot: QtBot, theme: Theme
) -> None:
    """U11: the reader's place stays, a change of the theme draws it anew."""
    written = r"So $\frac{a}{b}$ it is." + "\n\n$$\\int_0^1 x\\,dx$$"
    view, _ = shown([UserItem(text=r"What is $\frac{1}{2}$?"), AssistantItem(text=written)])
    before = view.grab().toImage()
    formulas = view.look.formulas

    qtbot.waitUntil(lambda: formulas.find(r"\int_0^1 x\,dx", is_display=True) is not None)

    after = view.grab().toImage()
    assert after != before
    assert view.is_at_end
    view.select_all()
    assert written in view.selected_text()
    piece = view.column.layout(1).stack.lay(0).pieces[0]
    assert piece.text(0, piece.end) == r"So $\frac{a}{b}$ it is."
    assert piece.text(0, 3) == "So "
    theme.set_mode(Mode.DARK)
    assert view.grab().toImage() != after
    theme.set_mode(Mode.LIGHT)
