"""Tests of schema, migrations, backups and what a damaged file comes to (Q18, Q25)."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlmodel import SQLModel

from app.core.errors import StoreError
from app.settings import Paths
from app.store import backups, tables
from app.store.errors import StoreDamaged, StoreNewer
from app.store.store import Store
from app.store.upgrade import REVISIONS, migrate, restore, upgrade
from tests.app.store.making import CHAT, PRELUDE, a_request, a_talk, said, sql

_SCHEMA = "SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"


def _is_of_the_index(name: str | None) -> bool:
    """SQLModel knows no virtual tables, nor what FTS5 keeps of them."""
    return name is not None and (name == "words" or name.startswith("words_"))


def _is_compared(name: str | None, kind: str, _parents: object) -> bool:
    return kind != "table" or not _is_of_the_index(name)


def test_the_migrations_end_in_the_tables_of_the_code(paths: Paths) -> None:
    engine = create_engine(f"sqlite:///{paths.database}")
    with engine.connect() as connection:
        options = {"include_name": _is_compared}
        difference = compare_metadata(MigrationContext.configure(connection, opts=options), SQLModel.metadata)
    engine.dispose()

    assert tables.ChatRow.metadata is SQLModel.metadata
    assert difference == []


def test_keys_and_cascades_are_those_of_the_code(paths: Paths, tmp_path: Path) -> None:
    """Alembic's comparison is blind for these."""
    engine = create_engine(f"sqlite:///{tmp_path / 'code.sqlite3'}")
    SQLModel.metadata.create_all(engine)
    engine.dispose()

    def facts(path: Path) -> dict[str, object]:
        with closing(sqlite3.connect(path)) as connection:
            names = [
                str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
            ]
            return {
                name: [
                    sorted(connection.execute(f"PRAGMA {pragma}({name})").fetchall(), key=str)
                    for pragma in ("table_info", "foreign_key_list")
                ]
                for name in names
                if name != "alembic_version" and not _is_of_the_index(name)
            }

    assert facts(paths.database) == facts(tmp_path / "code.sqlite3")


def test_every_migration_is_known_to_the_code_in_its_order() -> None:
    script = ScriptDirectory(str(Path(__file__).parents[3] / "migrations"))

    found = [revision.revision for revision in script.walk_revisions()][::-1]

    assert found == list(REVISIONS)


async def test_data_survives_a_migration_up_and_a_way_down_leaves_nothing(paths: Paths) -> None:
    store = await Store.open(paths)
    talk = await a_talk(store, 3)
    await store.aclose()

    upgrade(paths)
    again = await Store.open(paths)
    kept = (await again.load(CHAT)).entries
    await again.aclose()
    schema = sql(paths, _SCHEMA)
    migrate(paths.database, to="base", is_down=True)
    left = sql(paths, _SCHEMA)
    migrate(paths.database)

    assert kept == talk
    assert [row[1] for row in left] == ["alembic_version"]
    assert sql(paths, _SCHEMA) == schema


def test_a_migration_that_fails_leaves_everything_as_it_was(paths: Paths) -> None:
    migrate(paths.database, to="base", is_down=True)
    sql(paths, "CREATE TABLE tombstones (id TEXT)")  # in the way of the third table

    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        migrate(paths.database)

    assert {row[1] for row in sql(paths, _SCHEMA)} == {"alembic_version", "tombstones"}


@pytest.mark.parametrize("older", REVISIONS[:-1])
async def test_an_older_schema_is_backed_up_and_migrated_with_all_that_it_held(
    paths: Paths, older: str
) -> None:
    """Q25"""
    store = await Store.open(paths)
    talk = await a_talk(store, 3)
    await store.begin_request(a_request("r1", talk[-1].id), PRELUDE)
    asked = await store.requests(CHAT)
    await store.aclose()
    migrate(paths.database, to=older, is_down=True)

    again = await Store.open(paths)

    kept = ((await again.load(CHAT)).entries, await again.requests(CHAT))
    await again.aclose()
    (backup,) = backups.backups(paths)
    assert kept == (talk, asked)
    assert backup.name.startswith(f"upgrade-{older}-")
    assert sql(paths, "SELECT version_num FROM alembic_version") == [(REVISIONS[-1],)]
    with closing(sqlite3.connect(backup)) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchall() == [(older,)]


