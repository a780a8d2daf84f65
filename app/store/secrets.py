"""Keys: in the system's keyring, else in an encrypted file, else for this session only (A4, case B72)."""

import asyncio
import json
import logging
import os
import sys
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from app.core.errors import SecretsError
from app.store.backups import sync

if TYPE_CHECKING:
    from pathlib import Path

    from app.settings import Paths

log = logging.getLogger(__name__)
T = TypeVar("T")

_SERVICE = "palimpsest"
_READ_S = 5.0
_WRITE_S = 60.0
"""Longer, since the system may ask for the keyring's password first."""
_WINDOWS_BYTES = 2560
"""What one entry of Windows' credential store takes, as UTF-16."""
_SCRYPT_N, _SCRYPT_R, _SCRYPT_P = 2**15, 8, 1


class Place(StrEnum):
    """Where keys are kept in this run."""

    UNKNOWN = "unknown"
    """Nothing was asked yet."""
    KEYRING = "keyring"
    FILE = "file"
    LOCKED_FILE = "locked_file"
    """There is an encrypted file, and its passphrase was not given yet."""
    SESSION = "session"
    """In memory, until the program ends."""


class Reason(StrEnum):
    """Why the keyring is not used."""

    NONE = ""
    MISSING = "missing"
    LOCKED = "locked"
    SILENT = "silent"
    """It did not answer in time."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretsState:
    place: Place = Place.UNKNOWN
    reason: Reason = Reason.NONE
    detail: str = ""
    """What the keyring said, word for word."""


class Secrets:
    """`context.ports.Secrets`; asks the keyring late, in a thread, and never for longer than it may take.

    Args:
        read_s, write_s: Patience with the keyring, in seconds.
    """

    def __init__(self, paths: "Paths", *, read_s: float = _READ_S, write_s: float = _WRITE_S) -> None:
        self._folder = paths.data
        self._file = _KeyFile(paths.data / "keys.json")
        self._session: dict[str, str] = {}
        self._state = SecretsState()
        self._read_s = read_s
        self._write_s = write_s

    @property
    def state(self) -> SecretsState:
        return self._state

    async def get(self, name: str) -> str | None:
        if self._asks_keyring:
            entry = self._entry(name)
            found = await self._ask(lambda ring: ring.get_password(_SERVICE, entry), self._read_s)
            if self._state.place is Place.KEYRING:
                return found
        return self._session.get(name) or self._file.values.get(name)

    async def put(self, name: str, value: str) -> None:
        """
        Raises:
            SecretsError: the value is too long for this system, or the file cannot be written.
        """
        if sys.platform == "win32" and len(value.encode("utf-16-le")) > _WINDOWS_BYTES:
            raise SecretsError("This key is too long for the credential store of Windows.")
        if self._asks_keyring:
            entry = self._entry(name)
            await self._ask(lambda ring: ring.set_password(_SERVICE, entry, value), self._write_s)
        if self._state.place is Place.FILE:
            await self._file.save(self._file.values | {name: value})
        elif self._state.place is not Place.KEYRING:
            self._session[name] = value

    async def delete(self, name: str) -> None:
        """Twice is as once."""
        if self._asks_keyring:
            entry = self._entry(name)

            def delete(ring: "_Keyring") -> None:
                if ring.get_password(_SERVICE, entry) is not None:
                    ring.delete_password(_SERVICE, entry)

            await self._ask(delete, self._write_s)
        self._session.pop(name, None)
        if self._state.place is Place.FILE and name in self._file.values:
            await self._file.save({key: value for key, value in self._file.values.items() if key != name})

    async def use_file(self, passphrase: str, *, start_over: bool = False) -> None:
        """Keep keys in the encrypted file from now on, those of this session too.

        Args:
            start_over: Make a new file in place of one whose passphrase is lost.
        Raises:
            SecretsError: the passphrase is not the file's.
        """
        await self._file.unlock(passphrase, start_over=start_over)
        await self._file.save(self._file.values | self._session)
        self._session.clear()
        self._state = SecretsState(place=Place.FILE, reason=self._state.reason, detail=self._state.detail)

    def try_keyring_again(self) -> None:
        """Ask the keyring at the next call, as when the person has unlocked it meanwhile."""
        self._state = SecretsState()

    @property
    def _asks_keyring(self) -> bool:
        return self._state.place in (Place.UNKNOWN, Place.KEYRING)

    def _entry(self, name: str) -> str:
        """Named by data folder too, so that runs with folders of their own stay apart."""
        return f"{name}@{self._folder.resolve()}"

    async def _ask(self, work: "Callable[[_Keyring], T]", patience_s: float) -> T | None:
        """Run `work` with the keyring; when it fails, `state` says so and what stands in for it is used."""
        try:
            answer = await asyncio.wait_for(_in_daemon(lambda: work(_keyring())), patience_s)
        except TimeoutError:
            self._fall_back(Reason.SILENT, "")
        except _KeyringFailed as error:
            self._fall_back(error.reason, str(error))
        else:
            self._state = SecretsState(place=Place.KEYRING)
            return answer
        return None

    def _fall_back(self, reason: Reason, detail: str) -> None:
        log.info("The keyring is not used: %s %s", reason, detail)
        place = Place.LOCKED_FILE if self._file.exists else Place.SESSION
        self._state = SecretsState(
            place=Place.FILE if self._file.is_open else place, reason=reason, detail=detail
        )


class _KeyringFailed(Exception):
    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class _Keyring(Protocol):
    """What we ask of a backend of the keyring library."""

    def get_password(self, service: str, username: str, /) -> str | None: ...

    def set_password(self, service: str, username: str, password: str, /) -> None: ...

    def delete_password(self, service: str, username: str, /) -> None: ...


def _keyring() -> "_Keyring":
    """The system's backend; loaded here, since finding it may take a while and fail."""
    import keyring
    from keyring.backends import fail

    ring = keyring.get_keyring()
    if isinstance(ring, fail.Keyring):
        raise _KeyringFailed(Reason.MISSING, "no keyring service")
    return cast("_Keyring", ring)


