"""The window at work: which chat is open, what each feature is handed, and what the commands do."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.bootstrap.application import Application
from app.core.errors import Action
from app.core.ids import ChatId
from app.core.records import Changes, Fact
from app.finding.found import Found
from app.store.first_screen import FirstScreen
from app.tasks import TaskScope
from ui.chat.end_items import preview_items
from ui.chat.state import Caller, ChatState
from ui.chat.view import ChatView
from ui.health.ring_drawing import Dots
from ui.kit.icons import Icons
from ui.kit.items import ReadingPosition
from ui.kit.theme import Mode, Theme
from ui.onboarding.view import OnboardingView
from ui.onboarding.view_model import OnboardingViewModel
from ui.settings.state import PageId
from ui.settings.view import SettingsView
from ui.shell.beside import Beside
from ui.shell.calls import Calls
from ui.shell.changes import ChangeFeed
from ui.shell.commands import Deed, commands, keys_of
from ui.shell.compression import Compression
from ui.shell.doors import Doors, browse, open_folder
from ui.shell.finding import Finding
from ui.shell.health_room import HealthDeeds, HealthRoom
from ui.shell.languages import Languages
from ui.shell.layout import WindowLayout
from ui.shell.lens_page import LensPage
from ui.shell.notices import Notices
from ui.shell.open_chats import OpenChats
from ui.shell.restoring import Restoring
from ui.shell.settings_page import made_settings
from ui.shell.suggesting import Suggesting
from ui.shell.telling import sentence
from ui.shell.window import MainWindow
from ui.sidebar.view import SidebarView
from ui.sidebar.view_model import SidebarViewModel

CHAT, SETTINGS, FIRST_RUN = "chat", "settings", "first_run"
_PREVIEWED = 60
"""Entries of a chat that show before all of it is read."""


class Workbench(QObject):
    """Builds the window's features around one application; `Intentions` of the sidebar."""

    def __init__(
        self,
        app: Application,
        first: FirstScreen,
        *,
        theme: Theme,
        icons: Icons,
        languages: Languages,
        notices: Notices,
    ) -> None:
        super().__init__()
        self.application = self._app = app
        self._theme, self._icons = theme, icons
        self._languages, self._notices = languages, notices
        self._tasks = TaskScope(notices.decide)
        self._positions: dict[ChatId, ReadingPosition] = {}
        self._current: ChatId | None = None
        self._callers: dict[ChatId, ChatId] = {}
        """From where the chat of a sub-agent was opened."""
        self._settings_view: SettingsView | None = None
        self._feed = ChangeFeed(self)
        self._feed.changed.connect(self._on_changes)
        layout = WindowLayout.from_stored(app.settings.window_layout)
        self.window = MainWindow(theme, icons, layout=layout, save=self._save_layout)
        deeds = HealthDeeds(
            compress=self.compress,
            fork=self.fork,
            open_models=self.open_models,
            open_cache_settings=self.open_cache_settings,
        )
        self.health = HealthRoom(app, self.window, self._tasks, theme, deeds)
        self.ring = self.health.ring
        self.chats = OpenChats(app, on_error=notices.decide, parent=self)
        self.chat = ChatView(theme, icons, self.ring, self.chats.choices)
        self.health.stand_in(self.chat)
        self.sidebar_model = SidebarViewModel(
            app.library, self, publish=app.publish, on_error=notices.decide, parent=self
        )
        self.sidebar = SidebarView(
            self.sidebar_model, theme, icons, settings_keys=keys_of("settings"), dot=Dots(theme)
        )
        self.compression = Compression(
            app, self.chat, self._tasks, theme, window=self.window, on_error=notices.decide
        )
        self.ring.preview_asked.connect(self.compression.preview)
        self.chats.little_won.connect(self.compression.ask)
        self.chats.waits_changed.connect(self.sidebar_model.set_waiting)
        self.calls = Calls(
            self.chats,
            self.window,
            title=self.sidebar_model.title,
            is_shown=self._is_shown,
            opened=self.open_chat,
            settings=lambda: app.settings,
            open_limit=self.open_cache_settings,
            parent=self,
        )
        self.lens = LensPage(app, self.chat, self.window, theme, icons, self._tasks, on_error=notices.decide)
        self.lens.left.connect(self.close_settings)
        self.health.measured.connect(self.lens.measure)
        self.doors = Doors(app, self.window, self._tasks, opened=self.open_chat, parent=self)
        self.finding = Finding(
            app,
            self.window,
            self._tasks,
            look=(theme, icons),
            chats=lambda: self.sidebar_model.chats,
            open_chat=self.open_chat,
            open_message=self.open_message,
            open_settings=self.open_settings,
            leave=self.close_settings,
            parent=self,
        )
        self.restoring = Restoring(self.window, self)
        self.beside = Beside(
            app,
            self.window,
            self.chat,
            self._tasks,
            (theme, icons),
            back=self.close_settings,
            opened=self.open_chat,
            on_error=notices.decide,
            parent=self,
        )
        self._build()
        self._show_first(first)

    def _build(self) -> None:
        window, chat = self.window, self.chat
        window.set_sidebar(self.sidebar)
        window.add_page(CHAT, chat)
        deeds = self._deeds()
        window.set_commands(commands(deeds))
        chat.name_keys(self._keys)
        self.suggesting = Suggesting(
            self._app,
            chat,
            self._tasks,
            deeds,
            open_prompts=lambda: self.open_settings("prompts"),
            keys=self._keys,
            parent=self,
        )
        if button := window.menu_button():
            chat.header.set_corner(button)
        window.files_dropped.connect(self.doors.import_files)
        window.others_dropped.connect(chat.wishes.attach)
        chat.link_activated.connect(self.doors.open_link)
        chat.models_wanted.connect(self.open_models)
        chat.notice_pressed.connect(self._on_notice)
        chat.text_saved.connect(self.doors.save_text)
        chat.folder_opened.connect(open_folder)
        chat.agent_opened.connect(self._open_agent)
        chat.back_wanted.connect(self.go_back)
        chat.composer.focus_changed.connect(self._tell_writing)
        self._notices.listen(window.tell)
        self._app.watch(self._feed.take)

    def _show_first(self, first: FirstScreen) -> None:
        """What a cold start can show before the store is open: the list, and the end of the last chat."""
        self.sidebar_model.show(first.chats)
        if not self._app.settings.has_started:
            self._open_first_run()
            return
        shown = next((chat for chat in first.chats if chat.id == first.open_chat), None)
        state = ChatState(path=first.tail, title=shown.title if shown else "")
        self.chat.preview(preview_items(state), state)
        self.sidebar_model.set_current(first.open_chat)
        self.window.show_page(CHAT)
        self._tasks.start("open", self._open(first.open_chat))

    # ---- the sidebar's intentions

    def open_chat(self, chat_id: ChatId) -> None:
        self._tasks.start("open", self._open(chat_id))

    def open_message(self, found: Found, typed: str) -> None:
        """Show a message that was found, with what was typed marked in it."""
        self._tasks.start("open", self._open_message(found, typed))

    def _open_agent(self, chat_id: str) -> None:
        if self._current:
            self._callers[ChatId(chat_id)] = self._current
        self.open_chat(ChatId(chat_id))

    def go_back(self) -> None:
        """From a sub-agent's chat to where it was opened, or to the chat for which it works."""
        model = self.chat.model
        if model and (caller := model.state.caller) and (to := self._callers.get(model.id, caller.chat_id)):
            self.open_chat(to)

    def open_sample(self) -> None:
        self._tasks.start("open", self._open_sample())

    async def _open_sample(self) -> None:
        await self._open(await self._app.uses.sample())

    def new_chat(self) -> None:
        self._tasks.start("open", self._open(None))

    def open_settings(self, page: PageId | None = None) -> None:
        if self._settings_view is None:
            self._settings_view = made_settings(
                self._app,
                self._tasks,
                self._theme,
                self._icons,
                elsewhere=self._languages.elsewhere,
                parent=self,
            )
            self._settings_view.closed.connect(self.close_settings)
            self._settings_view.import_asked.connect(self.doors.ask_for_files)
            self._settings_view.export_asked.connect(self.doors.ask_for_archive)
            self._settings_view.restore_asked.connect(self.restoring.ask)
            self.window.add_page(SETTINGS, self._settings_view)
        if page:
            self._settings_view.show_page(page)
        self.window.show_page(SETTINGS)
        self._settings_view.setFocus()

    def say(self, text: str, *, action: str = "", run: Callable[[], None] | None = None) -> None:
        self.window.say(text, action=action, run=run)

    # ---- what else can be wanted

    def open_models(self) -> None:
        self.open_settings("models")

    def open_cache_settings(self) -> None:
        self.open_settings("cache")

    def close_settings(self) -> None:
        self.window.show_page(CHAT)
        self.chat.setFocus()

    def compress(self) -> None:
        self.chat.compress()

    def fork(self) -> None:
        """Go on in a new chat; the person is asked which kind."""
        self.beside.fork()

    async def aclose(self) -> None:
        """Save what is typed and stop watching; what runs is the application's."""
        await self._tasks.aclose()
        await self.lens.aclose()
        await self.sidebar_model.aclose()
        await self.beside.aclose()
        await self.chats.aclose()

    # ---- chats

    async def _open(self, chat_id: ChatId | None) -> None:
        """Show a chat; None: a new one."""
        chat_id = chat_id or await self.chats.empty()
        if chat_id not in self.chats:
            await self._preview(chat_id)
        model = await self.chats.model(chat_id)
        self._leave()
        self._current = chat_id
        self.chat.show_chat(model, self._positions.get(chat_id))
        self.lens.follow()
        self.health.follow(model)
        self.health.draw_fill(model.session.fill(*model.drafting.parted()))
        caller = model.state.caller
        self.sidebar_model.set_current(self._callers.get(chat_id, caller.chat_id) if caller else chat_id)
        self.window.set_title(model.state.title)
        self.window.show_page(CHAT)
        self.chat.setFocus()
        self._tell_writing()
        if chat_id != self._app.settings.last_chat and not caller:
            await self._app.change(last_chat=chat_id)

    async def _open_message(self, found: Found, typed: str) -> None:
        await self._open(found.chat_id)
        if self.chat.model and await self.chat.model.reach(found.entry_id):
            self.chat.finding.go_to(typed, found.entry_id)
        else:
            self.say(self.tr("It stands in another branch, which can be shown when the answer has ended"))

    async def _preview(self, chat_id: ChatId) -> None:
        """The end of a chat that is not read yet: a long one takes longer than a click may (Q8)."""
        if not self.chat.model:  # a cold start has drawn it already, and may hold what is typed
            return
        chat, tail = await self._app.end_of(chat_id, _PREVIEWED)
        self._leave()
        caller = Caller(chat_id=None, title="") if chat.called_by else None
        state = ChatState(path=tail, title=chat.title, caller=caller)
        self.chat.preview(preview_items(state), state)
        self.sidebar_model.set_current(chat_id)
        self.window.show_page(CHAT)
        self.chat.repaint()  # now: while a thread reads the rest, each of the painter's calls waits for it

    def _is_shown(self, chat_id: ChatId) -> bool:
        return chat_id == self._current and self.window.page == CHAT

    def _leave(self) -> None:
        if self._current and self.chat.model:
            self.health.follow(None)
            if position := self.chat.leave():
                self._positions[self._current] = position

    def _tell_writing(self) -> None:
        is_here = self.chat.composer.input.hasFocus()
        self._app.attention.writing_in = self._current if is_here else None
        if is_here and self.chat.model:
            self.chat.model.session.take_up()

    # ---- pages

    def _open_first_run(self) -> None:
        model = OnboardingViewModel(self._app, self._tasks, self)
        view = OnboardingView(model, theme=self._theme, icons=self._icons, say=sentence, open_link=browse)
        model.finished.connect(self.new_chat)
        model.sample_asked.connect(self.open_sample)
        self.window.add_page(FIRST_RUN, view)
        self.window.show_page(FIRST_RUN)

    def _on_notice(self, action: str) -> None:
        """A key that fails leads to its field (U17)."""
        model = self.chat.model
        chosen = (model.session.conversation.chat.model if model else None) or self._app.settings.model or ""
        endpoint = chosen.partition("/")[0]
        if action == Action.COMPRESS:
            self.compress()
        if action == Action.FORK:
            self.beside.fork()
        if action != Action.SETTINGS:
            return
        self.open_settings("providers")
        if self._settings_view and any(item.id == endpoint for item in self._app.settings.endpoints):
            self._settings_view.show_endpoint(endpoint)

    # ---- what was written

    def _on_changes(self, changes: Changes) -> None:
        self.sidebar_model.take(changes)
        self.lens.take(changes)
        self.chats.on_changes(changes)
        self.health.on_changes(changes)
        self.calls.note_limit(is_met=self.chats.has_met_limit)
        self.beside.on_changes(changes)
        if Fact.SETTINGS in changes.facts:
            self._follow_settings()
        if self.chat.model:
            self.window.set_title(self.chat.model.state.title)
        self.sidebar_model.set_running(self.chats.running)

    def _follow_settings(self) -> None:
        settings = self._app.settings
        self._theme.set_mode(Mode(settings.theme))
        self._theme.set_zoom(settings.zoom_percent)
        self._languages.use(settings.language)
        if self.window.rebind(settings.shortcuts):
            self.sidebar.show_settings_keys(keys_of("settings", self.window.commands))
            self.chat.name_keys(self._keys)
            self.health.name_keys()
        self.health.follow_settings(reduce_motion=settings.reduce_motion)
        self.chat.composer.set_enter_sends(enter_sends=settings.enter_sends)
        self._tasks.start("offers", self._load_offers())

    def _keys(self, command: str) -> str:
        return keys_of(command, self.window.commands)

    async def _load_offers(self) -> None:
        await self.chats.load_offers()
        self.chat.header.draw_choices()

    async def prepared(self) -> None:
        """The store is open: what was shown first becomes what it holds."""
        self._follow_settings()
        self.health.prepared()
        await self.sidebar_model.load()

    def _save_layout(self, layout: WindowLayout) -> None:
        self._tasks.start("layout", self._app.change(window_layout=dict(layout.to_stored())))

    # ---- commands

    def _deeds(self) -> dict[str, Deed]:
        window, chat, sidebar = self.window, self.chat, self.sidebar_model
        return {
            "new_chat": self.new_chat,
            "find": self.finding.open_palette,
            "find_all": self.finding.open_everything,
            "next_chat": lambda: sidebar.step(1),
            "previous_chat": lambda: sidebar.step(-1),
            "sample": self.open_sample,
            "import": self.doors.ask_for_files,
            "export": self._export,
            "export_all": self.doors.ask_for_archive,
            "composer": chat.composer.input.setFocus,
            "find_in_chat": chat.open_find,
            "turns": chat.open_turns,
            "pin": chat.pin_here,
            "find_next": lambda: chat.finding.step(1),
            "find_previous": lambda: chat.finding.step(-1),
            "model": chat.header.choose,
            "folder": chat.header.ask_folder,
            "back": self.go_back,
            "board": chat.header.board.open_board,
            "attach": chat.composer.choose_files,
            "write_large": chat.composer.write_large,
            "stop": chat.stop,
            "question": chat.questions.go_to_first,
            "answer_1": lambda: chat.questions.answer(1),
            "answer_2": lambda: chat.questions.answer(2),
            "answer_3": lambda: chat.questions.answer(3),
            "refuse": lambda: chat.questions.answer(0),
            "regenerate": chat.retry_last,
            "compress": self.compress,
            "preview": self.compression.preview,
            "lens": self.lens.toggle,
            "originals": self.beside.open_originals,
            "laid_down": self.beside.open_laid_down,
            "copy_answer": chat.copy_last_answer,
            "own_above": lambda: chat.transcript.step_own(-1),
            "own_below": lambda: chat.transcript.step_own(1),
            "sidebar": window.toggle_sidebar,
            "panel": self.health.toggle,
            "fork": self.fork,
            "zoom_in": lambda: self._zoom(10),
            "zoom_out": lambda: self._zoom(-10),
            "zoom_reset": lambda: self._zoom(0),
            "settings": self.open_settings,
            "shortcuts": window.show_shortcuts,
            "quit": window.close,
        }

    def _export(self) -> None:
        if self._current:
            self.sidebar.ask_where(self._current)

    def _zoom(self, step: int) -> None:
        percent = self._theme.zoom_percent + step if step else 100
        percent = min(max(percent, 80), 200)
        self._theme.set_zoom(percent)
        self.window.zoomed(percent, lambda: self._zoom(0))
        self._tasks.start("zoom", self._app.change(zoom_percent=percent))
