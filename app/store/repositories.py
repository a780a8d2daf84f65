"""What one transaction works with; loads SQLModel, so only the store's threads import it."""

from datetime import datetime

from sqlmodel import Session

from app.store.chats import Chats
from app.store.entries import Entries
from app.store.finding import Finder
from app.store.folds import Folds
from app.store.forks import Forks
from app.store.recovery import Recovery
from app.store.removal import Removals
from app.store.requests import Requests
from app.store.samples import Samples
from app.store.settings import StoredSettings
from app.store.small import Small
from app.store.texts import ReadRange, Texts

__all__ = ["Repositories", "Session"]


class Repositories:
    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self.chats = Chats(session, now)
        self.entries = Entries(session, now)
        self.folds = Folds(session, now)
        self.forks = Forks(session, now)
        self.recovery = Recovery(session, now)
        self.removals = Removals(session, now)
        self.samples = Samples(session, self.entries)
        self.requests = Requests(session, now)
        self.settings = StoredSettings(session)
        self.small = Small(session, now)
        self.texts = Texts(session)

    def finder(self, read: ReadRange) -> Finder:
        return Finder(self._session, read)
