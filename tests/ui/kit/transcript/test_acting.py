"""Selecting, copying and using what a transcript shows."""

import json
from base64 import urlsafe_b64decode
from collections import Counter
from time import perf_counter
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.kit.heard import heard
from tests.ui.kit.transcript.conftest import Shown, chat
from ui.kit.items import (
    NEXT_VERSION,
    PREVIOUS_VERSION,
    Action,
    AgentCard,
    AgentsItem,
    AssistantItem,
    DividerItem,
    Footer,
    Item,
    NoticeItem,
    ReasoningItem,
    StatusItem,
    ToolItem,
    UserItem,
)
from ui.kit.links import Verdict, judge
from ui.kit.transcript.access import describe
from ui.kit.transcript.code_piece import FOLDED_LINES
from ui.kit.transcript.piece import ZoneKind
from ui.kit.transcript.places import Place, Spot
from ui.kit.transcript.samples import gallery
from ui.kit.transcript.selection import Point
from ui.kit.transcript_view import TranscriptView

COPY = Action(id="copy", label="Copy", icon="copy")


def spots(view: TranscriptView, item: str) -> list[Spot]:
    index = view.column.index_of(item)
    assert index is not None
    layout = view.column.layout(index)
    layout.lay_between(0, layout.height_px)
    return list(layout.spots(0, layout.height_px))


def click(view: TranscriptView, item: str, kind: ZoneKind, value: str | None = None) -> None:
    """Click the first zone of that kind (and value) in `item`."""
    spot = next(
        spot for spot in spots(view, item) if spot.zone.kind is kind and value in (None, spot.zone.value)
    )
    center = spot.rect.center() + view.item_rect(item).topLeft().toPointF()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=center.toPoint())


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_whole_messages_copy_as_their_stored_markdown(shown: Shown, cases: dict[str, Any]) -> None:
    """B62: byte for byte."""
    markdown = cases["B62"]["input"]["markdown"]
    view, _ = shown([UserItem(text="  q\n\n\n*r* "), AssistantItem(text=markdown)])

    view.select_all()
    view.copy()

    assert clipboard() == f"  q\n\n\n*r* \n\n{markdown}"


def test_a_code_block_copies_as_the_code_only(qtbot: QtBot, shown: Shown, cases: dict[str, Any]) -> None:
    """B62: indents and tabs, no added newline."""
    view, _ = shown([AssistantItem(text=cases["B62"]["input"]["markdown"])])

    click(view, "0", ZoneKind.COPY_CODE)

    assert clipboard() == "def f():\n\tif x:\n\t    return  1  \n\n\n# end"


def test_dragging_over_words_selects_and_copies_them_as_plain_text(qtbot: QtBot, shown: Shown) -> None:
    view, _ = shown([AssistantItem(text="one **two** three\n\nnext")])
    viewport, row = view.viewport(), view.item_rect("0")
    y = row.top() + 24

    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=QPoint(row.left(), y))
    QTest.mouseMove(viewport, QPoint(row.left() + 400, y))
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=QPoint(row.left() + 400, y))
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    assert clipboard() == "one two three"
    assert not view.is_following


def test_a_selection_across_messages_takes_part_of_the_first_and_last(shown: Shown) -> None:
    view, _ = shown(
        [AssistantItem(text="first message"), UserItem(text="**whole**"), AssistantItem(text="last one")]
    )

    view.selection.anchor = Point("2", Place(0, 0, 4))
    view.selection.head = Point("0", Place(0, 0, 6))

    assert view.selected_text() == "message\n\n**whole**\n\nlast"


def test_a_double_click_selects_a_word(qtbot: QtBot, shown: Shown) -> None:
    view, _ = shown([AssistantItem(text="alpha beta gamma")])
    row = view.item_rect("0")

    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row.topLeft() + QPoint(55, 24))

    assert view.selected_text() == "beta"


def test_a_selection_survives_streaming(shown: Shown) -> None:
    view, model = shown([AssistantItem(text="first block\n\nsecond", is_streaming=True)])
    view.selection.anchor = Point("0", Place(0, 0, 0))
    view.selection.head = Point("0", Place(0, 0, 5))

    model.replace("0", AssistantItem(text="first block\n\nsecond block\n\n```\ncode", is_streaming=True))
    view.update_item("0")
    view.flush()

    assert view.selected_text() == "first"


