"""The Context Lens and the strip beside the messages, around the chat that is open."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.bootstrap.application import Application
from app.core.ids import EntryId
from app.core.records import Changes, Fact
from app.tasks import TaskScope
from ui.chat.view import ChatView
from ui.chat.view_model import ChatViewModel
from ui.kit.icons import Icons
from ui.kit.known_keys import keyed
from ui.kit.theme import Theme
from ui.lens.minimap import Minimap
from ui.lens.view_model import LensViewModel
from ui.shell.commands import keys_of
from ui.shell.telling import sentence
from ui.shell.window import MainWindow

if TYPE_CHECKING:
    from app.chats.lensing import Lens
    from ui.lens.view import LensView

LENS = "lens"
_FACTS = {Fact.FOLDS, Fact.ENTRIES, Fact.REQUESTS}


class LensPage(QObject):
    """
    Signals:
        left(): the chat shall be shown again.
    """

    left = Signal()

    def __init__(
        self,
        app: Application,
        chat: ChatView,
        window: MainWindow,
        theme: Theme,
        icons: Icons,
        tasks: TaskScope,
        *,
        on_error: Callable[[BaseException], None],
    ) -> None:
        super().__init__(window)
        self._app, self._chat, self._window = app, chat, window
        self._theme, self._icons, self._on_error = theme, icons, on_error
        self._tasks = tasks
        self._lens: Lens | None = None
        self._model: LensViewModel | None = None
        """Of the page; None until that is opened on the present chat."""
        self._small: LensViewModel | None = None
        """Of the strip beside the messages."""
        self.view: LensView | None = None
        """None until first opened."""
        self.minimap = Minimap(theme, icons)
        self.minimap.jumped.connect(self._jump)
        chat.set_beside(self.minimap)
        chat.header.add_toggle("lens", self._words, self.toggle)

    def toggle(self) -> None:
        """Show what the model sees, or the chat again."""
        if self._window.page == LENS:
            self.left.emit()
        elif self._chat.model:
            self._open()

    def follow(self) -> None:
        """Another chat is shown: the Lens is on that one."""
        for model in (self._model, self._small):
            if model:
                self._tasks.start(f"close {id(model)}", self._closed(model))
        self._model = self._small = None
        self._lens = None
        if self.view:
            self.view.show_model(None)
        if self._chat.model:
            self._small = self._made(self._chat.model, reads_items=False)
            self._small.changed.connect(self.minimap.draw_state)
            self._small.open()

    def take(self, changes: Changes) -> None:
        """Something was written."""
        here = self._chat.model
        if here and here.id in changes.chats and changes.facts & _FACTS and not here.session.is_running:
            for model in (self._model, self._small):
                if model:
                    model.open()

    def measure(self) -> None:
        """The draft is another one."""
        for model in (self._model, self._small):
            if model:
                model.measure()

    def _open(self) -> None:
        chat = self._chat.model
        assert chat
        if self.view is None:
            from ui.lens.view import LensView  # no start waits for it

            self.view = LensView(self._theme, self._icons)
            self.view.closed.connect(self.left)
            self._window.add_page(LENS, self.view)
        if self._model is None:
            self._model = self._made(chat, reads_items=True)
            self._model.copied.connect(self._copy)
            self._model.jumped.connect(self._jump)
            self.view.show_model(self._model)
        self._model.open()
        self._window.show_page(LENS)
        self.view.setFocus()

    def _made(self, chat: ChatViewModel, *, reads_items: bool) -> LensViewModel:
        return LensViewModel(
            partial(self._lens_of, chat),
            lambda: self._app.uses.folding(chat.id),
            fill=lambda: chat.session.fill(*chat.drafting.parted()),
            is_running=lambda: chat.session.is_running,
            tell=sentence,
            on_error=self._on_error,
            reads_items=reads_items,
            parent=self,
        )

    async def _lens_of(self, chat: ChatViewModel) -> "Lens":
        """One for both, so that a strip is read once."""
        if self._lens is None:
            self._lens = await self._app.uses.lens(chat.id)
        return self._lens

    async def _closed(self, model: LensViewModel) -> None:
        await model.aclose()
        model.deleteLater()

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._window.say(self.tr("Copied"))

    def _jump(self, entry_id: str) -> None:
        self.left.emit()
        self._chat.show_entry(EntryId(entry_id))

    def _words(self) -> tuple[str, str]:
        keys = keys_of("lens", self._window.commands)
        return self.tr("Lens"), keyed(self.tr("What the model sees"), keys)

    async def aclose(self) -> None:
        for model in (self._model, self._small):
            if model:
                await model.aclose()
