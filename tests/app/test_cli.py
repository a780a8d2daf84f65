"""The command line as it is run: `python -m app` in a process of its own."""

import json
import sqlite3
from pathlib import Path

import pytest

from tests.app.chats.reading import conversation
from tests.app.conftest import Run


def test_inspect_counts_exactly_and_stores_nothing(run: Run, data: Path) -> None:
    done = run("inspect", conversation("tau2-retail-single"), "--json", "--window", "16000")

    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(found) == ["messages", "turns", "tokens", "window", "projected", "use", "stage", "faults"]
    assert (found["messages"], found["turns"], found["window"]) == (34, 5, 16000)
    assert found["faults"] == ["The first message that is not the system's, message 1, is not the user's."]
    # As counted when the file was made, over text, reasoning, tool names and arguments.
    assert found["tokens"]["total"] == pytest.approx(7502, abs=5)
    assert found["tokens"]["tool_results"] == pytest.approx(4121, abs=5)
    assert found["use"] == pytest.approx(found["projected"] / 16000, abs=0.0001)
    assert found["stage"] == "light"
    assert not data.exists()


def test_inspect_knows_the_window_of_a_model_and_says_so_to_people(run: Run) -> None:
    done = run("inspect", conversation("tau2-retail-single"), "--model", "gpt-4o")

    assert done.returncode == 0
    assert done.stdout.startswith("34 messages, 5 turns\n")
    assert "window 128,000" in done.stdout


def test_inspect_without_a_model_knows_no_window(run: Run) -> None:
    done = run("inspect", conversation("pydantic-ai-multimodal-tools"), "--json")

    found = json.loads(done.stdout)
    assert (found["window"], found["use"], found["stage"]) == (None, None, "inactive")
    assert found["tokens"]["media"] > 0


def test_a_conversation_goes_in_and_comes_out_byte_for_byte(run: Run, tmp_path: Path) -> None:
    path = conversation("pydantic-ai-multimodal-tools")

    taken = run("import", path, "--json")
    (outcome,) = json.loads(taken.stdout)["files"]
    written = run("export", outcome["chats"][0], "--out", tmp_path / "again.json")
    printed = run("export", path.stem, "--format", "md")

    assert (taken.returncode, written.returncode, printed.returncode) == (0, 0, 0)
    assert (outcome["messages"], outcome["faults"], outcome["error"]) == (20, [], None)
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    assert printed.stdout.startswith(f"# {path.stem}\n")


def test_a_file_that_can_not_be_read_is_one_sentence_and_stops_no_other(run: Run, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.json", tmp_path / "good.json"
    bad.write_text("no")
    good.write_text('[{"role": "user", "content": "a"}]')

    done = run("import", bad, good)

    assert done.returncode == 1
    assert done.stderr == "The file 'bad.json' is not JSON.\n"
    assert done.stdout.startswith("good.json → c")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((), 2, "usage:"),
        (("sing",), 2, "invalid choice"),
        (("inspect", "none.json", "--window", "0"), 2, "0 is less than 1"),
        (("inspect", "none.json"), 1, "The file 'none.json' can't be opened.\n"),
        (("export", "nobody"), 2, "No chat is called 'nobody'. Give the id that the import printed.\n"),
    ],
)
def test_a_mistake_is_told_without_a_traceback(
    run: Run, arguments: tuple[str, ...], code: int, told: str
) -> None:
    done = run(*arguments)

    assert done.returncode == code
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_the_doctor_looks_at_everything_and_changes_nothing(run: Run, data: Path) -> None:
    done = run("doctor", "--json")

    found = json.loads(done.stdout)
    states = {check["name"]: check["state"] for check in found["checks"]}
    assert found["data"] == str(data)
    assert list(states) == [
        "Python", "Qt", "Fonts", "Languages", "Keyring", "Data folder", "Database", "Embedded model",
        "LiteLLM", "Local servers", "Worker",
    ]  # fmt: skip
    assert (states["Python"], states["LiteLLM"], states["Worker"], states["Database"]) == ("ok",) * 4
    assert (states["Keyring"], found["state"]) == ("warn", "warn")
    assert done.returncode == 0
    assert not data.exists()


def test_the_doctor_finds_a_damaged_database_and_says_how_to_mend_it(run: Run, data: Path) -> None:
    data.mkdir()
    (data / "palimpsest.sqlite3").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)

    done = run("doctor")

    assert done.returncode == 1
    (line,) = [line for line in done.stdout.splitlines() if "Database" in line]
    assert line.startswith("bad ")
    assert "it offers to restore a backup" in done.stdout


def test_the_doctor_tells_a_database_of_a_newer_version(run: Run, data: Path) -> None:
    data.mkdir()
    connection = sqlite3.connect(data / "palimpsest.sqlite3")
    connection.execute("CREATE TABLE alembic_version (version_num)")
    connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    connection.commit()
    connection.close()

    done = run("doctor")

    assert done.returncode == 1
    assert "Revision 9999 was made by a newer version." in done.stdout
