"""Addresses of originals: `vault://<first 12 of a hash>/<name>`, short enough for a model to repeat (C26)."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

SHORT = 12
_NAME_CHARS = 60
_FORM = re.compile(r"vault://([0-9a-f]{12,64})(?:/([^\s/\\]{1,720}))?")
"""720: sixty characters of four bytes, percent-encoded."""
_WRITTEN = re.compile(r"vault://([0-9a-f]{12,64})(?:/([\w.+@=,~%-]{1,720}))?", re.ASCII)
"""As we write it, so that what follows in a sentence of any language is no part of it."""
_NAME = re.compile(r"[\w.+@=,~-]+")
_EDGES = "-.,=~+@"
"""Not at a name's ends, where they belong to the sentence around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """`hash` is the beginning of a SHA-256, or the whole of it where two begin alike."""

    hash: str
    name: str = ""

    def __str__(self) -> str:
        return f"vault://{self.hash}/{quote(self.name, safe='.-_~+@=,')}"

    def names(self, sha256: str) -> bool:
        return sha256.startswith(self.hash)


def address(sha256: str, name: str) -> Address:
    return Address(hash=sha256[:SHORT], name=safe_name(name))


def parse(text: str) -> Address | None:
    """The address that `text` is; None for anything else, names with `..`, separators or their look-alikes too."""
    found = _FORM.fullmatch(text.strip())
    if not found:
        return None
    name = unquote(found[2] or "")
    is_plain = not name or (_NAME.fullmatch(name) and name.strip(".") != "")
    return Address(hash=found[1], name=name) if is_plain else None


def find_addresses(text: str) -> tuple[Address, ...]:
    """Every address that occurs in `text`, in order."""
    found = (parse(match[0].rstrip(".,;:)]}>\"'")) for match in _WRITTEN.finditer(text))
    return tuple(item for item in found if item)


def safe_name(name: str) -> str:
    """The last part of a path, without what an address can't hold; at most 60 characters, its ending kept."""
    plain = re.sub(r"[^\w.+@=,~-]+", "-", re.split(r"[\\/]", name.strip())[-1]).strip(_EDGES) or "text"
    if len(plain) <= _NAME_CHARS:
        return plain
    stem, dot, ending = plain.rpartition(".")
    if dot and len(ending) <= 8:
        return f"{stem[: _NAME_CHARS - len(ending) - 1]}.{ending}"
    return plain[:_NAME_CHARS].rstrip(_EDGES)
