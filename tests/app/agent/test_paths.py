"""Nothing outside the roots is ever touched, whatever a path is made of (A13, Q23)."""

import errno
import os
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.agent import paths
from app.agent.paths import (
    PathRefused,
    Roots,
    Use,
    Why,
    remove_file,
    resolve,
    safe_open,
    write_whole,
)

OUTSIDE = b"not for the model"
_in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    base: Path
    workspace: Path
    roots: Roots


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A workspace with a file, folders and links to inside, outside, each other and nowhere; its neighbours."""
    base = tmp_path.resolve()
    workspace = base / "desk"
    for folder in (
        workspace / "sub" / "deep",
        base / "desk-not",
        base / "outside",
        base / "in",
        base / "out",
    ):
        folder.mkdir(parents=True)
    for name in ("desk/a.txt", "desk/sub/b.txt", "in/given.csv", "out/made.csv"):
        (base / name).write_bytes(b"fine")
    for name in ("outside/x.txt", "desk-not/x.txt", "x.txt"):
        (base / name).write_bytes(OUTSIDE)
    links = {
        "in.txt": "a.txt", "in2.txt": "in.txt", "up": "..", "out.txt": "../outside/x.txt", "out": str(base / "outside"),
        "chain": "chain2", "chain2": "out", "loop": "loop2", "loop2": "loop", "nowhere": "../outside/new.txt",
        "here": ".", "deep": "sub/deep",
    }  # fmt: skip
    for name, target in links.items():
        (workspace / name).symlink_to(target)
    yield Place(
        base=base,
        workspace=workspace,
        roots=Roots(workspace=workspace, inputs=(base / "in",), outputs=(base / "out",)),
    )
    assert [(base / name).read_bytes() for name in ("outside/x.txt", "desk-not/x.txt", "x.txt")] == [
        OUTSIDE
    ] * 3
    assert sorted(path.name for path in (base / "outside").iterdir()) == ["x.txt"]


def why(roots: Roots, path: str, use: Use = Use.READ) -> Why | None:
    try:
        resolve(roots, path, use)
    except PathRefused as refused:
        return refused.why
    return None


_NAMES = (
    ".. . desk desk-not outside x.txt a.txt sub deep up out out.txt in.txt in chain loop nowhere here new ．． ‥ DESK … "
    "a／b ..\\.. %2e%2e ~ \u200b.. b.txt"
)
_names = st.sampled_from(("", *_NAMES.split()))
_STARTS = "/ {base}/ {base}/desk/ {base}/outside/ ./ ~/ // /proc/self/root{base}/desk/"
_starts = st.sampled_from(("", *_STARTS.split()))


@st.composite
def _paths(draw: st.DrawFn) -> str:
    return draw(_starts) + "/".join(draw(st.lists(_names, max_size=7)))


# ---- the property


@_in_one_folder
@given(path=_paths() | st.text(max_size=20), use=st.sampled_from(Use))
def test_what_is_opened_lies_in_the_roots_by_the_systems_own_word(place: Place, path: str, use: Use) -> None:
    try:
        with safe_open(place.roots, path.replace("{base}", str(place.base)), use) as file:
            lies_at = Path(f"/proc/self/fd/{file.fileno()}").readlink()
            content = file.read()
    except (PathRefused, OSError):
        return

    assert content == b"fine"
    assert any(lies_at.is_relative_to(root) for root in place.roots.of(use))


@_in_one_folder
@given(path=_paths())
def test_nothing_is_written_or_deleted_outside(place: Place, path: str) -> None:
    path = path.replace("{base}", str(place.base))

    for act in (lambda: write_whole(place.roots, path, b"fine"), lambda: remove_file(place.roots, path)):
        try:
            touched = act()
        except (PathRefused, OSError):
            continue
        assert any(touched.is_relative_to(root) for root in place.roots.of(Use.WRITE))
    # The fixture looks at everything beside the roots when the test is over.
    assert (place.base / "in" / "given.csv").read_bytes() == b"fine"


@_in_one_folder
@given(path=_paths())
def test_resolving_twice_changes_nothing(place: Place, path: str) -> None:
    try:
        real = resolve(place.roots, path.replace("{base}", str(place.base)), Use.READ)
    except PathRefused:
        return

    assert resolve(place.roots, str(real), Use.READ) == real
    assert Path(os.path.realpath(real)) == real


@_in_one_folder
@given(flips=st.lists(st.booleans(), min_size=4, max_size=4), folds_case=st.booleans())
def test_a_root_written_in_another_case_is_the_root_only_where_the_system_says_so(
    place: Place, flips: list[bool], folds_case: bool
) -> None:
    name = "".join(sign.upper() if flip else sign for sign, flip in zip("desk", flips, strict=True))
    roots = replace(place.roots, folds_case=folds_case)

    is_open = why(roots, str(place.base / name / "new.txt"), Use.WRITE) is None

    assert is_open == (folds_case or name == "desk")


@_in_one_folder
@given(steps=st.lists(st.sampled_from(["..", ".", "%2e%2e", "0123456789ab", "a.txt", "．．"]), max_size=6))
def test_an_address_of_the_vault_is_never_a_way_to_a_file(place: Place, steps: list[str]) -> None:
    assert why(place.roots, "vault://" + "/".join(steps)) is Why.FORM


# ---- by case


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.txt", "a.txt"),
        ("./sub//b.txt", "sub/b.txt"),
        ("sub/../a.txt", "a.txt"),
        ("in2.txt", "a.txt"),
        ("deep/../b.txt", "sub/b.txt"),
        ("new/file.txt", "new/file.txt"),
        ("a..b", "a..b"),
        ("报告 – März.txt", "报告 – März.txt"),
    ],
)
def test_paths_within_the_workspace_lead_where_the_system_takes_them(
    place: Place, path: str, expected: str
) -> None:
    assert resolve(place.roots, path, Use.WRITE) == place.workspace / expected
    assert resolve(place.roots, str(place.workspace / path), Use.WRITE) == place.workspace / expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("../x.txt", Why.OUTSIDE),
        ("../desk/a.txt", Why.OUTSIDE),  # comes back: it would tell what there is outside
        ("up/desk/a.txt", None),
        ("out/../desk/a.txt", Why.OUTSIDE),
        ("sub/../../desk-not/x.txt", Why.OUTSIDE),
        ("../desk-not/x.txt", Why.OUTSIDE),
        ("out.txt", Why.OUTSIDE),
        ("chain/x.txt", Why.OUTSIDE),
        ("nowhere", Why.OUTSIDE),
        ("loop", Why.UNREADABLE),
        ("loop/a.txt", Why.UNREADABLE),
        ("a.txt/b", Why.UNREADABLE),
        ("x" * 300, Why.UNREADABLE),
        ("/etc/hosts", Why.OUTSIDE),
        ("~", Why.OUTSIDE),
        ("/proc/self/environ", Why.FORM),
        ("/proc/self/root", Why.FORM),
        ("/proc/self/cwd/a.txt", Why.FORM),
        ("/dev/zero", Why.FORM),
        ("/dev/fd/0", Why.FORM),
        ("", Why.FORM),
        (" ", Why.FORM),
        ("a\0.txt", Why.FORM),
        ("a\n.txt", Why.FORM),
        ("a\udce9\ud800.txt", Why.FORM),
        ("vault://../x", Why.FORM),
        ("vault://0123456789ab/../../../a.txt", Why.FORM),
        ("file:///etc/passwd", Why.FORM),
        ("\\\\server\\share\\x", Why.FORM),
        ("//server/share/x", Why.FORM),
        ("\\\\?\\C:\\x", Why.FORM),
        ("\\\\.\\PhysicalDrive0", Why.FORM),
        ("．．/x.txt", Why.FORM),
        ("‥/x.txt", Why.FORM),
        ("sub／b.txt", Why.FORM),
    ],
)  # fmt: skip
def test_paths_that_leave_or_that_only_look_like_paths_are_refused(
    place: Place, path: str, expected: Why | None
) -> None:
    assert why(place.roots, path) == expected


def test_inputs_are_read_and_not_written_wherever_they_lie(place: Place) -> None:
    within = replace(place.roots, inputs=(place.base / "in", place.workspace / "sub"))

    assert why(place.roots, str(place.base / "in" / "given.csv")) is None
    assert why(place.roots, str(place.base / "in" / "given.csv"), Use.WRITE) is Why.READ_ONLY
    assert why(place.roots, str(place.base / "out" / "made.csv"), Use.WRITE) is None
    assert why(within, "sub/b.txt") is None
    assert why(within, "sub/b.txt", Use.WRITE) is Why.READ_ONLY


def test_a_root_may_be_one_file(place: Place) -> None:
    roots = Roots(inputs=(place.base / "outside" / "x.txt",))

    with safe_open(roots, str(place.base / "outside" / "x.txt")) as file:
        assert file.read() == OUTSIDE
    assert why(roots, str(place.base / "outside" / "y.txt")) is Why.OUTSIDE
    assert why(roots, "x.txt") is Why.OUTSIDE


def test_without_roots_or_with_one_that_is_relative_nothing_is_open(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.workspace)

    assert why(Roots(), str(place.workspace / "a.txt")) is Why.OUTSIDE
    assert why(Roots(workspace=Path("desk")), "a.txt") is Why.OUTSIDE
    assert why(Roots(inputs=(Path(),)), str(place.workspace / "a.txt")) is Why.OUTSIDE


def test_the_applications_own_data_is_closed_within_a_root(place: Place) -> None:
    roots = replace(place.roots, closed=(place.workspace / "sub",))

    assert why(roots, "a.txt") is None
    assert why(roots, "sub/b.txt") is Why.OUTSIDE
    assert why(roots, "deep/c.txt", Use.WRITE) is Why.OUTSIDE
    assert why(replace(place.roots, closed=(Path("sub"),)), "a.txt") is Why.OUTSIDE


def test_what_git_runs_is_read_and_not_written(place: Place) -> None:
    assert why(place.roots, ".git/config") is None
    assert why(place.roots, ".git/hooks/pre-commit", Use.WRITE) is Why.READ_ONLY
    assert why(place.roots, "sub/.GIT/config", Use.WRITE) is Why.READ_ONLY
    assert why(place.roots, ".gitignore", Use.WRITE) is None


def test_a_workspace_that_is_a_link_is_where_it_leads(place: Place) -> None:
    (place.base / "alias").symlink_to("desk")
    roots = Roots(workspace=place.base / "alias")

    assert resolve(roots, "a.txt", Use.WRITE) == place.workspace / "a.txt"
    assert why(roots, "../desk-not/x.txt") is Why.OUTSIDE


def test_case_is_told_apart_where_the_system_does(place: Place) -> None:
    upper = str(place.base / "DESK" / "a.txt")

    assert why(replace(place.roots, folds_case=False), upper) is Why.OUTSIDE
    assert why(replace(place.roots, folds_case=True), upper) is None
    assert why(replace(place.roots, folds_case=True), str(place.base / "DESK-NOT" / "x.txt")) is Why.OUTSIDE


def test_a_folder_that_is_the_same_only_when_normalised_is_another(place: Place) -> None:
    roots = Roots(workspace=place.base / unicodedata.normalize("NFC", "März"))

    assert why(roots, str(place.base / unicodedata.normalize("NFD", "März") / "a.txt")) is Why.OUTSIDE


@pytest.mark.parametrize(
    "name",
    [
        "nul",
        "CON",
        "aux.txt",
        "com1",
        "LPT¹.log",
        "nul .txt",
        "a.txt:stream",
        "a.txt::$DATA",
        "a.txt.",
        "a.txt ",
    ],
)
def test_names_that_windows_takes_for_others_are_refused_there(place: Place, name: str) -> None:
    assert why(replace(place.roots, is_windows=True), f"sub/{name}") is Why.FORM
    assert why(replace(place.roots, is_windows=False), f"sub/{name}") is None


def test_the_refusal_is_a_sentence_with_the_path_cut(place: Place) -> None:
    with pytest.raises(PathRefused) as caught:
        resolve(place.roots, "../" * 200, Use.READ)

    assert caught.value.message.endswith("…' lies outside the folders of this chat.")
    assert len(caught.value.message) < 300
    assert caught.value.facts["why"] == "outside"


# ---- between looking and opening


@pytest.mark.parametrize("path", ["a.txt", "sub/b.txt", "sub/deep/c.txt"])
def test_what_becomes_a_link_after_it_was_looked_at_is_not_followed(
    place: Place, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every part of a path is put in the way once, at the moment between the two."""
    (place.workspace / "sub" / "deep" / "c.txt").write_bytes(b"fine")
    for name in ("a.txt", "b.txt", "deep"):
        (place.base / "trap" / name).parent.mkdir(exist_ok=True)
    (place.base / "trap" / "b.txt").write_bytes(OUTSIDE)
    (place.base / "trap" / "deep").mkdir()
    (place.base / "trap" / "deep" / "c.txt").write_bytes(OUTSIDE)
    true_resolve = paths.resolve

    for n in range(1, len(PurePath(path).parts) + 1):
        victim = place.workspace.joinpath(*PurePath(path).parts[:n])
        kept = victim.with_name("kept")

        def swapped(roots: Roots, path: str, use: Use, *, victim: Path = victim, kept: Path = kept) -> Path:
            real = true_resolve(roots, path, use)
            victim.rename(kept)
            victim.symlink_to(
                place.base / "trap" if victim.name == "sub" else place.base / "trap" / victim.name
            )
            return real

        for act in (
            lambda: safe_open(place.roots, path).close(),
            lambda: write_whole(place.roots, path, b"evil"),
            lambda: remove_file(place.roots, path),
        ):
            monkeypatch.setattr(paths, "resolve", swapped)
            with pytest.raises(PathRefused) as caught:
                act()
            monkeypatch.setattr(paths, "resolve", true_resolve)
            victim.unlink()
            kept.rename(victim)
            assert caught.value.why in (Why.CHANGED, Why.UNREADABLE)

    assert (place.base / "trap" / "b.txt").read_bytes() == OUTSIDE
    assert (place.base / "trap" / "deep" / "c.txt").read_bytes() == OUTSIDE
    assert not (place.base / "trap" / "a.txt").exists()


