"""Two languages, changed while the window is open; every code of a failure speaks both (U22)."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.chats.faults import Fault as ImportFault
from app.chats.faults import FaultKind
from app.chats.formats import FileUnreadable
from app.chats.importing import Outcome
from app.core.errors import StoreError
from app.core.ids import ChatId
from app.providers.errors import SENTENCES, Fault, to_error
from app.settings import Endpoint
from ui.kit.showcase import Stage
from ui.shell.languages import TRANSLATIONS, Languages, marked
from ui.shell.notices import say
from ui.shell.samples import sample_window
from ui.shell.sentences import ImportWords

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with fresh .qm files, made as `make setup` makes them."""
    folder = tmp_path_factory.mktemp("compiled")
    tool = ROOT / "packaging" / "translations.py"
    subprocess.run([sys.executable, str(tool), "release", str(folder)], check=True)
    return folder


@pytest.fixture
def languages(qapp: QApplication, compiled: Path) -> Iterator[Languages]:
    languages = Languages(qapp, compiled)
    yield languages
    languages.use("en")


def messages(language: str) -> Iterator[tuple[str, str, list[str]]]:
    """Context, source and the translation's forms."""
    for context in ET.parse(TRANSLATIONS / f"palimpsest_{language}.ts").iter("context"):
        for message in context.iter("message"):
            forms = [form.text or "" for form in message.iter("numerusform")]
            said = forms or [message.findtext("translation", "")]
            yield context.findtext("name", ""), message.findtext("source", ""), said


def fields(text: str) -> set[str]:
    return {str(name) for _, name, _, _ in Formatter().parse(text) if name is not None} | set(
        re.findall(r"%n", text)
    )


def test_a_translation_has_the_same_fields_as_its_source() -> None:
    for _, source, forms in messages("zh_CN"):
        for form in forms:
            assert not form or fields(form) == fields(source), source


_HAN = "[一-鿿]"
_ELSEWHERE = {
    "您": "你",
    "词元": "Token",
    "token": "Token",
    "聊天": "对话",
    "提供商": "服务商",
    "账本": "约定",
    "子代理": "子智能体",
    "原件": "原文",
    "批准": "许可",
}
"""Words for what has one word here (U22): `Token` as chat programs of China have it on their screens, 词元 being that of
textbooks; 代理 is a proxy."""


def test_chinese_has_one_word_for_one_thing() -> None:
    texts = [re.sub(r"\{.*?\}", "", form) for _, _, forms in messages("zh_CN") for form in forms]

    assert [text for text in texts if any(word in text for word in _ELSEWHERE)] == []


def test_chinese_is_set_as_chinese() -> None:
    """Latin words and figures stand apart from signs, and beside signs the marks are Chinese; `%` follows its figure."""
    close = rf"{_HAN}[A-Za-z0-9{{]|[A-Za-z0-9}}]{_HAN}|{_HAN}%n|%n{_HAN}"
    marks = rf"{_HAN}[,;:?!()]|[,;:?!()]{_HAN}|{_HAN}\s?\.\.\.|\}} %"
    dates, header = "M月d日", "名称: 值"  # a format of Qt's, and what is typed as it stands

    texts = [form for _, _, forms in messages("zh_CN") for form in forms]

    wrong = [text for text in texts if re.search(f"{close}|{marks}", text.replace(header, ""))]
    assert [text for text in wrong if text != dates] == []


def test_the_table_texts_are_in_the_file_of_translations() -> None:
    found = {(context, source) for context, source, _ in messages("zh_CN")}

    assert {(context, text) for context, texts in marked().items() for text in texts} <= found


@pytest.mark.parametrize("code", SENTENCES)
def test_every_failure_of_a_provider_is_told_in_chinese(languages: Languages, code: str) -> None:
    """U17, U22."""
    error = to_error(
        Fault(code=code, facts={"seconds": 30}),
        endpoint=Endpoint(id="acme", kind="compatible", name="Acme", base_url="https://llm.example/v1"),
        model="m",
    )
    languages.use("zh_CN")

    notice = say(error)

    assert re.search("[一-鿿]", notice.text), notice.text
    assert re.search("[一-鿿]", notice.title)
    assert "{" not in notice.text + notice.hint


def test_a_sentence_with_a_name_in_it_is_translated_around_the_name(languages: Languages) -> None:
    error = StoreError("'pytest.log' is not in the vault any more.", name="pytest.log")
    languages.use("zh_CN")

    assert say(error).text == "'pytest.log' 已不在保管库中。"


def test_a_sentence_that_nobody_translated_stays_english(languages: Languages) -> None:
    languages.use("zh_CN")

    assert say(StoreError("Something {odd}.")).text == "Something {odd}."


def test_the_open_window_changes_its_language_at_once(
    languages: Languages, stage: Stage, qtbot: QtBot
) -> None:
    window = sample_window(stage)
    qtbot.addWidget(window)
    window.show()
    buttons = lambda: {button.text() for button in window.findChildren(QPushButton)}  # noqa: E731

    languages.use("zh_CN")
    qtbot.waitUntil(lambda: {"新对话", "设置"} <= buttons())
    languages.use("en")

    qtbot.waitUntil(lambda: {"New chat", "Settings"} <= buttons())


def test_english_counts_one_and_many(languages: Languages) -> None:
    languages.use("en")

    said = [QCoreApplication.translate("HealthWords", "≈ %n turn(s) left", "", n) for n in (1, 9)]

    assert said == ["≈ 1 turn left", "≈ 9 turns left"]


def test_the_same_language_again_disturbs_nobody(languages: Languages, stage: Stage, qtbot: QtBot) -> None:
    """Every change of a setting asks for the language, also a window that is dragged."""
    window = sample_window(stage)
    qtbot.addWidget(window)
    languages.use("zh_CN")
    qtbot.wait(10)
    button = window.findChildren(QPushButton)[0]
    button.setText("as it was")

    languages.use("zh_CN")
    qtbot.wait(10)

    assert button.text() == "as it was"


@pytest.mark.expected_warnings("zh_CN is not compiled")
def test_a_language_that_is_not_compiled_is_told_in_the_log(
    qapp: QApplication, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    languages = Languages(qapp, tmp_path)

    languages.use("zh_CN")
    languages.use("en")

    assert [record.getMessage() for record in caplog.records] == [
        "The window stays English: zh_CN is not compiled; run `make setup`."
    ]


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (Outcome(file="a.json", chats=(ChatId("c"),), n_messages=981), "已导入 981 条消息。"),
        (
            Outcome(
                file="a.json",
                chats=(ChatId("c"),),
                n_messages=3,
                faults=(ImportFault(kind=FaultKind.BROKEN_CALL, n=2),),
            ),
            "已导入 3 条消息。 1 处未能完整读取： 第 2 条消息中有一个工具调用无法读取，已按原样保留。",
        ),
        (
            Outcome(file="a.json", error=FileUnreadable("The file 'a.json' is not JSON.", file="a.json")),
            "文件 'a.json' 不是 JSON。",
        ),
    ],
)
def test_what_became_of_an_import_is_told_in_chinese(
    languages: Languages, outcome: Outcome, told: str
) -> None:
    """U22."""
    languages.use("zh_CN")

    assert ImportWords().say(outcome) == told


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_of_an_import_is_told_in_chinese(languages: Languages, kind: FaultKind) -> None:
    languages.use("zh_CN")

    said = ImportWords().say(
        Outcome(file="a.json", n_messages=1, faults=(ImportFault(kind=kind, n=1, detail="x"),))
    )

    assert str(ImportFault(kind=kind, n=1, detail="x")) not in said
