"""The sample chat: an agent's work on this program, shipped with all its figures; to be looked at without a key.

`python -m tests.record_sample` records it. Its answers are the simulator's, its tools' outputs are real.
"""

import asyncio
import base64
import json
import lzma
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, JsonValue

from app.core.errors import StoreError
from app.core.ids import ChatId
from app.core.records import Changes
from app.vault.vault import Vault

SAMPLE = ChatId("c00000000000000000000sample")
MODEL = "builtin/extractive"
"""Who answers in it here: whoever looks at it may have no other."""
WINDOW_TOKENS = 128_000
"""As when it was recorded: its figures are shares of that."""
FILE = Path(__file__).resolve().parents[2] / "resources" / "samples" / "working-on-palimpsest.json.xz"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_US = timedelta(microseconds=1)
_AGO = timedelta(minutes=1)

Rows = Mapping[str, Sequence[Mapping[str, JsonValue]]]


class Original(BaseModel):
    mime: str
    name: str
    data: str
    """Base64."""


class Recorded(BaseModel):
    """What the file holds."""

    rows: dict[str, list[dict[str, JsonValue]]]
    originals: list[Original]


class SampleStore(Protocol):
    async def chat(self, chat_id: ChatId) -> object: ...

    async def trash_chat(self, chat_id: ChatId, *, restore: bool = False) -> Changes: ...

    async def lay_down(self, rows: Rows, *, later_us: int) -> Changes: ...

    async def save_chat_setting(self, chat_id: ChatId, name: str, value: JsonValue | None) -> Changes: ...


async def lay_down_sample(store: SampleStore, vault: Vault, now: datetime) -> Changes:
    """Have it among the chats as if it had ended a minute ago; where it is already, it stays as it is, out of the trash.

    Raises:
        StoreError: it could not be stored.
    """
    try:
        await store.chat(SAMPLE)
    except StoreError:
        pass
    else:
        return await store.trash_chat(SAMPLE, restore=True)
    recorded = await asyncio.to_thread(_read)
    for item in recorded.originals:
        await vault.put(base64.b64decode(item.data), mime=item.mime, name=item.name)
    (chat,) = recorded.rows["chats"]
    ended = _EPOCH + timedelta(microseconds=int(str(chat["updated_at"])))
    changes = await store.lay_down(recorded.rows, later_us=(now - _AGO - ended) // _US)
    await store.save_chat_setting(SAMPLE, "model_overrides", {MODEL: {"window_tokens": WINDOW_TOKENS}})
    return changes


def _read() -> Recorded:
    return Recorded.model_validate(json.loads(lzma.decompress(FILE.read_bytes())))