def test_a_pipe_or_a_folder_is_no_file_and_waits_for_nobody(place: Place) -> None:
    os.mkfifo(place.workspace / "pipe")

    for name in ("pipe", "sub"):
        with pytest.raises(PathRefused) as caught:
            safe_open(place.roots, name)
        assert caught.value.why is Why.UNREADABLE
        with pytest.raises(PathRefused):
            write_whole(place.roots, name, b"")


def test_where_the_system_opens_by_whole_paths_only_it_is_looked_at_again(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "_HAS_DIR_FD", False)
    true_resolve = paths.resolve
    looks: list[str] = []

    def swapped(roots: Roots, path: str, use: Use) -> Path:
        real = true_resolve(roots, path, use)
        if not looks:
            (place.workspace / "sub").rename(place.workspace / "kept")
            (place.workspace / "sub").symlink_to(place.base / "trap")
        looks.append(path)
        return real

    with safe_open(place.roots, "a.txt") as file:
        assert file.read() == b"fine"
    assert write_whole(place.roots, "new/n.txt", b"new").read_bytes() == b"new"
    (place.base / "trap").mkdir()
    (place.base / "trap" / "b.txt").write_bytes(OUTSIDE)
    monkeypatch.setattr(paths, "resolve", swapped)
    with pytest.raises(PathRefused):
        safe_open(place.roots, "sub/b.txt")


