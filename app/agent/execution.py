"""What a turn runs on: one model at one place, with its facts and its system text, and a name for the whole (A8)."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from app.agent.ports import Target
from app.agent.prompts import Prompts, prelude
from app.core.ids import ModelId
from app.core.requests import Prelude, Sampling
from app.models.registry import ModelFacts
from app.settings import Settings

FINGERPRINTED = (
    "model", "lite_model", "fallback_models", "model_overrides", "max_tokens", "temperature",
    "reasoning_effort", "prompt_mode", "instructions",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """Built before a turn when the fingerprint differs from the last one's; frozen while it runs."""

    fingerprint: str
    target: Target
    facts: ModelFacts
    prelude: Prelude
    sampling: Sampling

    @property
    def model(self) -> ModelId:
        return self.target.model


def compute_execution_fingerprint(
    settings: Settings, target: Target, *, key_version: str, language: str
) -> str:
    """SHA-256 over all that a request depends on beside the conversation.

    Args:
        key_version: Changes when the endpoint's key does; never the key itself.
        language: Of the chat's system text.
    """
    parameters: Mapping[str, object] = {
        **settings.model_dump(include=set(FINGERPRINTED)),
        "endpoint": target.endpoint.model_dump(exclude={"models"}),
        "name": target.name,
        "key_version": key_version,
        "language": language,
    }
    canonical = json.dumps(parameters, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def build_execution(
    settings: Settings,
    target: Target,
    facts: ModelFacts,
    prompts: Prompts,
    *,
    fingerprint: str,
    language: str,
) -> Execution:
    return Execution(
        fingerprint=fingerprint,
        target=target,
        facts=facts,
        prelude=prelude(
            prompts, mode=settings.prompt_mode, language=language, instructions=settings.instructions
        ),
        sampling=Sampling(
            max_tokens=settings.max_tokens,
            temperature=settings.temperature,
            reasoning_effort=settings.reasoning_effort or None,
        ),
    )
