"""What stands in a chat's composer, typed and pasted, and how it is kept across restarts (U14)."""

import asyncio
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal

from app.agent.session import ChatSession
from app.core.errors import StoreError
from app.core.parts import MediaPart, stand_in
from app.core.records import Draft
from app.tasks import TaskScope
from ui.chat.pastes import Paste, media_in, media_paste, parted, paste_of, texts_in

_SAVE_S = 0.4
"""So long after the last key the draft is saved."""


class Drafting(QObject):
    """While a message is edited, the composer holds that; the draft stands aside, and comes back after it.

    Args:
        can_save: Nothing else is being stored.

    Signals:
        changed(): the composer holds another text, of which the next request would be made.
        replaced(str): the composer shall hold this text.
    """

    changed = Signal()
    replaced = Signal(str)

    def __init__(
        self,
        session: ChatSession,
        tasks: TaskScope,
        *,
        can_save: Callable[[], bool],
        on_error: Callable[[BaseException], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._tasks, self._on_error = session, tasks, on_error
        self._can_save = can_save
        self._saying: list[str] = []
        """The messages that are being stored or wait for it, oldest first."""
        self._is_aside = False
        self._typed = self._draft = session.draft.text
        self.pastes = {text: paste_of(text) for text in session.draft.pastes}
        """What was pasted or attached here, by its words; one that stands in a text is a chip there."""
        for part in session.draft.media:
            self.keep(media_paste(part, 0))

    @property
    def text(self) -> str:
        """What stands in the composer."""
        return self._typed

    def parted(self) -> tuple[str, int]:
        """What of it was typed, and about how many tokens the rest has."""
        return parted(self._typed, self.pastes)

    def type(self, text: str) -> None:
        """The composer holds `text` now."""
        self._typed = text
        if not self._is_aside:
            self._draft = text
            self.save_later()
        self.changed.emit()

    @property
    def put_in(self) -> tuple[tuple[str, ...], tuple[MediaPart, ...]]:
        """What was pasted, and what was attached."""
        return texts_in(self.pastes), media_in(self.pastes)

    def keep(self, paste: Paste) -> None:
        """A long text was pasted, or a file attached."""
        self.pastes[paste.text] = paste

    def know(self, pasted: Iterable[str], media: Iterable[MediaPart] = ()) -> None:
        """What of a message that comes back was pasted, or attached to it."""
        self.pastes |= {text: paste_of(text) for text in pasted}
        self.pastes |= {
            stand_in(part): media_paste(part, 0) for part in media if stand_in(part) not in self.pastes
        }

    # -- beside an edit

    def stand_aside(self, text: str) -> None:
        """Have the composer hold a message that is edited."""
        self._is_aside = True
        self._show(text)

    def come_back(self) -> None:
        if self._is_aside:
            self._is_aside = False
            self._show(self._draft)

    # -- from the composer into the chat

    def begin_saying(self, text: str) -> str:
        """Take out of `text` what nobody has sent yet, and remember that it is sent now; `say` it next.

        Returns: it; blank, and not remembered, where all of it is being said: Enter pressed twice says it once.
        """
        rest = self._rest_of(text)
        if rest.strip():
            self._saying.append(rest)
        return rest

    def _rest_of(self, text: str) -> str:
        for said in self._saying:
            text = text.removeprefix(said).lstrip("\n")
        return text

    async def say(self, text: str) -> None:
        """Store what `begin_saying` gave.

        Raises:
            StoreError: it stays in the composer (case B74).
        """
        try:
            await self._session.send(text, *self.put_in)
            self.end_saying(text)
        except StoreError:
            if text not in self._draft:  # sent before there was a chat to type into
                self._put(_both(text, self._draft))
            raise
        finally:
            if text in self._saying:  # it failed: it may be sent again
                self._saying.remove(text)

    def end_saying(self, text: str | None = None) -> None:
        """It is stored, None: the oldest; only what was typed meanwhile stays in the composer."""
        said = text if text is not None else next(iter(self._saying), None)
        if said in self._saying:
            self._saying.remove(said)
            self._put(self._draft.removeprefix(said).lstrip("\n"))

    async def unqueue(self, text: str) -> None:
        """Take a waiting message back into the composer."""
        if await self._take_out(text, _both(self._draft, text)):
            self._put(_both(self._draft, text))  # with what was typed meanwhile

    async def drop(self, text: str) -> None:
        """Say a waiting message never."""
        await self._take_out(text, self._draft)

    async def _take_out(self, text: str, draft: str) -> bool:
        """Returns: whether it still waited."""
        queue = list(self._session.draft.queue)
        if text not in queue:  # it was said meanwhile
            return False
        queue.remove(text)
        await self._session.save_draft(self._drafted(draft, tuple(queue)))
        return True

    # -- keeping it

    def save_later(self) -> None:
        if self._can_save() and self._draft != self._session.draft.text:
            self._tasks.start("draft", self._save(_SAVE_S))

    async def aclose(self) -> None:
        """Save it, now that the tasks have ended."""
        try:
            await self._save()
        except StoreError as error:  # the others are closed all the same
            self._on_error(error)

    async def _save(self, wait_s: float = 0) -> None:
        await asyncio.sleep(wait_s)
        if self._draft != self._session.draft.text:
            await self._session.save_draft(self._drafted(self._draft, self._session.draft.queue))

    def _drafted(self, text: str, queue: tuple[str, ...]) -> Draft:
        pastes, media = self.put_in
        return self._session.draft.but(text=text, queue=queue, pastes=pastes, media=media)

    def _put(self, text: str) -> None:
        """The draft is `text` now; the composer shows it, or will when the edit in it is over."""
        self._draft = text
        if not self._is_aside:
            self._show(text)

    def _show(self, text: str) -> None:
        self._typed = text
        self.replaced.emit(text)


def _both(first: str, second: str) -> str:
    return "\n\n".join(filter(None, (first, second)))
