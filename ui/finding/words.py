"""How what was found is told: where it stands, who said it, and when."""

from datetime import datetime

from PySide6.QtCore import QDate, QLocale, QObject, QTime

from app.core.entries import Origin
from app.finding.found import Found, Place
from ui.finding.state import Caption, Kind, Option


class FindingWords(QObject):
    """A `QObject` so that its sentences are found for translation."""

    def caption(self, caption: Caption) -> str:
        return {
            Kind.CHAT: self.tr("Chats"),
            Kind.COMMAND: self.tr("Commands"),
            Kind.SETTING: self.tr("Settings"),
            Kind.MESSAGE: self.tr("Messages"),
            Kind.EVERYTHING: "",
        }[caption.kind]

    def title(self, option: Option) -> str:
        if option.kind is Kind.EVERYTHING:
            return self.tr("Search all messages for “{typed}”").format(typed=option.title)
        return option.title or self.untitled()

    def untitled(self) -> str:
        return self.tr("New chat")

    def spoken(self, option: Option) -> str:
        """For a screen reader: all that the row shows."""
        found = option.found
        told = [self.title(option), option.about if option.kind is Kind.SETTING else "", option.hint]
        if found:
            told = [found.snippet.text, self.title(option), self.when(found.said_at), self.where(found)]
        return ", ".join(filter(None, told))

    def where(self, found: Found) -> str:
        """Who said it, in what, and whether another branch holds it."""
        told = [self._speaker(found), "" if found.is_shown else self.tr("other branch")]
        return " · ".join(filter(None, told))

    def _speaker(self, found: Found) -> str:
        if found.is_delegated:
            return self.tr("sub-agent")
        match found.place:
            case Place.REASONING:
                return self.tr("reasoning")
            case Place.CALL:
                return self.tr("tool call")
            case Place.RESULT:
                return self.tr("tool result")
            case Place.ORIGINAL:
                return self.tr("long text")
            case Place.SAID:
                said = {Origin.USER: self.tr("you"), Origin.ASSISTANT: self.tr("answer")}
                return said.get(found.origin, self.tr("note"))

    def when(self, moment: datetime, now: datetime | None = None) -> str:
        """The time of today, the day of this year, else the date."""
        local, today = moment.astimezone(), (now or datetime.now().astimezone()).astimezone()
        locale = QLocale()
        if local.date() == today.date():
            return locale.toString(QTime(local.hour, local.minute), QLocale.FormatType.ShortFormat)
        day = QDate(local.year, local.month, local.day)
        if local.year == today.year:
            return locale.toString(day, self.tr("MMM d", "day of this year, in Qt's letters"))
        return locale.toString(day, QLocale.FormatType.ShortFormat)

    def count(self, n: int, *, has_more: bool) -> str:
        if has_more:
            return self.tr("The best {n}").format(n=n)
        return self.tr("%n message(s)", "", n)
