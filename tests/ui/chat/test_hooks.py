"""Hooks that fail, as a chat tells them (A16)."""

from pydantic import JsonValue

from tests.app.agent.opening import HERE
from tests.fakes import answer, until
from tests.ui.chat.conftest import Desk
from ui.kit.items import ReasoningItem


async def test_a_hook_that_fails_is_told_at_its_place_and_the_turn_goes_on(desk: Desk) -> None:
    """A16: a quiet line, which can be opened."""
    hooks: list[JsonValue] = [
        {"event": "before_send", "command": "echo no luck; exit 3", "enabled": True},
        {"event": "after_answer", "command": "sleep 9", "enabled": True, "timeout_s": 0.1},
    ]
    await desk.application.change(
        endpoints=[HERE.model_dump(mode="json")], model="here/m", write_titles=False, hooks=hooks
    )
    desk.gateway.say(answer("Hello."))
    model = await desk.chat()

    model.send("Hi")
    await until(lambda: model.state.path[-1:] != () and model.state.path[-1].text == "Hello.", within_s=20)
    await until(lambda: not model.session.is_running and model.state.live is None)
    shown = [model.items.content(item) for item in model.items.ids()]

    assert [type(item).__name__ for item in shown] == ["UserItem", "ReasoningItem", "AssistantItem"]
    told = shown[1]
    assert isinstance(told, ReasoningItem)
    assert told.title.startswith("2 hook")
    assert "ended with exit code 3" in told.text
    assert "no luck" in told.text
    assert "had not ended after 0.1 s" in told.text
