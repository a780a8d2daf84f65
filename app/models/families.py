"""How each family of models wants to be counted, cached and spoken to: one row each, no code elsewhere (A5).

A family is what a model *is*; where it is reached is the endpoint's kind (app/providers/templates.py).
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from app.core.parts import MediaPart
from app.models.registry import ModelFacts


class CacheKind(StrEnum):
    NONE = "none"
    AUTOMATIC = "automatic"
    """By prefix, in steps, whatever we do."""
    MARKERS = "markers"
    """Only up to `cache_control` markers, at most four."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """How a family caches prompts (P3, P4, S4)."""

    kind: CacheKind = CacheKind.NONE
    minimum_tokens: int = 0
    step_tokens: int = 1
    ttls_s: tuple[int, ...] = ()
    """Lifetimes after the last use that can be had, the usual one first."""
    minimum_by_model: tuple[tuple[str, int], ...] = ()
    """(pattern of a name, tokens), the first match wins over `minimum_tokens`."""
    by_effort: bool = False
    """Messages are kept as they were read with one effort of reasoning; with another one none are found (P5)."""


class Replay(StrEnum):
    """Which reasoning goes back to the model."""

    NEVER = "never"
    LOOP = "loop"
    """That of the running tool loop: what came after the last user entry."""
    CALLS = "calls"
    """As LOOP, and that of every message with tool calls."""
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinking:
    replay: Replay = Replay.NEVER
    is_signed: bool = False
    """Blocks carry signatures and go back byte for byte, or not at all."""
    is_bound: bool = False
    """A signed block is refused once anything before it reads otherwise than when it was made (`context/bound.py`)."""
    has_budget: bool = False
    """It is given a number of tokens, which `max_tokens` must exceed (P7), and a running loop begins with thinking."""
    is_left_out: bool = False
    """The provider itself leaves out what came before the last user entry: not counted, not in the prefix (S1)."""
    demands_field: bool = False
    """A message with calls needs `reasoning_content`, an empty one where there never was any."""
    signs_calls: bool = False
    """Tool calls carry an opaque signature (`provider_fields`) that must come back."""
    unsigned_call: str = ""
    """JSON object of fields for a message's first call where another model made it; empty: none are wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """What the wire form must hold beyond C32, which counts for all."""

    merges_adjacent: bool = False
    """Neighbours of one role become one message."""
    unique_call_ids: bool = True
    call_id_pattern: str = r"[!-~]{1,40}"
    """Ids must match it."""
    call_name_pattern: str = r"[A-Za-z0-9_-]{1,64}"
    takes_images: bool = True
    other_media: frozenset[str] = frozenset()
    """Media types that may be sent beside images, by the part before the slash."""
    blocks: frozenset[str] = frozenset()
    """Types of content blocks that may be sent as they are; of any other only a line is."""
    images_in_results: bool = False
    """A tool result may hold an image; else it goes into the user's message after it."""


