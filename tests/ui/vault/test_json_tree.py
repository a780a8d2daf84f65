"""A JSON original as a tree: opened by keys, copied from, and text with a reason where it is broken (U9)."""

import json
from collections.abc import AsyncIterator, Callable

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.vault.json_index import BrokenJson, JsonText
from tests.fakes import until
from tests.ui.kit.heard import heard
from ui.kit.showcase import Stage
from ui.vault.json_model import JsonModel
from ui.vault.json_view import JsonView

Grow = Callable[[bytes], JsonView]


@pytest.fixture
async def grow(qtbot: QtBot, stage: Stage) -> AsyncIterator[Grow]:
    errors: list[BaseException] = []
    models: list[JsonModel] = []

    def grown(data: bytes) -> JsonView:
        view = JsonView(stage.theme)
        qtbot.addWidget(view)
        view.resize(700, 500)
        view.show()
        model = JsonModel(
            JsonText(lambda start, end: data[start:end], len(data), is_lines=False), errors.append
        )
        models.append(model)
        view.show_tree(model)
        model.begin()
        return view

    yield grown
    for model in models:
        await model.aclose()
    assert errors == []


def _at(view: JsonView, *rows: int) -> QModelIndex:
    index = QModelIndex()
    for row in rows:
        index = view.model().index(row, 0, index)
    return index


async def test_arrows_open_a_container_and_keys_copy_a_value_and_its_path(grow: Grow) -> None:
    view = grow(json.dumps({"first": "é\n", "a/b": [True, {"deep": 1}]}).encode())
    await until(lambda: view.model().rowCount() == 2)
    asked, paths = heard(view.value_asked), heard(view.path_asked)

    view.setCurrentIndex(_at(view, 1))
    QTest.keyClick(view, Qt.Key.Key_Right)
    await until(lambda: view.model().rowCount(_at(view, 1)) == 2)
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Down)
    view.copy_value()
    view.copy_path()
    model = view.model()
    assert isinstance(model, JsonModel)

    assert paths == [("/a~1b/1",)]
    assert asked == [(_at(view, 1, 1),)]
    assert await model.text(_at(view, 1, 1)) == '{"deep": 1}'
    assert await model.text(_at(view, 0)) == "é\n"
    assert model.data(_at(view, 0), Qt.ItemDataRole.AccessibleTextRole) == "first: “é⏎”"


async def test_what_follows_the_first_thousand_stands_in_groups(grow: Grow) -> None:
    view = grow(json.dumps(list(range(2_500))).encode())
    model = view.model()
    assert isinstance(model, JsonModel)
    await until(lambda: model.rowCount() == 1_002)
    last = _at(view, 1_001)
    view.expand(last)
    await until(lambda: model.rowCount(last) == 500)

    assert [model.index(row, 0).data() for row in (999, 1_000, 1_001)] == [
        "999",
        "1,000 … 1,999",
        "2,000 … 2,499",
    ]
    assert (model.rowCount(last), model.path(model.index(499, 0, last))) == (500, "/2499")
    assert await model.text(model.index(499, 0, last)) == "2499"


async def test_a_defect_inside_a_container_is_told_when_it_is_opened(grow: Grow) -> None:
    view = grow(b'{"well": 1, "ill": [1, 2 3]}')
    model = view.model()
    assert isinstance(model, JsonModel)
    broken = heard(model.broken)
    await until(lambda: model.rowCount() == 2)
    assert broken == []

    view.expand(_at(view, 1))
    await until(lambda: bool(broken))

    ((error,),) = broken
    assert isinstance(error, BrokenJson)
    assert error.at == 25
