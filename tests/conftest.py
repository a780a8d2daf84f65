"""What holds for every test: Qt draws into memory, and nothing leaves this machine."""

import ipaddress
import os
import socket

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# An example that takes long on a machine that is busy with other things says nothing of the code.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


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
