"""One simulator for each test, in the test's loop."""

from tests.simulator.fixtures import simulator, simulator_thread

__all__ = ["simulator", "simulator_thread"]
