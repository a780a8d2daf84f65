"""The pipeline's steps by name, as a person is told what is being done."""

from PySide6.QtCore import QObject


class StepWords(QObject):
    """In the present language."""

    def name(self, step: str) -> str:
        """Of a step of `app.context.pipeline.STEPS`; one that has no words yet is told by its own name."""
        names = {
            "thinking": self.tr("old reasoning"),
            "media": self.tr("pictures further back"),
            "tool filter": self.tr("new tool output"),
            "cache-TTL prune": self.tr("what the cache has forgotten"),
            "pre-compact": self.tr("what you laid down"),
            "compress": self.tr("lines that say least"),
            "session notes": self.tr("session notes"),
            "summary": self.tr("summary"),
            "re-read": self.tr("files, read again"),
            "your words": self.tr("the summary as you wrote it"),
            "last measures": self.tr("what alone is too large"),
        }
        return names.get(step, step)
