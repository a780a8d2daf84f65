"""A chat that is open on a real store."""

from collections.abc import AsyncIterator

import pytest

from app.store.store import Store
from tests.app.agent.opening import Opened, opened
from tests.app.store.conftest import empty_database, paths, store

__all__ = ["empty_database", "paths", "store"]


@pytest.fixture
async def chat(store: Store) -> AsyncIterator[Opened]:
    found = await opened(store)
    yield found
    await found.session.aclose()
    assert found.errors == []
    assert found.gateway.n_open == 0
