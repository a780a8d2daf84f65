"""What the preview of a compression shows: the last plan, and what goes on beside it."""

from dataclasses import dataclass
from enum import Enum, auto
from math import isinf

from app.chats.previewing import Preview


class Work(Enum):
    """What is under way; nothing of it changes the chat."""

    NONE = auto()
    PLANNING = auto()
    WRITING = auto()
    """A model writes the summary, kept until it is applied."""


class Worth(Enum):
    """What a plan is worth, by the share that it frees."""

    NOTHING = auto()
    LITTLE = auto()
    """Less than a tenth (C7): told with the figure, and asked."""
    MUCH = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewState:
    title: str = ""
    """Of the chat; empty: it has none."""
    work: Work = Work.PLANNING
    step: str = ""
    """Of the pipeline, by its name; empty: before the first."""
    elapsed_s: int = 0
    """Since `work` began."""
    preview: Preview | None = None
    """The last plan; while a newer one is made it is out of date."""
    topic: str = ""
    target_tokens: int | None = None
    """None: what the plan itself aims at."""
    error: str = ""
    """Why there is no newer plan, in words."""

    @property
    def worth(self) -> Worth:
        return worth_of(self.preview) if self.preview else Worth.NOTHING

    @property
    def can_apply(self) -> bool:
        return self.work is Work.NONE and self.worth is not Worth.NOTHING

    @property
    def can_write(self) -> bool:
        """Whether a model would write a summary that is only priced yet."""
        return self.can_apply and self.preview is not None and self.preview.summing is not None


def worth_of(preview: Preview) -> Worth:
    if not preview.is_possible:
        return Worth.NOTHING
    return Worth.MUCH if preview.is_worth_it else Worth.LITTLE


def whole_tokens(preview: Preview) -> int:
    """What the bars stand for: the window, or what there is where that is not known."""
    return preview.standing.fill.window.tokens or preview.tokens_before


def pays_back(preview: Preview) -> int | None:
    """After so many turns; None: never."""
    turns = preview.rewriting.pay_back
    return None if isinf(turns) else -int(-turns // 1)
