"""The system text: static per mode, family and language, so that it never breaks the prompt cache (A9, P1)."""

from collections.abc import Iterable, Mapping

from app.core.requests import Prelude, ToolSpec

Prompts = Mapping[str, str]
"""Texts of `resources/prompts/` by file stem, as `naked.en`, and of its sections, as `sections/identity.en`."""

_DISCIPLINE = "execution_discipline.{discipline}"
_WITH_TOOLS = ("tool_use_enforcement", "agent_behavior_rules", "escalation_contract", _DISCIPLINE)
MODES: Mapping[str, tuple[str, ...]] = {
    "full": ("identity", "ruleset", "response_rules", "security_rules", "task_integrity"),
    "lean": ("identity", "security_rules", "task_integrity"),
    "naked": ("naked",),
    "search": ("search", "security_rules"),
}
"""The sections of each mode, in their order; what is said of tools comes after them where there are any."""
_OF_TOOLS: Mapping[str, tuple[str, ...]] = {
    "full": _WITH_TOOLS,
    "lean": ("tool_guidance", _DISCIPLINE),
    "naked": ("security_rules", "tool_guidance"),
    "search": ("tool_guidance",),
}


def prelude(
    prompts: Prompts,
    *,
    mode: str,
    language: str,
    instructions: str,
    discipline: str = "",
    tools: Iterable[ToolSpec] = (),
) -> Prelude:
    """What stands before every message: the mode's sections, then what the person asks for in each chat.

    A language without a text of its own gets the English one.

    Args:
        discipline: The family's, see `Family.discipline`.
    """
    listed = tuple(sorted(tools, key=lambda tool: tool.name))
    names = (*MODES[mode], *(_OF_TOOLS[mode] if listed else ()))
    sections = [_section(prompts, name.format(discipline=discipline), language) for name in names]
    if instructions.strip():
        sections.append(f"<user_instructions>\n{instructions.strip()}\n</user_instructions>")
    return Prelude(system="\n\n".join(filter(None, sections)), tools=listed)


def _section(prompts: Prompts, name: str, language: str) -> str:
    found = (
        prompts.get(f"{place}{name}.{spoken}") for spoken in (language, "en") for place in ("sections/", "")
    )
    return next(filter(None, found), "").strip()
