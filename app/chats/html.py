"""A chat as one HTML page that needs nothing else and asks nothing of anybody.

What a model or a tool wrote is data (U12): raw HTML stays text, links lead to http(s) and mailto only, pictures of
others are links, and the page's own policy forbids scripts and every address. Pictures from the vault stand inside
it. Light and dark follow the reader's system.
"""

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from typing import cast

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.tasklists import tasklists_plugin

from app.chats.export import Words, shown_path
from app.chats.originals import text_of
from app.context.ports import ChatContents
from app.core.entries import Entry, Origin
from app.core.parts import MediaPart, OpaquePart, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart

_SAFE = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_SHOWN_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_BIDI = re.compile("[\\u202a-\\u202e\\u2066-\\u2069]")
_MOST_COLOURED_CHARS = 100_000
"""Longer code stays plain: colours of a log of megabytes help nobody, and take seconds."""
_PRINT_WIDTH_PX = 600


def export_html(
    contents: ChatContents,
    bytes_of: Mapping[str, bytes],
    *,
    words: Words | None = None,
    language: str = "en",
    is_print: bool = False,
) -> str:
    """The transcript of the shown path, whole, whatever is folded.

    Args:
        is_print: For paper: light, nothing to open, and no more of CSS than Qt's printer knows.
    """
    writer = _Writer(bytes_of=bytes_of, words=words or Words(), is_print=is_print)
    chat = contents.chat
    title = escape(" ".join(chat.title.split()) or chat.id)
    body = "\n".join(
        block
        for entry in shown_path(contents)
        if entry.origin is not Origin.NOTE
        for block in writer.entry(entry)
    )
    style = _PRINT_CSS if is_print else f"{_CSS}{_code_css()}"
    return _PAGE.format(
        language=escape(language),
        title=title,
        style=style,
        date=f"{chat.created_at:%Y-%m-%d %H:%M} UTC",
        body=body,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Writer:
    bytes_of: Mapping[str, bytes]
    words: Words
    is_print: bool
    _markdown: MarkdownIt = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_markdown", _parser(is_print=self.is_print))

    def entry(self, entry: Entry) -> Iterator[str]:
        who = {
            Origin.USER: self.words.you,
            Origin.ASSISTANT: entry.model.partition("/")[2] if entry.model else self.words.assistant,
            Origin.SYSTEM: self.words.system,
        }.get(entry.origin, "")
        parts = "\n".join(filter(None, (self._part(part, entry.origin) for part in entry.parts)))
        if not parts:
            return
        when = f'<time datetime="{entry.created_at.isoformat()}">{entry.created_at:%Y-%m-%d %H:%M}</time>'
        head = f"<h2>{escape(who)} {when}</h2>\n" if who else ""
        yield f'<article class="{entry.origin.value}">\n{head}{parts}\n</article>'

    def _part(self, part: Part, origin: Origin) -> str:
        match part:
            case TextPart():
                text = text_of(part.text, self.bytes_of)
                if origin is Origin.USER and part.is_paste:
                    return f"<pre>{_text(text)}</pre>"
                return str(self._markdown.render(text))
            case ThinkingPart() if not part.redacted:
                return self._folded(
                    self.words.reasoning, self._markdown.render(text_of(part.text, self.bytes_of))
                )
            case ToolCallPart():
                code = _coloured(text_of(part.arguments, self.bytes_of), "json", is_print=self.is_print)
                return self._folded(f"{self.words.call} {part.name}", f"<pre>{code}</pre>")
            case ToolResultPart():
                word = self.words.error if part.is_error else self.words.result
                return self._folded(
                    f"{word} {part.name}", f"<pre>{_text(text_of(part.text, self.bytes_of))}</pre>"
                )
            case MediaPart():
                return self._picture(part)
            case OpaquePart():
                return self._folded(part.kind, f"<pre>{_text(part.json)}</pre>")
            case _:
                return ""  # redacted thinking: nothing to read

    def _folded(self, title: str, body: str) -> str:
        if self.is_print:
            return f'<div class="folded"><p class="summary">{_text(title.strip())}</p>{body}</div>'
        return f"<details><summary>{_text(title.strip())}</summary>{body}</details>"

    def _picture(self, part: MediaPart) -> str:
        if isinstance(part.source, str):
            return f"<p>{_link(part.source)}</p>"
        if part.mime not in _SHOWN_PICTURES:
            return f"<p>{_text(part.source.name or part.mime)}</p>"
        data = base64.b64encode(self.bytes_of[part.source.sha256]).decode()
        width = min(part.width_px or _PRINT_WIDTH_PX, _PRINT_WIDTH_PX)
        size = f' width="{width}"' if self.is_print else ""
        return f'<p><img alt="{escape(part.source.name)}" src="data:{part.mime};base64,{data}"{size}></p>'


@lru_cache(maxsize=2)
def _parser(*, is_print: bool) -> MarkdownIt:
    def highlight(code: str, language: str, _attributes: str) -> str:
        return _coloured(code, language, is_print=is_print)

    parser = MarkdownIt("commonmark", {"html": False, "highlight": highlight})
    parser.enable(["table", "strikethrough"]).use(tasklists_plugin)
    parser.validateLink = _is_safe
    parser.add_render_rule("image", _picture_as_link)
    parser.add_render_rule("link_open", _careful_link)
    parser.add_render_rule("text", _plain)
    return parser


def _is_safe(url: str) -> bool:
    return bool(_SAFE.match(url))


Tokens = Sequence[Token]


def _picture_as_link(
    _self: object, tokens: Tokens, index: int, _options: object, _environment: object
) -> str:
    token = tokens[index]
    return _link(str(token.attrGet("src") or ""), token.content)


def _careful_link(_self: object, tokens: Tokens, index: int, _options: object, _environment: object) -> str:
    return f'<a rel="noopener noreferrer nofollow" href="{escape(str(tokens[index].attrGet("href") or ""))}">'


def _plain(_self: object, tokens: Tokens, index: int, _options: object, _environment: object) -> str:
    return _text(tokens[index].content)


def _link(url: str, text: str = "") -> str:
    shown = _text(text or url)
    return (
        f'<a rel="noopener noreferrer nofollow" href="{escape(url)}">{shown}</a>' if _is_safe(url) else shown
    )


def _text(text: str) -> str:
    """`text` escaped, its bidirectional control characters to be seen."""
    return _BIDI.sub(lambda found: f"\u2039U+{ord(found.group()):04X}\u203a", escape(text))


def _coloured(code: str, language: str, *, is_print: bool) -> str:
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]  # untyped
    from pygments.util import ClassNotFound

    if not language or len(code) > _MOST_COLOURED_CHARS or _BIDI.search(code):
        return _text(code)
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return _text(code)
    formatter = HtmlFormatter[str](nowrap=True, noclasses=is_print, style="friendly")
    return highlight(code, lexer, formatter)