class Images(StrEnum):
    """Formulas for the tokens of one image."""

    TILES = "tiles"
    """OpenAI: 85, and 170 per 512 px tile."""
    AREA = "area"
    """Anthropic: width × height ÷ 750, at most 1,600."""
    GEMINI = "gemini"
    """258 up to 384 px a side, else 258 per 768 px tile."""
    PATCHES = "patches"
    """Qwen and most open models: one per 28 px square, at most 1,280."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    id: str
    tokenizer: str
    """An id of app/tokens/exact.py."""
    ratio: float
    """Reported tokens ÷ our count, until answers have told the real one (C3)."""
    message_tokens: int = 4
    """What a message costs beside its parts."""
    cache: Cache = Cache()
    thinking: Thinking = Thinking()
    roles: Roles = Roles()
    images: Images = Images.TILES
    shares_window: bool = True
    """Prompt and answer must fit into the window together (C3)."""
    parallel_calls: bool = True
    discipline: str
    """Id of its text in resources/prompts/ (A9)."""


_OPENAI_CACHE = Cache(kind=CacheKind.AUTOMATIC, minimum_tokens=1024, step_tokens=128, ttls_s=(600,))
_CLAUDE_CACHE = Cache(
    kind=CacheKind.MARKERS,
    minimum_tokens=1024,
    ttls_s=(300, 3600),
    minimum_by_model=(
        (r"(opus|haiku)-4-5|opus-4-6", 4096),
        (r"opus-4-7|3-haiku|3-5-haiku|mythos-preview", 2048),
        (r"(opus|fable|mythos)-5|sonnet-5-5", 512),
    ),
    # https://platform.claude.com/docs/en/build-with-claude/prompt-caching: what invalidates the cache
    by_effort=True,
)
_HOUR = (3600,)

_FILES = frozenset({"application"})

OPENAI = Family(
    id="openai",
    tokenizer="o200k",
    ratio=1.0,
    cache=_OPENAI_CACHE,
    roles=Roles(other_media=_FILES, blocks=frozenset({"input_audio", "file"})),
    discipline="gpt",
)
ANTHROPIC = Family(
    id="anthropic",
    tokenizer="anthropic",  # of an older Claude: a base for the ratio, no truth
    ratio=1.15,
    cache=_CLAUDE_CACHE,
    thinking=Thinking(replay=Replay.LOOP, is_signed=True, is_left_out=True, has_budget=True),
    roles=Roles(
        merges_adjacent=True,
        call_id_pattern=r"[A-Za-z0-9_-]{1,64}",
        images_in_results=True,
        other_media=_FILES,
        blocks=frozenset({"document"}),
    ),
    images=Images.AREA,
    shares_window=False,
    discipline="claude",
)
_CLAUDE_KEEPS = replace(ANTHROPIC, thinking=Thinking(replay=Replay.ALWAYS, is_signed=True, has_budget=True))
"""From Opus 4.5 on thinking stays part of the prompt: without it the next turn would find nothing in the cache."""
_CLAUDE_ADAPTS = replace(ANTHROPIC, thinking=Thinking(replay=Replay.ALWAYS, is_signed=True))
"""From 4.6 on it has an effort instead of a budget."""
_CLAUDE_BINDS = replace(ANTHROPIC, thinking=Thinking(replay=Replay.ALWAYS, is_signed=True, is_bound=True))
"""From 5.5 on (Fable: 5.1): https://platform.claude.com/docs/en/build-with-claude/preserved-thinking"""
_CLAUDE = r"([a-z.-]+\.)?(anthropic\.)?claude"
UNKNOWN = Family(
    id="unknown", tokenizer="o200k", ratio=1.1, images=Images.PATCHES, parallel_calls=False, discipline="gpt"
)
LLAMA = replace(UNKNOWN, id="llama", tokenizer="cl100k", ratio=1.0)
_GEMINI_ROLES = Roles(
    other_media=frozenset({"audio", "video", "application"}), blocks=frozenset({"input_audio", "file"})
)

