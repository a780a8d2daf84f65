"""What is known of a model: window, prices, abilities; from LiteLLM's registry, which the text worker parses.

The whole registry is 3.5 MB of JSON, and parsing it holds a thread for 0.1 s. So `Registry` lives in the text
worker; only the facts of the models that are asked for travel, and `FactsBook` keeps them in the window's process.
"""

import json
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pydantic import JsonValue, TypeAdapter

from app.core.usage import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """USD per token; None: not known."""

    input_usd: float | None = None
    output_usd: float | None = None
    cached_usd: float | None = None
    cache_write_usd: float | None = None
    """For the family's short life (Anthropic: 5 minutes)."""
    cache_write_1h_usd: float | None = None


FREE = Prices(input_usd=0, output_usd=0, cached_usd=0, cache_write_usd=0, cache_write_1h_usd=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """Prices of a request whose prompt is longer than `above_tokens`."""

    above_tokens: int
    prices: Prices


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What the registry says of one model; the default is a model that nobody knows."""

    name: str = ""
    """Its key in the registry; empty: not in it."""
    window_tokens: int | None = None
    max_output_tokens: int | None = None
    prices: Prices = Prices()
    tiers: tuple[Tier, ...] = ()
    """By rising `above_tokens`."""
    cache_minimum_tokens: int | None = None
    tools: bool | None = None
    vision: bool | None = None
    reasoning: bool | None = None
    cache: bool | None = None
    only_tools: tuple[str, ...] = ()
    """Names of the tools that it is worth giving; empty: all."""
    speaks: bool = False
    """Made for sound: no model to write titles and summaries."""

    def prices_at(self, prompt_tokens: int) -> Prices:
        return next(
            (tier.prices for tier in reversed(self.tiers) if prompt_tokens > tier.above_tokens), self.prices
        )


def cost_usd(facts: ModelFacts, usage: Usage) -> float | None:
    """What a request cost; None where a price is not known."""
    prices = facts.prices_at(usage.prompt_tokens)
    if prices.input_usd is None or prices.output_usd is None:
        return None
    cached = prices.input_usd if prices.cached_usd is None else prices.cached_usd
    write = prices.input_usd if prices.cache_write_usd is None else prices.cache_write_usd
    long_write = write if prices.cache_write_1h_usd is None else prices.cache_write_1h_usd
    fresh_tokens = usage.prompt_tokens - usage.cached_tokens - usage.cache_write_tokens
    return (
        fresh_tokens * prices.input_usd
        + usage.cached_tokens * cached
        + (usage.cache_write_tokens - usage.cache_write_1h_tokens) * write
        + usage.cache_write_1h_tokens * long_write
        + usage.completion_tokens * prices.output_usd
    )


# ---- which part of the registry a kind of endpoint (app/providers/templates.py) is found in

_LOCAL = frozenset({"ollama", "lmstudio", "llamacpp", "vllm", "jan", "embedded", "builtin"})
_PARTS: Mapping[str, tuple[str, ...]] = {
    "openai": ("openai",),
    # The registry drops a model's own entry before its resellers drop it.
    "anthropic": ("anthropic", "bedrock_converse", "vertex_ai-anthropic_models"),
    "gemini": ("gemini", "vertex_ai-language-models"),
    "deepseek": ("deepseek",),
    "moonshot": ("moonshot",),
    "dashscope": ("dashscope",),
    "zai": ("zai", "bigmodel"),
    "minimax": ("minimax",),
    "xai": ("xai",),
    "mistral": ("mistral", "codestral"),
    "groq": ("groq",),
    "azure": ("azure", "azure_ai", "openai"),
    "bedrock": ("bedrock_converse", "bedrock"),
    "vertex": ("vertex_ai-language-models", "vertex_ai-anthropic_models", "vertex_ai", "gemini"),
}
_VENDORS: Mapping[str, str] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "gemini",
    "deepseek": "deepseek",
    "moonshotai": "moonshot",
    "qwen": "dashscope",
    "z-ai": "zai",
    "minimax": "minimax",
    "x-ai": "xai",
    "mistralai": "mistral",
}
"""The first half of OpenRouter's names; whoever makes a model also sets its facts."""

_DATE = re.compile(r"-(20\d{6}|20\d\d-\d\d-\d\d|\d{4}|latest)$")
_BEDROCK = re.compile(
    r"^(?:(?:us|eu|apac|au|jp|in|global|us-gov)\.)?(?:[a-z0-9]+\.)?(.*?)(?:-v\d+)?(?::\d+)?$"
)
_VARIANT = re.compile(r":(free|thinking|beta|nitro|floor|online|extended|exacto)$")


class Registry:
    """The parsed registry, indexed by part and name.

    Args:
        data: The file's bytes; what is no JSON object is an empty registry.
    """

    def __init__(self, data: bytes) -> None:
        self._full: dict[tuple[str, str], ModelFacts] = {}
        self._last: dict[tuple[str, str], ModelFacts] = {}
        self._stems: dict[tuple[str, str], list[tuple[str, ModelFacts]]] = defaultdict(list)
        for key, value in _entries(data):
            part = str(value.get("litellm_provider", ""))
            facts = _facts(key, value)
            name = _plain(key.removeprefix(f"{part.partition('-')[0]}/"), part)
            self._full.setdefault((part, name), facts)
            last = name.rpartition("/")[2]
            self._last.setdefault((part, last), facts)
            self._stems[part, _DATE.sub("", last)].append((last, facts))

    def lookup(self, kind: str, name: str) -> ModelFacts:
        """The facts of model `name` at an endpoint of `kind`; those of nobody where it is not known.

        A model on this machine costs nothing, and its window is what its server loaded it with; a
        compatible server's price is its owner's.
        """
        if kind in _LOCAL:
            found = self._find(("ollama",), name) if kind == "ollama" else ModelFacts()
            return replace(found, window_tokens=None, max_output_tokens=None, prices=FREE, tiers=())
        if parts := _PARTS.get(kind):
            return self._find(parts, name)
        vendor, _, rest = name.rpartition("/")
        maker = _VENDORS.get(vendor.rpartition("/")[2].lower())
        parts = _PARTS[maker] if maker else tuple(_PARTS[owner][0] for owner in _VENDORS.values())
        found = self._find(parts, rest) if maker or not vendor else ModelFacts()
        if kind != "openrouter":
            return replace(found, prices=Prices(), tiers=())
        return replace(found, prices=FREE, tiers=()) if name.endswith(":free") else found

    def _find(self, parts: Iterable[str], name: str) -> ModelFacts:
        for part in parts:
            plain = _plain(name, part)
            last = plain.rpartition("/")[2]
            found = self._full.get((part, plain)) or self._last.get((part, last))
            if found := found or self._undated(part, last):
                return found
        return ModelFacts()

    def _undated(self, part: str, name: str) -> ModelFacts | None:
        """The same model without, or with the newest, date."""
        stem = _DATE.sub("", name)
        dated = self._stems.get((part, stem), ())
        own = [facts for found, facts in dated if found == stem]
        return own[0] if own else max(dated, key=lambda pair: pair[0])[1] if dated else None


def _plain(name: str, part: str) -> str:
    """One spelling of a name: lower case, dashes for dots, no place, no variant."""
    plain = _VARIANT.sub("", name.lower().removeprefix("models/"))
    if part.startswith("bedrock"):
        plain = _BEDROCK.sub(r"\1", plain.rpartition("/")[2])
    if plain.startswith("ft:"):
        plain = ":".join(plain.split(":")[:2])
    return plain.replace(".", "-").replace("@", "-")


def _entries(data: bytes) -> Iterator[tuple[str, Mapping[str, JsonValue]]]:
    try:
        found: JsonValue = json.loads(data)
    except ValueError:
        return
    if isinstance(found, dict):
        for key, value in found.items():
            if isinstance(value, dict) and value.get("mode") == "chat":
                yield key, value


def _facts(key: str, value: Mapping[str, JsonValue]) -> ModelFacts:
    """`max_tokens` is never read: it is the output limit in some entries and the window in others (C1)."""
    tiers = _tiers(value)
    prices = _prices(value, "")
    if prices.input_usd is None and tiers and tiers[0].above_tokens == 0:
        prices, tiers = tiers[0].prices, tiers[1:]
    return ModelFacts(
        name=key,
        window_tokens=_count(value.get("max_input_tokens")),
        max_output_tokens=_count(value.get("max_output_tokens")),
        prices=prices,
        tiers=tiers,
        cache_minimum_tokens=_count(value.get("prompt_cache_min_tokens")),
        tools=value.get("supports_function_calling") is True,
        vision=value.get("supports_vision") is True,
        reasoning=value.get("supports_reasoning") is True,
        cache=value.get("supports_prompt_caching") is True or prices.cached_usd is not None,
        speaks=value.get("supports_audio_output") is True,
    )


def _tiers(value: Mapping[str, JsonValue]) -> tuple[Tier, ...]:
    """Two spellings: fields that end in `_above_200k_tokens`, or a list with ranges."""
    limits = {
        int(match[1])
        for key in value
        if (match := re.fullmatch(r"input_cost_per_token_above_(\d+)k_tokens", key))
    }
    found = [
        Tier(above_tokens=limit * 1000, prices=_prices(value, f"_above_{limit}k_tokens")) for limit in limits
    ]
    ranges = value.get("tiered_pricing")
    for item in ranges if isinstance(ranges, list) else ():
        limit = item.get("range") if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(limit, list) and isinstance(limit[0], int | float):
            found.append(Tier(above_tokens=int(limit[0]), prices=_prices(item, "")))
    return tuple(sorted(found, key=lambda tier: tier.above_tokens))


def _prices(value: Mapping[str, JsonValue], tier: str) -> Prices:
    return Prices(
        input_usd=_price(value.get(f"input_cost_per_token{tier}")),
        output_usd=_price(value.get(f"output_cost_per_token{tier}")),
        cached_usd=_price(value.get(f"cache_read_input_token_cost{tier}")),
        cache_write_usd=_price(value.get(f"cache_creation_input_token_cost{tier}")),
        cache_write_1h_usd=_price(value.get(f"cache_creation_input_token_cost_above_1hr{tier}")),
    )


def _price(value: JsonValue) -> float | None:
    return float(value) if isinstance(value, int | float) and value >= 0 else None


def _count(value: JsonValue) -> int | None:
    return int(value) if isinstance(value, int | float) and value > 0 else None


# ---- across the pipe

_FACTS = TypeAdapter(dict[str, ModelFacts])


def facts_operation(read: Callable[[], bytes]) -> Callable[[Mapping[str, JsonValue], bytes], JsonValue]:
    """The text worker's `model_facts`: facts by name; the registry is read and parsed at the first question."""
    parsed: list[Registry] = []

    def facts(message: Mapping[str, JsonValue], payload: bytes) -> JsonValue:
        if not parsed:
            parsed.append(Registry(read()))
        kind, names = str(message["kind"]), message["names"]
        assert isinstance(names, list)
        found = {str(name): parsed[0].lookup(kind, str(name)) for name in names}
        return _FACTS.dump_python(found, mode="json", exclude_defaults=True)

    return facts


class FactsBook:
    """Facts of the models asked for so far, in the window's process.

    Args:
        call: `TextWorker.call`.
    """

    def __init__(self, call: Callable[[str, Mapping[str, JsonValue]], Awaitable[JsonValue]]) -> None:
        self._call = call
        self._known: dict[tuple[str, str], ModelFacts] = {}

    async def facts(self, kind: str, names: Iterable[str]) -> dict[str, ModelFacts]:
        """By name, one for each of `names`.

        Args:
            kind: As `Endpoint.kind`.
        Raises:
            WorkerDied: the text worker ends again and again.
        """
        asked = tuple(names)
        missing: list[JsonValue] = [name for name in asked if (kind, name) not in self._known]
        if missing:
            answer = await self._call("model_facts", {"kind": kind, "names": missing})
            found = _FACTS.validate_python(answer)
            self._known |= {(kind, name): facts for name, facts in found.items()}
        return {name: self._known[kind, name] for name in asked}
