"""The text that stands for a run, made to fit its room: fields, excerpts, recall, ledger, exact values (C12, C15)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from pydantic import JsonValue

from app.context.digest import digest
from app.context.facts import TurnFacts
from app.context.ledger import active, is_ban, within_budget
from app.context.redaction import Pseudonyms, redact
from app.context.summary.exact_values import ExactValue, as_lines, chosen, values_in
from app.context.summary.fields import KeptSummary
from app.context.summary.recall import recall
from app.context.summary.rendering import RECALL_CLOSE, RECALL_OPEN, Section, harmless, render
from app.context.summary.run import Run
from app.core.ids import EntryId
from app.core.ledger import LedgerItem
from app.core.parts import Part, TextPart, ToolCallPart, ToolResultPart, body_of
from app.filters.telling import words_of

_VALUES_SHARE_OF_WINDOW, _VALUES_SHARE_OF_ROOM = 0.03, 0.15
_FIELDS_SHARE = 0.3
"""Of the room, when the fields were filled by rule: excerpts say more."""
_RECALL_SHARE = 0.1
_EXCERPT_SHARE_OFFLINE, _EXCERPT_SHARE = 0.8, 0.2
"""Of the run: beside a model's summary excerpts only help out."""
_LEAST_EXCERPT_TOKENS = 60
_TERM_CHARS = 4
_HEADINGS = {
    "en": {
        "excerpts": "From the conversation, word for word",
        "recall": "On the present question",
        "ledger": "What the person laid down, word for word",
        "values": "Exact values",
    },
    "zh": {
        "excerpts": "对话原文摘录",
        "recall": "与当前问题有关",
        "ledger": "用户定下的规则与决定（原话）",
        "values": "精确数值",
    },
}
LEDGER_HEADINGS = frozenset(headings["ledger"] for headings in _HEADINGS.values())
_LEAST_TOLD = (
    "resolved_questions",
    "key_findings",
    "key_decisions",
    "completed_actions",
    "pending_user_asks",
    "errors_and_fixes",
    "active_state",
    "last_action",
    "next_steps",
    "blocked_items",
    "files_modified",
    "constraints_and_preferences",
    "user_goal",
    "active_task",
)
"""Fields in the order in which they give way where there is no room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What is known of the run by rule, gathered once."""

    run: Run
    turn: TurnFacts
    language: str
    language_name: str
    ledger: tuple[LedgerItem, ...]
    values: tuple[ExactValue, ...]
    pseudonyms: Pseudonyms = field(default_factory=Pseudonyms)

    def tokens(self, text: str) -> int:
        return self.turn.tokens(TextPart(text=text)) if text else 0

    def redacted(self, text: str) -> str:
        """Without secrets."""
        return redact(text, self.pseudonyms, hides_personal_data=self.turn.hides_personal_data)[0]

    def hidden(self, text: str) -> str:
        """Without secrets, and unable to pass for our own words."""
        return harmless(self.redacted(text))


def compose(summary: KeptSummary, material: Material, room_tokens: int) -> str:
    """`summary`, without secrets already, and all that goes with it, in about `room_tokens` by our count.

    Bans stand in it whatever the room.
    """
    share = _FIELDS_SHARE if summary.is_offline else 1.0
    summary = _shrunk(summary, material, round(share * room_tokens))
    ledger = _ledger_lines(material)
    used = material.tokens(render(summary, language=material.language)) + material.tokens(ledger)
    room = room_tokens - used
    facts = _recalled(material, room)
    room -= material.tokens(facts)
    values_room = min(
        _VALUES_SHARE_OF_WINDOW * (material.turn.window_tokens or room_tokens),
        _VALUES_SHARE_OF_ROOM * max(room, 0),
    )
    excerpts = _excerpts(summary, material, round(room - values_room))
    held = "\n".join((render(summary, language=material.language), ledger, facts, excerpts))
    spare = room - material.tokens(excerpts)
    values_room = max(min(values_room, spare), 0)
    values = chosen(_missing(material, held), values_room, material.tokens, beside=held)
    headings = _headings(material.language)
    return render(
        summary,
        language=material.language,
        sections=(
            Section(heading=headings["excerpts"], body=excerpts),
            Section(heading=headings["recall"], body=facts),
            Section(heading=headings["ledger"], body=ledger),
            Section(heading=headings["values"], body=as_lines(values)),
        ),
    )


def _headings(language: str) -> Mapping[str, str]:
    return _HEADINGS.get(language, _HEADINGS["en"])


