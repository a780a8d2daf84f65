"""However the window is closed, the program has ended soon after."""

import time

from tests.ui.e2e.conftest import Person, Program

ENDED_S = 2.0


def test_a_window_closed_while_its_workers_come_up_ends_the_program_soon(program: Program) -> None:
    """A child that imports its libraries does not hear that it shall end: it was waited for, each for 2 s."""
    closed_at = 0.0

    async def work(person: Person) -> None:
        nonlocal closed_at
        await person.until(lambda: person.workbench.application.gateway.worker_pid)
        closed_at = time.perf_counter()

    program(work)

    assert time.perf_counter() - closed_at < ENDED_S


def test_a_window_closed_before_the_store_is_open_ends_the_program(program: Program) -> None:
    async def work(person: Person) -> None:
        assert not person.is_prepared

    person = program(work)

    assert person.workbench.application.gateway.worker_pid is None
