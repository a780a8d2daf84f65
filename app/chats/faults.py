"""What an import could not take as it was, each in a sentence; the rest of the file was taken."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    NOT_A_MESSAGE = "not_a_message"
    UNKNOWN_ROLE = "unknown_role"
    BROKEN_CALL = "broken_call"
    BROKEN_PICTURE = "broken_picture"
    NOT_UTF8 = "not_utf8"
    EMPTY_CHAT = "empty_chat"
    BROKEN_CHAT = "broken_chat"
    BROKEN_LINES = "broken_lines"
    CUT_FILE = "cut_file"
    LOST_FILE = "lost_file"


SENTENCES: Mapping[FaultKind, str] = {
    FaultKind.NOT_A_MESSAGE: "Message {n} is not a message and was left out.",
    FaultKind.UNKNOWN_ROLE: "Message {n} has the role {detail!r}, which nobody knows, and was left out.",
    FaultKind.BROKEN_CALL: "A tool call in message {n} could not be read; it is kept as it is.",
    FaultKind.BROKEN_PICTURE: "A picture in message {n} could not be read; it is kept as it is.",
    FaultKind.NOT_UTF8: "The file is not valid UTF-8; what could not be read shows as \N{REPLACEMENT CHARACTER}.",
    FaultKind.EMPTY_CHAT: "The chat {detail!r} holds no message and was left out.",
    FaultKind.BROKEN_CHAT: "Chat {n} of the file could not be read and was left out.",
    FaultKind.BROKEN_LINES: "{n} lines of the file could not be read and were left out.",
    FaultKind.CUT_FILE: "The file can't be read to its end; what stands before that was taken.",
    FaultKind.LOST_FILE: "The file {detail!r}, which message {n} refers to, is not in the export.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that an import could not take as it was; the rest was taken."""

    kind: FaultKind
    n: int = 0
    """Which message, from 1, or as the sentence says; 0: the file."""
    detail: str = ""

    def __str__(self) -> str:
        return SENTENCES[self.kind].format(n=self.n, detail=self.detail)
