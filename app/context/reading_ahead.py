"""What a compaction will look at, looked at before it is due: between turns and while a message is written (Q5)."""

from collections.abc import Iterator, Sequence

from app.context.digest import text_of
from app.context.gleaned import Gleaned
from app.context.intent import intent_of
from app.context.ledger import updated
from app.context.reading import Item, Shown
from app.core.entries import Entry, Origin
from app.core.ledger import LedgerItem
from app.filters.telling import Sayings

_MOST_CHARS = 1_600_000
"""Of the newest texts, kept as words: 20 MB at most. What lies before them is read when it is needed."""
_TAIL_SHARE = 0.25
"""Of what stands: nothing in the tail is cut, so that it is looked at whole, too."""
_STALE = 1.5
"""Once so many times as many texts are kept as stand, the others are forgotten."""


def read_ahead(
    gleaned: Gleaned, ledger: Sequence[LedgerItem], path: Sequence[Entry], items: Sequence[Item]
) -> None:
    """Put into `gleaned` what the chat says; linear in what is new.

    Args:
        items: The reading that stands.
    """
    updated(ledger, path, gleaned)
    intent_of(path, gleaned=gleaned)
    said = gleaned.said or Sayings()
    texts = list(_texts(items))
    if len(said.units) > _STALE * len(texts):
        said.keep({text for text, _ in texts})
    n_chars = sum(len(text) for text, _ in texts)
    tail, room = _TAIL_SHARE * n_chars, _MOST_CHARS
    for text, may_be_cut in reversed(texts):
        tail -= len(text)
        room -= len(text)
        if room < 0:
            break
        pieces = said.units[text] if may_be_cut else ()
        for piece in (text, *pieces) if not may_be_cut or tail > 0 else pieces:
            if piece not in said.words:
                for word in said.words[piece]:
                    said.shapes[word]
    gleaned.said = said


def _texts(items: Sequence[Item]) -> Iterator[tuple[str, bool]]:
    """Each text that stands, and whether it is one that may be cut."""
    for item in items:
        groups = (
            [(entry.origin, parts) for entry, parts in zip(item.entries, item.parts, strict=True)]
            if isinstance(item, Shown)
            else [(Origin.NOTE, item.fold.replacement)]
        )
        for origin, parts in groups:
            for part in parts:
                if text := text_of(part):
                    yield text, origin in (Origin.ASSISTANT, Origin.TOOL)
