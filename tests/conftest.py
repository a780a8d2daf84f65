"""What holds for every test: Qt draws into memory, nothing leaves this machine, and nothing is left behind."""

import ipaddress
import os
import socket
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

import app.processes
from tests.leftovers import logged_as_expected, no_task_left, nothing_left
from tests.ready_workers import ready_workers

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# An example that takes long on a machine that is busy with other things says nothing of the code.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share a loop share what takes seconds to come up: of several processes, one runs them all."""
    for item in items:
        mark = item.get_closest_marker("asyncio")
        scope = mark.kwargs.get("loop_scope") if mark else None
        if scope in ("module", "session"):
            name = item.nodeid.partition("::")[0] if scope == "module" else str(item.path.parent)
            item.add_marker(pytest.mark.xdist_group(name))


@pytest.fixture(scope="session", autouse=True)
def _no_task_left() -> Iterator[None]:
    with no_task_left():
        yield


_cold_command = app.processes.worker_command


@pytest.fixture(scope="session", autouse=True)
def _ready_workers() -> Iterator[None]:
    if sys.platform != "linux":
        yield
        return
    with ready_workers():
        yield


@pytest.fixture(autouse=True)
def _cold_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """`@pytest.mark.cold_workers`: started as the program starts them, imports and all."""
    if request.node.get_closest_marker("cold_workers"):
        monkeypatch.setattr(app.processes, "worker_command", _cold_command)


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    with nothing_left():
        yield


@pytest.fixture(autouse=True)
def _logged_as_expected(request: pytest.FixtureRequest) -> Iterator[None]:
    """`@pytest.mark.expected_warnings("words", …)` names what a test expects."""
    marks = request.node.iter_markers("expected_warnings")
    with logged_as_expected(*(words for mark in marks for words in mark.args)):
        yield


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection beyond this machine fails the test."""
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def checked(address: object) -> None:
        if isinstance(address, tuple) and address and not _is_here(str(address[0])):  # pyright: ignore[reportUnknownArgumentType]  # an address may be anything
            pytest.fail(f"A test tried to reach {address}")

    def connect_here(self: socket.socket, address: object) -> None:
        checked(address)
        connect(self, address)  # pyright: ignore[reportArgumentType]  # as it was given

    def connect_ex_here(self: socket.socket, address: object) -> int:
        checked(address)
        return connect_ex(self, address)  # pyright: ignore[reportArgumentType]  # as it was given

    monkeypatch.setattr(socket.socket, "connect", connect_here)
    monkeypatch.setattr(socket.socket, "connect_ex", connect_ex_here)


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host in ("localhost", "")
