"""Many requests become few calls, fewer when a call is slow."""

import time

from pytestqt.qtbot import QtBot

from ui.kit.coalesced import Coalesced


def test_a_burst_of_requests_is_one_call(qtbot: QtBot) -> None:
    calls: list[int] = []
    coalesced = Coalesced(lambda: calls.append(1), interval_ms=10)

    for _ in range(1000):
        coalesced.request()
    qtbot.waitUntil(lambda: bool(calls))

    assert calls == [1]


def test_the_last_request_is_never_lost(qtbot: QtBot) -> None:
    state = {"wanted": 0, "drawn": 0}
    coalesced = Coalesced(lambda: state.update(drawn=state["wanted"]), interval_ms=10)

    for number in range(1, 6):
        state["wanted"] = number
        coalesced.request()
        qtbot.wait(3)

    qtbot.waitUntil(lambda: state["drawn"] == 5)


def test_slow_calls_double_the_interval_up_to_its_bound_and_quick_ones_halve_it() -> None:
    pause = {"s": 0.014}
    coalesced = Coalesced(lambda: time.sleep(pause["s"]), interval_ms=40, max_ms=250)
    seen: list[int] = []

    for _ in range(4):
        coalesced.request()
        coalesced.flush()
        seen.append(coalesced.interval_ms)
    pause["s"] = 0.0
    for _ in range(4):
        coalesced.request()
        coalesced.flush()
        seen.append(coalesced.interval_ms)

    assert seen == [80, 160, 250, 250, 125, 62, 40, 40]


def test_flushing_without_a_request_calls_nothing(qtbot: QtBot) -> None:
    calls: list[int] = []

    Coalesced(lambda: calls.append(1)).flush()

    assert calls == []
