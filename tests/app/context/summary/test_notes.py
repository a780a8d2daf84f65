"""Session notes: the tools' events and the model's own notes, without a model."""

from app.context.facts import FileTouch
from app.context.summary.fields import Fix
from app.context.summary.notes import files_written, first_sentence, last_sentence, session_notes
from app.core.ids import EntryId
from tests.app.context.histories import path_of
from tests.app.context.summary.making import call, user

_PATH = path_of(
    [
        user("Fix the login. It must be quick."),
        *call("read_file", '{"path": "a.py"}', "def login(): ..."),
        *call("run", '{"cmd": "pytest -q"}', "collected 4 items\nE  AssertionError\n1 failed", is_error=True),
        *call("edit", '{"path": "a.py", "text": "x"}', "Successfully replaced text"),
        *call("note", '{"kind": "decision", "text": "Keep sessions in a cookie"}', "ok"),
        *call("note", '{"text": "The token lives 30 minutes"}', "ok"),
        *call("run", '{"cmd": "pytest -q tests"}', "4 passed"),
        user("Now the logout."),
    ]
)


def test_events_and_own_notes_fill_the_fields() -> None:
    """S7."""
    touches = (FileTouch(path="a.py", entry_id=_PATH[6].id, is_write=True),)

    notes = session_notes(_PATH, touches)

    assert notes.user_goal == "Fix the login."
    assert notes.active_task == "Now the logout."
    assert notes.completed_actions == (
        "run pytest -q → E AssertionError",
        "edit a.py x → Successfully replaced text",
        "run pytest -q tests → 4 passed",
    )
    assert [item.what for item in notes.key_decisions] == ["Keep sessions in a cookie"]
    assert notes.key_findings == ("The token lives 30 minutes",)
    assert notes.files_modified == ("a.py",)
    assert notes.last_action == "run pytest -q tests → 4 passed"


def test_an_error_is_known_by_its_flag_and_fixed_by_the_next_call_that_worked() -> None:
    notes = session_notes(_PATH)

    assert notes.errors_and_fixes == (Fix(error="run pytest -q: E AssertionError", fix="pytest -q tests"),)


def test_a_result_that_only_speaks_of_errors_is_none() -> None:
    path = path_of([user("Go"), *call("run", '{"cmd": "x"}', "0 errors, 0 failed")])

    assert session_notes(path).errors_and_fixes == ()


def test_only_touches_of_the_run_count_and_the_newest_is_last() -> None:
    gone = FileTouch(path="z.py", entry_id=EntryId("elsewhere"), is_write=True)

    assert session_notes(_PATH, (gone,)).files_modified == ()
    again = [FileTouch(path=name, entry_id=EntryId("e"), is_write=True) for name in ("a", "b", "a")]
    read = FileTouch(path="r", entry_id=EntryId("e"), is_write=False)
    assert files_written([*again, read]) == ("b", "a")


def test_sentences_are_told_without_code_and_headings() -> None:
    assert first_sentence("# Title\n\nMore.") == "Title"
    assert first_sentence("```\ncode\n```\nIt is 3.5 kg. Then more.") == "It is 3.5 kg."
    assert first_sentence("你好。请看一下这份报告。再见。") == "你好。请看一下这份报告。"
    assert first_sentence("Hello! Can you help? Thanks.") == "Hello! Can you help?"
    assert last_sentence("One. Two.\n\n```\ncode\n```") == "Two."
    assert first_sentence("") == last_sentence("") == ""


def test_a_call_whose_arguments_are_no_json_is_told_all_the_same() -> None:
    path = path_of([user("Go"), *call("run", "pytest -q", "ok")])

    assert session_notes(path).last_action == "run pytest -q → ok"