_ROWS: tuple[tuple[str, Family], ...] = (
    # The pattern must match the whole of a name's last part, in lower case; the first match wins.
    (r"(gpt-oss).*", replace(OPENAI, id="gpt-oss", cache=Cache(), thinking=Thinking(replay=Replay.LOOP))),
    (r"(gpt-4|gpt-4-(?!1).*|gpt-3\.5.*)", replace(OPENAI, tokenizer="cl100k", cache=Cache())),
    (r"(gpt-[5-9]|o[1-9]|codex).*", replace(OPENAI, id="openai-reasoning", shares_window=False)),
    (r"(gpt|chatgpt|ft:gpt|computer-use).*", OPENAI),
    (_CLAUDE + r"-(opus|sonnet|haiku|fable|mythos)-(5[.-][5-9](?!\d)|[6-9](?!\d)|latest).*", _CLAUDE_BINDS),
    (_CLAUDE + r"-(fable|mythos)-5[.-][1-4](?!\d).*", _CLAUDE_BINDS),
    (_CLAUDE + r"-(opus|sonnet)-(4[.-][6-9]|5)(?!\d).*", _CLAUDE_ADAPTS),
    (_CLAUDE + r"-(fable|mythos).*", _CLAUDE_ADAPTS),
    (_CLAUDE + r"-opus-4[.-]5(?!\d).*", _CLAUDE_KEEPS),
    (_CLAUDE + r".*", ANTHROPIC),
    (
        r"gemini-[3-9].*",
        Family(
            id="gemini-3",
            tokenizer="o200k",
            ratio=1.05,
            cache=Cache(kind=CacheKind.AUTOMATIC, minimum_tokens=2048, ttls_s=_HOUR),
            thinking=Thinking(
                signs_calls=True,
                # Google's own word for calls of other models:
                # https://ai.google.dev/gemini-api/docs/thought-signatures
                unsigned_call='{"extra_content": {"google": {"thought_signature": '
                '"skip_thought_signature_validator"}}}',
            ),
            roles=_GEMINI_ROLES,
            images=Images.GEMINI,
            shares_window=False,
            discipline="gemini",
        ),
    ),
    (
        r"(gemini|learnlm).*",
        Family(
            id="gemini",
            tokenizer="o200k",
            ratio=1.05,
            cache=Cache(kind=CacheKind.AUTOMATIC, minimum_tokens=1024, ttls_s=_HOUR),
            thinking=Thinking(signs_calls=True),
            roles=_GEMINI_ROLES,
            images=Images.GEMINI,
            shares_window=False,
            discipline="gemini",
        ),
    ),
    (r"gemma.*", replace(UNKNOWN, id="gemma", images=Images.GEMINI, discipline="gemini")),
    (
        r"deepseek.*",
        Family(
            id="deepseek",
            tokenizer="deepseek",
            ratio=1.0,
            cache=Cache(kind=CacheKind.AUTOMATIC, minimum_tokens=64, step_tokens=64, ttls_s=_HOUR),
            thinking=Thinking(replay=Replay.CALLS, demands_field=True),
            roles=Roles(takes_images=False),
            images=Images.PATCHES,
            discipline="open",
        ),
    ),
    (
        r"(qwen|qwq|qvq).*",
        Family(
            id="qwen",
            tokenizer="o200k",
            ratio=1.05,
            cache=Cache(kind=CacheKind.MARKERS, minimum_tokens=1024, ttls_s=(300,)),
            images=Images.PATCHES,
            shares_window=False,
            discipline="open",
        ),
    ),
    (
        r"(glm|chatglm).*",
        Family(
            id="glm",
            tokenizer="o200k",
            ratio=1.05,
            cache=Cache(kind=CacheKind.AUTOMATIC, minimum_tokens=1024, ttls_s=_HOUR),
            thinking=Thinking(replay=Replay.CALLS),
            images=Images.PATCHES,
            discipline="open",
        ),
    ),
    (
        r"(kimi|moonshot).*",
        Family(
            id="kimi",
            tokenizer="o200k",
            ratio=1.0,
            cache=Cache(kind=CacheKind.AUTOMATIC, minimum_tokens=1024, ttls_s=_HOUR),
            thinking=Thinking(replay=Replay.CALLS, demands_field=True),
            images=Images.PATCHES,
            discipline="open",
        ),
    ),
    (
        r"mimo.*",
        Family(
            id="mimo",
            tokenizer="o200k",
            ratio=1.05,
            thinking=Thinking(replay=Replay.CALLS, demands_field=True),
            images=Images.PATCHES,
            discipline="open",
        ),
    ),
    (
        r"(minimax|abab).*",
        Family(
            id="minimax",
            tokenizer="o200k",
            ratio=1.05,
            cache=Cache(kind=CacheKind.AUTOMATIC, minimum_tokens=512, ttls_s=(300,)),
            thinking=Thinking(replay=Replay.ALWAYS),
            roles=Roles(takes_images=False),
            images=Images.PATCHES,
            discipline="open",
        ),
    ),
    (
        r"grok.*",
        Family(
            id="grok",
            tokenizer="o200k",
            ratio=1.05,
            cache=Cache(kind=CacheKind.AUTOMATIC, minimum_tokens=1024, step_tokens=64, ttls_s=_HOUR),
            discipline="gpt",
        ),
    ),
    (
        r"(mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|open-mi[sx]tral|voxtral).*",
        Family(
            id="mistral",
            tokenizer="o200k",
            ratio=1.1,
            roles=Roles(merges_adjacent=True, call_id_pattern=r"[A-Za-z0-9]{9}"),
            images=Images.PATCHES,
            discipline="open",
        ),
    ),
    (r"(meta-)?llama.*", LLAMA),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern), family) for pattern, family in _ROWS)

