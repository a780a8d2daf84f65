"""The summary without a model: fields filled by rule from events, first and last sentences and cue words (C18).

Deterministic and linear in the text; it is marked as made by rule, and a model's may replace it later.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.context.facts import FileTouch
from app.context.ledger import active, is_ban
from app.context.summary.fields import Decision, Summary
from app.context.summary.notes import first_sentence, last_sentence, session_notes
from app.core.entries import Entry, Origin
from app.core.ledger import LedgerItem, LedgerKind

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"(?:[^.!?。！？；\n]|[.!?](?=\S))+[.!?。！？；]*")
_LOOKED_AT = 20_000
_SHORTEST, _LONGEST = 12, 360
_DECISION = re.compile(
    r"\b(?:decided|decision|we(?:'ll| will) (?:use|go)|let's (?:use|go with)|agreed|chose|instead of)\b|(?<![没的])决定|选定|采用|统一用",
    re.IGNORECASE,
)
_FINDING = re.compile(
    r"\b(?:found|turns out|because|root cause|the (?:problem|issue|reason|cause) (?:is|was)|it seems|discovered|confirmed)\b"
    r"|发现|原因|原来|查明|确认",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:i(?:'ve| have)? (?:added|updated|fixed|created|changed|removed|implemented|written|refactored|moved|renamed|booked|sent)|"
    r"(?:commit|applied edit to) \S+|has been (?:added|updated|fixed|created|booked|sent|completed)|done|finished|completed)\b"
    r"|已经?(?:完成|修改|添加|创建|修复|更新|预订|发送)",
    re.IGNORECASE,
)
_BLOCKED = re.compile(
    r"\b(?:blocked|waiting for|can(?:no|')t (?:proceed|continue|access)|stuck|need(?:s)? (?:your|the user's))\b|卡住|卡在|等待|无法继续",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"\b(?:next(?: step)?s?[,:]|todo|remaining|i(?:'ll| will) (?:now|next|then)|still (?:need|have) to|plan to)\b|下一步|接下来|待办|还需要",
    re.IGNORECASE,
)
_RECENT_SHARE = 0.34
"""Of a run, from its end: what was blocked or planned before is most likely settled."""


def extracted(
    entries: Sequence[Entry], *, ledger: Sequence[LedgerItem] = (), touches: Sequence[FileTouch] = ()
) -> Summary:
    """The fourteen fields of a run, as far as rules can tell."""
    base = session_notes(entries, touches)
    words = [(entry, list(_sentences(entry.text))) for entry in entries if _speaks(entry)]
    recent = words[-max(1, round(_RECENT_SHARE * len(words))) :]
    answers = [entry for entry, _ in words if entry.origin is Origin.ASSISTANT and entry.text.strip()]
    last = answers[-1].text if answers else ""
    lines = active(ledger)
    constraints = [line.text for line in lines if line.kind is LedgerKind.CONSTRAINT]
    constraints.sort(key=is_ban)  # bans are the newest, so to say: they stay when only five do
    decided = [line.text for line in lines if line.kind is LedgerKind.DECISION]
    decisions = dict.fromkeys([*_cued(words, _DECISION), *decided])
    return Summary.model_validate(
        {
            **dict(base),
            "constraints_and_preferences": tuple(constraints[-5:]),
            "key_decisions": (
                *base.key_decisions,
                *(Decision(what=text) for text in decisions),
            )[-8:],
            "completed_actions": base.completed_actions or tuple(_cued(_answers(words), _DONE))[-10:],
            "active_state": first_sentence(last),
            "key_findings": (*base.key_findings, *_cued(words, _FINDING))[-5:],
            "resolved_questions": tuple(_answered(words))[-5:],
            "pending_user_asks": _unanswered(words),
            "last_action": base.last_action or last_sentence(last),
            "blocked_items": (*base.blocked_items, *_cued(_answers(recent), _BLOCKED))[-3:],
            "next_steps": (*base.next_steps, *_cued(_answers(recent), _NEXT))[-5:],
        }
    )


Words = Sequence[tuple[Entry, list[str]]]


def _speaks(entry: Entry) -> bool:
    return entry.origin in (Origin.USER, Origin.ASSISTANT)


def _answers(words: Words) -> Words:
    return [pair for pair in words if pair[0].origin is Origin.ASSISTANT]


def _sentences(text: str) -> Iterator[str]:
    for found in _SENTENCE.findall(_FENCE.sub("\n", text[:_LOOKED_AT])):
        sentence = found.strip().lstrip("-*•#>0123456789.) ").strip()
        if _SHORTEST <= len(sentence) <= _LONGEST:
            yield sentence


def _cued(words: Words, cue: re.Pattern[str]) -> list[str]:
    return list(dict.fromkeys(text for _, said in words for text in said if cue.search(text)))


def _answered(words: Words) -> Iterator[str]:
    """Each question of the person's that an answer follows, with the answer's beginning."""
    for (asked, said), (answer, _) in pairwise(words):
        if asked.origin is Origin.USER and answer.origin is Origin.ASSISTANT:
            question = next((text for text in reversed(said) if text.endswith(("?", "？"))), "")
            told = first_sentence(answer.text, 200)
            if question and told:
                yield f"{question[-160:]} → {told}"


def _unanswered(words: Words) -> tuple[str, ...]:
    """What the person said after the last answer, but for the very last, which is the open request."""
    found: list[str] = []
    for entry, _ in reversed(words):
        if entry.origin is not Origin.USER:
            break
        found.append(first_sentence(entry.text))
    return tuple(reversed(found[1:]))[-5:]
