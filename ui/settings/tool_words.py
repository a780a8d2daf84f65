"""What each built-in tool is for, as a person reads it; the model reads other words."""

from collections.abc import Mapping

from PySide6.QtCore import QObject


class ToolWords(QObject):
    def sentences(self) -> Mapping[str, str]:
        """By the tool's name."""
        return {
            "file_read": self.tr("Reads files, and what was folded out of the chat"),
            "file_write": self.tr("Makes a file, or replaces one that was read"),
            "file_edit": self.tr("Replaces a text in a file that was read"),
            "list_files": self.tr("Lists the files of a folder"),
            "search_files": self.tr("Finds lines in files by a pattern"),
            "shell": self.tr("Runs a command in the chat's folder"),
            "job_output": self.tr("Reads what a command in the background has written"),
            "job_stop": self.tr("Ends a command in the background"),
            "note": self.tr("Writes down a finding or a decision, which outlives compression"),
            "task_board": self.tr("Keeps the list of tasks that you see"),
            "delegate": self.tr("Has a sub-agent do a task in a chat of its own"),
            "ask_user": self.tr("Asks you, and waits for the answer"),
            "web_search": self.tr("Searches the web"),
            "web_fetch": self.tr("Reads a public page"),
        }
