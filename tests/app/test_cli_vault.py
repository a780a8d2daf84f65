"""`vault read`: every address that a compression leaves is a way back, in another process and from that run only."""

import base64
import hashlib
import json
from pathlib import Path

import pytest

from app.cli import main
from app.core.parts import INLINE_BYTES
from tests.app.chats.reading import conversation
from tests.app.compressed import Compressed, compressed
from tests.app.conftest import Run

_OPTIONS = ("--family", "openai", "--window", 16_000, "--trigger", "emergency", "--offline")


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Compressed:
    options = ("--family", "openai", "--window", 100_000, "--trigger", "manual", "--target", 18_000)
    return compressed("deerflow-suchao-website", tmp_path_factory.mktemp("folded"), *options)


def _address(text: str) -> str:
    return f"vault://{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _results(name: str) -> list[str]:
    messages = json.loads(conversation(name).read_text("utf-8"))["messages"]
    return [message["content"] for message in messages if message["role"] == "tool"]


def test_every_address_in_the_messages_is_read_in_another_process(run: Run, folded: Compressed) -> None:
    assert len(folded.addresses) > 1

    done = run("vault", "read", *folded.addresses, "--vault", folded.folder, "--json")

    texts = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(texts) == folded.addresses
    assert all(texts.values())


@pytest.mark.parametrize(
    "name", ["claude-code-cctrace-session", "tau2-airline-8-sessions", "webdancer-12-questions"]
)
def test_so_are_those_of_other_conversations(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = compressed(name, tmp_path, *_OPTIONS)
    capsys.readouterr()

    code = main(["vault", "read", *found.addresses, "--vault", str(found.folder), "--json"])

    texts = json.loads(capsys.readouterr().out)
    assert code == 0
    assert texts.keys() == set(found.addresses)
    for address, text in texts.items():
        if not text.startswith("data:"):
            assert _address(text) == address[: len("vault://") + 12]


@pytest.mark.parametrize(
    "options",
    [
        ("--window", 12_000, "--trigger", "auto"),
        ("--window", 40_000, "--trigger", "manual", "--target", 10_000),
    ],
)
def test_a_large_original_within_a_folded_run_is_one_reading_away(
    options: tuple[str | int, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """C36: the run's own text only names it, so that its words were two readings away."""
    found = compressed("holmes-k8s-unhealthy-pods", tmp_path, "--family", "openai", *options, "--offline")
    capsys.readouterr()

    main(["vault", "read", *found.addresses, "--vault", str(found.folder), "--json"])

    read = "\n".join(json.loads(capsys.readouterr().out).values())
    large = [text for text in _results("holmes-k8s-unhealthy-pods") if len(text.encode()) > INLINE_BYTES]
    assert large
    assert all(text in read for text in large)


def test_what_an_entry_says_has_an_address_though_nothing_folds_it(run: Run, folded: Compressed) -> None:
    (said, *_) = _results("deerflow-suchao-website")

    done = run("vault", "read", _address(said), "--vault", folded.folder)

    assert (done.returncode, done.stdout) == (0, f"{said}\n")


def test_a_long_text_is_read_by_lines_and_by_pattern(run: Run, folded: Compressed) -> None:
    said = max(_results("deerflow-suchao-website"), key=lambda text: text.count("\n"))
    lines = said.split("\n")
    at = next(n for n, line in enumerate(lines) if n > 1 and len(line.strip()) > 15)
    word = max(lines[at].split(), key=len)

    ranged = run("vault", "read", _address(said), "--vault", folded.folder, "--lines", "2:3")
    found = run("vault", "read", _address(said), "--vault", folded.folder, "--grep", word.replace("*", "."))

    assert ranged.stdout == f"{lines[1]}\n{lines[2]}\n"
    assert f"{at + 1}: {lines[at]}" in found.stdout
    assert (ranged.returncode, found.returncode) == (0, 0)


def test_originals_that_are_no_text_come_as_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x08\0\0\0\x08\x08\x02\0\0\0"
    data = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    content = [{"type": "text", "text": "Look."}, {"type": "image_url", "image_url": {"url": data}}]
    (tmp_path / "seen.json").write_text(json.dumps([{"role": "user", "content": content}]))
    found = compressed(tmp_path / "seen.json", tmp_path, "--family", "openai", "--window", 9_000)
    capsys.readouterr()

    name = f"vault://{hashlib.sha256(picture).hexdigest()[:12]}/picture.png"
    code = main(["vault", "read", name, "--vault", str(found.folder)])

    assert (code, capsys.readouterr().out) == (0, f"{data}\n")


@pytest.mark.parametrize(
    "address",
    [
        "vault://0123456789ab",
        "vault://../../../etc/passwd",
        "vault://0123456789ab/../../palimpsest.sqlite3",
        "/etc/passwd",
        "e0",
    ],
)
def test_an_address_that_names_nothing_is_one_sentence_and_reads_no_file(
    run: Run, folded: Compressed, address: str
) -> None:
    done = run("vault", "read", address, "--vault", folded.folder)

    assert done.returncode == 1
    assert done.stderr == f"Nothing here has the address {address!r}.\n"
    assert done.stdout == ""


def test_what_is_known_is_read_beside_what_is_not(
    folded: Compressed, capsys: pytest.CaptureFixture[str]
) -> None:
    first = folded.addresses[0]

    code = main(["vault", "read", first, "vault://0123456789ab", "--vault", str(folded.folder)])

    told = capsys.readouterr()
    assert code == 1
    assert list(json.loads(told.out)) == [first]
    assert told.err == "Nothing here has the address 'vault://0123456789ab'.\n"


def test_another_run_knows_nothing_of_it(
    folded: Compressed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = compressed("tau2-retail-single", tmp_path, *_OPTIONS)
    capsys.readouterr()

    code = main(["vault", "read", folded.addresses[0], "--vault", str(other.folder)])

    assert (code, capsys.readouterr().out) == (1, "")


def test_a_folder_without_chats_stays_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["vault", "read", "vault://0123456789ab", "--vault", str(tmp_path / "none")])

    assert code == 2
    assert capsys.readouterr().err.startswith("There are no chats in the folder")
    assert not (tmp_path / "none").exists()
