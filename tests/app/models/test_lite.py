import pytest

from app.models.files import registry_path
from app.models.lite import lite_model
from app.models.registry import ModelFacts, Prices, Registry


def model(price: float | None, window: int = 128_000, *, speaks: bool = False) -> ModelFacts:
    prices = Prices(input_usd=price, output_usd=price)
    return ModelFacts(name="x", window_tokens=window, prices=prices, speaks=speaks)


def test_the_cheapest_model_at_a_third_of_the_price_is_chosen() -> None:
    """A5."""
    facts = {"main": model(3.0), "third": model(1.0), "tenth": model(0.3), "half": model(1.5)}

    assert lite_model("main", facts) == "tenth"


@pytest.mark.parametrize(
    "other",
    [
        {"small": model(0.1, window=16_000)},
        {"half": model(1.5)},
        {"unpriced": model(None)},
        {"voice": model(0.1, speaks=True)},
        {"gpt-4o-mini-search-preview": model(0.1)},
        {"gpt-4o-mini-audio": model(0.1)},
    ],
)
def test_a_model_that_is_dear_small_or_special_is_not_chosen(other: dict[str, ModelFacts]) -> None:
    assert lite_model("main", {"main": model(3.0), **other}) is None


def test_a_main_model_without_a_price_has_no_lite_one() -> None:
    assert lite_model("main", {"main": model(None), "other": model(0.1)}) is None
    assert lite_model("main", {"main": model(0.0), "other": model(0.0)}) is None


def test_real_prices_give_a_real_choice() -> None:
    path = registry_path()
    assert path
    registry = Registry(path.read_bytes())
    names = ("gpt-4o", "gpt-4o-mini", "gpt-4o-mini-search-preview", "gpt-4.1-nano")

    found = lite_model("gpt-4o", {name: registry.lookup("openai", name) for name in names})

    assert found == "gpt-4.1-nano"
