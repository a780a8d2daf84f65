"""Finding the ledger's lines by rule: what the person forbade, demanded, decided and fixed, word for word (C38).

Only the person's own entries are read, and proposals of the assistant that the person's next entry accepts.
"""

import re
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from itertools import islice

from app.context.gleaned import Gleaned, Noted, Prefix
from app.core.entries import Entry, Origin
from app.core.errors import AppError
from app.core.ids import EntryId
from app.core.ledger import LedgerItem, LedgerKind

MOST_ITEMS = 40
LINE_CHARS = 160
_MOST_TOKENS, _MOST_SHARE = 2_000, 0.04
_LOOKED_AT = 20_000
"""Characters of one entry; what is longer was pasted."""
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"(?:[^.!?。！？；;\n]|[.!?;](?=\S))+[.!?。！？；;]*")
_QUOTED = ("> ", "    ", "\t", "[", "|", "$ ", "+", "<")

_BAN = re.compile(
    r"(?:^|[,;:—–(*]\s*|\b(?:please|and|but|also|so|then|just|really|or|again|note|important|caution)[,:]?\s+)(?:please\s+)?"
    r"(?:do\s?n[o']t|don't|do not|never|must not|mustn't|no longer|avoid|stop)\s+(?!know|think|have|see|want|need|"
    r"understand|remember|really|believe|feel|mind|get\b|even\b|be able|like\b|care\b|mean\b|seem|look|worry|hesitate|"
    r"be afraid|forget to|we\b|you\b)\w+"
    r"|\b(?:you|it|we|they|code|files?|tests?)\s+(?:must|should|may|shall|can)\s*(?:not|n't|never)\s+\w+"
    r"|\bunder no circumstances\b|\bwithout (?:my|asking|permission)\b"
    r"|(?:不要|不许|不准|禁止|不得|切勿|请勿|(?<![特区差分性级类个告送辨识鉴])别(?!的|人|墅|说|处|名|扭|致|具|看)|严禁|永远不)(?!紧|说|是|太|想)[\u3400-\u9fff\w ]",
    re.IGNORECASE,
)
_DEMAND = re.compile(
    r"(?:^|[,;:]\s*|\b(?:please|and|but|you|we|it)\s+)(?:always|must|only|make sure|ensure)\s+(?:\w+)"
    r"|\b(?:is|are) (?:required|mandatory|forbidden)\b"
    r"|(?:(?<!我)必须|务必|(?<!我)只能|一律|请始终|始终[用以]|只准|只许)[\u3400-\u9fff\w ]",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:agreed|we(?:'ll| will)? (?:go with|use|decided|settled)|let's (?:go with|use|stick)|i(?:'ve| have)? (?:decided|chosen|picked|chose|settled)|"
    r"we(?:'re| are) (?:going with|using)|the decision is|final answer)\b"
    r"|(?<![没的出做])决定(?![的呢吗])|确认使用|确认为|选定|统一用|统一使用|就用|采用|定为|改成|改为",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"^(?:[^?]{0,80})\b(?:budget|price|limit|port|deadline|version|address|name|target|maximum|minimum|password|host|branch|"
    r"url|id|size|date|timeout|language)\b[\w ]{0,24}?(?:\bis\b|\bare\b|=|:)\s*\S*[\d`\"/]"
    r"|(?:\bbudget|\bport|\bdeadline|\bversion)\s+(?:of\s+)?[$€£¥]?\d"
    r"|(?:预算|价格|上限|端口|截止|版本|地址|名字|目标|最大|最小|主机|分支|大小|日期|期限|超时)[\u3400-\u9fff]{0,6}[是为：:=]\s*\S*[\d「“]",
    re.IGNORECASE,
)
_LIFTED = re.compile(
    r"\b(?:you (?:can|may)(?: now)?|feel free to|it(?:'s| is) (?:ok|okay|fine|allowed) to|go ahead and|now you can|"
    r"no need to avoid|forget (?:about )?)\b|现在可以|可以了|允许|不再禁止|取消",
    re.IGNORECASE,
)
_PROPOSAL = re.compile(
    r"\b(?:i (?:suggest|propose|recommend)|i'd (?:suggest|recommend)|we could|let's|shall (?:i|we)|should (?:i|we)|"
    r"my (?:suggestion|proposal|recommendation))\b|建议[你您先用采使把]|我建议|要不要|不如|我打算|我提议",
    re.IGNORECASE,
)
_ACCEPTED = re.compile(
    r"^\s*(?:yes|yep|yeah|ok|okay|sure|agreed|sounds good|perfect|great|do it|go ahead|go for it|fine|please do|"
    r"好的?|可以|行|同意|没问题|就这样|就这么办|是的|嗯|对)(?=$|[\s,.!，。！、])",
    re.IGNORECASE,
)
_ACCEPTANCE_CHARS = 160
_WORD = re.compile(r"[A-Za-z0-9_./-]{2,}|[\u3400-\u9fff]{2}")
_CUES = frozenset(
    [
        "the",
        "to",
        "an",
        "and",
        "or",
        "of",
        "in",
        "it",
        "is",
        "do",
        "not",
        "don",
        "never",
        "always",
        "must",
        "only",
        "please",
        "we",
        "use",
        "go",
        "with",
        "let",
        "agreed",
        "you",
        "can",
        "may",
        "now",
        "be",
        "for",
        "on",
        "at",
        "that",
        "this",
        "will",
        "my",
        "your",
        "our",
        "should",
        "just",
        "from",
        "不要",
        "必须",
        "只能",
        "禁止",
        "务必",
        "不得",
        "决定",
        "确认",
        "选定",
        "统一",
        "现在",
        "可以",
    ]
)


def sentences(text: str) -> Iterable[str]:
    """The person's own sentences: no code, quotes, pasted blocks, questions."""
    for line in _FENCE.sub("\n", text[:_LOOKED_AT]).split("\n"):
        if len(line) > 600 or line.startswith(_QUOTED):
            continue
        for found in _SENTENCE.findall(line):
            sentence = found.strip().lstrip("-*•#0123456789.) ").strip()
            if 3 < len(sentence) <= 400 and not sentence.endswith(("?", "？")):
                yield sentence


def is_ban(sentence: str) -> bool:
    """Whether it forbids; its force is lost when it is told in other words (case B37)."""
    return bool(_BAN.search(sentence))


def found_in(entry: Entry, before: Entry | None = None) -> tuple[LedgerItem, ...]:
    """The lines of one user's entry.

    Args:
        before: The assistant's entry that it answers; its proposal becomes a decision when it is accepted.
    """
    found: list[tuple[LedgerKind, str, EntryId]] = []
    said = entry.text
    if before and before.origin is Origin.ASSISTANT and _is_acceptance(said):
        proposals = [sentence for sentence in _told(before.text) if _PROPOSAL.search(sentence)]
        found.extend((LedgerKind.DECISION, proposal, before.id) for proposal in proposals[-1:])
    for sentence in sentences(said):
        kind = _kind_of(sentence)
        if kind:
            found.append((kind, sentence, entry.id))
    unique = {text[:LINE_CHARS]: (kind, source) for kind, text, source in found}
    return tuple(
        LedgerItem(id=f"{source}:{text_id(text)}", kind=kind, text=text, entry_id=source, rev=entry.rev)
        for text, (kind, source) in unique.items()
    )


def _kind_of(sentence: str) -> LedgerKind | None:
    if _BAN.search(sentence) or _DEMAND.search(sentence):
        return LedgerKind.CONSTRAINT
    if _DECIDED.search(sentence):
        return LedgerKind.DECISION
    return LedgerKind.VALUE if _VALUE.search(sentence) else None


def _told(text: str) -> Iterable[str]:
    """As `sentences`, questions too: proposals are often asked."""
    for found in _SENTENCE.findall(_FENCE.sub("\n", text[:_LOOKED_AT])):
        sentence = found.strip().lstrip("-*•#0123456789.) ").strip()
        if 8 < len(sentence) <= 400:
            yield sentence


def _is_acceptance(text: str) -> bool:
    return len(text) <= _ACCEPTANCE_CHARS and bool(_ACCEPTED.match(text))


def text_id(text: str) -> str:
    """A short name of a line within its entry, the same after a restart."""
    total = 0
    for character in text:
        total = (total * 131 + ord(character)) % 0xFFFFFF
    return f"{total:06x}"


def updated(
    items: Sequence[LedgerItem], path: Sequence[Entry], gleaned: Gleaned | None = None
) -> tuple[LedgerItem, ...]:
    """The ledger after everything that `path` says; what it holds already stays as it is.

    A line that a later one contradicts or lifts is superseded, not lost; the oldest automatic ones beyond 40
    are superseded too.

    Args:
        gleaned: Only what it has not seen is read, where it has seen this ledger.
    """
    given = tuple(items)
    n, kept = _seen(given, path, gleaned)
    known = {item.id for item in kept}
    before = _answered(path, n)
    for entry in islice(path, n, None):
        if entry.origin is Origin.USER:
            for item in found_in(entry, before):
                if item.id not in known:
                    known.add(item.id)
                    kept = [*(_superseded(old, by=item) for old in kept), item]
            for sentence in sentences(entry.text):
                if _LIFTED.search(sentence):
                    kept = [_lifted(old, sentence, entry) for old in kept]
            before = None
        elif entry.origin is Origin.ASSISTANT:
            before = entry
    found = _within_count(kept)
    if gleaned and path:
        noted = Noted(given=given, kept=tuple(kept), found=found)
        gleaned.noted = Prefix(len(path), path[-1].id, noted)
    return found


def _seen(
    given: tuple[LedgerItem, ...], path: Sequence[Entry], gleaned: Gleaned | None
) -> tuple[int, list[LedgerItem]]:
    """How many entries needn't be read again, and what the ledger was after them."""
    held = gleaned.noted if gleaned else None
    if held and held.begins(path):
        if given == held.found.found:
            return held.n, list(given)
        if given == held.found.given:
            return held.n, list(held.found.kept)
    return 0, list(given)


def _answered(path: Sequence[Entry], n: int) -> Entry | None:
    """The assistant's last entry among the first `n`, if the person has said nothing since."""
    for at in range(n - 1, -1, -1):
        if path[at].origin is Origin.USER:
            return None
        if path[at].origin is Origin.ASSISTANT:
            return path[at]
    return None


def active(items: Iterable[LedgerItem]) -> tuple[LedgerItem, ...]:
    return tuple(item for item in items if item.superseded_rev is None)


class LineRefused(AppError):
    """The person's change of the ledger can't be made; it is as it was."""

    code = "ledger_line"


def added(
    items: Sequence[LedgerItem], text: str, *, kind: LedgerKind, item_id: str, rev: int
) -> tuple[LedgerItem, ...]:
    """With a line that the person wrote; it stands whatever is found later says.

    Raises (this and the next ones):
        LineRefused
    """
    if sum(item.is_manual for item in active(items)) >= MOST_ITEMS:
        raise LineRefused(
            f"The ledger holds {MOST_ITEMS} lines of yours already.",
            hint="Remove one first.",
            most=MOST_ITEMS,
        )
    new = LedgerItem(id=item_id, kind=kind, text=_line(text), entry_id=None, rev=rev, is_manual=True)
    return _within_count([*(_superseded(old, by=new) for old in items), new])


def edited(
    items: Sequence[LedgerItem], item_id: str, text: str, *, new_id: str, rev: int
) -> tuple[LedgerItem, ...]:
    """With other words for a line, from the same source; what it said stays, superseded."""
    old = _standing(items, item_id)
    new = replace(old, id=new_id, text=_line(text), rev=rev, is_manual=True)
    at = list(items).index(old)
    others = removed(items, item_id, rev=rev)
    return (*others[: at + 1], new, *others[at + 1 :])


def superseded(items: Sequence[LedgerItem], item_id: str, *, by: str, rev: int) -> tuple[LedgerItem, ...]:
    """With one line given up for another that stands, where no rule saw that they contradict each other."""
    _standing(items, by)
    return removed(items, item_id, rev=rev)


def removed(items: Sequence[LedgerItem], item_id: str, *, rev: int) -> tuple[LedgerItem, ...]:
    """Without it: superseded, so that the same entry does not bring it back."""
    old = _standing(items, item_id)
    return tuple(replace(item, superseded_rev=rev) if item is old else item for item in items)


def undone(items: Sequence[LedgerItem], rev: int) -> tuple[LedgerItem, ...]:
    """Without the person's change that took this number; the same where what it made was changed since."""
    made = [item for item in items if item.is_manual and item.rev == rev]
    if any(item.superseded_rev is not None for item in made):
        return tuple(items)
    left = (item for item in items if item not in made)
    return _within_count(
        [replace(item, superseded_rev=None) if item.superseded_rev == rev else item for item in left]
    )


def _standing(items: Iterable[LedgerItem], item_id: str) -> LedgerItem:
    for item in active(items):
        if item.id == item_id:
            return item
    raise LineRefused("This line is not in the ledger any more.")


def _line(text: str) -> str:
    line = " ".join(text.split())
    if not line:
        raise LineRefused("A line of the ledger can't be empty.")
    if len(line) > LINE_CHARS:
        raise LineRefused(
            f"A line of the ledger has at most {LINE_CHARS} characters; this one has {len(line)}.",
            most=LINE_CHARS,
            n=len(line),
        )
    return line


def at_fork(
    items: Iterable[LedgerItem], path: Container[EntryId], *, later: Container[int]
) -> tuple[LedgerItem, ...]:
    """The ledger of a chat that is forked off: what was found as of then, with the person's changes as of now.

    Args:
        path: The entries that both chats share.
        later: Numbers of entries that the fork does not have; what they superseded stands again.
    """
    kept = [item for item in items if item.entry_id is None or item.entry_id in path]
    own = [item for item in kept if item.is_manual and item.superseded_rev is None]
    found: list[LedgerItem] = []
    for item in kept:
        if item.superseded_rev is not None and item.superseded_rev in later:
            item = replace(item, superseded_rev=None)
            for line in own:
                item = _superseded(item, by=line)
        found.append(item)
    return tuple(found)


def within_budget(
    items: Iterable[LedgerItem], window_tokens: int, tokens: Callable[[str], float]
) -> tuple[LedgerItem, ...]:
    """The active lines that may be sent, in their order: bans always, then the newest while they fit."""
    lines = active(items)
    room = min(_MOST_TOKENS, _MOST_SHARE * window_tokens) if window_tokens else _MOST_TOKENS
    kept: set[str] = set()
    for item in sorted(lines, key=lambda item: (not is_ban(item.text), not item.is_manual, -item.rev)):
        cost = tokens(item.text) + 2
        if is_ban(item.text) or cost <= room:
            kept.add(item.id)
            room -= cost
    return tuple(item for item in lines if item.id in kept)


def _superseded(old: LedgerItem, *, by: LedgerItem) -> LedgerItem:
    if old.superseded_rev is not None or (old.is_manual and not by.is_manual):
        return old
    if old.text == by.text or (not old.is_manual and old.kind is by.kind and _contradicts(old, by)):
        return replace(old, superseded_rev=by.rev)
    return old


def _contradicts(old: LedgerItem, new: LedgerItem) -> bool:
    """The same subject, said otherwise: a ban against a demand, or another value or choice."""
    if is_ban(old.text) and is_ban(new.text):
        return False  # two bans stand beside each other
    first, second = _subject(old.text), _subject(new.text)
    shared = len(first & second)
    return shared >= 2 and shared / min(len(first), len(second)) >= 0.5


def _lifted(old: LedgerItem, sentence: str, entry: Entry) -> LedgerItem:
    if old.superseded_rev is not None or not is_ban(old.text) or old.rev >= entry.rev or is_ban(sentence):
        return old
    banned = _subject(old.text)
    if banned and len(banned & _subject(sentence)) / len(banned) >= 0.5:
        return replace(old, superseded_rev=entry.rev)
    return old


def _subject(text: str) -> set[str]:
    return {word.lower().strip(".-/") for word in _WORD.findall(text)} - _CUES


def _within_count(items: Sequence[LedgerItem]) -> tuple[LedgerItem, ...]:
    over = len(active(items)) - MOST_ITEMS
    if over <= 0:
        return tuple(items)
    by_worth = sorted(active(items), key=lambda item: (item.is_manual, is_ban(item.text), item.rev))
    going = {item.id for item in by_worth[:over]}
    newest = max(item.rev for item in items)
    return tuple(replace(item, superseded_rev=newest) if item.id in going else item for item in items)
