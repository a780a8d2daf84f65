"""The bench of Q15: what it is measured on, and a small session of it."""

from app.models.files import registry_path
from app.models.registry import Registry
from tests.bench.agents.conditions import conditions


def test_the_prices_and_windows_are_the_registrys() -> None:
    path = registry_path()
    assert path
    registry = Registry(path.read_bytes())
    found = conditions().models

    shipped = {key: registry.lookup(*key) for key in found}

    assert {key: (facts.window_tokens, facts.prices) for key, facts in found.items()} == {
        key: (facts.window_tokens, facts.prices) for key, facts in shipped.items()
    }


def test_the_session_has_two_hundred_turns_and_every_seventh_pause_outlasts_the_cache() -> None:
    """Q15: 15 % over the TTL."""
    found = conditions()

    assert len(found.turns) == len(found.pauses) == 200
    assert sum(pause > 1 for pause in found.pauses) == 30


def test_what_is_asked_for_again_stands_in_what_its_reading_gives() -> None:
    needs = [step.need for turn in conditions().turns for step in turn.steps if step.need]

    assert len(needs) > 50
    assert all(need.word in need.excerpt for need in needs)
