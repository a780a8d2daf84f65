"""How expected failures are headed and told, for translation: a title per code, and the core's own sentences."""

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QCoreApplication, QObject

from app.chats.faults import SENTENCES as SENTENCES_OF_FAULTS
from app.chats.importing import Outcome
from app.core.errors import AppError
from app.providers.errors import SENTENCES as PROVIDER_SENTENCES

_NETWORK = "No connection"
_KEY = "Key"
_CREDIT = "No credit"
_PROVIDER = "Provider"
_TOO_LONG = "Too long"
_ROOM = "Compress"
_LEDGER = "Ledger"
_MODEL = "Model"
_REFUSED = "Refused"
_BROKEN_OFF = "Broken off"
_SAVING = "Saved chats"
_FILE = "File"
_TOOL = "Tool"
_PROGRAM = "Program"
UNTOLD = "That did not work"
"""The title of a code that is not in `TITLES`."""

TITLES: Mapping[str, str] = {
    "refused": _NETWORK,
    "dns": _NETWORK,
    "tls": _NETWORK,
    "proxy": _NETWORK,
    "unreachable": _NETWORK,
    "timeout": _NETWORK,
    "disconnected": _NETWORK,
    "stalled": _BROKEN_OFF,
    "cut": _BROKEN_OFF,
    "unknown_outcome": _BROKEN_OFF,
    "key_missing": _KEY,
    "key_wrong": _KEY,
    "forbidden": _KEY,
    "secrets": _KEY,
    "quota": _CREDIT,
    "rate_limited": _PROVIDER,
    "overloaded": _PROVIDER,
    "server_error": _PROVIDER,
    "bad_request": _PROVIDER,
    "garbage": _PROVIDER,
    "provider": _PROVIDER,
    "writer_left_alone": _PROVIDER,
    "context_too_long": _TOO_LONG,
    "too_large": _TOO_LONG,
    "too_little": _ROOM,
    "ledger_line": _LEDGER,
    "summary_refused": _ROOM,
    "model_missing": _MODEL,
    "no_model": _MODEL,
    "local_model": _MODEL,
    "content_refused": _REFUSED,
    "path_refused": _FILE,
    "tool_failed": _TOOL,
    "web": _TOOL,
    "mcp_import": _TOOL,
    "store": _SAVING,
    "store_locked": _SAVING,
    "store_full": _SAVING,
    "store_unwritable": _SAVING,
    "store_newer": _SAVING,
    "store_damaged": _SAVING,
    "file_unreadable": _FILE,
    "file_unwritable": _FILE,
    "worker_died": _PROGRAM,
    "usage": _PROGRAM,
    "nothing_to_send": _PROGRAM,
    "unknown_address": _FILE,
}

SENTENCES: tuple[str, ...] = (
    "There is nothing to fold that would make these {tokens} tokens fewer.",
    "A summary can't be empty.",
    "Undo the compaction to be rid of it.",
    "This summary is not in the context any more.",
    "The ledger holds {most} lines of yours already.",
    "Remove one first.",
    "This line is not in the ledger any more.",
    "A line of the ledger can't be empty.",
    "A line of the ledger has at most {most} characters; this one has {n}.",
    "Another program is using the chats at this moment.",
    "Close other windows of this program, then try again.",
    "The disk is full, so this could not be saved.",
    "Make room on the disk, then try again.",
    "The folder {folder!r} cannot be written.",
    "Allow this program to write there, or choose another data folder.",
    "The database of the chats is damaged.",
    "The chats could not be read or written.",
    "The chats are closed already.",
    "These chats were last opened by a newer version of this program.",
    "Install the newest version, or choose another data folder. Nothing was changed.",
    "This chat does not exist any more.",
    "This message does not exist any more.",
    "The message before this one does not exist any more.",
    "{name!r} is not in the vault any more.",
    "{name!r} in the vault is damaged.",
    "Nothing in this conversation has the address {name!r}.",
    "The rest of the chat is not touched. Restore the file from a backup of the data folder.",
    "The file {file!r} can't be written.",
    "The file {file!r} can't be opened.",
    "The file {file!r} is not JSON.",
    "The file {file!r} holds no conversation of a kind that can be read.",
    "Exports of ChatGPT and Claude, sessions of agents, chats as JSON or Markdown, "
    "and what Palimpsest exported can be read.",
    "The archive {file!r} is damaged or locked.",
    "{file!r} unpacks to far more than it says, and was not read.",
    "This text is too long to be a list of servers.",
    "This is no JSON object.",
    "There are no servers under 'mcpServers'.",
    "{name!r} needs either a command or a url.",
    "{name!r} speaks the older SSE form, which this program does not.",
    "Many such servers speak streamable HTTP, too, at another address.",
)
"""Formats over an error's `facts`, as the core writes them; what is not here is told in English."""


def title_of(error: AppError) -> str:
    return QCoreApplication.translate("Notices", TITLES.get(error.code, UNTOLD))


def told(english: str, error: AppError) -> str:
    """`english`, which is the error's text or hint, in the present language."""
    for template in _templates(error):
        try:
            if template and template.format(**error.facts) == english:
                return QCoreApplication.translate("Errors", template).format(**error.facts)
        except (KeyError, ValueError):  # a fact that this error does not have, or not in that form
            continue
    return english


class ImportWords(QObject):
    """What became of files that were imported."""

    def say(self, outcome: Outcome) -> str:
        """In a line."""
        return " ".join(self._sentences(outcome))

    def lines(self, outcome: Outcome) -> list[str]:
        """The same with the file's name above it, a fault a line."""
        return [outcome.file, *self._sentences(outcome)]

    def _sentences(self, outcome: Outcome) -> list[str]:
        if outcome.error:
            return [told(outcome.error.message, outcome.error)]
        lines: list[str] = []
        if len(outcome.chats) > 1:
            lines.append(self.tr("%n chat(s) imported.", "", len(outcome.chats)))
        elif outcome.chats:
            lines.append(self.tr("%n message(s) imported.", "", outcome.n_messages))
        if outcome.known:
            lines.append(self.tr("%n chat(s) are here already.", "", len(outcome.known)))
        if outcome.n_left_out:
            lines.append(self.tr("%n chat(s) were left out.", "", outcome.n_left_out))
        if outcome.is_stopped:
            lines.append(self.tr("The import was cancelled; what had come in stays."))
        if outcome.faults:
            lines.append(self.tr("%n part(s) could not be read in full:", "", len(outcome.faults)))
        for fault in outcome.faults:
            sentence = QCoreApplication.translate("ImportWords", SENTENCES_OF_FAULTS[fault.kind])
            lines.append(sentence.format(n=fault.n, detail=fault.detail))
        return lines


def _templates(error: AppError) -> Iterator[str]:
    if sentence := PROVIDER_SENTENCES.get(error.code):
        yield sentence.message
        yield sentence.hint
    yield from SENTENCES
