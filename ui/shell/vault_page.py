"""The page of a chat's originals, built when it is first opened, around one application."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.bootstrap.application import Application
from app.chats.artifacts import Opened
from app.core.errors import AppError
from app.core.ids import ChatId, CompactionId
from app.core.parts import Blob
from app.core.records import Changes
from app.tasks import TaskScope
from ui.kit.dialogs import finished
from ui.kit.icons import Icons
from ui.kit.theme import Theme
from ui.shell.doors import open_folder
from ui.shell.telling import sentence
from ui.shell.window import MainWindow
from ui.vault.reading import write_to
from ui.vault.view import VaultView
from ui.vault.view_model import VaultPorts, VaultViewModel

VAULT = "vault"


class VaultPage(QObject):
    """
    Args:
        back: Shows the chat again.
        jump: Shows an entry of the open chat.
    """

    def __init__(
        self,
        app: Application,
        window: MainWindow,
        tasks: TaskScope,
        *,
        back: Callable[[], None],
        jump: Callable[[str], None],
        on_error: Callable[[BaseException], None],
        dress: tuple[Theme, Icons],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._app, self._window, self._tasks = app, window, tasks
        self._back, self._jump = back, jump
        ports = VaultPorts(
            artifacts=app.uses.artifacts,
            of_compaction=self._of_compaction,
            folding=app.uses.folding,
            keep=self._keep,
            say=_said,
            on_error=on_error,
        )
        self.model = VaultViewModel(ports, self)
        self.model.saved.connect(self._save)
        self.model.revealed.connect(self.reveal)
        self._dress = dress
        self._view: VaultView | None = None

    def open(self, chat_id: ChatId, address: str = "", compaction_id: str = "") -> None:
        """All of a chat's, one of them, or those of a compaction."""
        if self._view is None:
            self._view = VaultView(self.model, self._tasks, *self._dress)
            self._view.closed.connect(self._back)
            self._view.jumped.connect(self._go)
            self._view.told.connect(self._window.say)
            self._window.add_page(VAULT, self._view)
        self.model.show(chat_id, address, CompactionId(compaction_id) if compaction_id else None)
        self._window.show_page(VAULT)
        self._view.setFocus()

    def save_blob(self, blob: Blob) -> None:
        """Have a file made of an original in the vault."""
        read = self._app.vault.reader(blob)
        self._save(
            Opened(
                address="",
                name=blob.name,
                mime=blob.mime,
                n_bytes=blob.n_bytes,
                blob=blob,
                read=read,
                reads=(),
            )
        )

    def reveal(self, blob: Blob) -> None:
        """Show the folder in which it lies, compressed."""
        open_folder(self._app.vault.path(blob).parent)

    def on_changes(self, changes: Changes) -> None:
        if self._view:
            self.model.on_changes(changes)

    def _go(self, entry_id: str) -> None:
        self._back()
        self._jump(entry_id)

    def _save(self, original: Opened) -> None:
        self._tasks.start("save original", self._saved(original))

    async def _saved(self, original: Opened) -> None:
        dialog = QFileDialog(self._window, self.tr("Save as"), original.name)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        if await finished(dialog):
            path = Path(dialog.selectedFiles()[0])
            await write_to(original, path)
            self._window.say(self.tr("Saved as {file}").format(file=path.name))

    async def _keep(self, blob: Blob, keep: bool) -> None:  # noqa: FBT001  # a port's argument
        await self._app.keep_blob(blob, keep=keep)

    async def _of_compaction(self, chat_id: ChatId, compaction_id: CompactionId) -> frozenset[str]:
        conversation = (await self._app.session(chat_id)).conversation
        folds = [fold for fold in conversation.folds if fold.compaction_id == compaction_id]
        return (await self._app.uses.artifacts(chat_id)).of_compaction(folds)


def _said(error: AppError) -> str:
    return sentence(error)