_OWN_CACHE: Mapping[str, tuple[str, ...]] = {
    "openai": ("openai", "openai-reasoning"),
    "azure": ("openai", "openai-reasoning"),
    "anthropic": ("anthropic",),
    "bedrock": ("anthropic",),
    "vertex": ("anthropic", "gemini", "gemini-3"),
    "gemini": ("gemini", "gemini-3"),
    "deepseek": ("deepseek",),
    "dashscope": ("qwen",),
    "zai": ("glm",),
    "moonshot": ("kimi",),
    "minimax": ("minimax",),
    "xai": ("grok",),
    "openrouter": (
        "openai",
        "openai-reasoning",
        "anthropic",
        "gemini",
        "gemini-3",
        "deepseek",
        "kimi",
        "grok",
    ),
}
"""At which kinds of endpoint a family has its cache; elsewhere no cache is counted on."""
_FIELD_OWNERS: Mapping[str, tuple[str, ...]] = {"extra_content": ("gemini", "gemini-3")}
"""Unread fields that only their own family takes back; any other goes wherever its message goes (case B18)."""
_LOCAL = frozenset({"ollama", "lmstudio", "llamacpp", "vllm", "jan", "embedded"})


def family_of(kind: str, name: str) -> Family:
    """The family of model `name`, as it behaves at an endpoint of `kind`.

    Found by the whole of the name's last part, so that `my-gpt-notes` or `not-claude` is nobody's.
    """
    last = name.lower().rpartition("/")[2]
    family = next((family for pattern, family in _COMPILED if pattern.fullmatch(last)), UNKNOWN)
    if kind in _LOCAL:
        return replace(family, cache=Cache(), shares_window=True)
    return family if family.id in _OWN_CACHE.get(kind, ()) else replace(family, cache=Cache())


def takes_field(family: Family, name: str) -> bool:
    """Whether an unread field of a call or message may be sent to this family."""
    return family.id in _FIELD_OWNERS.get(name, (family.id,))


def takes_media(family: Family, mime: str) -> bool:
    kind = mime.partition("/")[0]
    return family.roles.takes_images if kind == "image" else kind in family.roles.other_media


def cache_minimum(family: Family, name: str, facts: ModelFacts) -> int:
    """Tokens below which nothing is cached: as the registry says, else the family by the model's name."""
    if facts.cache_minimum_tokens:
        return facts.cache_minimum_tokens
    plain = name.lower().replace(".", "-")
    matches = (tokens for pattern, tokens in family.cache.minimum_by_model if re.search(pattern, plain))
    return next(matches, family.cache.minimum_tokens)


_SENTENCE_TOKENS = 40
"""Of "[image: NAME, 900x563, vault://0123456789ab/NAME] (this model takes no image)", but for one name."""


def media_tokens(family: Family, part: MediaPart) -> int:
    """Tokens of an image by its provider's formula, the largest where its size is unknown (case B24).

    Sound and film have no sizes here: 32 tokens a second of about 16 KB each. Where the model takes none of its
    kind, those of the sentence that goes out instead (S2).
    """
    if not takes_media(family, part.mime):
        return _SENTENCE_TOKENS + len(part.source if isinstance(part.source, str) else part.source.name) // 3
    if not part.mime.startswith("image/"):
        n_bytes = 0 if isinstance(part.source, str) else part.source.n_bytes
        return max(32, n_bytes // 16_000 * 32)
    width, height = (part.width_px, part.height_px) if part.width_px and part.height_px else (2048, 2048)
    match family.images:
        case Images.TILES:
            width, height = _fitted(width, height, long_px=2048, short_px=768)
            return 85 + 170 * math.ceil(width / 512) * math.ceil(height / 512)
        case Images.AREA:
            width, height = _fitted(width, height, long_px=1568, short_px=1568)
            return min(1600, math.ceil(width * height / 750))
        case Images.GEMINI:
            small = width <= 384 and height <= 384
            return 258 if small else 258 * math.ceil(width / 768) * math.ceil(height / 768)
        case Images.PATCHES:
            return min(1280, max(4, math.ceil(width / 28) * math.ceil(height / 28)))


def _fitted(width: float, height: float, *, long_px: int, short_px: int) -> tuple[float, float]:
    """Shrunk, never grown, until both sides fit."""
    scale = min(1.0, long_px / max(width, height), short_px / min(width, height))
    return width * scale, height * scale
