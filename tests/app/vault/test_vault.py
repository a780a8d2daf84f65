"""Tests of the vault, on a real folder."""

import hashlib
import os
import shutil
import time
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.errors import StoreError
from app.core.parts import Blob
from app.vault.vault import Vault

MB = 1 << 20


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path / "vault")


def _files(vault_parent: Path) -> list[Path]:
    return [path for path in vault_parent.rglob("*") if path.is_file()]


async def test_what_is_put_comes_back_under_its_hash(vault: Vault) -> None:
    data = "第一行\nsecond\n".encode()

    blob = await vault.put(data, mime="text/plain", name="log.txt")

    assert blob == Blob(
        sha256=hashlib.sha256(data).hexdigest(), n_bytes=17, mime="text/plain", name="log.txt", n_lines=2
    )
    assert await vault.get(blob) == data


@pytest.mark.parametrize("data", [b"", b"x", os.urandom(MB), b"ab" * MB, os.urandom(2 * MB + 1)])
async def test_any_size_comes_back_whole(vault: Vault, data: bytes) -> None:
    blob = await vault.put(data, mime="image/png", name="p")

    assert await vault.get(blob) == data
    assert blob.n_lines == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=30)
@given(start=st.integers(-5, 3 * MB), length=st.integers(-5, 2 * MB))
async def test_a_range_is_that_slice_of_the_whole(vault: Vault, start: int, length: int) -> None:
    data = b"".join(i.to_bytes(4) for i in range(600_000))
    blob = await vault.put(data, mime="a/b", name="n")

    found = await vault.read_range(blob, start, start + length)

    assert found == data[max(0, start) : max(0, start + length)]


async def test_the_same_content_is_stored_once_and_for_this_user_alone(vault: Vault, tmp_path: Path) -> None:
    one = await vault.put(b"same", mime="text/plain", name="a")
    two = await vault.put(b"same", mime="text/plain", name="b")

    (file,) = _files(tmp_path)
    assert one.sha256 == two.sha256 == file.name
    assert file.relative_to(tmp_path) == Path("vault", one.sha256[:2], one.sha256[2:4], one.sha256)
    assert file.stat().st_mode & 0o777 == 0o600
    assert {parent.stat().st_mode & 0o777 for parent in list(file.parents)[:3]} == {0o700}


@pytest.mark.parametrize("offset", [0, 300, -300, -1])
async def test_a_changed_byte_is_found_on_reading(vault: Vault, tmp_path: Path, offset: int) -> None:
    """Q18: a damaged artifact is told by its hash."""
    blob = await vault.put(os.urandom(5_000), mime="a/b", name="big.bin")
    (file,) = _files(tmp_path)
    content = bytearray(file.read_bytes())
    content[offset] ^= 1
    file.write_bytes(content)

    with pytest.raises(StoreError, match=r"'big\.bin' in the vault is damaged"):
        await vault.get(blob)
    with pytest.raises(StoreError, match="damaged"):
        await vault.read_range(blob, 100, 200)


@pytest.mark.parametrize("left", [0, 10, 2_000])
async def test_a_cut_file_is_told_and_healed_by_putting_it_again(
    vault: Vault, tmp_path: Path, left: int
) -> None:
    """Case B70."""
    data = os.urandom(5_000)
    blob = await vault.put(data, mime="a/b", name="big.bin")
    (file,) = _files(tmp_path)
    os.truncate(file, left)

    with pytest.raises(StoreError, match="damaged"):
        await vault.get(blob)
    await vault.put(data, mime="a/b", name="big.bin")

    assert await vault.get(blob) == data


async def test_another_content_under_the_name_is_no_answer(vault: Vault, tmp_path: Path) -> None:
    one = await vault.put(b"one", mime="a/b", name="one")
    two = await vault.put(b"two", mime="a/b", name="two")
    files = {path.name: path for path in _files(tmp_path)}
    shutil.copy(files[two.sha256], files[one.sha256])

    with pytest.raises(StoreError, match="damaged"):
        await vault.get(one)


async def test_a_missing_file_is_told_in_words(vault: Vault) -> None:
    blob = await vault.put(b"x", mime="a/b", name="gone.txt")

    vault.remove([blob.sha256], before_s=time.time() + 1)
    vault.remove([blob.sha256], before_s=time.time() + 1)

    with pytest.raises(StoreError, match=r"'gone\.txt' is not in the vault any more"):
        await vault.get(blob)


async def test_a_folder_that_cannot_be_used_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")

    with pytest.raises(StoreError, match="cannot be used"):
        await Vault(tmp_path / "file" / "vault").put(b"x", mime="a/b", name="n")

    assert [path.name for path in _files(tmp_path)] == ["file"]


async def test_no_part_of_a_write_that_failed_is_left(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(StoreError, match="disk is full"):
        await vault.put(b"x", mime="a/b", name="n")

    assert _files(tmp_path) == []


async def test_any_reader_of_zstd_reads_the_files_too(vault: Vault, tmp_path: Path) -> None:
    """The table of frames stands in a frame that others skip."""
    data = os.urandom(1000) * 3_000
    await vault.put(data, mime="a/b", name="n")
    (file,) = _files(tmp_path)

    reader = zstandard.ZstdDecompressor().stream_reader(file.read_bytes(), read_across_frames=True)

    assert reader.read() == data
