"""The hash chain over a request's blocks: what is sealed, and whether an old request is a prefix of the next.

Block = one part of one message in canonical bytes; h₀ = H(model, prelude), hᵢ = H(hᵢ₋₁ ‖ blockᵢ).
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import fields
from functools import cache

from app.core.ids import ModelId
from app.core.parts import Blob, Part
from app.core.requests import Message, Prelude


def prelude_hash(prelude: Prelude) -> str:
    """Names a prelude by its content: system text and tools, in order."""
    tools = [[tool.name, tool.description, tool.schema] for tool in prelude.tools]
    return hashlib.sha256(_canonical([prelude.system, tools])).hexdigest()


def start_of_chain(model: ModelId, prelude: str) -> bytes:
    """h₀ of a model and a prelude's hash."""
    return hashlib.sha256(_canonical([model, prelude])).digest()


def extend_chain(tip: bytes, messages: Iterable[Message]) -> Iterable[bytes]:
    """The hashes after each block of `messages`, in order."""
    for message in messages:
        for index, part in enumerate(message.parts):
            head = [message.role.value, index, message.provider_fields if index == 0 else ""]
            tip = hashlib.sha256(tip + _canonical([head, _part_value(part)])).digest()
            yield tip


def _part_value(part: Part) -> list[object]:
    values = [getattr(part, name) for name in _names_of(type(part))]
    return [type(part).__name__, *[value.sha256 if isinstance(value, Blob) else value for value in values]]


@cache
def _names_of(kind: type[Part]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""`json.dumps` with these makes an encoder a block."""


def _canonical(value: object) -> bytes:
    return _encode(value).encode()
