"""U14: `/` and `@` open a list above the composer; the keys stay in it, and an input method keeps its own (B60)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.ui.chat.test_view import press
from ui.chat.completing import Completing
from ui.chat.message_input import MessageInput
from ui.chat.suggestions import MOST_SHOWN, Asked, Sign, Suggestion, asked, matching, variable_after
from ui.chat.view import ChatView

COMMANDS = (
    Suggestion(kind="command", id="compress", title="compress", words="压缩"),
    Suggestion(kind="command", id="fork", title="fork"),
    Suggestion(kind="prompt", id="Review {{file}} for {{what}}.", title="review"),
)
THINGS = (Suggestion(kind="file", id="/x/main.py", title="src/main.py"),)


@pytest.fixture
def completing(view: ChatView) -> Completing:
    view.composer.input.setFocus()
    completing = view.composer.completing

    def offer(sign: Sign) -> None:
        completing.offer(sign, COMMANDS if sign == "/" else THINGS)

    completing.wanted.connect(offer)
    return completing


def compose(field: MessageInput, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(field, event)


def titles(completing: Completing) -> list[str]:
    return [each.title for each in completing.shown]


# ---- what is asked for


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("/", Asked(sign="/", query="")),
        ("/压缩", Asked(sign="/", query="压缩")),
        ("a /", None),
        ("/etc/hosts", None),
        ("/usr ", None),
        ("@", Asked(sign="@", query="")),
        ("look at @src/ma", Asked(sign="@", query="src/ma")),
        ("me@example", None),
        ("@a b", None),
    ],
)
def test_only_a_sign_at_its_place_asks(before: str, expected: Asked | None) -> None:
    assert asked(before) == expected


@given(st.lists(st.text("ab/", max_size=4), max_size=20), st.text("ab", max_size=2))
def test_all_that_is_found_holds_what_is_typed_and_what_begins_with_it_comes_first(
    names: list[str], query: str
) -> None:
    found = matching([Suggestion(kind="file", id=name, title=name) for name in names], query)

    begins = [each.title.startswith(query) for each in found]
    assert all(query in each.title for each in found)
    assert begins == sorted(begins, reverse=True)
    assert len(found) == min(MOST_SHOWN, sum(query in name for name in names))


@given(st.text("a{} \n", max_size=30), st.integers(0, 30))
def test_a_variable_is_found_from_the_cursor_on_or_else_from_the_beginning(text: str, at: int) -> None:
    span = variable_after(text, at)

    assert (span is None) or (text[span[0] : span[0] + 2], text[span[1] - 2 : span[1]]) == ("{{", "}}")


# ---- in the composer


def test_a_command_is_chosen_by_keys_alone_and_its_letters_go(completing: Completing, view: ChatView) -> None:
    field = view.composer.input
    chosen: list[Suggestion] = []
    sent: list[str] = []
    completing.chosen.connect(chosen.append)
    view.composer.submitted.connect(sent.append)

    QTest.keyClicks(field, "/")
    all_of_them = titles(completing)
    press(field, Qt.Key.Key_Down)
    press(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "/fo")
    press(field, Qt.Key.Key_Tab)

    assert all_of_them == ["compress", "fork", "review"]
    assert [each.id for each in chosen] == ["fork", "fork"]
    assert (field.text(), sent, titles(completing)) == ("", [], [])


def test_escape_closes_the_list_and_leaves_the_words_and_enter_sends_them(
    completing: Completing, view: ChatView
) -> None:
    field = view.composer.input
    sent: list[str] = []
    view.composer.submitted.connect(sent.append)

    QTest.keyClicks(field, "/fork")
    press(field, Qt.Key.Key_Escape)
    closed = completing.card.isVisible()
    press(field, Qt.Key.Key_Return)

    assert (closed, sent) == (False, ["/fork"])


def test_an_input_methods_keys_are_its_own(completing: Completing, view: ChatView) -> None:
    field = view.composer.input
    chosen: list[Suggestion] = []
    completing.chosen.connect(chosen.append)

    QTest.keyClicks(field, "/")
    compose(field, "ya suo")
    press(field, Qt.Key.Key_Return)
    while_composing = list(chosen)
    compose(field, "", "压缩")
    found = titles(completing)
    press(field, Qt.Key.Key_Return)

    assert while_composing == []
    assert found == ["compress"]
    assert [each.id for each in chosen] == ["compress"]


def test_a_prompts_variables_are_filled_in_one_after_another(completing: Completing, view: ChatView) -> None:
    field = view.composer.input

    def insert(chosen: Suggestion) -> None:
        completing.insert(chosen.id)

    completing.chosen.connect(insert)

    QTest.keyClicks(field, "/rev")
    press(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "a.py")
    press(field, Qt.Key.Key_Tab)
    QTest.keyClicks(field, "bugs")

    assert field.text() == "Review a.py for bugs."
