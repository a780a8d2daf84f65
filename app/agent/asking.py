"""A context as a request: as it stands, mended where its family would refuse it (C31, C32)."""

from collections.abc import Sequence
from itertools import chain

from app.agent.execution import Execution
from app.agent.tools.skills import allowed_tools, loaded_skill
from app.context.bound import still_bound
from app.context.context import Context
from app.context.validate import last_look
from app.core.records import RequestRecord
from app.core.requests import Request


async def request_of(
    context: Context,
    execution: Execution,
    made: Sequence[RequestRecord],
    *,
    cache_key: str,
    until: int | None = None,
) -> Request:
    """What is sent of a context; without marks, for which it is measured first.

    Args:
        made: The chat's requests so far.
        until: Only so many first messages; all but the assistant's last ones at least.
    Raises:
        ProviderError: it would be refused, and nothing here can mend it.
    """
    messages = tuple(context.messages[:until])
    if execution.family.thinking.is_bound:
        messages = still_bound(messages, context, made)
    request = Request(
        model=execution.model,
        prelude=context.prelude,
        messages=messages,
        sampling=execution.sampling,
        cache_key=cache_key,
        allowed_tools=_allowed(context, execution),
    )
    return await last_look(request, context, execution.family)


def _allowed(context: Context, execution: Execution) -> tuple[str, ...]:
    """What the skill that is loaded leaves of the tools (A20)."""
    if not execution.skills:
        return ()
    path = tuple(chain.from_iterable(item.entries for item in context.items))
    offered = (tool.name for tool in context.prelude.tools)
    return allowed_tools(loaded_skill(path, execution.skills), offered)
