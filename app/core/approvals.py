"""What the person is asked before a call does something outside the chat, and what they may say (A12)."""

from dataclasses import dataclass
from enum import StrEnum


class Access(StrEnum):
    """What a call would do; the worst of what it does, as they stand here."""

    NONE = "none"
    """Nothing outside the chat: it only asks the person something."""
    READ = "read"
    WRITE = "write"
    DELETE = "delete"
    SHELL = "shell"
    NETWORK = "network"
    MCP = "mcp"
    """Whatever a tool of a server of the person's does."""
    INSTALL = "install"
    DANGEROUS = "dangerous"
    """What can't be told, or may harm the machine: each time anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One question to the person."""

    tool: str
    access: Access
    what: str
    """A path, a command, an address, or a question; shown as the title."""
    detail: str = ""
    """A unified diff, or all of the command; empty: the title says everything."""
    rules: tuple[str, ...] = ()
    """What "for this chat" and "always" would allow, as `shell:git status`; empty: only once.

    The call goes without asking when all of them are allowed.
    """
    also: tuple[Access, ...] = ()
    """What else parts of it would do; each has a setting of its own."""
    refusal: str = ""
    """Why it is refused whatever was allowed, a sentence; empty: it is not on that list."""
    choices: tuple[str, ...] = ()
    """Answers offered to a question."""
    on_behalf: str = ""
    """The task of the sub-agent that wants it; empty: the chat itself does."""


class Consent(StrEnum):
    ONCE = "once"
    CHAT = "chat"
    """From now on in this chat."""
    ALWAYS = "always"
    REFUSED = "refused"


class Ruling(StrEnum):
    """What becomes of a wish without asking anybody."""

    ALLOW = "allow"
    ASK = "ask"
    REFUSE = "refuse"
    """Even under "always"."""
