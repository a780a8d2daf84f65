"""What can go wrong and be told: one sentence for the person, one cause for the log, and what can be done.

AppError                     told at the place it concerns
├── ProviderError            ends the turn; the draft and what had arrived are kept
│   ├── RateLimited          retried after `retry_after_s`
│   ├── Overloaded           retried
│   ├── Unreachable          retried before the first token
│   └── ContextTooLong       answered by folding (C28 L4), else told with Compress and Fork
├── StoreError               nothing was written; the text stays where it was
│   └── OriginalLost         what can be read beside it is; the sentence stands in its place
├── SecretsError             the keyring refused; the key may be kept for this session
└── WorkerDied               a child process of ours ends again and again; its work is not done
"""

from enum import StrEnum


class Action(StrEnum):
    """A button that a notice offers."""

    RETRY = "retry"
    SETTINGS = "settings"
    """Open the provider's page, at the field that is wrong."""
    MODEL = "model"
    COMPRESS = "compress"
    FORK = "fork"
    COPY = "copy"


class AppError(Exception):
    """An expected failure. `code` is stable: translations and tests go by it.

    Args:
        message: What happened, in English, for people; names in it are quoted with `!r`.
        hint: What to do about it; may be empty.
        detail: What the other side said, word for word, without secrets; may be empty.
        facts: Values that a translation of the sentence needs, by name.
    """

    code: str = "error"
    actions: tuple[Action, ...] = ()

    def __init__(self, message: str, *, hint: str = "", detail: str = "", **facts: str | float) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.detail = detail
        self.facts = facts


class StoreError(AppError):
    code = "store"


class OriginalLost(StoreError):
    """A blob is not in the vault, or is not what was put there."""


class SecretsError(AppError):
    code = "secrets"
    actions = (Action.SETTINGS,)


class WorkerDied(AppError):
    code = "worker_died"


class ProviderError(AppError):
    """A request failed. `can_retry`: the same request may work a moment later."""

    code = "provider"
    actions = (Action.RETRY, Action.COPY)
    can_retry: bool = False


class RateLimited(ProviderError):
    code = "rate_limited"
    can_retry = True
    retry_after_s: float | None = None
    """As the provider asked; None: it did not say."""


class Overloaded(ProviderError):
    """The provider is there, but failed or is full (5xx, 529, 408)."""

    code = "overloaded"
    can_retry = True
    retry_after_s: float | None = None


class Unreachable(ProviderError):
    """Nothing answered: refused, no such host, TLS, proxy, time-out. `code` says which."""

    code = "unreachable"
    actions = (Action.RETRY, Action.SETTINGS, Action.COPY)
    can_retry = True


class ContextTooLong(ProviderError):
    """The request did not fit. `limit_tokens`: what its text says of the window; None: nothing."""

    code = "context_too_long"
    actions = (Action.COMPRESS, Action.FORK, Action.MODEL)
    limit_tokens: int | None = None
