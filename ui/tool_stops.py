"""Stops of the tour at which tools are at work; what a model would say is written here."""

import json
from collections.abc import AsyncGenerator, Mapping, Sequence

from pydantic import JsonValue

from app.agent.ports import Target
from app.core.entries import Finish
from app.core.events import Accepted, Finished, GatewayEvent, TextArrived, ToolCallArrived
from app.core.requests import Request
from app.settings import Endpoint
from ui.chat.view_model import ChatViewModel
from ui.guide import Guide, Stop


class Scripted:
    """A model that says what it is given, one answer a request."""

    def __init__(self, *answers: Sequence[GatewayEvent]) -> None:
        self._answers = list(answers)

    def is_ready_for(self, target: Target) -> bool:
        return True

    async def stream(self, request: Request, target: Target) -> AsyncGenerator[GatewayEvent, None]:
        yield Accepted()
        for event in self._answers.pop(0) if self._answers else _said("Fine."):
            yield event

    async def start(self) -> None:
        pass

    async def aclose(self) -> None:
        pass


def _said(text: str) -> tuple[GatewayEvent, ...]:
    return TextArrived(text=text), Finished(finish=Finish.STOP)


def calling(name: str, **arguments: JsonValue) -> tuple[GatewayEvent, ...]:
    return _calling_all(name, arguments)


def _calling_all(name: str, *each: Mapping[str, JsonValue]) -> tuple[GatewayEvent, ...]:
    """Several calls of one tool."""
    calls = (
        ToolCallArrived(index=n, call_id=f"call{n}", name=name, arguments=json.dumps(arguments))
        for n, arguments in enumerate(each)
    )
    return *calls, Finished(finish=Finish.TOOL_CALLS)


_SCRIPT = Endpoint(
    id="script",
    kind="compatible",
    name="Script",
    base_url="http://127.0.0.1:1",
    needs_key=False,
    models=("coder",),
)


async def at_work(
    guide: Guide, text: str, *answers: Sequence[GatewayEvent], place: Endpoint = _SCRIPT
) -> ChatViewModel:
    """A new chat with a workspace in which a model that can call tools is asked."""
    folder, application = guide.folder / "billing", guide.workbench.application
    folder.mkdir(exist_ok=True)
    (folder / "ledger.py").write_text("def prorate(lines, days):\n    return sum(map(round, lines))\n")
    application.gateway = Scripted(*answers)  # pyright: ignore[reportAttributeAccessIssue]  # the port's other adapter
    await application.change(endpoints=[place.model_dump(mode="json")], model=f"{place.id}/{place.models[0]}")
    chat_id, changes = await application.library.new_chat()
    application.publish(changes)
    await application.choose_workspace(chat_id, str(folder))
    guide.workbench.open_chat(chat_id)
    await guide.until(lambda: (model := guide.workbench.chat.model) and model.id == chat_id)
    model = guide.workbench.chat.model
    assert model
    await guide.ask(text)
    return model


async def running(guide: Guide) -> None:
    command = "for n in 1 2 3 4 5; do echo tests/billing/test_$n.py passed; done; sleep 20"
    reading = calling("file_read", paths=["ledger.py"])
    model = await at_work(guide, "Run the tests.", reading, calling("shell", command=command))
    chat = guide.workbench.chat
    await guide.until(lambda: model.state.is_waiting)
    chat.questions.answer(1)
    await guide.until(lambda: model.state.live and any(call.output for call in model.state.live.calls))
    chat.transcript.set_open(model.items.ids()[-2], is_open=True)


async def approval(guide: Guide) -> None:
    reading = calling("file_read", paths=["ledger.py"])
    new = "def prorate(lines, days):\n    return round(sum(lines))  # once, at the end\n"
    writing = calling("file_write", path="ledger.py", text=new)
    model = await at_work(guide, "Round once, at the end.", reading, writing)
    await guide.until(lambda: model.state.is_waiting)


async def paused(guide: Guide) -> None:
    reading = calling("file_read", paths=["ledger.py"])
    await guide.workbench.application.change(most_requests=1)
    model = await at_work(guide, "What does it round?", reading)
    await guide.until(lambda: model.state.pause)
    await guide.workbench.application.change(most_requests=100)


async def question(guide: Guide) -> None:
    asking = calling("ask_user", question="Which way shall halves go?", choices=["up", "to even"])
    model = await at_work(guide, "Mend the rounding.", asking)
    await guide.until(lambda: model.state.is_waiting)


async def reverted(guide: Guide) -> None:
    application = guide.workbench.application
    await application.change(access={"write": "allow"})
    reading, writing = (
        calling("file_read", paths=["ledger.py"]),
        calling("file_write", path="new.py", text=""),
    )
    model = await at_work(guide, "Make a module for it.", reading, writing, _said("It is there."))
    await guide.until(lambda: model.state.changed and model.state.live is None)
    guide.workbench.chat.transcript.action_triggered.emit(model.state.path[-1].id, "revert")
    await application.change(access={})


async def board(guide: Guide) -> None:
    tasks: list[JsonValue] = [
        {"id": "a", "title": "Find where it rounds", "status": "done", "owner": "reader"},
        {"id": "b", "title": "Round once, at the end", "status": "doing", "phase": "mending"},
        {"id": "c", "title": "Run the tests of the billing module", "status": "open"},
    ]
    model = await at_work(guide, "Plan it.", calling("task_board", tasks=tasks), _said("I begin."))
    await guide.until(lambda: model.state.live is None and model.state.path[-1].text == "I begin.")
    guide.command("board")


async def agents(guide: Guide) -> None:
    """Two at work side by side, and one that has ended."""
    tasks = (
        "Read the ledger and tell how it rounds",
        "Run the tests of the billing module",
        "Count the files",
    )
    sent = _calling_all("delegate", *({"task": task} for task in tasks))
    command = calling("shell", command="sleep 20")
    await guide.workbench.application.change(access={"shell": "allow"})
    model = await at_work(guide, "Look into it.", sent, command, command, _said("Done: there is one file."))
    await guide.until(lambda: sum(agent.call is not None for agent in model.state.agents) == 2)
    await guide.until(lambda: sum(agent.live is None for agent in model.state.agents) == 1)
    await guide.workbench.application.change(access={})


async def agent(guide: Guide) -> None:
    model = guide.workbench.chat.model
    assert model
    chat_id = model.state.agents[0].stored.chat_id
    guide.workbench.chat.agent_opened.emit(chat_id)
    await guide.until(lambda: (shown := guide.workbench.chat.model) and shown.id == chat_id)


TOOL_STOPS: tuple[Stop, ...] = (
    Stop(name="running", shows="A command at work, and what it writes.", bring=running),
    Stop(name="approval", shows="What a call would change, before it may.", bring=approval),
    Stop(name="question", shows="A tool that asks the person.", bring=question),
    Stop(name="reverting", shows="What a turn changed of files, before it is taken back.", bring=reverted),
    Stop(name="board", shows="The tasks that a model works through.", bring=board),
    Stop(name="sub-agents", shows="Sub-agents at work side by side.", bring=agents),
    Stop(
        name="sub-agent", shows="The chat of one of them, and the way back.", bring=agent, needs="sub-agents"
    ),
    Stop(name="paused", shows="A turn that waits to be told whether it goes on.", bring=paused),
)