# ---- writing


def test_a_file_is_written_whole_with_its_mode_and_its_folders(place: Place) -> None:
    (place.workspace / "a.txt").chmod(0o750)

    assert write_whole(place.roots, "in.txt", b"new") == place.workspace / "a.txt"
    made = write_whole(place.roots, "x/y/z.txt", b"made")

    assert ((place.workspace / "a.txt").read_bytes(), made.read_bytes()) == (b"new", b"made")
    assert (place.workspace / "a.txt").stat().st_mode & 0o777 == 0o750
    assert (place.workspace / "in.txt").is_symlink()
    assert sorted(path.name for path in made.parent.iterdir()) == ["z.txt"]


def test_a_write_that_fails_leaves_what_was_there_and_nothing_else(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left")

    before = sorted(path.name for path in place.workspace.iterdir())
    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(OSError, match="No space"):
        write_whole(place.roots, "a.txt", b"new")

    assert (place.workspace / "a.txt").read_bytes() == b"fine"
    assert sorted(path.name for path in place.workspace.iterdir()) == before


def test_a_file_is_removed_and_what_is_not_there_is_told(place: Place) -> None:
    assert remove_file(place.roots, "sub/b.txt") == place.workspace / "sub" / "b.txt"
    assert not (place.workspace / "sub" / "b.txt").exists()
    with pytest.raises(FileNotFoundError):
        remove_file(place.roots, "sub/b.txt")
    with pytest.raises(FileNotFoundError):
        safe_open(place.roots, "sub/none/b.txt")
