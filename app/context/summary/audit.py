"""Whether a summary may stand for its run: required fields, what it kept of the run's names, files as touched (C13).

No model judges it; what is missing is named, so that one retry can ask for exactly that.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.context.facts import FileTouch
from app.context.summary.exact_values import ExactValue, ValueKind, lost, values_of
from app.context.summary.fields import Summary, said_in
from app.context.summary.notes import files_written
from app.core.entries import Entry, Origin
from app.core.parts import Blob, body_of

RETAINED_SHARE = 0.3
_MOST_ENTITIES = 40
"""Of a long run only the names it speaks of most are asked for: fourteen fields hold no more."""
_SMALL_RUN_CHARS = 4_000
_ENTITIES = (ValueKind.ID, ValueKind.LINK, ValueKind.PATH, ValueKind.MONEY, ValueKind.NAME, ValueKind.MODEL)
_DENSE_SHARE = 0.4
"""Of a summary's lines that may say what another says already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    missing_fields: tuple[str, ...]
    missing_entities: tuple[str, ...]
    """Of those that are asked for; the most spoken of first."""
    n_entities: int
    is_repetitive: bool

    @property
    def retained(self) -> float:
        return 1.0 - len(self.missing_entities) / self.n_entities if self.n_entities else 1.0

    @property
    def passes(self) -> bool:
        return not self.missing_fields and self.retained >= RETAINED_SHARE and not self.is_repetitive

    @property
    def score(self) -> float:
        """Of two tries the higher one is kept."""
        return self.retained - len(self.missing_fields) - self.is_repetitive

    @property
    def demands(self) -> tuple[str, ...]:
        """What a second try is asked to put in."""
        return (*self.missing_fields, *(self.missing_entities[:20] if self.retained < RETAINED_SHARE else ()))


def audit(
    summary: Summary,
    run: Sequence[Entry],
    *,
    elsewhere: str = "",
    hidden: Callable[[str], str] = str,
) -> Audit:
    """What `summary` lacks of `run`.

    Args:
        elsewhere: What stays in the context beside the summary, tail and ledger; its names need not be told again.
        hidden: How secrets are told; names are compared, and asked for, without them (C16).
    """
    text = text_of(summary)
    wanted = [value._replace(text=hidden(value.text)) for value in _entities(run, elsewhere)]
    missing = lost(wanted, text)
    lines = [line for line in text.split("\n") if line]
    repeated = len(lines) - len({line.lower() for line in lines})
    return Audit(
        missing_fields=tuple(name for name in _required(run) if not getattr(summary, name)),
        missing_entities=tuple(value.text for value in missing),
        n_entities=len(wanted),
        is_repetitive=bool(lines) and repeated / len(lines) > _DENSE_SHARE,
    )


def mended(summary: Summary, touches: Sequence[FileTouch]) -> Summary:
    """`files_modified` as the tools have it: claims that no touch proves leave, missing files come in.

    Where nothing was recorded at all, nothing can be disproved, and the claims stay.
    """
    if not touches:
        return summary
    return summary.model_copy(update={"files_modified": files_written(touches)[-60:]})


def text_of(summary: Summary) -> str:
    """What all fields say, a line each."""
    lines: list[str] = []
    for name in Summary.model_fields:
        lines.extend(said_in(summary, name))
    return "\n".join(lines)


def _required(run: Sequence[Entry]) -> tuple[str, ...]:
    """By kind of chat: one with tools has done things, one of words has a state; a short one owes less."""
    required = ["user_goal"] if any(entry.origin is Origin.USER for entry in run) else []
    n_chars = sum(_length(entry) for entry in run)
    if n_chars < _SMALL_RUN_CHARS:
        return tuple(required)
    required.append("active_state")
    if sum(bool(entry.calls) for entry in run) >= 3:
        required += ["completed_actions", "last_action"]
    return tuple(required)


def _length(entry: Entry) -> int:
    bodies = map(body_of, entry.parts)
    return sum(body.n_bytes if isinstance(body, Blob) else len(body) for body in bodies)


def _entities(run: Sequence[Entry], elsewhere: str) -> tuple[ExactValue, ...]:
    spoken = values_of(entry for entry in run if entry.origin is not Origin.TOOL)
    names = [value for value in spoken if value.kind in _ENTITIES]
    texts = [entry.text for entry in run if entry.origin is not Origin.TOOL]
    counts = Counter({value.text: sum(value.text in text for text in texts) for value in names[-400:]})
    ranked = sorted(names, key=lambda value: (-counts[value.text], not value.is_own, value.text))
    return lost(ranked[:_MOST_ENTITIES], elsewhere) if elsewhere else tuple(ranked[:_MOST_ENTITIES])