def test_lists_and_tables_copy_with_marks_and_columns(shown: Shown) -> None:
    view, _ = shown([AssistantItem(text="1. one\n2. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nend")])
    layout = view.column.layout(0)

    start, end = layout.ends()

    assert layout.text(start, end._replace(char=1)) == "1. one\n2. two\n\na\tb\n1\t2\n\ne"


def test_a_click_on_a_link_reports_it_and_opens_nothing(qtbot: QtBot, shown: Shown) -> None:
    """U12."""
    view, _ = shown([AssistantItem(text="see [the notes](https://example.org/a)")])

    told = heard(view.link_activated)

    click(view, "0", ZoneKind.LINK)

    assert told == [("https://example.org/a",)]


def test_the_chip_of_a_remote_picture_reports_its_address(qtbot: QtBot, shown: Shown) -> None:
    """U12, B66."""
    view, _ = shown([AssistantItem(text="![x](https://example.org/p.png)")])

    told = heard(view.image_requested)

    click(view, "0", ZoneKind.IMAGE)

    assert told == [("https://example.org/p.png",)]
    layout = view.column.layout(0)
    assert "load image from example.org?" in layout.text(Place(0, 0, 0), Place(0, 0, 99))


@pytest.mark.parametrize(
    ("item", "action"),
    [
        (AssistantItem(text="a", footer=Footer(actions=(COPY,))), "copy"),
        (UserItem(text="a", footer=Footer(actions=(COPY,))), "copy"),
        (UserItem(text="a", footer=Footer(version=2, n_versions=3)), PREVIOUS_VERSION),
        (UserItem(text="a", footer=Footer(version=2, n_versions=3)), NEXT_VERSION),
        (NoticeItem(text="failed", actions=(COPY,)), "copy"),
        (DividerItem(text="Folded 84 messages", actions=(COPY,)), "copy"),
    ],
)
def test_an_action_reports_its_item_and_id(qtbot: QtBot, shown: Shown, item: Item, action: str) -> None:
    view, _ = shown([item])

    told = heard(view.action_triggered)

    click(view, "0", ZoneKind.ACTION, action)

    assert told == [
        (
            "0",
            action,
        )
    ]


def test_tab_reaches_every_link_and_action_on_the_screen_and_enter_uses_it(
    qtbot: QtBot, shown: Shown
) -> None:
    view, _ = shown(
        [AssistantItem(text="[a](https://a.example) [b](https://b.example)", footer=Footer(actions=(COPY,)))]
    )
    view.setFocus()
    links, actions = heard(view.link_activated), heard(view.action_triggered)

    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Tab)
        QTest.keyClick(view, Qt.Key.Key_Return)

    assert links == [("https://a.example",), ("https://b.example",)]
    assert actions == [("0", "copy")]
    assert view.accessibleDescription() == "Copy"


@pytest.mark.parametrize(
    "item",
    [ToolItem(title="$ pytest", body="3 failed"), ReasoningItem(title="Thought for 12 s", text="*why*")],
)
def test_a_row_opens_and_closes(qtbot: QtBot, shown: Shown, item: Item) -> None:
    view, _ = shown([item])
    closed = view.item_rect("0").height()

    told = heard(view.toggled)

    click(view, "0", ZoneKind.TOGGLE)
    open_height = view.item_rect("0").height()
    click(view, "0", ZoneKind.TOGGLE)

    assert told == [("0", True), ("0", False)]
    assert open_height > closed == view.item_rect("0").height()


