"""Names of things: sortable, made once, never reused."""

import os
import time
from typing import NewType

ChatId = NewType("ChatId", str)
EntryId = NewType("EntryId", str)
TurnId = NewType("TurnId", str)
CompactionId = NewType("CompactionId", str)
RequestId = NewType("RequestId", str)
ModelId = NewType("ModelId", str)
"""`provider/name`, as `openai/gpt-4o`; the provider is the id of an endpoint that the person set up."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id(prefix: str) -> str:
    """`prefix` + 26 characters that sort by time of making (48 bits of ms, 80 random; after the ULID scheme)."""
    number = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    return prefix + "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))
