"""What the writing of a compaction took: which model wrote, and what all of its replies cost."""

from collections.abc import Callable

from app.context.ports import Reply, WarmWriter, Writer
from app.core.ids import ModelId


class Spending:
    """A `Writer` that adds up; replies that were not used are paid for, too."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.wrote: ModelId | None = None
        """The model of the last reply."""
        self.cost_usd: float | None = None
        """None: nothing came, or no price is known."""

    @property
    def window_tokens(self) -> int:
        return self._writer.window_tokens

    @property
    def model(self) -> ModelId:
        return self._writer.model

    @property
    def why(self) -> str:
        return self._writer.why

    @property
    def warm(self) -> WarmWriter | None:
        return _Warm(self._writer.warm, self._took) if self._writer.warm else None

    async def write(
        self, system: str, text: str, *, max_tokens: int, on_progress: Callable[[], None]
    ) -> Reply:
        return self._took(
            await self._writer.write(system, text, max_tokens=max_tokens, on_progress=on_progress)
        )

    def _took(self, reply: Reply) -> Reply:
        self.wrote = reply.model
        if reply.cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + reply.cost_usd
        return reply


class _Warm:
    def __init__(self, writer: WarmWriter, took: Callable[[Reply], Reply]) -> None:
        self._writer = writer
        self._took = took

    async def go_on(self, instruction: str, *, max_tokens: int, on_progress: Callable[[], None]) -> Reply:
        return self._took(
            await self._writer.go_on(instruction, max_tokens=max_tokens, on_progress=on_progress)
        )
