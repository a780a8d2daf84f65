"""HTML to what a reader would read: no scripts, no navigation; headings, lists and tables in Markdown's signs."""

import html
import re
from collections.abc import Iterator

from app.filters.filtered import Focus, Reduction
from app.filters.selection import Lines
from app.filters.structural.markdown import shorten_markdown

_PAGE = re.compile(r"<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]", re.IGNORECASE)
_FRAGMENT = re.compile(
    r"\s*<(?:div|p|table|ul|ol|section|article|main|h[1-6]|span|header|nav)[\s>]", re.IGNORECASE
)
_TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]*)")
_UNSEEN = frozenset(("script", "style", "noscript", "svg", "template", "iframe", "head", "canvas", "object"))
_ASIDE = frozenset(("nav", "footer", "aside", "button", "select", "form"))
_BREAKING = frozenset(
    ("p", "div", "br", "tr", "table", "ul", "ol", "section", "article", "header", "main", "pre", "hr", "dt", "dd",
     "blockquote", "figure", "figcaption", "details", "summary", "thead", "tbody", "title", "label", "option")
)  # fmt: skip
_HEADING = re.compile(r"h([1-6])")
_BLANKS = re.compile(r"[ \t\r\f\v\u00a0]+")
_TITLE = re.compile(r"<title[^>]*>([^<]{1,300})", re.IGNORECASE)
_DESCRIPTION = re.compile(
    r"<meta[^>]{0,200}name=[\"']description[\"'][^>]{0,40}content=[\"']([^\"']{1,600})", re.IGNORECASE
)
_LEAST_CHARS = 400


def reduce_html(lines: Lines, focus: Focus) -> Reduction | None:
    """None: it is no page. Readable text that is still too long is cut as Markdown is."""
    text = lines.joined
    if not (_PAGE.search(text[:2_000]) or (_FRAGMENT.match(text) and text.count("</", 0, 20_000) > 8)):
        return None
    readable = readable_text(text)

    def write(limit_chars: int) -> str:
        if len(readable) <= limit_chars:
            return readable
        return shorten_markdown(Lines(readable), focus).write(limit_chars)

    return Reduction(
        kind="html", why="The page's readable text, without scripts, styles and navigation.", write=write
    )


def readable_text(text: str) -> str:
    """All that a reader of the page would read; with navigation where there is hardly anything else."""
    found = _readable(text, _UNSEEN | _ASIDE)
    return found if len(found) >= _LEAST_CHARS else _readable(text, _UNSEEN)


def _readable(text: str, unseen: frozenset[str]) -> str:
    said = "".join(_pieces(text, unseen))
    lines = [_BLANKS.sub(" ", line).strip() for line in html.unescape(said).split("\n")]
    title = _TITLE.search(text[:50_000])
    description = _DESCRIPTION.search(text[:50_000])
    kept = [f"# {html.unescape(title[1]).strip()}"] if title else []
    if description:
        kept.append(" ".join(html.unescape(description[1]).split()))
    for line in lines:
        if line.strip("#-|· ") and line != (kept[-1] if kept else ""):
            kept.append(line)
    return "\n".join(kept)


def _pieces(text: str, unseen: frozenset[str]) -> Iterator[str]:
    """Text and the signs that tags become; every search goes forward once, so any page takes linear time."""
    lowered = text.lower() if len(text.lower()) == len(text) else text
    never_closed = set[str]()
    at = 0
    while (tag_at := text.find("<", at)) >= 0:
        yield text[at:tag_at].replace("\n", " ")
        if text.startswith("<!--", tag_at):
            at = _after(text, "-->", tag_at, never_closed)
            continue
        match = _TAG.match(text, tag_at)
        if match is None:
            at = (
                _after(text, ">", tag_at, never_closed)
                if text.startswith(("<!", "<?"), tag_at)
                else tag_at + 1
            )
            continue
        name = match[2].lower()
        at = _after(text, ">", match.end(), never_closed)
        if not match[1] and name in unseen and not text.startswith("/>", at - 2):
            at = _closed(lowered, name, at, never_closed)
        else:
            yield _sign(name, is_end=bool(match[1]))
    yield text[at:].replace("\n", " ")


def _after(text: str, sign: str, at: int, never: set[str]) -> int:
    end = -1 if sign in never else text.find(sign, at)
    if end < 0:
        never.add(sign)
        return at + 1
    return end + len(sign)


def _closed(lowered: str, name: str, at: int, never: set[str]) -> int:
    """Behind the element's end; nested ones of the same name are counted."""
    depth, opening, closing = 1, f"<{name}", f"</{name}"
    while depth:
        end = -1 if closing in never else lowered.find(closing, at)
        if end < 0:
            never.add(closing)
            return at
        inner = lowered.count(opening, at, end) if name in _ASIDE or name == "svg" else 0
        depth += inner - 1
        at = end + len(closing)
    return _after(lowered, ">", at, never)


def _sign(name: str, *, is_end: bool) -> str:
    if heading := _HEADING.fullmatch(name):
        return "\n" if is_end else f"\n{'#' * int(heading[1])} "
    if name == "li":
        return "\n" if is_end else "\n- "
    if name in ("td", "th"):
        return " | " if is_end else ""
    return "\n" if name in _BREAKING else ""
