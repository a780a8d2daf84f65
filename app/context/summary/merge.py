"""A summary carried on: what newer entries say goes into the last one, and no open item gets lost on the way (C14)."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from app.context.summary.fields import KeptSummary, Summary

_WORD = re.compile(r"[A-Za-z0-9_./-]{2,}|[\u3400-\u9fff]{2}|[^\W\d_]{2,}")
_Item = TypeVar("_Item")
_ALIKE = 0.6
_MOST_DROPPED = 12


def is_alike(first: str, second: str) -> bool:
    """Whether two lines are about the same: most words of the shorter one stand in the other."""
    a, b = _words(first), _words(second)
    return bool(a and b) and len(a & b) / min(len(a), len(b)) >= _ALIKE


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def merged(former: KeptSummary, newer: Summary) -> KeptSummary:
    """Both as one, by rule: for a newer part that was summed up on its own."""
    joined = Summary(
        user_goal=former.user_goal or newer.user_goal,
        active_task=newer.active_task or former.active_task,
        constraints_and_preferences=_newest(
            former.constraints_and_preferences, newer.constraints_and_preferences, 5
        ),
        key_decisions=_newest(former.key_decisions, newer.key_decisions, 8),
        completed_actions=_newest(former.completed_actions, newer.completed_actions, 10),
        active_state=newer.active_state or former.active_state,
        key_findings=_newest(former.key_findings, newer.key_findings, 5),
        errors_and_fixes=_newest(former.errors_and_fixes, newer.errors_and_fixes, 8),
        resolved_questions=_newest(former.resolved_questions, newer.resolved_questions, 5),
        pending_user_asks=newer.pending_user_asks,
        files_modified=tuple(dict.fromkeys((*former.files_modified, *newer.files_modified))),
        last_action=newer.last_action or former.last_action,
        blocked_items=newer.blocked_items,
        next_steps=newer.next_steps,
    )
    return carried_on(former, joined)


def carried_on(former: KeptSummary, newer: Summary) -> KeptSummary:
    """`newer`, which already tells both, with every open item of `former` present, resolved, or listed as dropped.

    What is done or solved leaves; an open item that `newer` forgot comes back while its field has room.
    """
    done = (
        *newer.completed_actions,
        *newer.resolved_questions,
        *(f"{item.error} {item.fix}" for item in newer.errors_and_fixes if item.fix),
    )
    dropped: list[str] = [item for item in former.dropped if not _has(done, item)]
    fields: dict[str, tuple[str, ...]] = {}
    for name, most in (("pending_user_asks", 5), ("blocked_items", 3), ("next_steps", 5)):
        old: tuple[str, ...] = getattr(former, name)
        new: tuple[str, ...] = getattr(newer, name)
        open_now = [item for item in new if not _has(done, item)]
        for item in old:
            if _has(done, item) or _has(newer.open_items, item) or is_alike(item, newer.active_task):
                continue
            if len(open_now) < most:
                open_now.append(item)
            else:
                dropped.append(item)
        fields[name] = tuple(open_now)
    return KeptSummary.model_validate(
        {**newer.model_dump(), **fields, "dropped": tuple(dict.fromkeys(dropped))[-_MOST_DROPPED:]}
    )


def _has(items: Iterable[str], wanted: str) -> bool:
    return any(item == wanted or is_alike(item, wanted) for item in items)


def _newest(former: Sequence[_Item], newer: Sequence[_Item], n: int) -> tuple[_Item, ...]:
    return tuple(dict.fromkeys((*former, *newer)))[-n:]
