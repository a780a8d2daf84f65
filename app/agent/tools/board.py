"""`task_board`: the tasks of a chat, as its calls tell them; the branch that is shown has the board it had (A15)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, Field, ValidationError

from app.agent.tools.tool import BuiltIn, Given, Place
from app.core.entries import Entry

_NAME = "task_board"


class TaskStatus(StrEnum):
    OPEN = "open"
    DOING = "doing"
    DONE = "done"
    BLOCKED = "blocked"
    DROPPED = "dropped"


class TaskChange(BaseModel):
    id: str = Field(min_length=1, max_length=40, description="Yours: short, and the same for the same task.")
    title: str = Field(default="", max_length=200, description="Empty: as it was.")
    status: TaskStatus = TaskStatus.OPEN
    owner: str = Field(default="", max_length=60, description="Who does it; empty: as it was.")
    phase: str = Field(default="", max_length=60, description="What it belongs to; empty: as it was.")


class TaskBoard(BaseModel):
    tasks: list[TaskChange] = Field(
        min_length=1, max_length=50, description="New tasks, and those that changed; the others stay."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    id: str
    title: str
    status: TaskStatus
    owner: str = ""
    phase: str = ""


def board_of(path: Sequence[Entry]) -> tuple[Task, ...]:
    """The board after all calls of `path` that were answered well, in the order in which tasks were added."""
    board: dict[str, Task] = {}
    failed = {part.call_id for entry in path for part in entry.results if part.is_error}
    for entry in path:
        for call in entry.calls:
            if call.name == _NAME and call.call_id not in failed and isinstance(call.arguments, str):
                _apply(board, call.arguments)
    return tuple(board.values())


def _apply(board: dict[str, Task], arguments: str) -> None:
    try:
        changes = TaskBoard.model_validate_json(arguments).tasks
    except ValidationError:
        return
    for change in changes:
        before = board.get(change.id)
        board[change.id] = Task(
            id=change.id,
            title=change.title or (before.title if before else change.id),
            status=change.status,
            owner=change.owner or (before.owner if before else ""),
            phase=change.phase or (before.phase if before else ""),
        )


async def _task_board(wanted: TaskBoard, place: Place) -> Given:
    board = {task.id: task for task in board_of(place.path())}
    _apply(board, json.dumps(wanted.model_dump(mode="json")))
    left = sum(task.status in (TaskStatus.OPEN, TaskStatus.DOING) for task in board.values())
    lines = (f"[{task.status}] {task.id}: {task.title}{_by(task)}" for task in board.values())
    return Given(text="\n".join((*lines, f"({left} left)")))


def _by(task: Task) -> str:
    return f" — {task.owner}" if task.owner else ""


TASK_BOARD = BuiltIn(
    name=_NAME,
    description="Add tasks to the board that the person sees, or change their status. Tell each step as it is done.",
    arguments=TaskBoard,
    deed=_task_board,
)
