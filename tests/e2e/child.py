"""A program that talks until it is killed, and tells first what it was told is durable; see test_kill.py."""

import asyncio
import itertools
import json
import os
import random
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import httpx
from pydantic import JsonValue

import app.store.repositories  # loaded before the fork
from app.agent.ports import Target
from app.bootstrap.application import Application
from app.core.events import (
    CallFinished,
    CallStarted,
    GatewayEvent,
    RequestSent,
    TextDelta,
    TurnCompleted,
    TurnEvent,
)
from app.core.ids import ChatId
from app.core.requests import Request
from app.models.registry import ModelFacts
from app.providers.errors import to_error
from app.providers.llm_link import Failed
from app.providers.openai_stream import stream_completion
from app.settings import Endpoint, Paths

PRELOADED = (httpx, app.store.repositories)


class LightGateway:
    """`Gateway` without the worker, whose LiteLLM takes seconds to load: the embedded model's client."""

    def is_ready_for(self, target: Target) -> bool:
        return True

    async def aclose(self) -> None:
        pass

    async def stream(self, request: Request, target: Target) -> AsyncGenerator[GatewayEvent, None]:
        try:
            async with aclosing(stream_completion(target.endpoint.base_url, "key", request, {})) as events:
                async for event in events:
                    yield event
        except Failed as failed:
            raise to_error(failed.fault, endpoint=target.endpoint, model=target.name) from failed


class CountsByLength:
    """`TextWork` without its process."""

    async def count(self, texts: Sequence[str], tokenizer: str) -> tuple[int, ...]:
        return tuple(len(text) // 4 + 1 for text in texts)

    async def call(self, op: str, arguments: Mapping[str, JsonValue], payload: bytes = b"") -> JsonValue:
        raise AssertionError(op)

    async def aclose(self) -> None:
        pass


async def light_application(data: Path, url: str) -> Application:
    """The application on `data`, with the simulator at `url` as its model."""
    opened = Application(Paths(data=data))
    opened.gateway = LightGateway()  # pyright: ignore[reportAttributeAccessIssue]  # as far as a turn needs it
    opened.text = CountsByLength()  # pyright: ignore[reportAttributeAccessIssue]  # same
    await opened.prepare()
    if not opened.settings.endpoints:
        # Of this kind everything is known without asking the text worker.
        endpoint = Endpoint(id="sim", kind="embedded", name="Simulator", base_url=url, models=("light",))
        await opened.endpoints.add(endpoint)
        await opened.change(model="sim/light", write_titles=False)
    return opened


def let_it_work(opened: Application, workspace: Path) -> None:
    """Have its model call tools, in a folder where everything is allowed."""

    async def facts(kind: str, name: str) -> ModelFacts:
        return ModelFacts(window_tokens=100_000, tools=True)

    executions = opened.executions
    executions._ports = replace(executions._ports, facts=facts)  # pyright: ignore[reportPrivateUsage]  # the registry is the text worker's, which is not here
    own = {"workspace": str(workspace), "access": {"shell": "allow", "write": "allow"}}
    opened.settings = opened.settings.model_copy(update=own)


def work(data: str, url: str, told: str) -> None:
    """Carry out calls for ever, as `main` talks."""
    asyncio.run(_work(Path(data), url, told))


async def _work(data: Path, url: str, told: str) -> None:
    file = os.open(told, os.O_CREAT | os.O_APPEND | os.O_WRONLY)

    def tell(what: str, *values: object) -> None:
        os.write(file, json.dumps([what, time.monotonic(), *values]).encode() + b"\n")

    def hear(event: TurnEvent) -> None:
        match event:
            case CallStarted(answer_id=answer_id, index=index):
                tell("started", answer_id, index)
            case CallFinished(answer_id=answer_id, index=index, result=result):
                tell("finished", answer_id, index, result.id)
            case _:
                pass

    opened = await light_application(data, url)
    let_it_work(opened, data.parent)
    chat_id, _ = await opened.library.new_chat(title="At work")
    tell("chat", chat_id)
    session = await opened.session(ChatId(chat_id))
    session.watch(hear)
    await session.send("Work.")
    await session.settled()


def main(data: str, url: str, seed: int, told: str) -> None:
    """Talk, stop, queue and draft for ever; each line of `told` was durable when it was written."""
    asyncio.run(_live(Path(data), url, random.Random(seed), told))


async def _live(data: Path, url: str, dice: random.Random, told: str) -> None:
    file = os.open(told, os.O_CREAT | os.O_APPEND | os.O_WRONLY)

    def tell(what: str, *values: object) -> None:
        os.write(file, json.dumps([what, time.monotonic(), *values]).encode() + b"\n")

    def hear(event: TurnEvent) -> None:
        match event:
            case RequestSent():
                tell("answer", event.answer_id)
            case TextDelta():
                tell("delta", event.text)
            case TurnCompleted():
                tell("done", event.answer.id, event.answer.text)
            case _:
                pass

    opened = await light_application(data, url)
    chat_id, _ = await opened.library.new_chat(title="Until the end")
    tell("chat", chat_id)
    session = await opened.session(ChatId(chat_id))
    session.watch(hear)
    for n in itertools.count():
        text = f"Question {n}, {dice.random()}?"
        await session.send(text)
        tell("said", text)
        await asyncio.sleep(dice.choice([0.0, 0.05, 0.4, 1.5, 2.5]))
        draft = f"Draft {n}"
        await session.save_draft(replace(session.draft, text=draft))
        tell("draft", draft)
        if dice.random() < 0.3:
            session.stop()
            await session.settled()
            await session.resume_queue()
