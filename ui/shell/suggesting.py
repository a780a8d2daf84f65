"""What `/` and `@` of the composer stand for in this application, and what becomes of what is chosen (U14)."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QLocale, QObject

from app.bootstrap.application import Application
from app.core.entries import Entry, Origin
from app.core.ids import ChatId
from app.tasks import TaskScope
from ui.chat.suggestions import Suggestion
from ui.chat.view import ChatView
from ui.kit.known_keys import KeysOf
from ui.shell.commands import TABLE, Deed, said

_COMMANDS: Mapping[str, str] = {
    "compress": "compress",
    "preview": "preview",
    "fork": "fork",
    "model": "model",
    "export": "export",
    "pin": "pin",
    "attach": "attach",
    "folder": "folder",
    "lens": "lens",
    "originals": "originals",
    "laid_down": "summaries",
    "board": "tasks",
    "regenerate": "retry",
    "copy_answer": "copy",
    "find_in_chat": "find",
    "turns": "goto",
    "write_large": "large",
    "new_chat": "new",
}
"""What is typed for a command, by its id; they are listed in this order."""
_MOST_FILES = 5_000
_LEFT_OUT = ("node_modules", "__pycache__", "venv")
_DETAIL_CHARS = 60


class Suggesting(QObject):
    """
    Args:
        deeds: The commands of the window.
        open_prompts: Shows the page on which prompts are edited.
        keys: What a command has at present.
    """

    def __init__(
        self,
        app: Application,
        chat: ChatView,
        tasks: TaskScope,
        deeds: Mapping[str, Deed],
        *,
        open_prompts: Callable[[], None],
        keys: KeysOf,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._app, self._chat, self._tasks = app, chat, tasks
        self._keys = keys
        self._deeds = {**deeds, "prompts": open_prompts}
        self._completing = chat.composer.completing
        self._completing.wanted.connect(self._offer)
        self._completing.chosen.connect(self._choose)

    def _offer(self, sign: str) -> None:
        if sign == "/":
            self._completing.offer("/", (*self._prompts(), *self.commands()))
        elif model := self._chat.model:
            self._tasks.start("suggest", self._offer_things(model.id))

    def _prompts(self) -> tuple[Suggestion, ...]:
        return tuple(
            Suggestion(kind="prompt", id=prompt.text, title=prompt.name, detail=_begun(prompt.text))
            for prompt in self._app.settings.prompts
        )

    def commands(self) -> tuple[Suggestion, ...]:
        """What `/` offers beside prompts, with the keys that each has at present."""
        titles = {row[0]: row[2] for row in TABLE}
        found = [
            Suggestion(
                kind="command",
                id=name,
                title=typed,
                detail=" · ".join(filter(None, (said(titles[name]), self._keys(name)))),
                words=said(titles[name]),
            )
            for name, typed in _COMMANDS.items()
            if name in self._deeds
        ]
        edit = self.tr("Edit your prompts")
        return (*found, Suggestion(kind="command", id="prompts", title="prompts", detail=edit, words=edit))

    async def _offer_things(self, chat_id: ChatId) -> None:
        """Files of the chat's folder, its originals, other chats."""
        workspace = (await self._app.settings_of(chat_id)).workspace
        files = await asyncio.to_thread(files_in, workspace) if workspace else ()
        originals = await (await self._app.uses.artifacts(chat_id)).list()
        chats = await self._app.library.chats()
        self._completing.offer(
            "@",
            (
                *(Suggestion(kind="file", id=str(Path(workspace) / name), title=name) for name in files),
                *(
                    Suggestion(
                        kind="original",
                        id=each.address,
                        title=each.name,
                        detail=QLocale().formattedDataSize(each.n_bytes),
                    )
                    for each in originals
                ),
                *(
                    Suggestion(kind="chat", id=chat.id, title=chat.title, detail=self.tr("Chat"))
                    for chat in chats
                    if chat.title and chat.id != chat_id
                ),
            ),
        )

    def _choose(self, chosen: Suggestion) -> None:
        match chosen.kind:
            case "command":
                self._deeds[chosen.id]()
            case "prompt":
                self._completing.insert(chosen.id)
            case "original":
                self._completing.insert(f"{chosen.id} ")
            case "file":
                self._chat.wishes.attach([chosen.id])
            case "chat":
                self._tasks.start("attach chat", self._attach_chat(ChatId(chosen.id), chosen.title))

    async def _attach_chat(self, chat_id: ChatId, title: str) -> None:
        session = await self._app.session(chat_id)
        text = await asyncio.to_thread(as_words, tuple(session.conversation.path))
        if self._chat.model:
            self._chat.model.attaching.text(f"{title}.md", text)


def files_in(folder: str) -> tuple[str, ...]:
    """Paths below a folder, the nearest first, without hidden ones and what is installed. For a thread."""
    found: list[str] = []
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in _LEFT_OUT)
        inner = os.path.relpath(at, folder)
        found += [name if inner == "." else f"{inner}/{name}" for name in sorted(names) if name[0] != "."]
        if len(found) >= _MOST_FILES:
            break
    return tuple(sorted(found[:_MOST_FILES], key=lambda name: name.count("/")))


def as_words(path: Sequence[Entry]) -> str:
    """What was said in a chat, without what tools gave."""
    spoken = {Origin.USER: "User", Origin.ASSISTANT: "Assistant"}
    said_by = ((spoken[entry.origin], entry.text) for entry in path if entry.origin in spoken)
    return "\n\n".join(f"## {who}\n\n{text}" for who, text in said_by if text.strip())


def _begun(text: str) -> str:
    line = " ".join(text[: 2 * _DETAIL_CHARS].split())
    return line if len(line) <= _DETAIL_CHARS else f"{line[:_DETAIL_CHARS]}…"