async def test_a_newer_schema_is_told_and_nothing_is_touched(paths: Paths) -> None:
    sql(paths, "UPDATE alembic_version SET version_num = '9999'")
    before = paths.database.read_bytes()

    with pytest.raises(StoreNewer, match="newer version"):
        await Store.open(paths)

    assert paths.database.read_bytes() == before
    assert sorted(path.name for path in paths.data.iterdir()) == [paths.database.name]


# ---- damage


def _cut(database: Path) -> None:
    with database.open("r+b") as file:
        file.truncate(database.stat().st_size - 20)


def _fill_with_nul(database: Path) -> None:
    with database.open("r+b") as file:
        file.seek(4096)
        file.write(b"\0" * (database.stat().st_size - 4096))


def _overwrite(database: Path) -> None:
    database.write_bytes(b"not a database " * 1000)


def _scramble_a_page(database: Path) -> None:
    """One page of messages; the schema is whole, so nothing but a check sees it."""
    content = database.read_bytes()
    page = content.index(b"text of e20") // 4096 * 4096
    database.write_bytes(content[:page] + b"\xff" * 64 + content[page + 64 :])


@pytest.mark.parametrize("damage", [_cut, _fill_with_nul, _overwrite, _scramble_a_page])
async def test_a_damaged_database_can_be_restored_from_its_backup(
    store: Store, paths: Paths, damage: Callable[[Path], None]
) -> None:
    """Case B70: nothing opens blank and silent; what was lost stands aside."""
    talk = await a_talk(store, 40)
    backup = await store.back_up_daily()
    await store.aclose()
    damage(paths.database)

    with pytest.raises(StoreDamaged, match="damaged") as told:
        await Store.open(paths)
    aside = restore(paths, told.value.backups[0])

    again = await Store.open(paths)
    entries = (await again.load(CHAT)).entries
    await again.aclose()
    assert told.value.backups == (backup,)
    assert "backup" in told.value.hint
    assert entries == talk
    assert aside.exists()


async def test_one_unreadable_entry_does_not_keep_its_chat_from_opening(store: Store, paths: Paths) -> None:
    """TS1."""
    await a_talk(store, 3)
    sql(paths, "UPDATE entries SET parts = CAST(x'ff00fe' AS TEXT) WHERE id = 'e1'")

    entries = await store.tail(CHAT, 9)

    assert [entry.id for entry in entries] == ["e0", "e1", "e2"]
    assert [entry.text for entry in entries] == ["text of e0", "", "text of e2"]


# ---- backups


async def test_a_daily_backup_is_made_once_a_day_and_seven_are_kept(store: Store, paths: Paths) -> None:
    await a_talk(store, 2)
    day = datetime(2026, 1, 1, tzinfo=UTC)

    made = [backups.back_up_daily(paths, day + timedelta(hours=13 * i)) for i in range(20)]

    names = sorted(path.name for path in backups.backups(paths))
    assert sum(path is None for path in made) == 9
    assert names == [f"daily-2026-01-{day:02}.sqlite3" for day in range(5, 12)]
    assert {path.stat().st_mode & 0o777 for path in paths.backups.iterdir()} == {0o600}
    assert paths.backups.stat().st_mode & 0o777 == 0o700


async def test_three_backups_before_upgrades_are_kept_beside_the_daily_ones(paths: Paths) -> None:
    backups.back_up(paths, "daily", "2026-01-01")
    for i in range(5):
        backups.back_up(paths, "upgrade", str(i))
        await asyncio.sleep(0.005)  # they are told apart by their time on disk

    assert sorted(path.name for path in backups.backups(paths)) == [
        "daily-2026-01-01.sqlite3",
        "upgrade-2.sqlite3",
        "upgrade-3.sqlite3",
        "upgrade-4.sqlite3",
    ]


async def test_a_backup_holds_what_lies_in_the_wal_only(store: Store, paths: Paths) -> None:
    await a_talk(store, 2)
    backup = await store.back_up_daily()
    await store.append(CHAT, [said("later", "e1")])

    assert backup is not None
    with closing(sqlite3.connect(backup)) as copy:
        assert copy.execute("SELECT id FROM entries").fetchall() == [("e0",), ("e1",)]


async def test_a_damaged_database_pushes_no_good_backup_out(paths: Paths) -> None:
    store = await Store.open(paths)
    await a_talk(store, 40)
    await store.aclose()
    for i in range(7):
        backups.back_up(paths, "daily", f"2026-01-0{i + 1}")
    _fill_with_nul(paths.database)

    with pytest.raises(StoreError):
        backups.back_up(paths, "daily", "2026-01-08")

    assert len(backups.backups(paths)) == 7
    assert not list(paths.backups.glob("*.part"))
