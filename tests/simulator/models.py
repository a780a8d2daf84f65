"""The models that the simulator offers, and what each family does its own way."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Family(StrEnum):
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    DEEPSEEK = "deepseek"
    GEMINI = "gemini"
    QWEN = "qwen"


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheRule:
    """How a family caches prompts.

    `step_tokens` 0 means: only at `cache_control` markers. `ttl_s` is the lifetime after the last use
    (Anthropic's markers may ask for an hour instead).
    """

    minimum_tokens: int
    step_tokens: int = 0
    ttl_s: float = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One row of the table. `pattern` must match the whole name after the last slash."""

    pattern: str
    family: Family
    listed: tuple[str, ...]
    window_tokens: int
    output_tokens: int
    cache: CacheRule
    shares_window: bool = True  # input + max_tokens must fit into the window
    reasons: bool = False  # answers with reasoning without being asked
    demands_reasoning: str = ""  # DeepSeek: "turn" or "always" (see openai_family_refusals.py)
    demands_signatures: bool = False  # Gemini 3
    fixed_sampling: bool = False  # OpenAI's reasoning models: no max_tokens, no temperature
    sees_images: bool = True
    prefill: bool = True
    adaptive_only: bool = False  # Claude: thinking.type "enabled" is refused
    keeps_thinking: bool = False  # Claude: thinking of earlier turns stays part of the prompt
    binds_thinking: bool = False  # Claude: thinking is refused once what stood before it reads otherwise
    images: int = 100  # most images in one Anthropic request


_OPENAI = CacheRule(minimum_tokens=1024, step_tokens=128, ttl_s=600)
_DEEPSEEK = CacheRule(minimum_tokens=64, step_tokens=64, ttl_s=3600)
_GEMINI = CacheRule(minimum_tokens=2048, step_tokens=1, ttl_s=3600)
_M = 1_000_000

MODELS: tuple[Model, ...] = (  # the first match wins
    Model(
        pattern=r"openai-small", family=Family.OPENAI, listed=("openai-small",),
        window_tokens=8192, output_tokens=4096, cache=_OPENAI,
    ),
    Model(
        pattern=r"(gpt-[5-9]|o[1-9]|openai-reasoning).*", family=Family.OPENAI,
        listed=("gpt-5", "openai-reasoning"), window_tokens=272_000, output_tokens=128_000, cache=_OPENAI,
        shares_window=False, reasons=True, fixed_sampling=True,
    ),
    Model(
        pattern=r"(gpt|openai)-.*", family=Family.OPENAI, listed=("gpt-4o", "openai-standard"),
        window_tokens=128_000, output_tokens=16_384, cache=_OPENAI,
    ),
    Model(
        pattern=r"claude-small", family=Family.ANTHROPIC, listed=("claude-small",),
        window_tokens=8192, output_tokens=4096, cache=CacheRule(minimum_tokens=1024),
    ),
    Model(
        pattern=r"claude-(opus|sonnet|haiku)-5-5.*", family=Family.ANTHROPIC, listed=("claude-opus-5-5",),
        window_tokens=_M, output_tokens=128_000, cache=CacheRule(minimum_tokens=512), shares_window=False,
        prefill=False, adaptive_only=True, keeps_thinking=True, binds_thinking=True, images=600,
    ),
    Model(
        pattern=r"claude-opus-4-[78].*", family=Family.ANTHROPIC, listed=("claude-opus-4-7",),
        window_tokens=_M, output_tokens=128_000, cache=CacheRule(minimum_tokens=2048), shares_window=False,
        prefill=False, adaptive_only=True, keeps_thinking=True, images=600,
    ),
    Model(
        pattern=r"claude-opus-4-6.*", family=Family.ANTHROPIC, listed=("claude-opus-4-6",),
        window_tokens=_M, output_tokens=128_000, cache=CacheRule(minimum_tokens=4096), shares_window=False,
        prefill=False, keeps_thinking=True, images=600,
    ),
    Model(
        pattern=r"claude-opus-4-5.*", family=Family.ANTHROPIC, listed=("claude-opus-4-5",),
        window_tokens=200_000, output_tokens=64_000, cache=CacheRule(minimum_tokens=4096), shares_window=False,
        keeps_thinking=True,
    ),
    Model(
        pattern=r"claude-haiku-4-5.*", family=Family.ANTHROPIC, listed=("claude-haiku-4-5",),
        window_tokens=200_000, output_tokens=64_000, cache=CacheRule(minimum_tokens=4096), shares_window=False,
    ),
    Model(
        pattern=r"claude-sonnet-4-5.*", family=Family.ANTHROPIC, listed=("claude-sonnet-4-5",),
        window_tokens=200_000, output_tokens=64_000, cache=CacheRule(minimum_tokens=1024), shares_window=False,
    ),
    Model(
        pattern=r"claude-.*haiku.*", family=Family.ANTHROPIC, listed=("claude-3-5-haiku-latest",),
        window_tokens=200_000, output_tokens=8192, cache=CacheRule(minimum_tokens=2048),
    ),
    Model(
        pattern=r"claude-.*", family=Family.ANTHROPIC, listed=("claude-sonnet-4-20250514",),
        window_tokens=200_000, output_tokens=64_000, cache=CacheRule(minimum_tokens=1024),
    ),
    Model(
        pattern=r"deepseek-v4.*", family=Family.DEEPSEEK, listed=("deepseek-v4-flash",), window_tokens=_M,
        output_tokens=393_216, cache=_DEEPSEEK, reasons=True, demands_reasoning="always", sees_images=False,
    ),
    Model(
        pattern=r"deepseek-reasoner.*", family=Family.DEEPSEEK, listed=("deepseek-reasoner",),
        window_tokens=131_072, output_tokens=65_536, cache=_DEEPSEEK, reasons=True, demands_reasoning="turn",
        sees_images=False,
    ),
    Model(
        pattern=r"deepseek-.*", family=Family.DEEPSEEK, listed=("deepseek-chat",), window_tokens=131_072,
        output_tokens=8192, cache=_DEEPSEEK, sees_images=False,
    ),
    Model(
        pattern=r"gemini-[3-9].*", family=Family.GEMINI, listed=("gemini-3-pro-preview",),
        window_tokens=1_048_576, output_tokens=65_536, cache=_GEMINI, shares_window=False, reasons=True,
        demands_signatures=True,
    ),
    Model(
        pattern=r"gemini-.*", family=Family.GEMINI, listed=("gemini-2.5-flash",), window_tokens=1_048_576,
        output_tokens=65_536, cache=replace(_GEMINI, minimum_tokens=1024), shares_window=False,
    ),
    Model(
        pattern=r"qwen.*", family=Family.QWEN, listed=("qwen-plus",), window_tokens=129_024,
        output_tokens=16_384, cache=CacheRule(minimum_tokens=1024), shares_window=False,
    ),
)  # fmt: skip


def find_model(
    name: str, *, extra: tuple[Model, ...] = (), windows: Mapping[str, int] | None = None
) -> Model | None:
    """The row for `name`, `extra` rows first; `windows` replaces a model's window by its full name."""
    bare = name.rsplit("/", 1)[-1]
    for model in (*extra, *MODELS):
        if re.fullmatch(model.pattern, bare):
            window = (windows or {}).get(bare)
            return replace(model, window_tokens=window) if window else model
    return None
