"""Compressing the open chat after a look at what it would do: the dialog, and what becomes of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.bootstrap.application import Application
from app.tasks import TaskScope
from ui.chat.view import ChatView
from ui.kit.dialogs import finished
from ui.kit.theme import Theme
from ui.shell.telling import sentence

if TYPE_CHECKING:
    from app.chats.previewing import Preview  # all steps: no start waits for them
    from ui.folding.view import PreviewDialog


class Compression(QObject):
    """Args:
    on_error: Told of faults of ours.
    """

    def __init__(
        self,
        app: Application,
        chat: ChatView,
        tasks: TaskScope,
        theme: Theme,
        *,
        window: QWidget,
        on_error: Callable[[BaseException], None],
    ) -> None:
        super().__init__(window)
        self._app, self._chat, self._tasks = app, chat, tasks
        self._theme, self._window, self._on_error = theme, window, on_error
        self.dialog: PreviewDialog | None = None
        """None while it is closed."""

    def preview(self) -> None:
        """Show what compressing would do."""
        self.ask(None)

    def ask(self, preview: "Preview | None") -> None:
        """Show what was planned already; None: plan first."""
        if self.dialog is None and self._chat.model and self._chat.model.state.path:
            self._tasks.start("preview", self._ask(preview))

    async def _ask(self, preview: "Preview | None") -> None:
        from ui.folding.view import PreviewDialog  # with all steps of the pipeline, that no start waits for
        from ui.folding.view_model import PreviewViewModel

        chat = self._chat.model
        if chat is None:
            return
        model = PreviewViewModel(
            lambda: self._app.uses.folding(chat.id),
            title=chat.state.title,
            tell=sentence,
            on_error=self._on_error,
            preview=preview,
            parent=self,
        )
        dialog = self.dialog = PreviewDialog(self._theme, self._window)
        model.changed.connect(dialog.draw)
        dialog.topic_changed.connect(model.set_topic)
        dialog.target_changed.connect(model.set_target)
        dialog.writing_asked.connect(model.write_summary)
        dialog.applied.connect(dialog.accept)
        dialog.draw(model.state)
        try:
            model.start()
            if await finished(dialog) and model.state.preview:
                chat.compressing.begin(model.state.preview)
        finally:
            self.dialog = None
            await model.aclose()
            model.deleteLater()
