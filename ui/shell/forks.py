"""Going on in a new chat, from a message or from where a chat stands: which kind, what goes on, and where one is then (U10)."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.bootstrap.application import Application
from app.chats.forking import Forked, ForkKind
from app.core.ids import ChatId, EntryId
from app.tasks import TaskScope
from ui.chat.words import ChatWords
from ui.kit.choice_card import ChoiceCard
from ui.kit.dialogs import finished
from ui.kit.theme import Theme
from ui.shell.window import MainWindow

_WIDTH_PX = 540


class Forks(QObject):
    """
    Args:
        opened: Shows a chat.
    """

    def __init__(
        self,
        app: Application,
        window: MainWindow,
        tasks: TaskScope,
        theme: Theme,
        *,
        opened: Callable[[ChatId], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._app, self._window, self._tasks, self._theme = app, window, tasks, theme
        self._opened = opened

    def fork(self, chat_id: ChatId, at: EntryId | None = None, kind: ForkKind | None = None) -> None:
        """A new chat that goes on from `at`, or from where the chat stands; with no kind the person is asked."""
        self._tasks.start("fork", self._fork(chat_id, at, kind))

    async def _fork(self, chat_id: ChatId, at: EntryId | None, kind: ForkKind | None) -> None:
        conversation = (await self._app.session(chat_id)).conversation
        head = at or conversation.chat.head
        if head is None:
            return
        if kind is None:
            asked = ForkDialog(self._theme, self._window)
            if not await finished(asked):
                return
            kind = asked.kind
        title = conversation.chat.title or self.tr("New chat")
        made = await self._made(chat_id, head, kind, self.tr("{title} (fork)").format(title=title))
        self._opened(made.chat_id)
        told = self.tr("You are in the fork; “{title}” is as it was.")
        if kind is ForkKind.SUMMARY and made.compaction is None:
            told = self.tr("Too little was said for a summary, so the fork is a full copy.")
        self._window.say(told.format(title=title), action=self.tr("Back"), run=lambda: self._opened(chat_id))

    async def _made(self, chat_id: ChatId, head: EntryId, kind: ForkKind, title: str) -> Forked:
        words = ChatWords()
        progress = ForkProgress(self._window, cancel=lambda: self._tasks.cancel("fork"))
        try:
            if kind is ForkKind.SUMMARY:
                progress.open()
            return await self._app.uses.forking.fork(
                chat_id,
                head,
                title=title,
                kind=kind,
                report=lambda step: progress.tell(words.compressing(step, 0)),
            )
        finally:
            progress.end()


class ForkDialog(QDialog):
    """Which of the two kinds; Return takes the one that is focused."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = ForkKind.SUMMARY
        self.setWindowTitle(self.tr("Continue in a new chat"))
        self.setModal(True)
        title = QLabel(self.tr("Continue in a new chat"))
        title.setProperty("role", "title")
        told = QLabel(self.tr("This chat stays as it is. Each links to the other."))
        told.setProperty("role", "small")
        self.summary = ChoiceCard(
            theme,
            self.tr("With a summary"),
            words=self.tr("Summary, ledger and the last messages: room is free again"),
        )
        self.full = ChoiceCard(theme, self.tr("Full copy"), words=self.tr("The model sees what it sees here"))
        self.summary.clicked.connect(self._sum_up)
        self.full.clicked.connect(self._copy)
        cancel = QPushButton(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 20, 22, 18)
        column.setSpacing(10)
        for widget in (title, told, self.summary, self.full):
            column.addWidget(widget)
        column.addLayout(foot)
        self.setMinimumWidth(round(theme.px(_WIDTH_PX)))
        self.summary.setFocus(Qt.FocusReason.OtherFocusReason)

    def _sum_up(self) -> None:
        self.kind = ForkKind.SUMMARY
        self.accept()

    def _copy(self) -> None:
        self.kind = ForkKind.FULL
        self.accept()


class ForkProgress(QDialog):
    """What goes on while a summary is written, with the way out of it."""

    def __init__(self, parent: QWidget, *, cancel: Callable[[], object]) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Continue in a new chat"))
        self.setModal(True)
        self._step = QLabel(ChatWords().compressing("", 0))
        self._step.setMinimumWidth(340)
        button = QPushButton(self.tr("Cancel"))
        button.clicked.connect(self.reject)
        self._cancel = cancel
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 20, 22, 18)
        column.addWidget(self._step)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignRight)

    def tell(self, text: str) -> None:
        self._step.setText(text)

    def end(self) -> None:
        """It is made, or it is not."""
        self._cancel = bool
        self.close()
        self.deleteLater()

    def reject(self) -> None:
        self._cancel()
        super().reject()
