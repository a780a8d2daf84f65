"""Commands are kept in the workspace where the system has bubblewrap, and end for sure everywhere (A10, A13)."""

import shutil
import socket
from pathlib import Path

import pytest

from app.agent.paths import Roots
from app.agent.tools import finding
from app.agent.tools.failing import ToolFailed
from app.agent.tools.finding import SEARCH_FILES
from app.agent.tools.running import MOST_CHARS, Sandbox, clean_environment, output_of, started
from app.agent.tools.tool import Place
from app.tasks import TaskScope
from tests.fakes import until


@pytest.fixture
async def sandbox() -> Sandbox:
    found = Sandbox()
    if not await found.is_there():
        pytest.skip("bubblewrap is not installed here, or may not make namespaces")
    return found


async def in_sandbox(
    sandbox: Sandbox, workspace: Path, command: str, *, network: bool = False
) -> tuple[int | None, str]:
    around = await sandbox.around(["sh", "-c", command], writable=[workspace], readable=[], network=network)
    return await output_of(around, cwd=workspace, timeout_s=10)


async def test_a_command_writes_in_the_workspace_and_nowhere_else(sandbox: Sandbox, tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()

    code, _ = await in_sandbox(sandbox, inside, f"echo x > a.txt; echo x > {outside}/b.txt")

    assert (inside / "a.txt").read_text() == "x\n"
    assert not (outside / "b.txt").exists()
    assert code != 0


async def test_the_home_folder_is_not_seen(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, workspace = tmp_path / "home", tmp_path / "work"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_rsa").write_text("KEY")
    workspace.mkdir()
    monkeypatch.setenv("HOME", str(home))

    _, text = await in_sandbox(sandbox, workspace, f"cat {home}/.ssh/id_rsa; ls -A {home}")

    assert text.count("\n") == 1  # what cat says of a file that is not there, and an empty folder
    assert "KEY" not in text


async def test_without_the_network_nothing_is_reached(sandbox: Sandbox, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        command = f"python3 -c \"import socket; socket.create_connection(('127.0.0.1', {port}), 2); print('reached')\""
        _, apart = await in_sandbox(sandbox, tmp_path, command)
        _, shared = await in_sandbox(sandbox, tmp_path, command, network=True)

    assert "reached" not in apart
    assert "reached" in shared


async def test_what_a_command_starts_ends_with_it(tmp_path: Path) -> None:
    program = await started(["sh", "-c", "sleep 60 & echo $!; wait"], cwd=tmp_path)

    async def read() -> None:
        await program.follow()

    async with TaskScope() as scope:
        scope.start("read", read())
        await until(lambda: bool(program.output.text.strip()))
        child = int(program.output.text)
        await program.end()
        await scope.wait("read")

    await until(lambda: not is_alive(child))


def is_alive(process: int) -> bool:
    """A zombie, which its parent has not looked at, is not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def test_a_command_that_never_stops_writing_is_ended(tmp_path: Path) -> None:
    code, text = await output_of(
        ["sh", "-c", "yes 'a line of text that goes on and on'"], cwd=tmp_path, timeout_s=60
    )

    assert "wrote more than" in text[-200:]
    assert len(text) < MOST_CHARS + 200_000
    assert code is not None


async def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match="'no-such-program'"):
        await output_of(["no-such-program"], cwd=tmp_path, timeout_s=1)


def test_what_is_named_like_a_secret_is_not_handed_to_commands() -> None:
    """A4."""
    found = clean_environment(
        {"PATH": "/bin", "OPENAI_API_KEY": "sk", "GITHUB_TOKEN": "t", "DB_PASSWORD": "p", "LANG": "C"}
    )

    assert {"PATH", "LANG"} <= set(found)
    assert not {"OPENAI_API_KEY", "GITHUB_TOKEN", "DB_PASSWORD"} & set(found)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("def parse():\n    return 1\n\n\ndef Parse():\n    pass\n")
    (tmp_path / "src" / "b.txt").write_text("def parse in words\n")
    (tmp_path / ".env").write_text("def parse = secret\n")
    (tmp_path / "blob.bin").write_bytes(b"\x00def parse")
    return tmp_path


@pytest.mark.parametrize("has_ripgrep", [True, False])
async def test_a_search_finds_the_same_with_and_without_ripgrep(
    sources: Path, has_ripgrep: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = shutil.which("rg") if has_ripgrep else None
    if has_ripgrep and program is None:
        pytest.skip("ripgrep is not installed here")

    def which(name: str) -> str | None:
        return program

    monkeypatch.setattr(finding.shutil, "which", which)
    place = object.__new__(Place)
    object.__setattr__(place, "roots", Roots(workspace=sources))

    all_ = await SEARCH_FILES.run({"pattern": r"def \w+"}, place)
    python = await SEARCH_FILES.run({"pattern": "def parse", "glob": "*.py", "ignore_case": True}, place)
    none = await SEARCH_FILES.run({"pattern": "nowhere to be found"}, place)

    assert all_.text.splitlines() == [
        "src/a.py:1:def parse():",
        "src/a.py:5:def Parse():",
        "src/b.txt:1:def parse in words",
    ]
    assert [line.split(":")[1] for line in python.text.splitlines()] == ["1", "5"]
    assert none.text == "No matches found"
