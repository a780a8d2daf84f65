"""The originals of one chat: which there are, which is looked at, and what becomes of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from app.chats.artifacts import Artifacts, Opened
from app.chats.folding import Folding
from app.core.artifacts import Artifact
from app.core.errors import AppError
from app.core.ids import ChatId, CompactionId
from app.core.parts import Blob
from app.core.records import Changes, Fact
from app.tasks import TaskScope
from app.vault.json_index import BrokenJson, JsonText
from app.vault.kinds import PEEK_BYTES, Kind, kind_of
from ui.vault.json_model import JsonModel
from ui.vault.pager import Pager, merged
from ui.vault.reading import read_all, read_some
from ui.vault.state import Broken, VaultState, Viewed

_RELOADED = {Fact.FOLDS, Fact.ENTRIES, Fact.VAULT}


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultPorts:
    """What the page asks of the application.

    `of_compaction`: ids of the entries that a compaction of a chat hides or changes.
    """

    artifacts: Callable[[ChatId], Awaitable[Artifacts]]
    of_compaction: Callable[[ChatId, CompactionId], Awaitable[frozenset[str]]]
    folding: Callable[[ChatId], Awaitable[Folding]]
    keep: Callable[[Blob, bool], Awaitable[None]]
    say: Callable[[AppError], str]
    on_error: Callable[[BaseException], None]


class VaultViewModel(QObject):
    """
    Signals:
        changed(VaultState): the whole new state.
        opened(Pager | None): the lines that are looked at are others; None: there are none.
        tree_opened(JsonModel | None): the tree that is looked at is another; None: there is none.
        pictured(bytes): the picture that is looked at.
        saved(Opened), revealed(Blob): what shall become a file, and whose file shall be shown.
    """

    changed = Signal(object)
    opened = Signal(object)
    tree_opened = Signal(object)
    pictured = Signal(bytes)
    saved = Signal(object)
    revealed = Signal(object)

    def __init__(self, ports: VaultPorts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = VaultState()
        self.pager: Pager | None = None
        self.tree: JsonModel | None = None
        self.original: Opened | None = None
        self._ports = ports
        self._tasks = TaskScope(ports.on_error)
        self._chat_id: ChatId | None = None

    # -- intentions

    def show(self, chat_id: ChatId, address: str = "", compaction_id: CompactionId | None = None) -> None:
        """All of a chat's, or those of a compaction; with an address that one is looked at."""
        if chat_id != self._chat_id:
            self._close()
            self._fold(VaultState())
        self._chat_id = chat_id
        self._fold(replace(self.state, is_loading=True, only=None, wanted=""))
        self._tasks.start("list", self._list(chat_id, compaction_id))
        if address:
            self.open(address)

    def open(self, address: str) -> None:
        if self._chat_id and address != self.state.current:
            self._close()
            self._fold(replace(self.state, current=address, viewed=None))
            self._tasks.start("open", self._open(self._chat_id, address))

    def show_all(self) -> None:
        self._fold(replace(self.state, only=None))

    def search_names(self, wanted: str) -> None:
        self._fold(replace(self.state, wanted=wanted))

    def seek(self, wanted: str, from_line: int = 1) -> None:
        if self.pager:
            self.pager.seek(wanted, from_line)

    def step(self, step: int) -> None:
        if self.pager:
            self.pager.step(step)

    def keep(self, artifact: Artifact, *, is_kept: bool) -> None:
        if artifact.blob:
            self._tasks.start(f"keep {artifact.address}", self._keep(artifact.blob, is_kept=is_kept))

    def put_back(self, artifact: Artifact) -> None:
        if self._chat_id:
            self._tasks.start("put back", self._put_back(self._chat_id, artifact))

    def save(self) -> None:
        if self.original:
            self.saved.emit(self.original)

    def reveal(self) -> None:
        if self.original and self.original.blob:
            self.revealed.emit(self.original.blob)

    def on_changes(self, changes: Changes) -> None:
        is_here = not changes.chats or self._chat_id in changes.chats
        if self._chat_id and is_here and changes.facts & _RELOADED:
            self._tasks.start("list", self._list(self._chat_id, None, keeps_choice=True))

    async def aclose(self) -> None:
        self._close()
        await self._tasks.aclose()

    # -- doing

    async def _list(
        self, chat_id: ChatId, compaction_id: CompactionId | None, *, keeps_choice: bool = False
    ) -> None:
        artifacts = await (await self._ports.artifacts(chat_id)).list()
        only = self.state.only if keeps_choice else None
        if compaction_id:
            only = await self._ports.of_compaction(chat_id, compaction_id)
        self._fold(replace(self.state, artifacts=artifacts, only=only, is_loading=False))
        if compaction_id and self.state.listed and not self.state.current:
            self.open(self.state.listed[0].address)

    async def _open(self, chat_id: ChatId, address: str) -> None:
        try:
            original = await (await self._ports.artifacts(chat_id)).open(address)
            beginning = await read_some(original, PEEK_BYTES) if original.is_text else b""
        except AppError as error:
            lost = self._ports.say(error)
            self._fold(
                replace(
                    self.state, viewed=Viewed(address=address, name=address, mime="", n_bytes=0, lost=lost)
                )
            )
            return
        self.original = original
        kind = kind_of(original.mime, original.name, beginning.decode(errors="ignore"))
        viewed = Viewed(
            address=address, name=original.name, mime=original.mime, n_bytes=original.n_bytes, kind=kind
        )
        self._fold(replace(self.state, viewed=viewed))
        if kind is Kind.IMAGE:
            self._tasks.start("picture", self._picture(original))
        elif kind is not Kind.BINARY:
            self._page(original)
            if kind in (Kind.JSON, Kind.JSON_LINES):
                self._grow(original, kind)

    def _page(self, original: Opened) -> None:
        pager = self.pager = Pager(original.lines(), self._ports.on_error, self)
        pager.grown.connect(self._note)
        pager.found.connect(self._note)
        pager.lost.connect(self._lose)
        self.opened.emit(pager)
        pager.begin()

    def _grow(self, original: Opened, kind: Kind) -> None:
        text = JsonText(original.read, original.n_bytes, is_lines=kind is Kind.JSON_LINES)
        tree = self.tree = JsonModel(text, self._ports.on_error, self)
        tree.broken.connect(self._break)
        tree.lost.connect(self._lose)
        self.tree_opened.emit(tree)
        tree.begin()

    async def _picture(self, original: Opened) -> None:
        try:
            self.pictured.emit(await read_all(original))
        except AppError as error:
            self._lose(error)

    async def _keep(self, blob: Blob, *, is_kept: bool) -> None:
        await self._ports.keep(blob, is_kept)

    async def _put_back(self, chat_id: ChatId, artifact: Artifact) -> None:
        await (await self._ports.folding(chat_id)).put_back(artifact.entry_id)

    def _close(self) -> None:
        self._tasks.cancel("open")
        self._tasks.cancel("picture")
        self.original = None
        if pager := self.pager:
            self.pager = None
            self._tasks.start(f"end {id(pager)}", self._end(pager))
        self._end_tree()
        self.opened.emit(None)
        self._fold(replace(self.state, current="", viewed=None))

    def _end_tree(self) -> None:
        if tree := self.tree:
            self.tree = None
            self.tree_opened.emit(None)
            self._tasks.start(f"end {id(tree)}", self._end(tree))

    async def _end(self, of: Pager | JsonModel) -> None:
        await of.aclose()
        of.deleteLater()

    # -- from the pager

    def _note(self) -> None:
        pager, viewed = self.pager, self.state.viewed
        if pager is None or viewed is None or self.original is None:
            return
        lines = pager.lines
        marks = viewed.marks
        if lines.is_complete or not marks:
            marks = merged([each for read in self.original.reads for each in read.lines(lines.n_lines)])
        now = replace(
            viewed,
            n_lines=lines.n_lines,
            read_share=1.0 if lines.is_complete else lines.n_indexed_bytes / max(lines.n_bytes, 1),
            is_damaged=lines.is_complete and not lines.is_whole,
            marks=marks,
            search=pager.search,
        )
        self._fold(replace(self.state, viewed=now))

    def _break(self, error: BrokenJson) -> None:
        if self.pager:
            self._tasks.start("break", self._broken(self.pager, error))

    async def _broken(self, pager: Pager, error: BrokenJson) -> None:
        """It is text from now on, and says why."""
        try:
            line = await pager.line_at(error.at)
        except AppError as lost:
            self._lose(lost)
            return
        if pager is self.pager and self.state.viewed:
            broken = Broken(line=line, why=error.why)
            self._fold(replace(self.state, viewed=replace(self.state.viewed, broken=broken)))
            self._end_tree()

    def _lose(self, error: AppError) -> None:
        if self.state.viewed:
            self._fold(replace(self.state, viewed=replace(self.state.viewed, lost=self._ports.say(error))))

    def _fold(self, state: VaultState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)
