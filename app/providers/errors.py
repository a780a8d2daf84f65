"""What went wrong at a provider, told in words: a code, its sentence, its hint and its buttons.

The worker makes a `Fault` of whatever was raised (faults.py); the window's process makes the error of it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from app.core.errors import Action, ContextTooLong, Overloaded, ProviderError, RateLimited, Unreachable
from app.settings import Endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A failure as it crosses the pipe; `detail` holds the other side's words, without secrets."""

    code: str
    detail: str = ""
    facts: Mapping[str, str | float] = field(default_factory=dict[str, "str | float"])


class Failed(Exception):
    """A request ended with a fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """How a code is told. The texts are formats over the error's `facts`; translations use the same fields."""

    kind: type[ProviderError] = ProviderError
    message: str
    hint: str = ""
    actions: tuple[Action, ...] = (Action.RETRY, Action.COPY)


_SETTINGS = (Action.SETTINGS, Action.COPY)
_SETTINGS_FIRST = (Action.SETTINGS, Action.RETRY, Action.COPY)
_REACH = (Action.RETRY, Action.SETTINGS, Action.COPY)
_MODEL = (Action.RETRY, Action.MODEL, Action.COPY)

SENTENCES: Mapping[str, Sentence] = {
    "refused": Sentence(
        kind=Unreachable,
        message="Nothing listens at {host}.",
        hint="Is the server running, and is the address right?",
        actions=_REACH,
    ),
    "dns": Sentence(
        kind=Unreachable,
        message="The name {host} could not be found.",
        hint="Check the address, and whether this computer is online.",
        actions=_REACH,
    ),
    "tls": Sentence(
        kind=Unreachable,
        message="No secure connection to {host}: its certificate was not accepted.",
        hint="Behind a company's proxy, set its CA file at the provider.",
        actions=_SETTINGS_FIRST,
    ),
    "proxy": Sentence(
        kind=Unreachable,
        message="The proxy on the way to {host} refused.",
        hint="Check the proxy at the provider.",
        actions=_SETTINGS_FIRST,
    ),
    "unreachable": Sentence(
        kind=Unreachable,
        message="{host} cannot be reached.",
        hint="Check the network and the address.",
        actions=_REACH,
    ),
    "timeout": Sentence(kind=Unreachable, message="{name} did not answer in time.", actions=_MODEL),
    "disconnected": Sentence(
        kind=Unreachable, message="{name} closed the connection before it answered.", actions=_REACH
    ),
    "stalled": Sentence(
        message="The answer of {name} stood still for too long and was ended.",
        hint="What had arrived is kept.",
        actions=_MODEL,
    ),
    "key_missing": Sentence(
        message="{name} needs a key, and none is set.",
        hint="Enter it at the provider; your text stays here.",
        actions=_SETTINGS,
    ),
    "key_wrong": Sentence(
        message="{name} did not accept the key.",
        hint="Check the key at the provider.",
        actions=_SETTINGS_FIRST,
    ),
    "forbidden": Sentence(
        message="{name} does not allow this key to use {model}.",
        hint="Check what the key may do, or choose another model.",
        actions=(Action.SETTINGS, Action.MODEL, Action.COPY),
    ),
    "quota": Sentence(
        message="The account at {name} has no credit left.",
        hint="Top it up there, or choose another model.",
        actions=_MODEL,
    ),
    "rate_limited": Sentence(
        kind=RateLimited,
        message="{name} gets too many requests from this key.",
        hint="A moment later it may work.",
        actions=_MODEL,
    ),
    "overloaded": Sentence(
        kind=Overloaded,
        message="{name} is overloaded.",
        hint="A moment later it may work.",
        actions=_MODEL,
    ),
    "server_error": Sentence(
        kind=Overloaded,
        message="{name} had an error of its own.",
        hint="A moment later it may work.",
        actions=_MODEL,
    ),
    "context_too_long": Sentence(
        kind=ContextTooLong,
        message="The conversation is longer than {model} can take.",
        hint="Compress it, or go on in a fork.",
        actions=ContextTooLong.actions,
    ),
    "model_missing": Sentence(
        message="{name} has no model {model!r}.",
        hint="Choose another model, or fetch the list anew.",
        actions=(Action.MODEL, Action.SETTINGS, Action.COPY),
    ),
    "bad_request": Sentence(
        message="{name} did not take the request.",
        hint="Its own words are below.",
        actions=_MODEL,
    ),
    "too_large": Sentence(
        message="The request is larger than {name} takes.",
        hint="Compress it, or leave out attachments.",
        actions=ContextTooLong.actions,
    ),
    "content_refused": Sentence(
        message="{name} refused this content.",
        hint="Its own words are below.",
        actions=(Action.MODEL, Action.COPY),
    ),
    "cut": Sentence(
        message="The connection to {name} broke in the middle of the answer.",
        hint="What had arrived is kept.",
        actions=_MODEL,
    ),
    "garbage": Sentence(
        message="What {name} sent is no answer that can be read.",
        hint="Is the address that of the API?",
        actions=_REACH,
    ),
    "unknown_outcome": Sentence(
        message="Whether {name} answered is not known: the process that asked ended.",
        hint="A retry may be billed twice.",
    ),
    "worker_died": Sentence(
        message="The process that talks to providers keeps ending.",
        hint="Start the program anew; if it stays so, the log says more.",
    ),
    "local_model": Sentence(
        message="The embedded model did not start.",
        hint="The built-in responder works in any case.",
        actions=_MODEL,
    ),
    "provider": Sentence(
        message="{name} failed in a way not known here.",
        hint="Its own words are below.",
        actions=_MODEL,
    ),
}
"""Every code that a provider's failure can have. `name`, `host` and `model` are always among the facts."""


def to_error(fault: Fault, *, endpoint: Endpoint, model: str) -> ProviderError:
    """The error that a person is told, of the class that its catchers know."""
    sentence = SENTENCES[fault.code]
    host = re.sub(r"^https?://", "", endpoint.base_url).partition("/")[0] or endpoint.name
    facts: dict[str, str | float] = {"name": endpoint.name, "host": host, "model": model, **fault.facts}
    error = sentence.kind(
        sentence.message.format(**facts), hint=sentence.hint.format(**facts), detail=fault.detail, **facts
    )
    error.code = fault.code
    error.actions = sentence.actions
    match error:
        case RateLimited() | Overloaded() if "retry_after_s" in facts:
            error.retry_after_s = float(facts["retry_after_s"])
        case ContextTooLong() if "limit_tokens" in facts:
            error.limit_tokens = int(facts["limit_tokens"])
        case _:
            pass
    return error