async def _in_daemon(work: Callable[[], T]) -> T:
    """Run `work` in a thread that never keeps the program from ending: a keyring may wait for a prompt for ever.

    Raises:
        _KeyringFailed: whatever went wrong.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def tell(value: T | None, failure: _KeyringFailed | None) -> None:
        if not answer.done():
            if failure:
                answer.set_exception(failure)
            else:
                answer.set_result(cast("T", value))

    def run() -> None:
        value: T | None = None
        failure: _KeyringFailed | None = None
        try:
            value = work()
        except _KeyringFailed as error:
            failure = error
        except Exception as error:  # noqa: BLE001  # backends let any error of their libraries through (case B72)
            locked = type(error).__name__ in ("KeyringLocked", "InitError")
            failure = _KeyringFailed(Reason.LOCKED if locked else Reason.FAILED, str(error))
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, value, failure)

    threading.Thread(target=run, name="keyring", daemon=True).start()
    return await answer


class _KeyFile:
    """All keys in one file under one passphrase: scrypt, then AES-GCM."""

    def __init__(self, path: "Path") -> None:
        self._path = path
        self._key = b""
        self._salt = b""
        self.values: dict[str, str] = {}

    @property
    def exists(self) -> bool:
        return self._path.exists()

    @property
    def is_open(self) -> bool:
        return bool(self._key)

    async def unlock(self, passphrase: str, *, start_over: bool) -> None:
        await asyncio.to_thread(self._unlock, passphrase, start_over=start_over)

    async def save(self, values: dict[str, str]) -> None:
        await asyncio.shield(asyncio.to_thread(self._save, values))
        self.values = values

    def _unlock(self, passphrase: str, *, start_over: bool) -> None:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        if start_over or not self.exists:
            self._salt = os.urandom(16)
            self._key = _derived(passphrase, self._salt)
            self.values = {}
            return
        try:
            stored = cast("dict[str, str]", json.loads(self._path.read_text("utf-8")))
            salt, nonce, box = (b64decode(stored[name]) for name in ("salt", "nonce", "box"))
            key = _derived(passphrase, salt)
            plain = AESGCM(key).decrypt(nonce, box, salt)
        except InvalidTag as error:
            raise SecretsError("This passphrase does not open the file with the keys.") from error
        except (OSError, ValueError, KeyError) as error:
            raise SecretsError("The file with the keys cannot be read.", detail=str(error)) from error
        self._key, self._salt = key, salt
        self.values = cast("dict[str, str]", json.loads(plain))

    def _save(self, values: dict[str, str]) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(12)
        box = AESGCM(self._key).encrypt(nonce, json.dumps(values).encode(), self._salt)
        stored = {"kdf": f"scrypt {_SCRYPT_N} {_SCRYPT_R} {_SCRYPT_P}", "cipher": "AES-256-GCM"} | {
            name: b64encode(value).decode()
            for name, value in (("salt", self._salt), ("nonce", nonce), ("box", box))
        }
        part = self._path.with_suffix(".part")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            part.unlink(missing_ok=True)
            with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
                json.dump(stored, file)
            sync(part)
            part.replace(self._path)
        except OSError as error:
            raise SecretsError("The file with the keys cannot be written.", detail=str(error)) from error


def _derived(passphrase: str, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, length=32, n=_SCRYPT_N, r=_SCRYPT_R, p=_SCRYPT_P).derive(passphrase.encode())
