"""The text worker, both ends: `serve` runs in the child process, `TextWorker` is what the window's process holds.

What the child can do is a table of operations that `app/worker.py` puts together; this file knows how a
question gets there and an answer back.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

from pydantic import JsonValue

from app.core.errors import WorkerDied
from app.processes import ChildProcess, DeathLimit, Message, ParentPipe
from app.tasks import TaskScope
from app.tokens.exact import Vocabularies

log = logging.getLogger(__name__)

Operation = Callable[[Message, bytes], JsonValue]
"""One kind of work: the question and its payload to the answer. Runs in a thread of the child."""

_FRAME_BYTES = 1024 * 1024
"""Texts travel together up to this size; more go in several frames, so that a short question gets its turn."""


async def serve(operations: Mapping[str, Operation]) -> None:
    """Answer questions in the order they came until the parent closes its end."""
    pipe = ParentPipe()
    waiting: dict[int, tuple[Message, bytes]] = {}
    arrived = asyncio.Event()

    async def work() -> None:
        while True:
            while not waiting:
                arrived.clear()
                await arrived.wait()
            number = next(iter(waiting))
            message, payload = waiting.pop(number)
            operation = operations[str(message["op"])]
            pipe.send({"id": number, **await asyncio.to_thread(_answer, operation, message, payload)})

    async with TaskScope() as tasks:
        tasks.start("work", work())
        async for message, payload in pipe.frames():
            number = message["id"]
            assert isinstance(number, int)
            if message["op"] == "cancel":
                waiting.pop(number, None)
            else:
                waiting[number] = message, payload
                arrived.set()


def _answer(operation: Operation, message: Message, payload: bytes) -> Message:
    try:
        return {"answer": operation(message, payload)}
    except Exception as error:  # a bug in one operation is told to its caller, the others go on
        log.exception("The operation %r failed", message["op"])
        return {"error": f"{type(error).__name__}: {error}"}


def count_operation(vocabularies: Vocabularies) -> Operation:
    """Counts the texts that lie end to end in the payload."""

    def count(message: Message, payload: bytes) -> JsonValue:
        lengths, tokenizer = message["lengths"], message["tokenizer"]
        assert isinstance(lengths, list)
        counts: list[JsonValue] = []
        at = 0
        for length in lengths:
            assert isinstance(length, int)
            counts.append(vocabularies.count(payload[at : at + length].decode(), str(tokenizer)))
            at += length
        return counts

    return count


class TextWorker:
    """The client; implements `TextWork`. Its process starts with the first question, and again after a death.

    Every operation is pure, so a question that a death left unanswered is simply asked again.
    """

    def __init__(
        self,
        spawn: Callable[[], Awaitable[ChildProcess]] = lambda: ChildProcess.spawn("text"),
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._spawn = spawn
        self._clock_s = clock_s
        self._deaths = DeathLimit()
        self._starting = asyncio.Lock()
        self._child: ChildProcess | None = None
        self._tasks = TaskScope()
        self._asked: dict[int, asyncio.Future[JsonValue]] = {}
        self._number = 0
        self._is_closed = False

    async def count(self, texts: Sequence[str], tokenizer: str) -> tuple[int, ...]:
        """Exact tokens of each text; lone surrogates count as question marks.

        Raises:
            WorkerDied: the process ends again and again.
        """
        counts: list[int] = []
        batch: list[bytes] = []
        size = 0
        for text in texts:
            batch.append(text.encode(errors="replace"))
            size += len(batch[-1])
            if size >= _FRAME_BYTES:
                counts += await self._count(batch, tokenizer)
                batch, size = [], 0
        return (*counts, *(await self._count(batch, tokenizer) if batch else ()))

    async def _count(self, batch: list[bytes], tokenizer: str) -> list[int]:
        lengths: list[JsonValue] = [len(data) for data in batch]
        answer = await self.call("count", {"tokenizer": tokenizer, "lengths": lengths}, b"".join(batch))
        assert isinstance(answer, list)
        return [item for item in answer if isinstance(item, int)]

    async def call(self, op: str, arguments: Mapping[str, JsonValue], payload: bytes = b"") -> JsonValue:
        """The answer of the operation `op`; cancelling takes the question back if it still waits.

        Raises:
            WorkerDied: the process ends again and again.
            RuntimeError: the operation failed; a bug.
        """
        while True:
            try:
                return await self._ask({**arguments, "op": op}, payload)
            except OSError as error:
                if self._is_closed or self._deaths.is_reached(self._clock_s()):
                    raise WorkerDied(
                        "The process that works on texts keeps ending",
                        hint="Token counts are estimates for now; a restart may help.",
                    ) from error

    async def aclose(self) -> None:
        """End the process; who still waits is cancelled."""
        self._is_closed = True
        for answer in self._asked.values():
            answer.cancel()
        if child := self._child:
            self._child = None
            await child.aclose()
        await self._tasks.aclose()

    async def _ask(self, message: Message, payload: bytes) -> JsonValue:
        child = await self._running()
        self._number += 1
        number = self._number
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            await child.send({**message, "id": number}, payload)
            return await answer
        except asyncio.CancelledError:
            if self._child is child:
                self._tasks.start(f"cancel {number}", _take_back(child, number))
            raise
        except ConnectionError:
            await self._tasks.wait(f"read {child.pid}")  # it notes the death before anybody asks again
            raise
        finally:
            self._asked.pop(number, None)
            answer.cancel()

    async def _running(self) -> ChildProcess:
        async with self._starting:
            if self._is_closed or self._deaths.is_reached(self._clock_s()):
                raise ConnectionRefusedError("It is closed, or died three times in a minute")
            if self._child is None:
                try:
                    self._child = await self._spawn()
                except OSError:
                    self._deaths.note(self._clock_s())
                    raise
                self._tasks.start(f"read {self._child.pid}", self._read(self._child))
            return self._child

    async def _read(self, child: ChildProcess) -> None:
        """Hand out answers until the child ends; then whoever still waits is told."""
        try:
            async for message in child:
                self._hand_out(message)
        finally:
            if self._child is child:
                self._child = None
                self._deaths.note(self._clock_s())
                log.warning("The text worker (process %d) has ended unasked", child.pid)
                for answer in self._asked.values():
                    if not answer.done():
                        answer.set_exception(ConnectionResetError("The text worker has ended"))
                await child.aclose()

    def _hand_out(self, message: Message) -> None:
        number = message["id"]
        assert isinstance(number, int)
        answer = self._asked.get(number)
        if answer is None or answer.done():
            return  # its asker was cancelled
        if "error" in message:
            answer.set_exception(RuntimeError(str(message["error"])))
        else:
            answer.set_result(message["answer"])


async def _take_back(child: ChildProcess, number: int) -> None:
    try:
        await child.send({"op": "cancel", "id": number})
    except ConnectionError:
        log.debug("Question %d ended with its worker", number)
