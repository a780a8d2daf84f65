"""A real store on a fresh folder."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.settings import Paths
from app.store.store import Store
from app.store.upgrade import upgrade


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once, since Alembic takes longer than most tests."""
    paths = Paths(data=tmp_path_factory.mktemp("empty"))
    upgrade(paths)
    return paths.database


@pytest.fixture
def paths(tmp_path: Path, empty_database: Path) -> Paths:
    paths = Paths(data=tmp_path / "data")
    paths.data.mkdir(mode=0o700)
    shutil.copy(empty_database, paths.database)
    return paths


@pytest.fixture
async def store(paths: Paths) -> AsyncIterator[Store]:
    opened = await Store.open(paths)
    yield opened
    await opened.aclose()