def ledger_heading(language: str) -> str:
    return _headings(language)["ledger"]


def excerpt_share(summary: KeptSummary) -> float:
    return _EXCERPT_SHARE_OFFLINE if summary.is_offline else _EXCERPT_SHARE


def map_texts(summary: KeptSummary, change: Callable[[str], str]) -> KeptSummary:
    """Each text of it changed; the address is none."""

    def deep(value: JsonValue) -> JsonValue:
        match value:
            case str():
                return change(value)
            case list():
                return [deep(item) for item in value]
            case dict():
                return {key: deep(item) for key, item in value.items()}
            case _:
                return value

    values: dict[str, JsonValue] = summary.model_dump(mode="json")
    changed = {name: deep(value) for name, value in values.items()}
    return KeptSummary.model_validate({**changed, "history": summary.history})


def _shrunk(summary: KeptSummary, material: Material, room: int) -> KeptSummary:
    """With fewer items, then without fields, until it fits; the open request goes last."""

    def is_small(fewer: KeptSummary) -> bool:
        return material.tokens(render(fewer, language=material.language)) <= room

    for keep in (5, 3, 1, 0):
        for name in _LEAST_TOLD:
            if is_small(summary):
                return summary
            value: object = getattr(summary, name)
            if isinstance(value, str):
                update: object = value if keep else ""
            else:
                update = cast("tuple[object, ...]", value)[-keep:] if keep else ()
            summary = summary.model_copy(update={name: update})
    return summary


def _ledger_lines(material: Material) -> str:
    """Active lines whose source is not shown beside the summary, and those that have none; bans always."""
    shown: set[EntryId] = {entry.id for item in material.run.beside for entry in item.entries}
    lines = [line for line in active(material.ledger) if line.entry_id not in shown or line.is_manual]
    kept = within_budget(lines, material.turn.window_tokens, material.tokens)
    return "\n".join(f"- {material.hidden(line.text)}" for line in kept)


def _recalled(material: Material, room: int) -> str:
    query = " ".join((material.turn.intent.topic, material.turn.intent.goal))
    limit = _RECALL_SHARE * max(room, 0)
    facts = recall(material.run.entries, query, room_tokens=limit, tokens=material.tokens)
    if not facts:
        return ""
    body = "\n".join(f"- {material.hidden(fact)}" for fact in facts)
    return f"{RECALL_OPEN}\n{body}\n{RECALL_CLOSE}"


def _excerpts(summary: KeptSummary, material: Material, room: int) -> str:
    run, turn = material.run, material.turn
    said = sum(turn.tokens(part) for entry in run.entries for part in entry.parts)
    limit = min(room, round(excerpt_share(summary) * said))
    if limit < _LEAST_EXCERPT_TOKENS:
        return ""
    intent = turn.intent
    terms = {*intent.files, *intent.modules, intent.topic, *_terms(intent.goal)} - {""}
    return material.hidden(
        digest(run.covered, limit, tokens=turn.tokens, terms=terms, covered=_covering(summary, run))
    )


def _terms(goal: str) -> list[str]:
    return [word for word in words_of(goal) if len(word) >= _TERM_CHARS]


def _covering(summary: KeptSummary, run: Run) -> Sequence[Part]:
    return (*run.kept_parts, TextPart(text=render(summary, language="en")))


def _missing(material: Material, held: str) -> Sequence[ExactValue]:
    """What neither the replacement so far nor what stays beside it says, as far as their own values tell."""
    told = {value.text for value in values_in(held)}
    for part in material.run.kept_parts:
        body = body_of(part)
        is_data = isinstance(part, ToolCallPart | ToolResultPart)
        if isinstance(body, str):
            told.update(value.text for value in values_in(body, is_data=is_data))
    return [value for value in _pseudonymous(material) if value.text not in told]


def _pseudonymous(material: Material) -> Sequence[ExactValue]:
    """The values as a summary may hold them: what is hidden is compared by its pseudonym (C16)."""
    found = (
        value._replace(
            text=harmless(material.pseudonyms.hidden(value.text)),
            key=harmless(material.pseudonyms.hidden(value.key)),
        )
        for value in material.values
        if not (value.is_own and is_ban(value.text) and _is_in_ledger(value, material))
    )
    return tuple(value for value in found if value.text)


def _is_in_ledger(value: ExactValue, material: Material) -> bool:
    """A ban that was lifted since is not brought back as a value."""
    return any(line.entry_id == value.entry_id and line.text == value.text[:160] for line in material.ledger)
