"""What a provider reported of one request, in one meaning for all of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as reported; `prompt_tokens` is everything the model read, cached or not (case B26)."""

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    """Part of `prompt_tokens` that was read from the prompt cache."""
    cache_write_tokens: int = 0
    """Part of `prompt_tokens` that was written to it."""
    cache_write_1h_tokens: int = 0
    """Part of `cache_write_tokens` that was written for an hour, which costs more."""
    reasoning_tokens: int = 0
    """Part of `completion_tokens`."""
    is_estimate: bool = False
    """The provider reported nothing; these are our own counts."""
