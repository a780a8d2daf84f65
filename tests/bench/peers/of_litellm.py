"""LiteLLM's `trim_messages`."""

import importlib
import os
from typing import Any

from tests.bench.peers.pipe import Asked, Counting, Made

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
_litellm: Any = importlib.import_module("litellm.utils")


def trim_messages(asked: Asked, counting: Counting) -> Made:
    return Made(
        messages=_litellm.trim_messages(asked.messages, model="gpt-4o", max_tokens=asked.budget_tokens)
    )
