"""What may be opened: model text is data, so few schemes, a question for each new host, the true target shown."""

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from urllib.parse import SplitResult, urlsplit

_VAULT = re.compile(r"vault://[0-9a-zA-Z]{6,128}(?:/[^/\\?#\s]{1,255})?")
_UNSEEN = re.compile("[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]")
_DOTS = (".", "..", "%2e", "%2e%2e", ".%2e", "%2e.")


_MOST_SHOWN = 400


class Verdict(StrEnum):
    """OPEN at once; ASK first, showing the target; VAULT opens inside the window; REFUSE never opens."""

    OPEN = "open"
    ASK = "ask"
    VAULT = "vault"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkDecision:
    """What to do with a link. `target` is what a person is shown; `host` what they would be trusting."""

    verdict: Verdict
    target: str
    host: str = ""


def visible(text: str) -> str:
    """`text` with bidirectional and other control characters shown as ‹U+202E›; tab and line break stay."""
    return _UNSEEN.sub(lambda found: found[0] if found[0] in "\t\n" else f"‹U+{ord(found[0]):04X}›", text)


def plain_tip(text: str) -> str:
    """A tooltip that shows `text` as it is; Qt would read what looks like HTML as HTML (case B67)."""
    return f"<span>{escape(visible(text))}</span>" if text else ""


def is_link(url: str) -> bool:
    """Whether `url` may be a link at all: http, https and mailto, and well-formed vault addresses."""
    return judge(url).verdict is not Verdict.REFUSE


def is_remote_image(url: str) -> bool:
    """Whether a person may be asked to load the picture at `url`."""
    parts = _split(url)
    return parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname)


def is_web_address(url: str) -> bool:
    """Whether `url` is whole: http or https, a host, and a port that can be."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def host_of(url: str) -> str:
    """The host in its ASCII form, so that look-alike letters show; empty when there is none."""
    parts = _split(url)
    host = (parts.hostname or "") if parts else ""
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def judge(url: str, known_hosts: Collection[str] = ()) -> LinkDecision:
    """What to do with `url`; hosts in `known_hosts` were agreed to before. mailto counts as host "mailto:"."""
    parts = _split(url)
    target = _shortened(visible(url))
    if parts is None or _UNSEEN.search(url) or "\\" in url:
        return LinkDecision(verdict=Verdict.REFUSE, target=target)
    if parts.scheme == "vault":
        name = url.rpartition("/")[2].casefold()
        is_good = bool(_VAULT.fullmatch(url)) and name not in _DOTS
        return LinkDecision(verdict=Verdict.VAULT if is_good else Verdict.REFUSE, target=target)
    if parts.scheme == "mailto" and parts.path:
        host = "mailto:"
    elif parts.scheme in ("http", "https") and parts.hostname:
        host = host_of(url)
    else:
        return LinkDecision(verdict=Verdict.REFUSE, target=target)
    verdict = Verdict.OPEN if host in known_hosts else Verdict.ASK
    return LinkDecision(verdict=verdict, target=target, host=host)


def diagram_url(code: str) -> str:
    """Where a Mermaid diagram is drawn by a browser. All of it is in the fragment, which no browser sends on."""
    state = json.dumps({"code": code, "mermaid": json.dumps({"theme": "default"})})
    return "https://mermaid.live/view#base64:" + urlsafe_b64encode(state.encode()).decode()


def _shortened(target: str) -> str:
    """Its host and its end can be seen, however long it is."""
    return target if len(target) <= _MOST_SHOWN else f"{target[: _MOST_SHOWN - 60]} … {target[-40:]}"


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None
