"""Why a file could not be put into a message, or what of it the model won't see, in a sentence (U14)."""

from PySide6.QtCore import QObject

from ui.kit.links import visible


class AttachWords(QObject):
    def told(self, why: str, name: str) -> str:
        """`why`: as `Attaching.told` has it."""
        sentences = {
            "unseen": self.tr("This model takes no files like {name}: only the name would be sent."),
            "unreadable": self.tr("{name} can't be read."),
            "folder": self.tr("{name} is a folder: choose files in it, or set it as the chat's folder."),
            "large": self.tr("{name} is larger than 20 MB."),
            "binary": self.tr("{name} is neither text nor a picture: no model could read it."),
            "empty": self.tr("{name} is empty."),
        }
        return sentences[why].format(name=visible(name))