@pytest.mark.parametrize(("width", "n_rows"), [(800, 1), (420, 2)])
def test_those_at_work_stand_side_by_side_where_there_is_room(shown: Shown, width: int, n_rows: int) -> None:
    """U13: and each button says whose it is."""
    stop = Action(id="stop", label="Stop", icon="stop")
    cards = tuple(AgentCard(title=title, text="Thinking …", actions=(stop,)) for title in ("One", "Two"))
    view, _ = shown([AgentsItem(cards=cards)])
    told = heard(view.action_triggered)

    view.resize(width, 600)
    found = spots(view, "0")
    view.setFocus()
    for _ in range(2):
        QTest.keyClick(view, Qt.Key.Key_Tab)
    QTest.keyClick(view, Qt.Key.Key_Return)

    assert [spot.zone.label for spot in found] == ["Stop: One", "Stop: Two"]
    assert len({spot.rect.top() for spot in found}) == n_rows
    assert view.accessibleDescription() == "Stop: Two"
    assert told == [("0", "stop")]
    assert (
        describe(view.look.words, AgentsItem(cards=cards)) == "Sub-agents: One, Thinking …; Two, Thinking …"
    )


def test_long_code_is_folded_and_unfolds(qtbot: QtBot, shown: Shown) -> None:
    view, _ = shown([AssistantItem(text="```\n" + "\n".join(f"line {n}" for n in range(90)) + "\n```")])
    view.scroll_to("0")
    folded = view.item_rect("0").height()

    click(view, "0", ZoneKind.UNFOLD)

    assert view.item_rect("0").height() > folded * 90 / FOLDED_LINES / 2


def test_code_that_streams_is_not_folded_under_the_reader(shown: Shown) -> None:
    view, model = shown([AssistantItem(text="```\n", is_streaming=True)])
    code = "```\n" + "line\n" * 90
    model.replace("0", AssistantItem(text=code, is_streaming=True))
    view.update_item("0")
    view.flush()
    streaming = view.item_rect("0").height()

    model.replace("0", AssistantItem(text=code + "```"))
    view.update_item("0")
    view.flush()

    assert view.item_rect("0").height() == streaming


def test_only_the_last_block_of_a_streaming_answer_is_laid_out_again(shown: Shown) -> None:
    """U11, Q7."""
    view, model = shown([AssistantItem(text="one\n\ntwo", is_streaming=True)])
    before = view.column.layout(0).stack.slots[0].pieces[0]

    model.replace("0", AssistantItem(text="one\n\ntwo more\n\n- three", is_streaming=True))
    view.update_item("0")
    view.flush()

    assert view.column.layout(0).stack.slots[0].pieces[0] is before
    assert len(view.column.layout(0).stack.slots) == 3


