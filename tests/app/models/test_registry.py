import json
from collections.abc import Mapping
from dataclasses import replace

import pytest
from pydantic import JsonValue

from app.core.usage import Usage
from app.models.files import registry_path
from app.models.registry import FactsBook, ModelFacts, Prices, Registry, cost_usd, facts_operation


@pytest.fixture(scope="module")
def shipped() -> Registry:
    path = registry_path()
    assert path
    return Registry(path.read_bytes())


def entry(provider: str, window: int = 1000, **more: JsonValue) -> dict[str, JsonValue]:
    return {"litellm_provider": provider, "mode": "chat", "max_input_tokens": window, **more}


def registry(**entries: dict[str, JsonValue]) -> Registry:
    return Registry(json.dumps(entries).encode())


@pytest.mark.parametrize(
    ("kind", "name", "window"),
    [
        ("openai", "gpt-4o-2024-08-06", 128_000),
        ("openai", "openai/gpt-4o", 128_000),
        ("openai", "gpt-4o-2099-01-01", 128_000),
        ("anthropic", "claude-sonnet-4-20250514", 200_000),
        ("anthropic", "anthropic/claude-haiku-4-5", 200_000),
        ("gemini", "models/gemini-2.5-pro", 1_048_576),
        ("openrouter", "anthropic/claude-sonnet-4.5", 200_000),
        ("compatible", "gpt-4o", 128_000),
        ("bedrock", "us.anthropic.claude-opus-4-5-20251101-v1:0", 200_000),
        ("vertex", "claude-opus-4-5@20251101", 200_000),
        ("groq", "openai/gpt-oss-120b", 131_072),
    ],
)
def test_a_model_is_found_under_the_names_that_its_endpoint_uses(
    shipped: Registry, kind: str, name: str, window: int
) -> None:
    assert shipped.lookup(kind, name).window_tokens == window


@pytest.mark.parametrize(
    ("kind", "name"),
    [("openai", "gpt"), ("openai", "my-gpt-4o"), ("compatible", "gpt-4o-mini-tuned"), ("deepseek", "gpt-4o")],
)
def test_a_part_of_a_name_is_no_match(shipped: Registry, kind: str, name: str) -> None:
    assert shipped.lookup(kind, name) == ModelFacts()


def test_the_window_is_never_read_from_max_tokens() -> None:
    """`max_tokens` is the output limit in most entries (C1)."""
    found = Registry(
        b'{"m": {"litellm_provider": "openai", "mode": "chat", "max_tokens": 4096, "max_output_tokens": 4096}}'
    ).lookup("openai", "m")

    assert (found.window_tokens, found.max_output_tokens) == (None, 4096)


def test_a_name_without_a_date_means_the_newest_dated_one() -> None:
    found = Registry(
        json.dumps(
            {
                "m-2024-01-01": entry("openai", 1),
                "m-2025-06-01": entry("openai", 2),
                "m-x": entry("openai", 3),
            }
        ).encode()
    )

    assert found.lookup("openai", "m-latest").window_tokens == 2


def test_a_place_beside_a_provider_does_not_hide_its_own_entry() -> None:
    found = Registry(
        json.dumps({"azure/eu/gpt-4o": entry("azure", 1), "azure/gpt-4o": entry("azure", 2)}).encode()
    )

    assert found.lookup("azure", "gpt-4o").window_tokens == 2


def test_a_model_on_this_machine_costs_nothing_and_tells_its_window_itself(shipped: Registry) -> None:
    found = shipped.lookup("ollama", "llama3:8b")

    assert (found.prices.input_usd, found.prices.output_usd, found.window_tokens) == (0, 0, None)


def test_the_price_of_a_compatible_server_is_its_owners(shipped: Registry) -> None:
    assert shipped.lookup("compatible", "gpt-4o").prices == Prices()


def test_a_free_variant_costs_nothing(shipped: Registry) -> None:
    assert shipped.lookup("openrouter", "openai/gpt-4o:free").prices.input_usd == 0


def test_a_damaged_registry_knows_nobody() -> None:
    assert Registry(b'{"gpt-4o": ').lookup("openai", "gpt-4o") == ModelFacts()


def test_a_long_prompt_is_priced_by_its_tier() -> None:
    facts = registry(
        m=entry(
            "gemini",
            input_cost_per_token=1e-6,
            output_cost_per_token=1e-5,
            input_cost_per_token_above_200k_tokens=2e-6,
            output_cost_per_token_above_200k_tokens=2e-5,
        )
    ).lookup("gemini", "m")

    short = cost_usd(facts, Usage(prompt_tokens=200_000, completion_tokens=1000))
    long = cost_usd(facts, Usage(prompt_tokens=200_001, completion_tokens=1000))

    assert short == pytest.approx(0.21)
    assert long == pytest.approx(0.420002)


def test_prices_by_range_are_read() -> None:
    ranges: JsonValue = [
        {"range": [0, 1000], "input_cost_per_token": 1.0, "output_cost_per_token": 1.0},
        {"range": [1000, 9000], "input_cost_per_token": 2.0, "output_cost_per_token": 2.0},
    ]

    facts = registry(m=entry("dashscope", tiered_pricing=ranges)).lookup("dashscope", "m")

    assert facts.prices_at(1000).input_usd == 1
    assert facts.prices_at(1001).input_usd == 2


def test_cached_and_written_tokens_have_their_own_price() -> None:
    facts = ModelFacts(prices=Prices(input_usd=1, output_usd=10, cached_usd=0.1, cache_write_usd=1.25))

    cost = cost_usd(
        facts, Usage(prompt_tokens=100, completion_tokens=1, cached_tokens=60, cache_write_tokens=20)
    )

    assert cost == pytest.approx(20 + 6 + 25 + 10)


def test_what_is_written_for_an_hour_has_its_own_price_where_there_is_one() -> None:
    """P6"""
    usage = Usage(prompt_tokens=100, completion_tokens=0, cache_write_tokens=80, cache_write_1h_tokens=50)
    prices = Prices(input_usd=1, output_usd=10, cached_usd=0.1, cache_write_usd=1.25)

    without = cost_usd(ModelFacts(prices=prices), usage)
    with_own = cost_usd(ModelFacts(prices=replace(prices, cache_write_1h_usd=2)), usage)

    assert without == pytest.approx(20 + 80 * 1.25)
    assert with_own == pytest.approx(20 + 30 * 1.25 + 50 * 2)


def test_an_unknown_price_gives_no_cost() -> None:
    assert cost_usd(ModelFacts(), Usage(prompt_tokens=1, completion_tokens=1)) is None


async def test_facts_are_asked_for_once_and_come_through_the_pipe_unchanged(shipped: Registry) -> None:
    operation = facts_operation(lambda: ((path := registry_path()) and path.read_bytes()) or b"")
    asked: list[JsonValue] = []

    async def call(op: str, arguments: Mapping[str, JsonValue]) -> JsonValue:
        asked.append(arguments["names"])
        return json.loads(json.dumps(operation(arguments, b"")))

    book = FactsBook(call)
    first = await book.facts("gemini", ["gemini-2.5-pro"])
    await book.facts("gemini", ["gemini-2.5-pro", "nobody"])

    assert first == {"gemini-2.5-pro": shipped.lookup("gemini", "gemini-2.5-pro")}
    assert asked == [["gemini-2.5-pro"], ["nobody"]]
