"""Prompt caches: at markers (Anthropic, Qwen) and by themselves (OpenAI, DeepSeek, Gemini)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulator.clock import Clock
    from tests.simulator.models import Model
    from tests.simulator.prompt import Prompt

LOOK_BACK_BLOCKS = 20
HOUR_S = 3600.0
_PIECE_CHARACTERS = 256  # how finely an automatic cache compares inside one block


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheUse:
    """What one request finds and leaves; `entries` are written when its answer begins."""

    read_tokens: int = 0
    written_5m_tokens: int = 0
    written_1h_tokens: int = 0
    entries: dict[bytes, float] = field(default_factory=dict[bytes, float])

    @property
    def written_tokens(self) -> int:
        return self.written_5m_tokens + self.written_1h_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class _Life:
    ttl_s: float
    until: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Position:
    digest: bytes
    tokens: int
    marker: float | None = None


class PromptCache:
    """Entries by the hash of everything before them; one life each, renewed by use."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: dict[bytes, _Life] = {}

    def look(self, prompt: Prompt, model: Model, *, owner: str, name: str, route: str = "") -> CacheUse:
        """Compare `prompt` with what is cached for this key and model; nothing is written yet.

        Args:
            owner: The API key; caches aren't shared between accounts.
            name: The model's full name; caches aren't shared between models.
            route: OpenAI's `prompt_cache_key`: another key means another machine.
        """
        salt = f"{owner}\0{name}\0{route}\0"
        if model.cache.step_tokens:
            return self._by_itself(prompt, model, salt)
        return self._at_markers(prompt, model, salt)

    def commit(self, use: CacheUse) -> None:
        """The answer has begun: what the request leaves can be read from now on."""
        now = self._clock.now()
        if len(self._entries) > 100_000:
            self._entries = {key: life for key, life in self._entries.items() if life.until > now}
        for digest, ttl_s in use.entries.items():
            self._entries[digest] = _Life(ttl_s=ttl_s, until=now + ttl_s)

    def clear(self) -> None:
        self._entries.clear()

    def _warm(self, digest: bytes) -> _Life | None:
        life = self._entries.get(digest)
        return life if life and life.until > self._clock.now() else None

    def _at_markers(self, prompt: Prompt, model: Model, salt: str) -> CacheUse:
        positions = _block_positions(prompt, salt)
        marked = [index for index, position in enumerate(positions) if position.marker is not None]
        read, entries = 0, dict[bytes, float]()
        for index in marked:
            for position in reversed(positions[max(0, index - LOOK_BACK_BLOCKS + 1) : index + 1]):
                if life := self._warm(position.digest):
                    read = max(read, position.tokens)
                    entries[position.digest] = life.ttl_s
                    break
        done, short, long = read, 0, 0
        for index in marked:
            position = positions[index]
            ttl_s = position.marker or model.cache.ttl_s
            if position.tokens <= done or position.tokens < model.cache.minimum_tokens:
                continue
            entries[position.digest] = ttl_s
            if ttl_s >= HOUR_S:
                long += position.tokens - done
            else:
                short += position.tokens - done
            done = position.tokens
        return CacheUse(read_tokens=read, written_5m_tokens=short, written_1h_tokens=long, entries=entries)

    def _by_itself(self, prompt: Prompt, model: Model, salt: str) -> CacheUse:
        rule = model.cache
        positions = _piece_positions(prompt, salt)
        warm = 0
        for position in positions:
            if not self._warm(position.digest):
                break
            warm = position.tokens
        # The last token is always computed: a provider never answers from the cache alone.
        read = min(warm, prompt.tokens - 1) // rule.step_tokens * rule.step_tokens
        if prompt.tokens < rule.minimum_tokens:
            return CacheUse()
        return CacheUse(
            read_tokens=read if read >= rule.minimum_tokens else 0,
            entries={position.digest: rule.ttl_s for position in positions},
        )


def _block_positions(prompt: Prompt, salt: str) -> list[_Position]:
    chain, raw, positions = hashlib.blake2b(salt.encode(), digest_size=16), 0, list[_Position]()
    for block in prompt.blocks:
        _extend(chain, block.text)
        raw += block.raw_tokens
        if not block.barrier:
            tokens = prompt.counter.billed(raw)
            positions.append(_Position(digest=chain.digest(), tokens=tokens, marker=block.marker))
    return positions


def _piece_positions(prompt: Prompt, salt: str) -> list[_Position]:
    chain, raw, positions = hashlib.blake2b(salt.encode(), digest_size=16), 0, list[_Position]()
    for block in prompt.blocks:
        length = max(1, len(block.text))
        for at in range(0, length, _PIECE_CHARACTERS):
            _extend(chain, block.text[at : at + _PIECE_CHARACTERS])
            share = min(length, at + _PIECE_CHARACTERS) / length
            tokens = prompt.counter.billed(raw + int(block.raw_tokens * share))
            positions.append(_Position(digest=chain.digest(), tokens=tokens))
        _extend(chain, "\0end of block")
        raw += block.raw_tokens
    return positions


def _extend(chain: hashlib.blake2b, text: str) -> None:
    data = text.encode(errors="surrogatepass")
    chain.update(len(data).to_bytes(8, "big") + data)
