"""A transcript view on the (offscreen) screen, and a model that tests can change."""

from collections.abc import Callable, Sequence

import pytest
from pytestqt.qtbot import QtBot

from ui.kit.icons import Icons
from ui.kit.items import AssistantItem, Item, UserItem
from ui.kit.theme import Theme
from ui.kit.transcript.samples import SampleModel
from ui.kit.transcript_view import TranscriptView

Shown = Callable[[Sequence[Item]], tuple[TranscriptView, SampleModel]]


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme, icons: Icons) -> Shown:
    """A view of the given items, laid out and following."""
    view = TranscriptView(theme, icons)
    qtbot.addWidget(view)
    view.resize(800, 600)
    with qtbot.waitExposed(view):
        view.show()

    def show(items: Sequence[Item]) -> tuple[TranscriptView, SampleModel]:
        model = SampleModel(items)
        view.set_model(model)
        return view, model

    return show


def chat(n: int) -> list[Item]:
    """`n` messages of unequal length, the person's and the model's in turn."""
    return [
        UserItem(text=f"question {number}")
        if number % 2 == 0
        else AssistantItem(text=f"answer {number}: " + "several words of text " * (number * 7 % 40))
        for number in range(n)
    ]
