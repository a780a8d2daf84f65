"""The page of deleted chats: each can be put back, or deleted for good after one question."""

from functools import partial

from PySide6.QtCore import QDateTime, QLocale
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QHBoxLayout, QVBoxLayout

from ui.kit.dialogs import ConfirmDialog
from ui.settings.rows import Page, button, ems, label
from ui.settings.trash.state import Question, TrashedChat, TrashState
from ui.settings.trash.view_model import TrashViewModel

_LEAST_EMS = 5
"""Of a row's words, which take as many lines as they need beside the buttons."""


class TrashPage(Page):
    def __init__(self, model: TrashViewModel) -> None:
        super().__init__()
        self._model = model
        self.set_title(
            self.tr("Trash"),
            self.tr("Deleted chats stay here for 30 days. Put one back, and it is as it was."),
        )
        self.empty_label = label(self.tr("The trash is empty."), "muted")
        self.column.addWidget(self.empty_label)
        self.chats = QVBoxLayout()
        self.chats.setSpacing(8)
        self.column.addLayout(self.chats)
        self.empty_button = button(self.tr("Empty the trash…"))
        self.empty_button.clicked.connect(self._ask_for_all)
        foot = QHBoxLayout()
        foot.addWidget(self.empty_button)
        foot.addStretch()
        self.column.addLayout(foot)
        self.column.addStretch()
        model.changed.connect(self.draw)
        model.asked.connect(self._ask)
        self.draw(model.state)

    def draw(self, state: TrashState) -> None:
        focused = QApplication.focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        while item := self.chats.takeAt(0):
            if row := item.widget():
                row.hide()  # it goes only when the loop runs
                row.deleteLater()
        rows = [TrashRow(chat, self._named(chat), self._model, self.locale()) for chat in state.chats]
        for row in rows:
            self.chats.addWidget(row)
        self.empty_label.setVisible(state.is_read and not rows)
        self.empty_button.setVisible(len(rows) > 1)
        if had_focus and rows:  # what had it is gone
            rows[0].restore_button.setFocus()

    def search_words(self) -> str:
        words = self.tr("deleted chats, restore, put back")
        return f"{self.title} {words}".casefold()

    def _ask_for_all(self) -> None:
        self._model.ask(self._model.state.chats)

    def _ask(self, question: Question) -> None:
        dialog = ConfirmDialog(
            self,
            title=self._title(question),
            text=self._text(question),
            detail=self._detail(question),
            verb=self.tr("Delete for good"),
            is_danger=True,
        )
        dialog.finished.connect(partial(self._answer, question))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _answer(self, question: Question, code: int) -> None:
        if code == QDialog.DialogCode.Accepted:
            self._model.delete(question.chats)

    def _title(self, question: Question) -> str:
        chat, *others = question.chats
        if others:
            return self.tr("Delete %n chat(s) for good?", "", len(question.chats))
        return self.tr("Delete “{title}” for good?").format(title=self._named(chat))

    def _text(self, question: Question) -> str:
        n = question.n_messages
        gone = self.tr(
            "%n message(s) go, with their attachments, folds and summaries. Nothing brings them back.", "", n
        )
        if question.n_kept:
            gone += " " + self.tr("%n original(s) that you keep for ever stay.", "", question.n_kept)
        if not question.shared_with:
            return gone
        names = QLocale().createSeparatedList([name or self.tr("New chat") for name in question.shared_with])
        return f"{gone} " + self.tr("What {chats} shares with it stays there.").format(chats=names)

    def _named(self, chat: TrashedChat) -> str:
        return chat.title or self.tr("New chat")

    def _detail(self, question: Question) -> str:
        if not question.backups:
            return ""
        told = self.tr("These backups still hold it until they are replaced: {files}")
        return told.format(files=", ".join(question.backups))


class TrashRow(QFrame):
    """One deleted chat."""

    def __init__(self, chat: TrashedChat, title: str, model: TrashViewModel, locale: QLocale) -> None:
        super().__init__()
        at = QDateTime.fromSecsSinceEpoch(round(chat.deleted_at.timestamp()))
        deleted = self.tr("Deleted {when}").format(when=locale.toString(at, QLocale.FormatType.ShortFormat))
        left = self.tr("goes for good in %n day(s)", "", chat.days_left)
        words = QVBoxLayout()
        words.setSpacing(2)
        for told in (label(title, wraps=True), label(f"{deleted} · {left}", "small", wraps=True)):
            told.setMinimumWidth(ems(told, _LEAST_EMS))
            words.addWidget(told)
        self.restore_button = button(self.tr("Put back"))
        self.restore_button.setAccessibleName(self.tr("Put back {title}").format(title=title))
        self.restore_button.clicked.connect(partial(model.restore, chat.id))
        self.delete_button = button(self.tr("Delete for good…"))
        self.delete_button.setAccessibleName(self.tr("Delete {title} for good").format(title=title))
        self.delete_button.clicked.connect(partial(model.ask, (chat,)))
        row = QHBoxLayout()
        row.addLayout(words, 1)
        row.addWidget(self.restore_button)
        row.addWidget(self.delete_button)
        line = QFrame()
        line.setProperty("role", "line")
        line.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(10)
        column.addLayout(row)
        column.addWidget(line)
