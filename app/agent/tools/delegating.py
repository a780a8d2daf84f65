"""`delegate`: a task for an agent of its own, which gets a brief and no history, and hands over what came of it (A14)."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from app.agent.tools.board import TaskStatus, board_of
from app.agent.tools.tool import BuiltIn, Given, Handover, Place
from app.context.touches import file_touches
from app.core.entries import Entry

MOST_RESULT_TOKENS = 4_000
_HEADINGS = ("done", "pending", "risks", "files")


class Delegate(BaseModel):
    task: str = Field(min_length=1, description="What is to be done, and how one sees that it is.")
    context: str = Field(
        default="", description="All that must be known for it: it sees nothing of this conversation."
    )
    paths: list[str] = Field(default_factory=list, description="Files and vault:// addresses to begin with.")


def brief(wanted: Delegate) -> str:
    """The only thing that the sub-agent is told."""
    parts = [wanted.task]
    if wanted.context:
        parts.append(wanted.context)
    if wanted.paths:
        parts.append("Begin with: " + ", ".join(wanted.paths))
    parts.append(
        "When you are done, answer with what came of it, and end with four short lists, each under its own "
        "line: Done:, Pending:, Risks:, Files:"
    )
    return "\n\n".join(parts)


def handed_over(found: Handover) -> str:
    """Its text, with the four lists by rule where it gave none."""
    lower = found.text.lower()
    given = {name for name in _HEADINGS if f"{name}:" in lower}
    lists = {name: items for name, items in _by_rule(found.path).items() if name not in given and items}
    told = [found.text.strip() or "(it said nothing)"]
    if found.is_stopped:
        told.append("[the person stopped it before it was done; do not begin it again unasked]")
    elif not found.is_whole:
        told.append("[it was ended before it was done]")
    told += [f"{name.capitalize()}: " + "; ".join(items) for name, items in lists.items()]
    return "\n\n".join(told)


def _by_rule(path: Sequence[Entry]) -> dict[str, list[str]]:
    board = board_of(path)
    return {
        "done": [task.title for task in board if task.status is TaskStatus.DONE],
        "pending": [task.title for task in board if task.status not in (TaskStatus.DONE, TaskStatus.DROPPED)],
        "files": list(dict.fromkeys(touch.path for touch in file_touches(path) if touch.is_write)),
    }


async def _delegate(wanted: Delegate, place: Place) -> Given:
    found = await place.delegate(wanted.task, brief(wanted))
    return Given(text=handed_over(found), is_error=not found.is_whole)


DELEGATE = BuiltIn(
    name="delegate",
    description=(
        "Have a task done by an agent of its own, which sees only what you write here and answers once. Several "
        "calls in one answer run side by side: good for independent, well-bounded work and for long reading."
    ),
    arguments=Delegate,
    deed=_delegate,
    is_side_by_side=True,
)