def test_a_fast_stream_into_a_long_chat_is_drawn_a_few_times_and_alone(
    qtbot: QtBot, shown: Shown, cases: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """B59: a whole conversation was converted again on each of 6,000 small pieces."""
    piece = "word **bold** `code` "
    assert piece in cases["B59"]["input"]["fake_stream"]
    view, model = shown([*chat(200), AssistantItem(text="", is_streaming=True)])
    view.flush()
    drawn: list[str] = []
    content = model.content

    def told(item: str) -> Item:
        drawn.append(item)
        return content(item)

    monkeypatch.setattr(model, "content", told)

    began = perf_counter()
    text = ""
    for n in range(1, 6001):
        text += piece if n % 20 else f"{piece}\n\n"
        model.replace("200", AssistantItem(text=text, is_streaming=n < 6000))
        view.update_item("200")
        if n % 60 == 0:
            qtbot.wait(1)
    view.flush()
    took_s = perf_counter() - began

    assert [item for item, n in Counter(drawn).items() if n > 1] == ["200"]
    assert drawn.count("200") <= took_s * 25 + 2
    shown_text = view.column.layout(200).text(Place(0, 0, 0), Place(999, 0, 0))
    assert shown_text.split() == ["word", "bold", "code"] * 6000


def test_streamed_and_opened_at_once_look_the_same(shown: Shown, qtbot: QtBot) -> None:
    text = gallery()[5]
    assert isinstance(text, AssistantItem)
    view, model = shown([AssistantItem(text="", is_streaming=True)])
    for end in range(0, len(text.text), 7):
        model.replace("0", AssistantItem(text=text.text[:end], is_streaming=True))
        view.update_item("0")
        view.flush()
    model.replace("0", AssistantItem(text=text.text))
    view.update_item("0")
    view.flush()
    qtbot.waitUntil(lambda: not view.look.formulas.is_working)
    streamed = [view.column.layout(0).text(Place(0, 0, 0), Place(999, 0, 0)), view.item_rect("0").height()]

    shown([AssistantItem(text=text.text)])
    view.column.layout(0).lay_between(0, 1e9)
    view.column.resized(0)

    assert streamed == [
        view.column.layout(0).text(Place(0, 0, 0), Place(999, 0, 0)),
        view.item_rect("0").height(),
    ]


def test_a_diagram_is_code_that_a_browser_draws_once_its_fence_is_closed(shown: Shown) -> None:
    """U11: the address holds all of it, and is asked about like any other."""
    code = 'graph TD\n  A["你好"] --> B'
    view, _ = shown([AssistantItem(text=f"```mermaid\n{code}", is_streaming=True)])
    assert not [spot for spot in spots(view, "0") if spot.zone.kind is ZoneKind.LINK]

    view, _ = shown([AssistantItem(text=f"```mermaid\n{code}\n```")])
    (link,) = [spot.zone.value for spot in spots(view, "0") if spot.zone.kind is ZoneKind.LINK]

    packed = link.removeprefix("https://mermaid.live/view#base64:")
    assert json.loads(urlsafe_b64decode(packed))["code"] == code
    assert judge(link).verdict is Verdict.ASK


def test_a_tooltip_names_the_real_target(shown: Shown) -> None:
    """U12, B67."""
    view, _ = shown([AssistantItem(text="[https://bank.example](https://evil.example/<b>)")])

    assert [spot.zone.value for spot in spots(view, "0")] == ["https://evil.example/%3Cb%3E"]


def test_every_kind_of_item_is_described_to_a_screen_reader(qtbot: QtBot, shown: Shown) -> None:
    view, _ = shown(
        [
            UserItem(text="hello\nworld"),
            StatusItem(text="thinking 12 s"),
            NoticeItem(title="Busy", text="429"),
        ]
    )
    seen: list[str] = []

    for item in ("0", "1", "2"):
        view.focus_item(item)
        seen.append(view.accessibleDescription())

    assert seen == ["You: hello", "Status: thinking 12 s", "Notice: Busy 429"]


def test_the_gallery_is_drawn_in_both_themes_and_at_every_zoom(qtbot: QtBot, shown: Shown) -> None:
    view, _ = shown(gallery())

    for zoom in (80, 200):
        view.look.theme.set_zoom(zoom)
        image = view.viewport().grab().toImage()

        assert (
            len({image.pixel(x, y) for x in range(0, image.width(), 9) for y in range(0, image.height(), 9)})
            > 5
        )


def test_huge_code_costs_no_more_than_what_is_seen_of_it(shown: Shown) -> None:
    """U11, B65: 2 MB on one line, and 20,000 lines, unfolded."""
    one_line = json.dumps({"k": "x" * 2_000_000})
    view, _ = shown([AssistantItem(text=f"```json\n{one_line}\n```\n\n```\n" + "short\n" * 20_000 + "```")])
    stack = view.column.layout(0).stack
    stack.lay(1)

    stack.set_unfolded(1, is_unfolded=True)
    view.column.resized(0)
    view.scroll_to("0")
    view.viewport().grab()

    assert view.item_rect("0").height() > 20_000 * 15


def test_a_long_chat_keeps_few_items_laid_out(shown: Shown) -> None:
    """Q8, U16."""
    view, _ = shown(chat(2_000))

    for _ in range(300):
        view.scroll_by(-500)

    assert view.column.n_laid <= 120


def test_a_screen_reader_finds_a_list_with_one_item_a_message(shown: Shown) -> None:
    view, _ = shown([UserItem(text="hello\nworld"), AssistantItem(text="**hi**"), *chat(500)])

    access = QAccessible.queryAccessibleInterface(view)
    child = access.child(1)

    assert (access.role(), access.childCount()) == (QAccessible.Role.List, 502)
    assert (child.role(), child.text(QAccessible.Text.Name)) == (QAccessible.Role.ListItem, "Answer: **hi**")
    assert access.indexOfChild(child) == 1
    assert child.parent() == access


def test_a_copied_code_block_says_so_for_a_while(shown: Shown) -> None:
    view, _ = shown([AssistantItem(text="```\nx\n```")])

    click(view, "0", ZoneKind.COPY_CODE)

    assert next(spot.zone.label for spot in spots(view, "0")) == "Copied"
