"""How a call says that it can't be done."""

from app.core.errors import AppError


class ToolFailed(AppError):
    """A call could not do what it was asked; the sentence is its result, written for the model."""

    code = "tool_failed"
