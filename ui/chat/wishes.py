"""What the person wants of the chat that is shown, on its way to the view model; nothing where none is shown."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from app.agent.tools.tool import Reply
from app.core.ids import ModelId
from ui.chat.item_ids import call_of
from ui.chat.pastes import Paste
from ui.chat.view_model import ChatViewModel
from ui.kit.items import ItemId


class Wishes(QObject):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.model: ChatViewModel | None = None

    def type(self, text: str) -> None:
        if self.model:
            self.model.drafting.type(text)

    def keep(self, paste: Paste) -> None:
        if self.model:
            self.model.drafting.keep(paste)

    def attach(self, paths: list[str]) -> None:
        if self.model:
            self.model.attaching.files(paths)

    def attach_picture(self, image: QImage) -> None:
        if self.model:
            self.model.attaching.picture(image)

    def cancel_edit(self) -> None:
        if self.model:
            self.model.cancel_edit()

    def edit_last(self) -> None:
        if self.model:
            self.model.edit_last()

    def unqueue(self, index: int) -> None:
        if self.model:
            self.model.unqueue(index)

    def drop(self, index: int) -> None:
        if self.model:
            self.model.drop(index)

    def resume_queue(self) -> None:
        if self.model:
            self.model.resume_queue()

    def rename(self, title: str) -> None:
        if self.model:
            self.model.rename(title)

    def choose_model(self, model: str) -> None:
        if self.model:
            self.model.choose_model(ModelId(model))

    def consider_model(self, model: str) -> None:
        if self.model:
            self.model.switching.consider(ModelId(model))

    def choose_folder(self, folder: str) -> None:
        if self.model:
            self.model.workplace.choose(folder)

    def reply(self, item: ItemId, reply: Reply) -> None:
        if self.model and (call := call_of(self.model.state, item)):
            self.model.reply(call, reply)
