"""Hermes' `ContextCompressor`."""

import importlib
from types import SimpleNamespace
from typing import Any

from tests.bench.peers.pipe import Asked, Counting, Made
from tests.bench.peers.stub import facts

_compressor: Any = importlib.import_module("agent.context_compressor")

_SHOWN_FROM, _SHOWN_TO = "TURNS TO SUMMARIZE:\n", "\n\nUse this exact structure:"


def compress(asked: Asked, counting: Counting) -> Made:
    def call_llm(**arguments: Any) -> object:
        prompt = str(arguments["messages"][0]["content"])
        shown = prompt.partition(_SHOWN_FROM)[2].partition(_SHOWN_TO)[0]
        said = facts(shown, cap_tokens=asked.summary_tokens, count=counting)
        message = SimpleNamespace(content="\n".join(said) or "None.")
        return SimpleNamespace(choices=[SimpleNamespace(message=message)])

    _compressor.call_llm = call_llm
    compressor = _compressor.ContextCompressor(
        "gpt-4o", quiet_mode=True, config_context_length=counting.of(asked.messages)
    )
    messages = [dict(message) for message in asked.messages]
    found = compressor.compress(messages, force=True)
    return Made(
        messages=[
            {key: value for key, value in message.items() if not key.startswith("_")} for message in found
        ]
    )
