"""One writer and one reader of the database, a thread each; everything heavy is imported in the writer's."""

import asyncio
import importlib
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from app.core.errors import StoreError
from app.store.errors import told

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy import Engine as SqlEngine

    from app.store.repositories import Repositories

T = TypeVar("T")

BUSY_MS = 5_000
"""How long a write waits for another program (case B74)."""

WRITER = (
    f"busy_timeout={BUSY_MS}",
    "journal_mode=WAL",
    "synchronous=FULL",
    "secure_delete=ON",
    "foreign_keys=ON",
)
_READER = (f"busy_timeout={BUSY_MS}", "query_only=ON")


class Engine:
    """Runs work on the database's two threads, each piece of it in one transaction.

    Args:
        now: The time that a transaction writes down; UTC, aware.
    """

    def __init__(self, path: Path, now: Callable[[], datetime]) -> None:
        self._path = path
        self._now = now
        self._writer = _Thread(path, "store-writer", begin="BEGIN IMMEDIATE", pragmas=WRITER)
        self._reader = _Thread(path, "store-reader", begin="BEGIN", pragmas=_READER)

        self._ready = asyncio.Event()
        self._failure: StoreError | None = None

    async def prepare(self, work: Callable[[], None]) -> None:
        """Run `work` in the writer's thread, and load there what transactions need; all else waits for it."""

        def prepare() -> None:
            work()
            # 0.7 s, once, and not in the reader's thread.
            importlib.import_module("app.store.repositories")

        try:
            await self._writer.run(prepare)
        except StoreError as error:
            self._failure = error
            raise
        finally:
            self._ready.set()

    async def write(self, work: Callable[["Repositories"], T]) -> T:
        """One transaction, durable when this returns; cancelling the wait doesn't stop it.

        Raises:
            StoreError: nothing was written.
        """
        await self._prepared()
        return await asyncio.shield(self._writer.run(lambda: self._transaction(self._writer, work)))

    async def read(self, work: Callable[["Repositories"], T]) -> T:
        await self._prepared()
        return await self._reader.run(lambda: self._transaction(self._reader, work))

    async def _prepared(self) -> None:
        await self._ready.wait()
        if self._failure:
            raise self._failure

    async def outside(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` on the writer's own connection, in no transaction of ours."""

        def run() -> T:
            with closing(self._writer.engine.raw_connection()) as held:
                connection = held.driver_connection
                assert isinstance(connection, sqlite3.Connection)
                return work(connection)

        await self._prepared()
        return await asyncio.shield(self._writer.run(run))

    async def aclose(self) -> None:
        """Wait for what is under way, then close; the last to leave folds the WAL into the database."""
        await self._reader.aclose()
        await self._writer.aclose()

    def _transaction(self, thread: "_Thread", work: Callable[["Repositories"], T]) -> T:
        from app.store.repositories import Repositories, Session

        with Session(thread.engine) as session, session.begin():
            return work(Repositories(session, self._now()))


class _Thread:
    """A thread that owns one connection."""

    def __init__(self, path: Path, name: str, *, begin: str, pragmas: tuple[str, ...]) -> None:
        self._path = path
        self._begin = begin
        self._pragmas = pragmas
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._engine: SqlEngine | None = None
        self._closed: asyncio.Future[None] | None = None

    @property
    def engine(self) -> "SqlEngine":
        """Used in this thread only."""
        if self._engine is None:
            self._engine = connected(self._path, begin=self._begin, pragmas=self._pragmas)
        return self._engine

    def run(self, work: Callable[[], T]) -> asyncio.Future[T]:
        def run() -> T:
            from sqlalchemy.exc import DBAPIError

            try:
                return work()
            except DBAPIError as error:
                cause = error.orig if isinstance(error.orig, sqlite3.Error) else sqlite3.Error(str(error))
                raise told(cause, self._path) from error
            except (sqlite3.Error, OSError) as error:
                raise told(error, self._path) from error

        try:
            return asyncio.wrap_future(self._pool.submit(run))
        except RuntimeError as error:
            raise StoreError("The chats are closed already.") from error

    async def aclose(self) -> None:
        """Close after what is under way; twice is as once."""

        def close() -> None:
            if self._engine is not None:
                self._engine.dispose()

        if self._closed is None:
            self._closed = asyncio.wrap_future(self._pool.submit(close))
            self._pool.shutdown(wait=False)
        await asyncio.shield(self._closed)


def connected(path: Path, *, begin: str, pragmas: tuple[str, ...]) -> "SqlEngine":
    """An engine of one connection, for the thread that makes it; `begin` opens each of its transactions."""
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import StaticPool

    def connect() -> sqlite3.Connection:
        # Without an isolation level the driver opens no transactions of its own.
        connection = sqlite3.connect(path, isolation_level=None)
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
        return connection

    def on_begin(connection: "Connection") -> None:
        connection.exec_driver_sql(begin)

    engine = create_engine("sqlite://", creator=connect, poolclass=StaticPool)
    event.listen(engine, "begin", on_begin)
    return engine
