"""The sidebar in its states, to be looked at: `python -m ui.sidebar --shot DIR`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.chats.library import Library
from app.core.entries import Chat
from app.core.ids import ChatId
from ui.kit.showcase import Stage, showcase
from ui.sidebar.view import WIDTH_PX, SidebarView
from ui.sidebar.view_model import SidebarViewModel

NOW = datetime(2026, 11, 24, 15, 0).astimezone()


def chat(title: str, days: float = 0, use: float = 0, *, of: str = "", is_pinned: bool = False) -> Chat:
    """A chat named by its title; `of`: the title of the chat that it was forked from."""
    at = NOW - timedelta(days=days)
    return Chat(
        id=ChatId(title or "untitled"),
        title=title,
        created_at=at,
        updated_at=at,
        rev=0,
        head=None,
        parent_id=ChatId(of) if of else None,
        is_pinned=is_pinned,
        prompt_tokens=round(use * 200_000),
        window_tokens=200_000 if use else 0,
    )


CHATS = (
    chat("House rules for reviews", 3, 0.08, is_pinned=True),
    chat("Migrate billing to ledger v2", 0.01, 0.76),
    chat("fork · try event sourcing", 0.02, 0.03, of="Migrate billing to ledger v2"),
    chat("季度报表里的数字核对", 0.03, 0.21),
    chat("Reading: product_manual.pdf, chapters 3 to 11", 0.04, 0.14),
    chat("Which indexes does the nightly job need?", 1, 0.44),
    chat("Flaky e2e on CI", 4, 0.91),
    chat("Trip to Kyoto", 5),
    chat("", 40, 0.3),
)


@dataclass(slots=True)
class Wishes:
    """Remembers what the sidebar wanted of the window."""

    opened: list[ChatId] = field(default_factory=list[ChatId])
    n_new: int = 0
    n_settings: int = 0
    said: list[str] = field(default_factory=list[str])
    undo: Callable[[], None] | None = None

    def open_chat(self, chat_id: ChatId) -> None:
        self.opened.append(chat_id)

    def new_chat(self) -> None:
        self.n_new += 1

    def open_settings(self) -> None:
        self.n_settings += 1

    def say(self, text: str, *, action: str = "", run: Callable[[], None] | None = None) -> None:
        self.said.append(text)
        self.undo = run


class _NoLibrary(Library):
    """The samples are in no store; what is done with them does nothing."""

    def __init__(self) -> None:
        pass


def sample_view(stage: Stage, chats: tuple[Chat, ...] = CHATS, wanted: str = "") -> SidebarView:
    model = SidebarViewModel(
        _NoLibrary(), Wishes(), publish=lambda _changes: None, on_error=lambda _error: None, now=lambda: NOW
    )
    model.show(chats)
    model.set_current(ChatId("Migrate billing to ledger v2"))
    model.set_running(frozenset({ChatId("Which indexes does the nightly job need?")}))
    view = SidebarView(model, stage.theme, stage.icons, settings_keys="Ctrl ,")
    if wanted:
        view.focus_search()
        model.search(wanted)
    return view


SAMPLES: Mapping[str, Callable[[Stage], QWidget]] = {
    "chats": partial(sample_view, chats=CHATS),
    "none": partial(sample_view, chats=()),
    "nothing-found": partial(sample_view, chats=CHATS, wanted="zebra"),
}


def main() -> None:
    showcase(SAMPLES, sizes=(QSize(WIDTH_PX, 700), QSize(WIDTH_PX, 900)))
