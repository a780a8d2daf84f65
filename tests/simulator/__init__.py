"""A local HTTP server that answers, caches, counts and refuses as the model providers do."""

from tests.simulator.clock import Clock
from tests.simulator.faults import Fault, Kind
from tests.simulator.log import RequestRecord
from tests.simulator.models import CacheRule, Family, Model
from tests.simulator.script import ToolCall, Turn
from tests.simulator.server import Simulator
from tests.simulator.thread import SimulatorThread

__all__ = [
    "CacheRule", "Clock", "Family", "Fault", "Kind", "Model", "RequestRecord", "Simulator", "SimulatorThread",
    "ToolCall", "Turn",
]  # fmt: skip
