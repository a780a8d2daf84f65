"""Another model answers when the first one can't (A6)."""

from app.core.errors import ProviderError
from app.core.events import Accepted, TextArrived, TurnCompleted, TurnFailed
from app.settings import Settings
from app.store.store import Store
from tests.app.agent.opening import HERE, opened


async def test_another_model_of_the_list_is_asked_when_the_first_one_fails(store: Store) -> None:
    """A6: in order, each once, and only before the first word."""
    chat = await opened(
        store, settings=Settings(endpoints=(HERE,), model="here/m", fallback_models=("here/n",))
    )
    chat.gateway.say((ProviderError("No credit."),))

    end = await chat.ask("Hi")

    assert isinstance(end, TurnCompleted)
    assert [target.name for target in chat.gateway.targets] == ["m", "n"]
    assert end.answer.model == "here/n"


async def test_no_other_model_is_asked_once_a_word_has_come(store: Store) -> None:
    chat = await opened(
        store, settings=Settings(endpoints=(HERE,), model="here/m", fallback_models=("here/n",))
    )
    chat.gateway.say((Accepted(), TextArrived(text="Half"), ProviderError("Cut.")))

    end = await chat.ask("Hi")

    assert isinstance(end, TurnFailed)
    assert [target.name for target in chat.gateway.targets] == ["m"]


async def test_when_every_model_of_the_list_has_failed_the_last_failure_is_told(store: Store) -> None:
    chat = await opened(
        store, settings=Settings(endpoints=(HERE,), model="here/m", fallback_models=("here/n",))
    )
    chat.gateway.say((ProviderError("No credit."),), (ProviderError("No model."),))

    end = await chat.ask("Hi")

    assert isinstance(end, TurnFailed)
    assert end.error.message == "No model."
