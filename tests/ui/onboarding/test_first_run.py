"""The first run (U19): a model to talk to within a minute, by keyboard alone."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest_asyncio
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.store.secrets import Place, Reason, SecretsState
from app.tasks import TaskScope
from tests.ui.widgets import unnamed
from ui.kit.choice_card import ChoiceCard
from ui.kit.inputs import LineInput
from ui.kit.showcase import Stage
from ui.onboarding.samples import OLLAMA, PASSPHRASE, SampleApplication
from ui.onboarding.view import OnboardingView
from ui.onboarding.view_model import OnboardingViewModel

KEY = "sk-ant-0123456789abcdef7Qx2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    app: SampleApplication
    model: OnboardingViewModel
    view: OnboardingView
    finished: list[bool]
    links: list[str]


class Starter:
    def __init__(self, stage: Stage, tasks: TaskScope, qtbot: QtBot) -> None:
        self._stage, self._tasks, self._qtbot = stage, tasks, qtbot

    async def __call__(self, app: SampleApplication | None = None) -> Run:
        app = app or SampleApplication(servers=(OLLAMA,))
        model = OnboardingViewModel(app, self._tasks)
        finished: list[bool] = []
        links: list[str] = []
        model.finished.connect(lambda: finished.append(True))
        view = OnboardingView(
            model,
            theme=self._stage.theme,
            icons=self._stage.icons,
            say=lambda error: error.message,
            open_link=links.append,
        )
        self._qtbot.addWidget(view)
        view.resize(1024, 700)
        with self._qtbot.waitExposed(view):
            view.show()
        view.activateWindow()
        await settled()
        return Run(app=app, model=model, view=view, finished=finished, links=links)


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest_asyncio.fixture
async def start(stage: Stage, qtbot: QtBot) -> AsyncIterator[Starter]:
    async with TaskScope() as tasks:
        yield Starter(stage, tasks, qtbot)


def press(key: Qt.Key, view: QWidget) -> None:
    QTest.keyClick(view.focusWidget() or view, key)


async def test_a_found_server_is_chosen_and_enter_starts_the_chat(start: Starter) -> None:
    run = await start()

    assert isinstance(run.view.focusWidget(), ChoiceCard)
    run.view.start_button.setFocus()
    press(Qt.Key.Key_Return, run.view)
    await settled()

    assert run.finished == [True]
    assert run.app.settings.model == "ollama/qwen3:8b"
    assert run.app.settings.endpoints == (OLLAMA,)
    assert run.app.settings.has_started


async def test_enter_is_all_that_a_first_chat_takes_where_something_was_found(start: Starter) -> None:
    """U19."""
    run = await start()

    press(Qt.Key.Key_Return, run.view)
    await settled()

    assert run.finished == [True]
    assert run.app.settings.model == "ollama/qwen3:8b"


async def test_a_key_is_given_and_the_chat_started_by_keyboard_alone(start: Starter) -> None:
    run = await start()
    for _ in range(12):
        if run.model.state.chosen == "anthropic":
            break
        press(Qt.Key.Key_Right if run.model.state.chosen == "openai" else Qt.Key.Key_Down, run.view)
    assert run.model.state.chosen == "anthropic"

    press(Qt.Key.Key_Return, run.view)
    assert run.view.focusWidget() is run.view.key_card.key
    QTest.keyClicks(run.view.focusWidget(), KEY)
    press(Qt.Key.Key_Return, run.view)
    await settled()
    assert "works" in run.view.key_card.check.text()
    for _ in range(8):
        if run.view.focusWidget() is run.view.start_button:
            break
        press(Qt.Key.Key_Tab, run.view)
    press(Qt.Key.Key_Return, run.view)
    await settled()

    assert run.finished == [True]
    assert run.app.settings.model == "anthropic/claude-large"
    assert run.app.secrets.values == {"anthropic": KEY}
    assert KEY not in run.app.settings.model_dump_json()


async def test_nothing_above_moves_when_the_key_card_comes_and_grows(start: Starter) -> None:
    """The page stood in the middle, so that a card that was chosen moved from under the mouse."""
    run = await start()
    view = run.view

    def places() -> list[int]:
        for _ in range(4):  # each layout asks that around it
            QCoreApplication.sendPostedEvents()
        return [card.mapTo(view, card.rect().topLeft()).y() for card in view.cards.values()]

    before = places()
    view.cards["anthropic"].click()
    with_key = places()
    view.cards["compatible"].click()

    assert view.key_card.isVisible()
    assert with_key == before == places()


async def test_focus_goes_down_the_page_as_it_is_read(start: Starter) -> None:
    run = await start()
    QTest.mouseClick(run.view.cards["anthropic"], Qt.MouseButton.LeftButton)
    run.model.type(key=KEY, address="")
    await settled()
    run.view.language.setFocus()

    seen: list[QWidget | None] = [run.view.focusWidget()]
    for _ in range(9):
        press(Qt.Key.Key_Tab, run.view)
        seen.append(run.view.focusWidget())

    card = run.view.key_card
    assert seen == [
        run.view.language,
        run.view.theme_chip,
        run.view.cards["anthropic"],
        card.key,
        card.test_button,
        card.models,
        card.link,
        run.view.sample_button,
        run.view.later_button,
        run.view.start_button,
    ]


async def test_a_pasted_key_is_tested_at_once(start: Starter) -> None:
    run = await start()
    run.view.cards["anthropic"].click()

    QApplication.clipboard().setText(f"  {KEY}\n")
    run.view.key_card.key.paste()
    await settled()

    assert run.app.n_tests == 1
    assert "works" in run.view.key_card.check.text()


async def test_a_refused_key_is_told_in_words_and_does_not_start(start: Starter) -> None:
    run = await start()
    run.view.cards["anthropic"].click()
    run.view.key_card.key.setText("wrong")

    run.view.start_button.click()
    await settled()

    assert run.view.key_card.check.text() == "✕ Anthropic did not accept the key."
    assert run.finished == []
    assert run.app.settings.endpoints == ()


async def test_a_key_typed_for_one_provider_is_not_sent_to_another(start: Starter) -> None:
    run = await start()
    run.view.cards["anthropic"].click()
    run.view.key_card.key.setText(KEY)

    run.view.cards["openai"].click()
    await settled()

    assert run.view.key_card.key.text() == ""
    assert run.view.key_card.check.text() == ""


async def test_any_other_server_is_asked_for_by_its_address_alone(start: Starter) -> None:
    run = await start()
    run.view.cards["compatible"].click()
    assert run.view.key_card.address.isVisible()

    run.view.key_card.address.setText("localhost:9000/v1/chat/completions")
    run.view.start_button.click()
    await settled()

    endpoint = run.app.settings.endpoints[0]
    assert (endpoint.base_url, endpoint.name, endpoint.needs_key) == (
        "http://localhost:9000/v1",
        "localhost:9000",
        False,
    )
    assert run.finished == [True]


async def test_without_servers_the_built_in_model_is_ready(start: Starter) -> None:
    run = await start(SampleApplication())

    run.view.start_button.click()
    await settled()

    assert run.app.settings.model == "embedded/smollm2-135m"
    assert run.app.settings.endpoints == ()


async def test_who_has_no_key_can_look_at_a_sample(start: Starter) -> None:
    run = await start()
    asked: list[bool] = []
    run.model.sample_asked.connect(lambda: asked.append(True))

    run.view.sample_button.click()
    await settled()

    assert asked == [True]
    assert run.app.settings.has_started


async def test_later_leaves_everything_for_the_settings(start: Starter) -> None:
    run = await start()

    run.view.later_button.click()
    await settled()

    assert run.finished == [True]
    assert (run.app.settings.model, run.app.settings.has_started) == ("", True)


async def test_a_server_found_late_does_not_undo_a_choice(start: Starter) -> None:
    app = SampleApplication()
    run = await start(app)
    run.view.cards["anthropic"].click()
    run.view.key_card.key.setText("sk-half")
    app.servers = (OLLAMA,)

    run.model.look()
    await settled()

    assert run.model.state.chosen == "anthropic"
    assert run.view.key_card.key.text() == "sk-half"
    assert "ollama" in run.view.cards


async def test_language_and_theme_are_chosen_here(start: Starter) -> None:
    run = await start()

    run.view.language.menu().actions()[2].trigger()
    run.view.theme_chip.menu().actions()[2].trigger()
    await settled()

    assert (run.app.settings.language, run.app.settings.theme) == ("zh_CN", "dark")
    assert run.view.language.text() == "简体中文 ▾"


async def test_a_new_language_keeps_what_was_typed(start: Starter) -> None:
    run = await start()
    run.view.cards["anthropic"].click()
    run.view.key_card.key.setText("sk-half")

    QCoreApplication.sendEvent(run.view, QEvent(QEvent.Type.LanguageChange))

    assert run.view.key_card.key.text() == "sk-half"
    assert run.view.cards["anthropic"].isChecked()


async def test_where_there_is_no_keyring_it_is_said_and_a_passphrase_offered(start: Starter) -> None:
    app = SampleApplication()
    app.secrets.state = SecretsState(place=Place.LOCKED_FILE, reason=Reason.MISSING)
    run = await start(app)
    run.view.cards["anthropic"].click()
    await settled()
    keeping = run.view.key_card.keeping
    assert "no keyring" in keeping.sentence.text()

    keeping.passphrase.setText("wrong")
    keeping.keep_button.click()
    await settled()
    refusal = keeping.problem.text()
    keeping.passphrase.setText(PASSPHRASE)
    keeping.keep_button.click()
    await settled()

    assert refusal == "This passphrase does not open the file with the keys."
    assert keeping.problem.text() == ""
    assert "encrypted file" in keeping.sentence.text()
    assert not keeping.passphrase.isVisible()


async def test_where_to_get_a_key_opens_the_providers_page(start: Starter) -> None:
    run = await start()
    run.view.cards["openai"].click()

    run.view.key_card.link.click()

    assert run.links == ["https://platform.openai.com/api-keys"]


async def test_an_input_methods_enter_never_submits(start: Starter) -> None:
    """Case B60, in each field."""
    run = await start()
    run.view.cards["compatible"].click()
    inputs = run.view.findChildren(LineInput)
    assert len(inputs) == 3

    for line in inputs:
        submitted: list[str] = []
        line.submitted.connect(submitted.append)
        QApplication.sendEvent(line, QInputMethodEvent("ni", []))
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert submitted == []
        commit = QInputMethodEvent()
        commit.setCommitString("你")
        QApplication.sendEvent(line, commit)
        assert line.text().endswith("你")
    await settled()

    assert run.app.n_tests == 0


async def test_each_control_has_a_name(start: Starter) -> None:
    run = await start()
    run.view.cards["compatible"].click()

    assert unnamed(run.view) == []
