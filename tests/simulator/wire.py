"""Reading JSON whose shape nobody promised: every accessor answers, none raises."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

Body: TypeAlias = Mapping[str, object]


def mapping(value: object) -> Body:
    """`value` if it is a JSON object, else an empty one."""
    return cast(Body, value) if isinstance(value, dict) else {}


def sequence(value: object) -> Sequence[object]:
    """`value` if it is a JSON array, else an empty one."""
    return cast(Sequence[object], value) if isinstance(value, list) else ()


def mappings(value: object) -> list[Body]:
    """The members of a JSON array, each as an object."""
    return [mapping(item) for item in sequence(value)]


def string(value: object) -> str:
    """`value` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def integer(value: object) -> int | None:
    """`value` if it is a number without a fraction (JSON's true and false are none), else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def dumps(value: object) -> str:
    """Compact JSON as the providers send it: no blanks, UTF-8 as it is."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def kind_of(value: object) -> str:
    """What OpenAI calls the type of `value` in its errors."""
    names = {
        "NoneType": "null", "bool": "a boolean", "int": "an integer", "float": "a number", "str": "a string",
        "list": "an array",
    }  # fmt: skip
    return names.get(type(value).__name__, "an object")


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What a provider answers instead of a completion; the form renders it in its provider's JSON."""

    status: int
    message: str
    type: str = "invalid_request_error"
    code: str | None = None
    param: str | None = None
