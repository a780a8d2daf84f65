"""Tests of keys: a real Secret Service in a child process, and what stands in where there is none (A4, Q22)."""

import logging
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.core.errors import SecretsError
from app.settings import Paths
from app.store.secrets import Place, Reason, Secrets, SecretsState
from app.store.store import Store
from tests.app.store.making import a_talk

CANARY = "sk-CANARY-123456"


@pytest.fixture
def no_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a server: no session bus, so the library's backend that always fails (case B72)."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    _fresh_keyring(monkeypatch)


def _fresh_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    import keyring.core

    monkeypatch.setattr(keyring.core, "_keyring_backend", None)


@pytest.mark.usefixtures("no_service")
async def test_without_a_keyring_a_key_can_be_used_in_this_session(paths: Paths) -> None:
    """Case B72."""
    secrets = Secrets(paths)

    assert await secrets.get("openai") is None
    await secrets.put("openai", CANARY * 200)
    await secrets.delete("other")

    assert await secrets.get("openai") == CANARY * 200
    assert secrets.state == SecretsState(
        place=Place.SESSION, reason=Reason.MISSING, detail="no keyring service"
    )
    assert await Secrets(paths).get("openai") is None
    await secrets.delete("openai")
    assert await secrets.get("openai") is None


@pytest.mark.usefixtures("no_service")
async def test_the_encrypted_file_keeps_keys_under_a_passphrase(paths: Paths) -> None:
    secrets = Secrets(paths)
    await secrets.put("openai", CANARY)
    await secrets.use_file("öffne dich")
    await secrets.put("qwen", "密钥")
    await secrets.delete("nothing")

    later = Secrets(paths)
    before = await later.get("openai")
    locked = later.state.place
    await later.use_file("öffne dich")

    assert (before, locked) == (None, Place.LOCKED_FILE)
    assert (await later.get("openai"), await later.get("qwen")) == (CANARY, "密钥")
    assert later.state.place is Place.FILE
    assert (paths.data / "keys.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("no_service")
async def test_a_wrong_passphrase_is_told_and_a_lost_one_can_be_given_up(paths: Paths) -> None:
    secrets = Secrets(paths)
    await secrets.get("x")
    await secrets.use_file("right")
    await secrets.put("openai", CANARY)
    later = Secrets(paths)
    await later.put("typed", "for now")

    with pytest.raises(SecretsError, match="This passphrase does not open"):
        await later.use_file("wrong")
    still = later.state.place
    await later.use_file("new", start_over=True)

    assert still is Place.LOCKED_FILE
    assert (await later.get("openai"), await later.get("typed")) == (None, "for now")


@pytest.mark.usefixtures("no_service")
async def test_a_damaged_key_file_is_told_in_words(paths: Paths) -> None:
    (paths.data / "keys.json").write_text("{")
    secrets = Secrets(paths)

    with pytest.raises(SecretsError, match="cannot be read"):
        await secrets.use_file("any")


@pytest.mark.usefixtures("no_service")
async def test_no_key_is_found_in_any_file_or_log(
    paths: Paths, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """Case B75."""
    caplog.set_level(logging.DEBUG)
    secrets = Secrets(paths)
    await secrets.put("openai", CANARY)
    await secrets.use_file("passphrase")
    await secrets.put("other", CANARY)
    await a_talk(store, 2)
    await store.back_up_daily()

    found = [
        path.name for path in paths.data.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()
    ]

    assert found == []
    assert CANARY not in caplog.text
    assert CANARY not in repr(secrets.state)


class _Hanging:
    """A keyring that waits for a prompt nobody sees, as long as the test runs."""

    def __init__(self, closed: threading.Event) -> None:
        self._closed = closed

    def get_password(self, service: str, username: str) -> str | None:
        self._closed.wait()
        return None


async def test_a_keyring_that_does_not_answer_is_waited_for_only_so_long(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = threading.Event()
    monkeypatch.setattr("app.store.secrets._keyring", lambda: _Hanging(closed))
    secrets = Secrets(paths, read_s=0.02)

    found = await secrets.get("openai")
    await secrets.get("again")

    assert found is None
    closed.set()
    assert secrets.state.reason is Reason.SILENT


@pytest.mark.parametrize(
    ("name", "reason"),
    [("KeyringLocked", Reason.LOCKED), ("InitError", Reason.LOCKED), ("PasswordSetError", Reason.FAILED)],
)
async def test_a_keyring_that_refuses_is_told_and_can_be_tried_again(
    paths: Paths, monkeypatch: pytest.MonkeyPatch, name: str, reason: Reason
) -> None:
    import keyring.errors

    refusals = [getattr(keyring.errors, name)("dismissed")]
    kept: dict[str, str] = {}

    class Refusing:
        def get_password(self, service: str, username: str) -> str | None:
            return kept.get(username)

        def set_password(self, service: str, username: str, password: str) -> None:
            if refusals:
                raise refusals.pop()
            kept[username] = password

    monkeypatch.setattr("app.store.secrets._keyring", Refusing)
    secrets = Secrets(paths)

    await secrets.put("openai", CANARY)
    refused = secrets.state
    secrets.try_keyring_again()
    await secrets.put("openai", CANARY)

    assert refused == SecretsState(place=Place.SESSION, reason=reason, detail="dismissed")
    assert secrets.state == SecretsState(place=Place.KEYRING)
    assert list(kept.values()) == [CANARY]


async def test_a_key_that_windows_cannot_hold_is_refused_in_words(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case B72: 2,560 bytes of UTF-16."""
    monkeypatch.setattr(sys, "platform", "win32")

    with pytest.raises(SecretsError, match="too long for the credential store"):
        await Secrets(paths).put("vertex", "k" * 1_281)


# ---- a real Secret Service

_HAS_SERVICE = bool(shutil.which("dbus-run-session") and shutil.which("gnome-keyring-daemon"))
_IN_SESSION = "PALIMPSEST_TEST_KEYRING" in os.environ
_SESSION = (
    "echo -n pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null;"
    ' exec "$0" -m pytest -p no:cacheprovider "$1" -k in_a_session'
)


@pytest.mark.skipif(not _HAS_SERVICE, reason="NOT TESTED: gnome-keyring or dbus-run-session is not installed")
@pytest.mark.skipif(_IN_SESSION, reason="runs the others in a session")
def test_keys_are_kept_by_a_real_secret_service(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir(mode=0o700)
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "XDG_RUNTIME_DIR": str(run)}
    environment = {key: value for key, value in os.environ.items() if key != "DBUS_SESSION_BUS_ADDRESS"}

    child = subprocess.run(
        ["dbus-run-session", "--", "bash", "-c", _SESSION, sys.executable, __file__],
        env=environment | home | {"PALIMPSEST_TEST_KEYRING": "1"},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert child.returncode == 0, child.stdout + child.stderr
    assert "3 passed" in child.stdout


needs_session = pytest.mark.skipif(not _IN_SESSION, reason="runs in a session of its own, see above")


@needs_session
async def test_in_a_session_keys_come_back_and_go(paths: Paths) -> None:
    await Secrets(paths).put("openai", "密钥 " + CANARY)

    secrets = Secrets(paths)
    found = await secrets.get("openai")
    await secrets.delete("openai")
    await secrets.delete("openai")

    assert found == "密钥 " + CANARY
    assert await Secrets(paths).get("openai") is None
    assert secrets.state == SecretsState(place=Place.KEYRING)


@needs_session
async def test_in_a_session_two_data_folders_stay_apart(tmp_path: Path) -> None:
    one, two = Secrets(Paths(data=tmp_path / "1")), Secrets(Paths(data=tmp_path / "2"))

    await one.put("openai", "one")

    assert (await one.get("openai"), await two.get("openai")) == ("one", None)


@needs_session
async def test_in_a_session_no_key_lies_in_the_data_folder(paths: Paths) -> None:
    await Secrets(paths).put("openai", CANARY)

    assert [path for path in paths.data.rglob("*") if CANARY.encode() in path.read_bytes()] == []