@lru_cache(maxsize=1)
def _code_css() -> str:
    from pygments.formatters import HtmlFormatter

    def rules(style: str) -> list[str]:
        defined = cast("str", HtmlFormatter[str](style=style).get_style_defs("pre"))  # pyright: ignore[reportUnknownMemberType]  # untyped
        return [line for line in defined.splitlines() if line.startswith("pre .")]

    return "\n".join([*rules("friendly"), "@media (prefers-color-scheme: dark) {", *rules("nord"), "}"])


_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p class="date">{date}</p>
{body}
</main>
</body>
</html>
"""

# The colours of resources/themes, written out: the page stands alone.
_CSS = """:root { color-scheme: light dark; --paper: #faf7f0; --card: #fffdf8; --line: #e4dccb; --ink: #221d15;
  --muted: #6f6759; --accent: #2f4b7c; }
@media (prefers-color-scheme: dark) { :root { --paper: #15161a; --card: #212329; --line: #30333b; --ink: #e9e4d8;
  --muted: #9a9486; --accent: #8fb0e8; } }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, "Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif; }
main { max-width: 760px; margin: 0 auto; padding: 32px 20px 80px; }
h1 { font: 700 28px/1.25 Georgia, "Noto Serif", serif; margin: 0; }
.date, time { color: var(--muted); font-size: 13px; font-weight: 400; }
article { margin: 24px 0; overflow-wrap: anywhere; }
article > h2 { font-size: 14px; margin: 0 0 4px; }
article.user { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 12px 16px; }
article.tool { margin: 8px 0; }
a { color: var(--accent); }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px;
  overflow-x: auto; font: 13px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
article.user pre { background: var(--paper); }
code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: 0.9em; }
details { border-left: 3px solid var(--line); padding-left: 12px; margin: 8px 0; }
summary { color: var(--muted); cursor: pointer; font-size: 14px; }
blockquote { border-left: 3px solid var(--line); margin: 8px 0; padding-left: 12px; color: var(--muted); }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: 4px 10px; text-align: left; }
img { max-width: 100%; height: auto; border-radius: 8px; }
@media print { body { background: none; } details { display: block; } }
"""
_PRINT_CSS = """body { color: #221d15; font-family: sans-serif; font-size: 10pt; }
h1 { font-size: 18pt; } h2 { font-size: 10pt; color: #2f4b7c; }
.date, time { color: #6f6759; font-weight: normal; font-size: 8pt; }
pre, code { font-family: monospace; font-size: 8pt; } pre { background-color: #f3eee3; white-space: pre-wrap; }
.folded { margin-left: 12px; } .summary { color: #6f6759; font-size: 9pt; }
blockquote { margin-left: 12px; color: #6f6759; } a { color: #2f4b7c; } td, th { padding: 2px 6px; }
"""
