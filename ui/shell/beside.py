"""What opens from a chat's transcript: its originals, its summaries and ledger, its forks; each built when it is wanted."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.bootstrap.application import Application
from app.core.ids import ChatId, EntryId
from app.core.parts import Blob
from app.core.records import Changes
from app.tasks import TaskScope
from ui.chat.view import ChatView
from ui.kit.dialogs import finished
from ui.kit.icons import Icons
from ui.kit.theme import Theme
from ui.shell.telling import sentence
from ui.shell.window import MainWindow

if TYPE_CHECKING:
    from app.chats.forking import ForkKind
    from ui.shell.forks import Forks
    from ui.shell.vault_page import VaultPage


class Beside(QObject):
    """
    Args:
        back: Shows the open chat.
        opened: Shows another one.
    """

    def __init__(
        self,
        app: Application,
        window: MainWindow,
        chat: ChatView,
        tasks: TaskScope,
        dress: tuple[Theme, Icons],
        *,
        back: Callable[[], None],
        opened: Callable[[ChatId], None],
        on_error: Callable[[BaseException], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._app, self._window, self._chat, self._tasks, self._dress = app, window, chat, tasks, dress
        self._back, self._opened, self._on_error = back, opened, on_error
        self._vault: VaultPage | None = None
        self._forks: Forks | None = None
        chat.original_opened.connect(self.open_originals)
        chat.original_saved.connect(self._save)
        chat.original_revealed.connect(self._reveal)
        chat.compaction_opened.connect(self._open_compaction)
        chat.fork_wanted.connect(self._fork_at)
        chat.chat_opened.connect(self._open)

    @property
    def vault(self) -> "VaultPage":
        if self._vault is None:
            from ui.shell.vault_page import VaultPage  # no start waits for its patterns

            self._vault = VaultPage(
                self._app,
                self._window,
                self._tasks,
                back=self._back,
                jump=self._jump,
                on_error=self._on_error,
                dress=self._dress,
                parent=self,
            )
        return self._vault

    @property
    def forks(self) -> "Forks":
        if self._forks is None:
            from ui.shell.forks import Forks

            theme, _ = self._dress
            self._forks = Forks(self._app, self._window, self._tasks, theme, opened=self._opened, parent=self)
        return self._forks

    def fork(self, at: EntryId | None = None, kind: "ForkKind | None" = None) -> None:
        """Go on in a new chat from an entry of the open one, or from its end; with no kind the person is asked."""
        if model := self._chat.model:
            self.forks.fork(model.id, at, kind)

    def open_originals(self, address: str = "") -> None:
        """All of the open chat's, or the one of an address."""
        if model := self._chat.model:
            self.vault.open(model.id, address)

    def on_changes(self, changes: Changes) -> None:
        if self._vault:
            self._vault.on_changes(changes)

    async def aclose(self) -> None:
        if self._vault:
            await self._vault.model.aclose()

    def _open_compaction(self, compaction_id: str, what: str) -> None:
        model = self._chat.model
        if model and what == "originals":
            self.vault.open(model.id, compaction_id=compaction_id)
        elif model:
            self.open_laid_down(compaction_id)

    def open_laid_down(self, compaction_id: str = "") -> None:
        """The summaries of the open chat, at one of them, or its ledger."""
        if model := self._chat.model:
            self._tasks.start("laid down", self._open_laid_down(model.id, compaction_id))

    async def _open_laid_down(self, chat_id: ChatId, compaction_id: str) -> None:
        from ui.laid_down.view import LaidDownDialog  # no start waits for the form of a summary
        from ui.laid_down.view_model import LaidDownViewModel

        conversation = (await self._app.session(chat_id)).conversation
        summaries, ledger = await self._app.uses.summaries(chat_id), await self._app.uses.ledger(chat_id)
        model = LaidDownViewModel(conversation, summaries, ledger, self._on_error)
        unwatch = self._app.watch(model.on_changes)
        dialog = LaidDownDialog(model, self._dress[0], sentence, self._window)
        dialog.jumped.connect(dialog.accept)
        dialog.jumped.connect(self._jump)
        try:
            await model.read()
            if compaction_id:
                dialog.show_summary(compaction_id)
            else:
                dialog.show_ledger()
            await finished(dialog)
        finally:
            unwatch()
            await model.aclose()

    def _save(self, blob: Blob) -> None:
        self.vault.save_blob(blob)

    def _reveal(self, blob: Blob) -> None:
        self.vault.reveal(blob)

    def _fork_at(self, entry_id: str) -> None:
        self.fork(EntryId(entry_id))

    def _open(self, chat_id: str) -> None:
        self._opened(ChatId(chat_id))

    def _jump(self, entry_id: str) -> None:
        self._chat.transcript.reveal(entry_id)
