"""What a signal said, typed."""

from PySide6.QtCore import SignalInstance


def heard(signal: SignalInstance) -> list[tuple[object, ...]]:
    """A list that grows by the arguments of each emission from now on."""
    said: list[tuple[object, ...]] = []

    def hear(*args: object) -> None:
        said.append(args)

    signal.connect(hear)
    return said
