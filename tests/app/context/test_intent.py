"""The intent is read off the person's words and the tools' error flags, never off what a text looks like (S0)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.facts import Intent
from app.context.gleaned import Gleaned
from app.context.intent import intent_of, names
from app.core.entries import Entry, Origin
from app.core.ids import EntryId
from app.core.parts import TextPart, ToolCallPart, ToolResultPart
from tests.app.context.histories import History, Said, histories, path_of


def said(text: str) -> Said:
    return Origin.USER, (TextPart(text=text),)


def read(path: str) -> Said:
    call = ToolCallPart(call_id="c", name="read_file", arguments=f'{{"path": "{path}"}}')
    return Origin.ASSISTANT, (call,)


def result(text: str, *, is_error: bool) -> Said:
    return Origin.TOOL, (ToolResultPart(call_id="c", name="read_file", text=text, is_error=is_error),)


def chat(*items: Said) -> tuple[Entry, ...]:
    return path_of(items)


def test_files_are_those_of_the_question_and_of_the_last_four_things_said() -> None:
    path = chat(*(said(f"look at src/part{n}.py") for n in range(6)))

    found = intent_of(path, query="and at 配置/设置.yaml")

    assert found.files == ("配置/设置.yaml", "src/part5.py", "src/part4.py", "src/part3.py", "src/part2.py")


@pytest.mark.parametrize("text", ["e.g.", "i.e. this", "and/or", "3/4", "2023/12/14", "the U.S.", "v1.2"])
def test_what_only_looks_like_a_path_is_none(text: str) -> None:
    assert intent_of(chat(said(f"say {text} and go on"))).files == ()


def test_an_address_on_the_web_is_no_file() -> None:
    assert intent_of(chat(said("see https://example.com/guide/index.html"))).files == ()


def test_a_file_without_an_ending_counts_when_a_tool_was_called_with_it() -> None:
    assert intent_of(chat(said("mend bin/start"), read("bin/start"))).files == ("bin/start",)


def test_modules_are_dotted_names_of_files_that_the_transcript_holds() -> None:
    path = chat(read("app/context/cover.py"), said("is app.context.cover right, and app.context.other?"))

    assert intent_of(path).modules == ("app.context.cover",)


def test_failed_calls_are_told_by_the_flag_and_never_by_the_word() -> None:
    path = chat(
        read("a.py"), result("error: none", is_error=False), read("b.py"), result("fine", is_error=True)
    )

    assert intent_of(path).failed_calls == (path[3].id,)


def test_the_goal_is_the_newest_question_cut_short() -> None:
    path = chat(said("old"), said("newest " + "x" * 500))

    assert intent_of(path).goal == ("newest " + "x" * 500)[:240]
    assert intent_of(path, query="  now\nthis ").goal == "now this"
    assert intent_of(path, topic="the price").goal == "the price"


def test_a_text_is_named_by_path_by_file_name_by_module_or_by_topic() -> None:
    intent = Intent(files=("src/app/main.py", "bin/or"), modules=("app.main",), topic="price")

    assert names(intent, '{"path": "src/app/main.py"}')
    assert names(intent, "cat main.py")
    assert names(intent, "import app.main")
    assert names(intent, "the price of it")
    assert not names(intent, "this or that")


@given(history=histories())
def test_any_history_has_an_intent_within_its_limits(history: History) -> None:
    found = intent_of(history.path)

    assert len(found.files) <= 8
    assert len(found.modules) <= 8
    assert len(found.failed_calls) <= 12
    assert len(found.goal) <= 240


@given(histories(), st.data())
def test_calls_that_were_looked_at_are_not_looked_at_again_and_the_intent_is_the_same(
    history: History, data: st.DataObject
) -> None:
    """Q6."""
    gleaned = Gleaned()
    intent_of(history.path[: data.draw(st.integers(0, len(history.path)))], gleaned=gleaned)

    assert intent_of(history.path, gleaned=gleaned) == intent_of(history.path)


def test_what_calls_name_and_what_failed_is_kept_from_one_look_to_the_next() -> None:
    path = chat(
        said("look"),
        read("a.py"),
        result("no", is_error=True),
        said("go on"),
        read("b.py"),
        result("", is_error=True),
    )
    path = (*path, *(replace(entry, id=EntryId("q")) for entry in chat(said("and a and b in a.py/b.py?"))))
    gleaned = Gleaned()
    for n in range(len(path)):
        intent_of(path[:n], gleaned=gleaned)

    assert gleaned.called
    assert gleaned.called.found.files == {"a.py", "b.py"}
    assert intent_of(path, gleaned=gleaned).failed_calls == (path[2].id, path[5].id)
