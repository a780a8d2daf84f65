"""Whether a tool's call goes ahead, is asked about, or is refused (A12); pure but for looking where paths lead.

What a model or a tool's output says is no part of it: rules come from the person's answers alone.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from app.agent.paths import Roots, Use, root_of
from app.agent.shell.access import deeds
from app.core.approvals import Access, Consent, Ruling, Wish

_TITLE_CHARS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    allowed: frozenset[str] = frozenset()
    """Rules of wishes that were allowed for this chat or always."""
    servers: frozenset[str] = frozenset()
    """`McpServer.rule` of those whose tools are all allowed."""
    by_access: Mapping[Access, Ruling] = field(default_factory=dict[Access, Ruling])
    """As the person set it; what is not in it is asked about, but for reading."""

    def of(self, access: Access) -> Ruling:
        is_free = access in (Access.NONE, Access.READ)
        return self.by_access.get(access, Ruling.ALLOW if is_free else Ruling.ASK)


def ruling(wish: Wish, rules: Rules) -> Ruling:
    """What is refused beats what is allowed; what is dangerous is asked about each time."""
    settings = {access: rules.of(access) for access in (wish.access, *wish.also)}
    if wish.refusal or Ruling.REFUSE in settings.values():
        return Ruling.REFUSE
    if Access.DANGEROUS in settings:
        return Ruling.ASK
    if set(settings.values()) == {Ruling.ALLOW}:
        return Ruling.ALLOW
    known = {rule for rule in wish.rules if settings.get(Access(rule.partition(":")[0])) is Ruling.ALLOW}
    known |= {rule for rule in wish.rules if any(rule.startswith(f"{all_}:") for all_ in rules.servers)}
    return Ruling.ALLOW if wish.rules and rules.allowed | known >= set(wish.rules) else Ruling.ASK


def granted(wish: Wish, consent: Consent) -> frozenset[str]:
    """What an answer adds to the allowed rules, of the chat or of all chats."""
    return frozenset(wish.rules) if consent in (Consent.CHAT, Consent.ALWAYS) else frozenset()


def file_wish(tool: str, path: Path, roots: Roots, *, access: Access = Access.WRITE, diff: str = "") -> Wish:
    """For a file that `resolve` gave. `access`: READ, WRITE or DELETE."""
    root = root_of(roots, path, Use.READ if access is Access.READ else Use.WRITE)
    return Wish(
        tool=tool,
        access=access,
        what=shown(str(path)),
        detail=diff,
        rules=(f"{access}:{root}",) if root else (),
    )


def address_wish(tool: str, url: str) -> Wish:
    """For a request to another computer; what lasts is its host."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    return Wish(
        tool=tool,
        access=Access.NETWORK,
        what=shown(url),
        rules=(f"{Access.NETWORK}:{host}",) if host else (),
    )


def shell_wish(command: str, roots: Roots, cwd: Path, *, tool: str = "shell") -> Wish:
    """For a command that a POSIX shell or bash would be given in `cwd`. Looks on disk: for a thread."""
    found = deeds(command, roots, cwd)
    accesses = sorted({deed.access for deed in found}, key=list(Access).index)
    rules = {f"{deed.access}:{deed.rule}" for deed in found if deed.access is not Access.READ}
    root = root_of(roots, cwd.resolve(), Use.READ)
    if accesses == [Access.READ] and root:
        rules = {f"{Access.READ}:{root}"}
    lasts = all(deed.rule or deed.access is Access.READ for deed in found)
    title = shown(command)
    return Wish(
        tool=tool,
        access=accesses[-1],
        what=title if len(title) <= _TITLE_CHARS else f"{title[:_TITLE_CHARS]}…",
        detail=shown(command, keeps_lines=True) if "\n" in command or len(title) > _TITLE_CHARS else "",
        rules=tuple(sorted(rules)) if lasts else (),
        also=tuple(accesses[:-1]),
        refusal=next((deed.refusal for deed in found if deed.refusal), ""),
    )


def shown(text: str, *, keeps_lines: bool = False) -> str:
    """`text` with all that has no shape, or turns what stands around it, as an escape."""
    return "".join(
        char
        if char in "\n\t" and keeps_lines
        else char.encode("unicode_escape").decode()
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
        else char
        for char in text
    )
