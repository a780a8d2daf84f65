"""What a person can command, as data: one table feeds menus, shortcuts and the sheet that lists them (U23)."""

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from ui.chat.ask_card import answer_key

Deed = Callable[[], object]


class Section(StrEnum):
    """The menus, in their order; the value is the title in English."""

    CHAT = "Chat"
    MESSAGES = "Messages"
    VIEW = "View"
    PROGRAM = "Program"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    id: str
    section: Section
    title: str
    """In English; `said` translates it."""
    shortcut: str = ""
    """Portable text of one or more key sequences, parted by `; `; Ctrl is ⌘ on macOS. Empty: none."""
    run: Deed


def said(english: str) -> str:
    """A title of this table in the present language."""
    return QCoreApplication.translate("Commands", english)


def keys(command: Command) -> tuple[QKeySequence, ...]:
    return tuple(QKeySequence.listFromString(command.shortcut)) if command.shortcut else ()


def shown_keys(command: Command) -> str:
    """The first shortcut as this system writes it: `Ctrl+N`, `⌘N`; empty: none."""
    return shown_keys_of(command.shortcut)


def shown_keys_of(shortcut: str) -> str:
    found = QKeySequence.listFromString(shortcut) if shortcut else []
    return found[0].toString(QKeySequence.SequenceFormat.NativeText) if found else ""


# On macOS, Qt's Meta is the Control key, and ⌘ with Tab belongs to the system.
_TAB = "Meta" if sys.platform == "darwin" else "Ctrl"
# On macOS, ⌥← goes a word back in a text.
_BACK = "Ctrl+[" if sys.platform == "darwin" else "Alt+Left"

TABLE: tuple[tuple[str, Section, str, str], ...] = (
    ("new_chat", Section.CHAT, "New chat", "Ctrl+N"),
    ("find", Section.CHAT, "Find anything", "Ctrl+K"),
    ("find_all", Section.CHAT, "Search all messages", "Ctrl+Shift+F"),
    ("next_chat", Section.CHAT, "Next chat", f"{_TAB}+Tab"),
    ("previous_chat", Section.CHAT, "Previous chat", f"{_TAB}+Shift+Tab"),
    ("back", Section.CHAT, "Back from a sub-agent's chat", _BACK),
    ("sample", Section.CHAT, "Look at the sample chat", "Ctrl+Alt+L"),
    ("import", Section.CHAT, "Import chats…", "Ctrl+O"),
    ("export", Section.CHAT, "Export this chat…", "Ctrl+Shift+S"),
    ("export_all", Section.CHAT, "Export all chats…", "Ctrl+Alt+S"),
    ("composer", Section.MESSAGES, "Write a message", "Ctrl+L"),
    ("attach", Section.MESSAGES, "Attach files…", "Ctrl+Shift+A"),
    ("write_large", Section.MESSAGES, "Write over the whole window", "Ctrl+Shift+D"),
    ("find_in_chat", Section.MESSAGES, "Find in this chat", "Ctrl+F"),
    ("turns", Section.MESSAGES, "Go to a message…", "Ctrl+G"),
    ("pin", Section.MESSAGES, "Pin or unpin your message", "Ctrl+Shift+P"),
    ("find_next", Section.MESSAGES, "Next hit", "F3"),
    ("find_previous", Section.MESSAGES, "Previous hit", "Shift+F3"),
    ("model", Section.MESSAGES, "Choose the model", "Ctrl+M"),
    ("folder", Section.MESSAGES, "The folder of this chat", "Ctrl+Shift+O"),
    ("stop", Section.MESSAGES, "Stop the answer", "Esc"),
    ("question", Section.MESSAGES, "Go to what waits for you", "Ctrl+J"),
    ("answer_1", Section.MESSAGES, "Allow once, or the first answer", answer_key(1)),
    ("answer_2", Section.MESSAGES, "Allow in this chat, or the second answer", answer_key(2)),
    ("answer_3", Section.MESSAGES, "Allow always, or the third answer", answer_key(3)),
    ("refuse", Section.MESSAGES, "Refuse, or give no answer", answer_key(0)),
    ("regenerate", Section.MESSAGES, "Answer again", "Ctrl+Shift+R"),
    ("board", Section.MESSAGES, "The tasks of this chat", "Ctrl+Shift+T"),
    ("compress", Section.MESSAGES, "Compress", "Ctrl+Shift+K"),
    ("preview", Section.MESSAGES, "Preview a compression…", "Ctrl+Shift+E"),
    ("fork", Section.MESSAGES, "Continue in a new chat…", "Ctrl+Shift+B"),
    ("originals", Section.MESSAGES, "Originals of this chat", "Ctrl+Shift+I"),
    ("laid_down", Section.MESSAGES, "Summaries and ledger of this chat", "Ctrl+Shift+J"),
    ("copy_answer", Section.MESSAGES, "Copy the last answer", "Ctrl+Shift+C"),
    ("own_above", Section.MESSAGES, "Your message above", "Alt+Up"),
    ("own_below", Section.MESSAGES, "Your message below", "Alt+Down"),
    ("sidebar", Section.VIEW, "Show or hide the chats", "Ctrl+B"),
    ("panel", Section.VIEW, "Show or hide the health panel", "Ctrl+Shift+H"),
    ("lens", Section.VIEW, "What the model sees", "Ctrl+Shift+L"),
    ("zoom_in", Section.VIEW, "Larger text", "Ctrl+=; Ctrl++"),
    ("zoom_out", Section.VIEW, "Smaller text", "Ctrl+-"),
    ("zoom_reset", Section.VIEW, "Text at its first size", "Ctrl+0"),
    ("settings", Section.PROGRAM, "Settings", "Ctrl+,"),
    ("shortcuts", Section.PROGRAM, "Shortcuts", "Ctrl+/; F1"),
    ("quit", Section.PROGRAM, "Quit", "Ctrl+Q"),
)
"""id, section, title, shortcut. A command exists where a deed is given for its id."""


def keys_of(name: str, held: Iterable[Command] = ()) -> str:
    """As `shown_keys`: of the command as it is among those `held`, else of what it comes with."""
    shortcut = next(shortcut for each, _, _, shortcut in TABLE if each == name)
    found = next((each.shortcut for each in held if each.id == name), shortcut)
    return (
        QKeySequence.listFromString(found)[0].toString(QKeySequence.SequenceFormat.NativeText)
        if found
        else ""
    )


FIXED = frozenset({"stop", "answer_1", "answer_2", "answer_3", "refuse"})
"""Commands whose keys stay: Escape is no shortcut, and a question names its own keys."""


def rebound(held: Iterable[Command], own: Mapping[str, str]) -> tuple[Command, ...]:
    """The same commands with the person's keys, or with those that they come with."""
    first = {name: shortcut for name, _, _, shortcut in TABLE}
    return tuple(replace(each, shortcut=own.get(each.id, first[each.id])) for each in held)


def commands(deeds: Mapping[str, Deed]) -> tuple[Command, ...]:
    """The commands for which there is a deed, in the table's order.

    Raises:
        ValueError: a deed has an id that is not in the table.
    """
    if unknown := deeds.keys() - {row[0] for row in TABLE}:
        raise ValueError(f"No commands: {sorted(unknown)}")
    return tuple(
        Command(id=name, section=section, title=title, shortcut=shortcut, run=deeds[name])
        for name, section, title, shortcut in TABLE
        if name in deeds
    )
