"""Completes the half-streamed end of an open block, so that nothing flips from raw marks to rendered text."""

import re
from dataclasses import replace

from ui.kit.markdown.split import Kind, Source

_TABLE_START = re.compile(r"\s*\|[^\n]*(?:\n[ \t|:-]*)?$")
_HALF_LINK = re.compile(r"!?\[[^\]\n]*(?:\]\([^)\n]*)?$")
_CODE = re.compile(r"`[^`]*`")
_MARKS = ("**", "~~")


def completed(source: Source) -> Source | None:
    """`source` as it will look once its last words are complete; None while that can't be said.

    A table is shown from its second line on, a half link not at all, an open mark as if it were closed.
    """
    if source.kind is Kind.FENCE:
        return source
    text = source.text
    if _TABLE_START.match(text) or not text.strip("`~ \n"):
        return None
    start = text.rfind("\n") + 1
    last = text[start:]
    if not last:
        return source
    if last.count("`") % 2:
        return replace(source, text=_closed(text, "`"))
    if half := _HALF_LINK.search(last):
        last = last[: half.start()]
        text = text[:start] + last
    bare = _CODE.sub("", last)
    for mark in _MARKS:
        if bare.count(mark) % 2:
            text = _closed(text, mark)
    return replace(source, text=text) if text.strip() else None


def _closed(text: str, mark: str) -> str:
    bare = text.rstrip()
    if bare.endswith(mark):  # just opened: nothing is inside yet
        return bare.removesuffix(mark)
    return bare + mark
