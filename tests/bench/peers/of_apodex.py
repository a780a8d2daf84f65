"""apodex-agent-core's `TieredCompactor` (FrontierAgent's), with its store for what it takes out."""

import asyncio
import importlib
import re
import tempfile
import time
from types import SimpleNamespace
from typing import Any

from tests.bench.peers.pipe import Asked, Counting, Made, text_of
from tests.bench.peers.stub import facts

_compact: Any = importlib.import_module("agent_core.runtime.loop.tiered_compact")
_messages: Any = importlib.import_module("agent_core.messages")
_spill: Any = importlib.import_module("agent_core.runtime.spill")
_tokenizer: Any = importlib.import_module("agent_core.runtime.loop.tokenizer")

_KEPT_RESULTS, _KEPT_MESSAGES = 5, 16
_LOADING_S = 10.0
_SHOWN_FROM = "Conversation to summarize:\n"
_FILE = re.compile(r"/spill/[\w-]+/[\w.-]+\.md")


class _Writer:
    def __init__(self, asked: Asked, counting: Counting) -> None:
        self._asked = asked
        self._counting = counting

    async def chat(self, messages: list[Any]) -> object:
        shown = str(messages[0]["content"]).partition(_SHOWN_FROM)[2]
        said = facts(shown, cap_tokens=self._asked.summary_tokens, count=self._counting)
        return SimpleNamespace(content="\n".join(said))


def tiered(asked: Asked, counting: Counting) -> Made:
    _wait_for_vocabulary()
    folder = tempfile.TemporaryDirectory()
    store = _spill.SpillStore(folder.name, "bench", visible_root="/spill")
    compactor = _compact.TieredCompactor(
        keep_tool_result=_KEPT_RESULTS,
        summary_llm=_Writer(asked, counting),
        relief_target=asked.budget_tokens,
        spill_store=store,
    )
    messages = _messages.for_wire(asyncio.run(compactor.compact(asked.messages, _KEPT_MESSAGES)))

    def behind() -> str:
        with folder:
            named = dict.fromkeys(_FILE.findall(text_of(messages)))
            return "\n".join(filter(None, (store.read(name) for name in named)))

    return Made(messages=messages, behind=behind)


def _wait_for_vocabulary() -> None:
    """It is loaded by a thread, and until then texts are estimated."""
    ends = time.monotonic() + _LOADING_S
    while _tokenizer.get_encoding_nonblocking("cl100k_base") is None and time.monotonic() < ends:
        time.sleep(0.05)
