"""The system text: static per mode and language, so that it never breaks the prompt cache (P1)."""

from collections.abc import Iterable, Mapping

from app.core.requests import Prelude, ToolSpec

Prompts = Mapping[str, str]
"""Texts of `resources/prompts/` by file stem, as `naked.en`."""


def prelude(
    prompts: Prompts, *, mode: str, language: str, instructions: str, tools: Iterable[ToolSpec] = ()
) -> Prelude:
    """What stands before every message: the mode's text, then what the person asks for in each chat.

    A mode or language without a text of its own gets the plainest English one.
    """
    text = prompts.get(f"{mode}.{language}") or prompts.get(f"naked.{language}") or prompts["naked.en"]
    if instructions.strip():
        text = f"{text.strip()}\n\n<user_instructions>\n{instructions.strip()}\n</user_instructions>"
    return Prelude(system=text.strip(), tools=tuple(sorted(tools, key=lambda tool: tool.name)))
