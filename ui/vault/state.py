"""What the page of a chat's originals shows, as values (U9)."""

from dataclasses import dataclass

from app.core.artifacts import Artifact
from app.core.ids import EntryId
from app.vault.json_index import Why
from app.vault.kinds import Kind

MOST_FOUND = 10_000
"""Lines; a search that finds more ends there, and says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    wanted: str = ""
    n_found: int = 0
    """Lines."""
    at: int = 0
    """The one that is shown, from 1; 0: none yet."""
    is_running: bool = False

    @property
    def is_cut(self) -> bool:
        return self.n_found >= MOST_FOUND


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """Why what should be JSON is shown as text."""

    line: int
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewed:
    """The original that is looked at."""

    address: str
    name: str
    mime: str
    n_bytes: int
    kind: Kind = Kind.TEXT
    n_lines: int = 0
    """As far as it is indexed."""
    read_share: float = 0.0
    """Of it that is indexed; 1: all, and held against its hash."""
    is_damaged: bool = False
    lost: str = ""
    """Why it can't be read; empty: it can."""
    marks: tuple[tuple[int, int], ...] = ()
    """First and last line of each stretch that the model read."""
    search: Search = Search()
    broken: Broken | None = None

    @property
    def has_tree(self) -> bool:
        return self.kind in (Kind.JSON, Kind.JSON_LINES) and self.broken is None


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultState:
    artifacts: tuple[Artifact, ...] = ()
    is_loading: bool = False
    only: frozenset[EntryId] | None = None
    """Only what these entries hold is listed: a compression's. None: all."""
    wanted: str = ""
    """What is sought among the names."""
    current: str = ""
    """Address; empty: none is looked at."""
    viewed: Viewed | None = None
    """None: none, or it is being opened."""

    @property
    def listed(self) -> tuple[Artifact, ...]:
        words = self.wanted.casefold().split()
        return tuple(
            each
            for each in self.artifacts
            if (self.only is None or each.entry_id in self.only)
            and all(word in f"{each.name} {each.mime}".casefold() for word in words)
        )

    @property
    def shown(self) -> Artifact | None:
        return next((each for each in self.artifacts if each.address == self.current), None)


def total_bytes(artifacts: tuple[Artifact, ...]) -> int:
    """Of what lies in the vault; one blob counts once."""
    return sum({each.blob.sha256: each.n_bytes for each in artifacts if each.blob}.values())
