"""Stand-ins for what is slow or can't be driven: each is held against the real thing in test_fakes.py."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from datetime import UTC, datetime, timedelta

from app.agent.ports import Target
from app.core.entries import Finish
from app.core.events import Accepted, Finished, GatewayEvent, TextArrived, UsageReported
from app.core.requests import Request
from app.core.usage import Usage

Step = GatewayEvent | asyncio.Event | Exception
"""What a scripted answer does next: tell something, wait for the test, or fail."""

USAGE = Usage(prompt_tokens=10, completion_tokens=2)


def answer(*texts: str, usage: Usage | None = USAGE, finish: Finish = Finish.STOP) -> tuple[Step, ...]:
    """A whole answer in these pieces."""
    told = (UsageReported(usage=usage),) if usage else ()
    return (Accepted(), *(TextArrived(text=text) for text in texts), *told, Finished(finish=finish))


class ScriptedGateway:
    """`agent.ports.Gateway`: answers as it was told, then with "Fine.", and keeps what the model saw."""

    def __init__(self) -> None:
        self.is_ready = True
        self.usage: Usage | None = USAGE
        """What it reports where nothing else was scripted."""
        self.requests: list[Request] = []
        self.targets: list[Target] = []
        self.n_open = 0
        """Answers that are under way."""
        self._script: deque[tuple[Step, ...]] = deque()

    def is_ready_for(self, target: Target) -> bool:
        return self.is_ready

    def say(self, *answers: tuple[Step, ...]) -> None:
        """What the next requests get."""
        self._script.extend(answers)

    def say_first(self, *answers: tuple[Step, ...]) -> None:
        """What the very next requests get."""
        self._script.extendleft(reversed(answers))

    async def stream(self, request: Request, target: Target) -> AsyncGenerator[GatewayEvent, None]:
        self.requests.append(request)
        self.targets.append(target)
        self.n_open += 1
        try:
            for step in self._script.popleft() if self._script else answer("Fine.", usage=self.usage):
                match step:
                    case Exception():
                        raise step
                    case asyncio.Event():
                        await step.wait()
                    case _:
                        yield step
        finally:
            self.n_open -= 1

    async def aclose(self) -> None:
        """As the real one's, which ends its processes."""


class FakeClock:
    """`context.ports.Clock`: time passes when the test says so, and whoever slept wakes in order."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        """Every sleep that was asked for, in seconds."""
        self._passed_s = self._slept_away_s = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return datetime(2026, 1, 2, tzinfo=UTC) + timedelta(seconds=self._passed_s + self._slept_away_s)

    def monotonic(self) -> float:
        return self._passed_s

    def fall_asleep(self, seconds: float) -> None:
        """The machine does: the time of day goes on, and neither `monotonic` nor whoever sleeps hears of it."""
        self._slept_away_s += seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._passed_s + seconds, woken))
        await woken

    @property
    def n_asleep(self) -> int:
        return sum(not woken.done() for _, woken in self._sleepers)

    @property
    def next_wake_s(self) -> float | None:
        """Until the next sleeper wakes; None: nobody sleeps."""
        wakes = [at for at, woken in self._sleepers if not woken.done()]
        return min(wakes) - self._passed_s if wakes else None

    def advance(self, seconds: float) -> None:
        self._passed_s += seconds
        self._sleepers.sort(key=lambda sleeper: sleeper[0])
        while self._sleepers and self._sleepers[0][0] <= self._passed_s:
            _, woken = self._sleepers.pop(0)
            if not woken.done():  # else its sleeper was cancelled
                woken.set_result(None)


async def until(condition: Callable[[], bool], *, within_s: float = 5.0) -> None:
    """Wait until `condition` holds, looking every 2 ms.

    Raises:
        TimeoutError: it never did.
    """
    for _ in range(int(within_s / 0.002)):
        if condition():
            return
        await asyncio.sleep(0.002)
    raise TimeoutError
