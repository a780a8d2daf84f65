"""What becomes of an exception: told in the place it concerns, passed over, or reported as a fault of ours."""

import asyncio
import logging
import platform
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import cast

from PySide6.QtCore import (
    QCoreApplication,
    QMessageLogContext,
    QObject,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
    qVersion,
)

from app.core.errors import Action as Offer
from app.core.errors import AppError
from app.providers.faults import scrubbed
from ui.kit.items import Action, NoticeItem, Tone
from ui.shell.sentences import title_of, told

log = logging.getLogger(__name__)
qt_log = logging.getLogger("qt")

CRASH = "crash"
"""Code of a fault of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A failure as a person reads it."""

    code: str
    title: str
    text: str
    hint: str = ""
    detail: str = ""
    """The other side's words, or the report; shown when asked for, and copied by the action `copy`."""
    actions: tuple[Action, ...] = ()

    def card(self) -> NoticeItem:
        """The same as an item of a transcript."""
        text = "\n".join(part for part in (self.text, self.hint) if part)
        return NoticeItem(title=self.title, text=text, tone=Tone.CRITICAL, actions=self.actions)


def say(error: AppError) -> Notice:
    """The error in the present language."""
    return Notice(
        code=error.code,
        title=title_of(error),
        text=told(error.message, error),
        hint=told(error.hint, error) if error.hint else "",
        detail=error.detail,
        actions=tuple(_action(offer) for offer in error.actions if offer is not Offer.COPY or error.detail),
    )


class Notices(QObject):
    """Where every exception that nobody caught ends.

    Args:
        version: Of the program, for reports.
    """

    _arrived = Signal(object)

    def __init__(self, version: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._version = version
        self._listener: Callable[[Notice], None] | None = None
        self._waiting: list[Notice] = []
        self._arrived.connect(self._tell)  # also from other threads: then it waits for this one's loop

    def listen(self, listener: Callable[[Notice], None]) -> None:
        """Tell `listener` everything from now on, and what came before there was a window."""
        self._listener = listener
        waiting, self._waiting = self._waiting, []
        for notice in waiting:
            listener(notice)

    def decide(self, error: BaseException, place: Callable[[Notice], None] | None = None) -> None:
        """The one place in which an exception's fate is decided.

        Args:
            place: Shows it where it concerns somebody; None: at the window's edge.
        """
        match _only(error):
            case AppError() as error:
                log.info("Told: %s (%s)", error.message, error.code)
                notice = say(error)
                if place:
                    place(notice)
                else:
                    self._arrived.emit(notice)
            case asyncio.CancelledError():
                log.debug("Cancelled")
            case error:
                log.error("A fault of ours", exc_info=error)
                self._arrived.emit(self.crash(error))

    def crash(self, error: BaseException) -> Notice:
        return Notice(
            code=CRASH,
            title=self.tr("Something went wrong in Palimpsest"),
            text=self.tr("This is a fault of the program. What you wrote is kept."),
            hint=self.tr("A report helps to mend it; it holds no messages and no keys."),
            detail=self._report(error),
            actions=(Action(id=Offer.COPY, label=self.tr("Copy report"), icon="copy"),),
        )

    def install(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hear of what falls through everywhere else: Python, its threads, the loop, Qt."""
        sys.excepthook = self._from_python
        threading.excepthook = self._from_thread
        loop.set_exception_handler(self._from_loop)
        qInstallMessageHandler(_from_qt)

    def _tell(self, notice: Notice) -> None:
        if self._listener:
            self._listener(notice)
        else:
            self._waiting.append(notice)

    def _from_python(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Exception):
            self.decide(error)
        else:  # Ctrl+C in a terminal is an order, no fault
            sys.__excepthook__(kind, error, trace)

    def _from_thread(self, given: threading.ExceptHookArgs) -> None:
        if given.exc_value:
            self.decide(given.exc_value)

    def _from_loop(self, _loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        error = context.get("exception")
        if isinstance(error, BaseException):
            self.decide(error)
        else:
            log.error("The loop: %s", context.get("message"))

    def _report(self, error: BaseException) -> str:
        lines = "".join(traceback.format_exception(error)).splitlines()
        head = (
            f"Palimpsest {self._version} · Python {platform.python_version()} · Qt {qVersion()} · "
            f"{platform.system()} {platform.release()} {platform.machine()}"
        )
        return "\n".join([head, "", *(scrubbed(line) for line in lines)])


def _only(error: BaseException) -> BaseException:
    """The error that an exception group stands for, if it holds one alone."""
    held = cast(tuple[BaseException, ...], getattr(error, "exceptions", ()))
    return _only(held[0]) if len(held) == 1 else error


def _action(offer: Offer) -> Action:
    label, icon = {
        Offer.RETRY: (QCoreApplication.translate("Notices", "Try again"), "retry"),
        Offer.SETTINGS: (QCoreApplication.translate("Notices", "Provider settings"), "settings"),
        Offer.MODEL: (QCoreApplication.translate("Notices", "Another model"), "chevron-down"),
        Offer.COMPRESS: (QCoreApplication.translate("Notices", "Compress"), "compress"),
        Offer.FORK: (QCoreApplication.translate("Notices", "Fork"), "fork"),
        Offer.COPY: (QCoreApplication.translate("Notices", "Copy details"), "copy"),
    }[offer]
    return Action(id=offer, label=label, icon=icon)


_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def _from_qt(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    qt_log.log(_LEVELS[kind], "%s: %s", context.category, message)
