"""headroom's `compress`: what tools said in its own forms, with handles to what was taken out of them."""

import importlib
import os
import re
from typing import Any

from tests.bench.peers.pipe import Asked, Counting, Made, text_of

os.environ["HEADROOM_OFFLINE"] = "1"
_headroom: Any = importlib.import_module("headroom")
_store: Any = importlib.import_module("headroom.cache.compression_store")

_HANDLE = re.compile(r"(?:<<ccr:|hash=)([a-f0-9]{12,24})")


def compress(asked: Asked, counting: Counting) -> Made:
    return _compressed(asked)


def compress_most(asked: Asked, counting: Counting) -> Made:
    """Its strongest profile, on everybody's words."""
    return _compressed(
        asked, savings_profile="agent-90", compress_user_messages=True, protect_recent=0, target_ratio=0.25
    )


def _compressed(asked: Asked, **settings: object) -> Made:
    store = _store.get_compression_store()
    found = _headroom.compress(
        asked.messages, model="gpt-4o", model_limit=asked.budget_tokens, kompress_model="disabled", **settings
    )

    def behind() -> str:
        named = dict.fromkeys(_HANDLE.findall(text_of(found.messages)))
        entries = [store.retrieve(handle) for handle in named]
        return "\n".join(str(entry.original_content) for entry in entries if entry is not None)

    return Made(messages=found.messages, behind=behind)
