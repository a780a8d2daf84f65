"""Which tools a chat offers its model: what it has a use for, in one order, so that the prompt stays (P1)."""

from app.agent.tools.board import TASK_BOARD
from app.agent.tools.delegating import DELEGATE
from app.agent.tools.editing import FILE_EDIT, FILE_WRITE
from app.agent.tools.finding import LIST_FILES, SEARCH_FILES
from app.agent.tools.reading import FILE_READ
from app.agent.tools.shell import JOB_OUTPUT, JOB_STOP, SHELL
from app.agent.tools.talking import ASK_USER, NOTE
from app.agent.tools.tool import Tool
from app.agent.tools.web import WEB_FETCH, WEB_SEARCH
from app.settings import Settings

ALWAYS: tuple[Tool, ...] = (FILE_READ,)
"""Without it nothing that was folded could be read again."""
IN_A_WORKSPACE: tuple[Tool, ...] = (
    LIST_FILES, SEARCH_FILES, FILE_WRITE, FILE_EDIT, SHELL, JOB_OUTPUT, JOB_STOP, DELEGATE, TASK_BOARD, NOTE,
    ASK_USER,
)  # fmt: skip


def offered(settings: Settings) -> tuple[Tool, ...]:
    """What a chat with these settings offers."""
    if not settings.uses_tools:
        return ()
    found = [*ALWAYS, *(IN_A_WORKSPACE if settings.workspace else ())]
    found += [WEB_FETCH] if settings.web_tools else []
    found += [WEB_SEARCH] if settings.web_tools and settings.search_engine else []
    return tuple(tool for tool in found if tool.spec.name not in settings.tools_off)
