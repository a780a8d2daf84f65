"""What the page of usage draws: sums over days, chats or models."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from app.core.records import Spending


class By(StrEnum):
    DAY = "day"
    CHAT = "chat"
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """One line; `name` is a day as ISO 8601, a chat's title (empty: it has none), or a model's id."""

    name: str
    n_requests: int
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    cost_usd: float
    n_unpriced: int
    """Requests of which no price is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageState:
    spending: tuple[Spending, ...] = ()
    by: By = By.DAY
    days: int = 30
    """How far back; 0: all there is."""
    today: date = date.min
    is_read: bool = False

    @property
    def shown(self) -> tuple[Spending, ...]:
        since = self.today - timedelta(days=self.days - 1) if self.days else date.min
        return tuple(each for each in self.spending if each.day >= since)

    @property
    def sums(self) -> tuple[Sum, ...]:
        """Days newest first; chats and models by what they cost, then by what they read."""
        groups: dict[Hashable, list[Spending]] = {}
        for each in self.shown:
            groups.setdefault(
                {By.DAY: each.day, By.CHAT: each.chat_id, By.MODEL: each.model}[self.by], []
            ).append(each)
        sums = [_sum(self._name(group[0]), group) for group in groups.values()]
        if self.by is By.DAY:
            return tuple(sorted(sums, key=lambda each: each.name, reverse=True))
        return tuple(sorted(sums, key=lambda each: (-each.cost_usd, -each.prompt_tokens, each.name)))

    @property
    def total(self) -> Sum:
        return _sum("", self.shown)

    def _name(self, first: Spending) -> str:
        return {By.DAY: first.day.isoformat(), By.CHAT: first.title, By.MODEL: first.model}[self.by]


def _sum(name: str, group: Iterable[Spending]) -> Sum:
    held = tuple(group)
    return Sum(
        name=name,
        n_requests=sum(each.n_requests for each in held),
        prompt_tokens=sum(each.prompt_tokens for each in held),
        cached_tokens=sum(each.cached_tokens for each in held),
        completion_tokens=sum(each.completion_tokens for each in held),
        cost_usd=sum(each.cost_usd for each in held),
        n_unpriced=sum(each.n_unpriced for each in held),
    )
