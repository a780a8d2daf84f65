"""What becomes of an exception, and what a person reads of it."""

import asyncio
import logging
import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, qWarning
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.bootstrap.application import Application
from app.core.errors import Action, AppError, StoreError
from app.providers.errors import SENTENCES, Fault, to_error
from app.settings import Endpoint
from ui.kit.items import Tone
from ui.shell import sentences
from ui.shell.notices import CRASH, Notice, Notices, say

ENDPOINT = Endpoint(id="acme", kind="compatible", name="Acme", base_url="https://llm.example/v1")
FACTS: dict[str, str | float] = {"seconds": 30}


@pytest.fixture
def notices(qapp: QApplication) -> Notices:
    return Notices("0.1.0")


@pytest.fixture
def told(notices: Notices) -> list[Notice]:
    heard = list[Notice]()
    notices.listen(heard.append)
    return heard


def subclasses(kind: type[AppError]) -> Iterator[type[AppError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from subclasses(each)


def test_an_expected_failure_is_told_where_it_concerns(
    notices: Notices, told: list[Notice], caplog: pytest.LogCaptureFixture
) -> None:
    place = list[Notice]()
    with caplog.at_level(logging.DEBUG, "ui.shell.notices"):
        notices.decide(StoreError("This chat does not exist any more."), place.append)

    assert [notice.text for notice in place] == ["This chat does not exist any more."]
    assert told == []
    assert [record.levelname for record in caplog.records] == ["INFO"]


def test_cancelling_is_the_persons_will_and_no_failure(
    notices: Notices, told: list[Notice], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "ui.shell.notices"):
        notices.decide(asyncio.CancelledError())

    assert told == []
    assert [record.levelname for record in caplog.records] == ["DEBUG"]


@pytest.mark.expected_warnings("A fault of ours")
def test_anything_else_is_a_crash_with_a_report(
    notices: Notices, told: list[Notice], caplog: pytest.LogCaptureFixture
) -> None:
    error = KeyError("row")

    notices.decide(error)

    (notice,) = told
    assert notice.code == CRASH
    assert "KeyError: 'row'" in notice.detail
    assert notice.detail.startswith("Palimpsest 0.1.0 · Python 3.")
    assert [action.id for action in notice.actions] == [Action.COPY]
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert record.exc_info
    assert record.exc_info[1] is error


def test_a_report_holds_no_key(notices: Notices) -> None:
    crash = notices.crash(ValueError("https://x.example?api_key=sk-proj-abcdef1234567890"))

    assert "sk-proj" not in crash.detail


def test_a_group_of_one_is_told_as_that_one(notices: Notices, told: list[Notice]) -> None:
    notices.decide(ExceptionGroup("all", [ExceptionGroup("inner", [StoreError("Full.")])]))

    assert [notice.text for notice in told] == ["Full."]


def test_what_happens_before_there_is_a_window_waits_for_it(notices: Notices) -> None:
    notices.decide(StoreError("one"))
    notices.decide(StoreError("two"))

    heard = list[Notice]()
    notices.listen(heard.append)

    assert [notice.text for notice in heard] == ["one", "two"]


def test_a_failure_in_a_thread_is_told_in_the_windows_thread(notices: Notices, qtbot: QtBot) -> None:
    heard = list[int]()
    notices.listen(lambda _notice: heard.append(threading.get_ident()))

    thread = threading.Thread(target=notices.decide, args=[StoreError("full")])
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: bool(heard))

    assert heard == [threading.get_ident()]


@pytest.fixture
def installed(notices: Notices, monkeypatch: pytest.MonkeyPatch) -> Iterator[asyncio.AbstractEventLoop]:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    with asyncio.Runner() as runner:
        notices.install(runner.get_loop())
        yield runner.get_loop()


@pytest.mark.expected_warnings("A fault of ours")
def test_what_falls_through_python_and_the_loop_is_told(
    notices: Notices, told: list[Notice], installed: asyncio.AbstractEventLoop
) -> None:
    sys.excepthook(RuntimeError, RuntimeError("slot"), None)
    installed.call_exception_handler({"message": "task", "exception": RuntimeError("task")})

    assert [notice.detail.splitlines()[-1] for notice in told] == ["RuntimeError: slot", "RuntimeError: task"]


@pytest.mark.expected_warnings("a pixmap is null")
def test_qts_warnings_are_logged_as_qts(
    installed: asyncio.AbstractEventLoop, caplog: pytest.LogCaptureFixture
) -> None:
    qWarning("a pixmap is null")

    assert [(record.name, record.levelname) for record in caplog.records] == [("qt", "WARNING")]


def test_a_card_carries_the_same_words_and_buttons() -> None:
    error = to_error(Fault(code="key_wrong", detail="401"), endpoint=ENDPOINT, model="m")

    card = say(error).card()

    assert card.title == "Key"
    assert card.text == "Acme did not accept the key.\nCheck the key at the provider."
    assert card.tone is Tone.CRITICAL
    assert [action.id for action in card.actions] == [Action.SETTINGS, Action.RETRY, Action.COPY]


def test_copy_is_offered_only_where_there_is_something_to_copy() -> None:
    error = to_error(Fault(code="key_wrong"), endpoint=ENDPOINT, model="m")

    assert Action.COPY not in [action.id for action in say(error).actions]


@pytest.mark.parametrize("code", SENTENCES)
def test_every_code_of_a_provider_has_a_title_and_its_own_words(qapp: QCoreApplication, code: str) -> None:
    """U17."""
    error = to_error(Fault(code=code, facts=FACTS), endpoint=ENDPOINT, model="m")

    notice = say(error)

    assert code in sentences.TITLES
    assert notice.text == error.message
    assert "{" not in notice.text + notice.hint


def test_every_kind_of_failure_of_ours_has_a_title() -> None:
    assert Application  # with it, every kind of error is known
    codes = {kind.code for kind in subclasses(AppError)} - {"error"}

    assert codes <= sentences.TITLES.keys()
