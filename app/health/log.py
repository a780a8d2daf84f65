"""What the panel shows of a chat, made of what is stored: read once, and after that only what is new (U5).

A log that followed a chat and one that has just been made say the same, so a restart changes no figure.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from app.context.budget import Growth
from app.context.plan import saved_little
from app.context.returns import PRUNING, ReadAgain, Readings, did_not_pay, prunings
from app.core.entries import Entry
from app.core.folds import Fold
from app.core.ids import CompactionId, EntryId
from app.core.records import PUT_BACK, Compaction, RequestRecord
from app.health.cache import TermsOf
from app.health.compaction import CompactionCard, compaction_card, made_of
from app.health.course import Course, course_of
from app.health.information import Information
from app.health.metrics import Metrics, metrics_of
from app.health.pruning import BackOff, Deferral, PruningCard, VaultUse, pruning_card
from app.health.standing import CountOf, StandingFolds


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What the store holds of an open chat, as of one moment."""

    path: tuple[Entry, ...]
    """The shown branch, root to head."""
    folds: tuple[Fold, ...]
    compactions: tuple[Compaction, ...]
    requests: tuple[RequestRecord, ...]
    """Those that sent the chat itself."""
    paid: tuple[RequestRecord, ...] = ()
    """All that it made, with those of its sub-agents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What is not stored with the chat: of its model, and of now."""

    terms_of: TermsOf
    growth: Growth
    write_share: float = 1.0
    """What writing a token to the cache costs, of what reading a new one does."""
    used_tokens: int = 0
    """Of the next request, at least: what stages go by."""
    window_tokens: int = 0
    deferred: Mapping[Deferral, int] = field(default_factory=dict[Deferral, int])
    is_breaker_open: bool = False
    is_held: bool = False
    """What could go waits for a cold moment."""
    is_watching: bool = False
    information: Information = field(default_factory=Information)
    """Read only where somebody looks at it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A line of the timeline."""

    compaction: Compaction
    is_undone: bool
    is_put_back: bool

    @property
    def id(self) -> CompactionId:
        return self.compaction.id


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFacts:
    compaction: CompactionCard
    pruning: PruningCard
    course: Course
    metrics: Metrics
    information: Information
    """Empty where nobody looks at it."""
    growth: Growth
    timeline: tuple[Made, ...]
    """Oldest first."""


class HealthLog:
    """Of one chat; asked from one thread at a time."""

    def __init__(self) -> None:
        self._last: Stored | None = None
        self._place: dict[EntryId, int] = {}
        self._use = VaultUse()
        self._readings = Readings((), ())
        self._standing = StandingFolds((), {}, ())
        self._made: tuple[Compaction, ...] = ()
        self._pruned: list[Compaction] = []
        self._of_pruned = Readings((), ())

    def read(self, stored: Stored, moment: Moment, count: CountOf) -> HealthFacts:
        """Args: `count`: of a part, as the chat's model reads it."""
        self._follow(stored)
        standing = self._standing.read(count)
        read = _counted(self._readings, count)
        compaction = compaction_card(
            stored.compactions, stored.folds, standing, read, is_breaker_open=moment.is_breaker_open
        )
        return HealthFacts(
            compaction=compaction,
            pruning=pruning_card(
                self._use,
                standing,
                stored.requests,
                restored_tokens=compaction.read_again_tokens + compaction.put_back_tokens,
                write_share=moment.write_share,
                deferred=moment.deferred,
                backs_off=tuple(self._backs_off(moment, count)),
                is_cold=bool(self._made) and _used_a_cold_cache(self._made[-1]),
                is_held=moment.is_held,
                is_watching=moment.is_watching,
            ),
            course=course_of(stored.requests, self._made, self._place, moment.terms_of),
            metrics=metrics_of(stored.requests, paid=stored.paid, window_tokens=moment.window_tokens),
            information=moment.information,
            growth=moment.growth,
            timeline=_timeline(stored),
        )

    def _backs_off(self, moment: Moment, count: CountOf) -> Iterator[BackOff]:
        if did_not_pay(self._pruned, _counted(self._of_pruned, count)):
            yield BackOff.READ_AGAIN
        use = moment.used_tokens / moment.window_tokens if moment.window_tokens else 0.0
        if saved_little(self._made, use=use, window_tokens=moment.window_tokens):
            yield BackOff.SAVED_LITTLE
        if moment.is_breaker_open:
            yield BackOff.WRITER

    def _follow(self, stored: Stored) -> None:
        last, path = self._last, stored.path
        n_known = len(last.path) if last else 0
        grows = last is not None and len(path) >= n_known and path[:n_known][-1:] == last.path[-1:]
        is_refolded = last is None or (stored.folds, stored.compactions) != (last.folds, last.compactions)
        if not grows:
            n_known, is_refolded = 0, True
            self._place, self._use = {}, VaultUse()
        new = path[n_known:]
        self._place.update((entry.id, at) for at, entry in enumerate(new, start=n_known))
        self._use.take(new)
        if is_refolded:
            self._made = made_of(stored.compactions, stored.folds)
            self._pruned = prunings(self._made)
            self._readings = Readings(stored.folds, self._made)
            self._of_pruned = Readings(stored.folds, self._pruned)
            new = path
            self._standing = StandingFolds(path, self._place, stored.folds)
        self._readings.take(new)
        self._of_pruned.take(new)
        self._last = stored


def _counted(readings: Readings, count: CountOf) -> list[ReadAgain]:
    return [ReadAgain(at, what, count(part).tokens) for at, what, part in readings.found]


def _used_a_cold_cache(made: Compaction) -> bool:
    return any(step.step == PRUNING and step.candidates for step in made.steps)


def _timeline(stored: Stored) -> tuple[Made, ...]:
    alive = {fold.compaction_id for fold in stored.folds if fold.undone_rev is None}
    return tuple(
        Made(compaction=item, is_undone=item.id not in alive, is_put_back=item.trigger == PUT_BACK)
        for item in stored.compactions
    )
