"""`replay`: a recorded conversation played against an endpoint, through the same turns as in the window."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import JsonValue

from app.cli.command import FAILED, OK, Command, positive, refuse
from app.cli.recording import Recording
from app.core.entries import Entry, Origin
from app.core.events import RequestSent, RoomMade, TurnEvent, TurnFailed
from app.core.ids import EntryId, new_id
from app.core.parts import Blob, Part, TextPart
from app.core.records import Compaction, RequestRecord
from app.settings import Paths

if TYPE_CHECKING:
    from app.agent.session import ChatSession
    from app.bootstrap.application import Application

_KEY_VARIABLE = "PALIMPSEST_API_KEY"
_KINDS = {
    "openai": "openai",
    "deepseek": "deepseek",
    "gemini": "gemini",
    "qwen": "dashscope",
    "anthropic": "anthropic",
}


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument(
        "--base-url",
        metavar="URL",
        required=True,
        help=f"of the endpoint; a key that it wants is in {_KEY_VARIABLE}",
    )
    parser.add_argument("--model", metavar="M", required=True, help="its name there")
    parser.add_argument("--window", metavar="N", type=positive, help="tokens that the model can read")
    parser.add_argument(
        "--turns", metavar="N", type=positive, help="end after so many messages of the person"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """What the recording holds of one turn."""

    asked: Entry
    followed: tuple[Entry, ...]
    """Up to the person's next message."""


async def _replay(given: argparse.Namespace, _paths: Paths) -> int:
    from app.vault.vault import Vault

    with tempfile.TemporaryDirectory(prefix="palimpsest-replay-", ignore_cleanup_errors=True) as folder:
        paths = Paths(data=Path(folder))
        recording = Recording(Vault(paths.vault))
        async with _application(paths, given, recording) as application:
            opening, turns = await _recorded(application, given.file)
            player = await _Player.open(application, opening, recording, is_json=given.json)
            for n, turn in enumerate(turns[: given.turns], start=1):
                if not await player.play(n, turn):
                    return FAILED
    return OK


@asynccontextmanager
async def _application(
    paths: Paths, given: argparse.Namespace, recording: Recording
) -> AsyncGenerator["Application"]:
    """One that knows nothing but the endpoint, and writes no titles: each request is the recording's."""
    from app.bootstrap.application import Application
    from app.core.ids import ModelId
    from app.settings import Endpoint

    model = ModelId(f"replay/{given.model}")
    endpoint = Endpoint(
        id="replay",
        kind=_kind(given.base_url, given.model),
        name=given.base_url,
        base_url=given.base_url,
        models=(given.model,),
    )
    application = await Application.open(paths, turns=recording.played)
    try:
        await application.endpoints.add(endpoint, os.environ.get(_KEY_VARIABLE) or "none")
        windows: dict[str, JsonValue] = {model: {"window_tokens": given.window}} if given.window else {}
        await application.change(model=model, write_titles=False, model_overrides=windows)
        await application.gateway.start()
        yield application
        await application.endpoints.remove(endpoint.id)
    finally:
        await application.aclose()


def _kind(base_url: str, model: str) -> str:
    """Whose endpoint it is taken for: Anthropic's form has no version in its address, all others have."""
    from app.models.families import family_of

    kind = _KINDS.get(family_of("compatible", model).id.partition("-")[0], "compatible")
    is_versioned = urlsplit(base_url).path.rstrip("/").endswith("/v1")
    return "compatible" if kind == "anthropic" and is_versioned else kind


async def _recorded(application: "Application", file: Path) -> tuple[tuple[Entry, ...], tuple[_Turn, ...]]:
    """What stands before the person's first message, and the turns; long originals lie in the vault by then."""
    from app.context.transcript import Transcript

    outcomes, _ = await application.library.import_files([file])
    for outcome in outcomes:
        if outcome.error:
            raise outcome.error
    contents = await application.store.load(outcomes[0].chats[0])
    path = Transcript(contents.entries).path(contents.chat.head)
    starts = [at for at, entry in enumerate(path) if entry.origin is Origin.USER]
    ends = [*starts[1:], len(path)]
    turns = [
        _Turn(asked=path[start], followed=path[start + 1 : end])
        for start, end in zip(starts, ends, strict=True)
    ]
    return path[: starts[0] if starts else len(path)], tuple(turns)


class _Player:
    """Plays into one open chat, through the turns that a person's message sets off."""

    def __init__(
        self,
        application: "Application",
        session: "ChatSession",
        recording: Recording,
        *,
        is_json: bool,
    ) -> None:
        self._application = application
        self._session = session
        self._recording = recording
        self._is_json = is_json
        self._made: list[Compaction] = []
        self._room: dict[EntryId, tuple[Compaction, ...]] = {}
        """What was folded just before a request, by the id of its answer."""
        self._failed: list[TurnFailed] = []
        session.watch(self._hear)

    @classmethod
    async def open(
        cls, application: "Application", opening: Sequence[Entry], recording: Recording, *, is_json: bool
    ) -> "_Player":
        chat_id, _ = await application.library.new_chat(title="Replay")
        player = cls(application, await application.session(chat_id), recording, is_json=is_json)
        await player._append([(entry.origin, entry.parts) for entry in opening])
        return player

    def _hear(self, event: TurnEvent) -> None:
        if isinstance(event, RoomMade):
            self._made.append(event.compaction)
        elif isinstance(event, RequestSent):
            self._room[event.answer_id] = tuple(self._made)
            self._made.clear()
        elif isinstance(event, TurnFailed):
            self._failed.append(event)

    async def play(self, n: int, turn: _Turn) -> bool:
        """One message of the person, and a real request for each answer that followed it. False: none came."""
        conversation = self._session.conversation
        self._recording.begin(turn.followed)
        n_before = len(conversation.requests)
        if all(isinstance(part, TextPart) and not isinstance(part.text, Blob) for part in turn.asked.parts):
            await self._session.send(turn.asked.text)
        else:  # what a composer can't hold
            await self._append([(Origin.USER, turn.asked.parts)])
            await self._session.retry(conversation.path[-1].id)
        await self._session.settled()
        for record in conversation.requests[n_before:]:
            self._tell(n, record)
        if self._failed:
            refuse(self._failed[0].error, FAILED)
            return False
        await self._append(self._recording.rest(conversation.path[-1]))
        return True

    def _tell(self, n: int, record: RequestRecord) -> None:
        from app.context.budget import stage_of

        window = self._window()
        made = self._room.get(record.answer_id, ())
        met = made[0].tokens_before if made else record.projected_tokens
        line: dict[str, JsonValue] = {
            "turn": n,
            "projected": record.projected_tokens,
            "prompt": record.usage.prompt_tokens if record.usage else None,
            "cached": record.usage.cached_tokens if record.usage else None,
            "cost": record.cost_usd,
            "stage": stage_of(met, window, 0).value,
            "folded": sum(step.folded for compaction in made for step in compaction.steps),
            "break_cause": record.cache_break.cause.value if record.cache_break else None,
        }
        if self._is_json:
            print(json.dumps(line, ensure_ascii=False))
        else:
            print("  ".join(f"{name} {'–' if value is None else value}" for name, value in line.items()))
        sys.stdout.flush()

    def _window(self) -> int:
        execution = self._application.executions.last(self._session.conversation.id)
        return execution.window.tokens if execution else 0

    async def _append(self, said: Sequence[tuple[Origin, tuple[Part, ...]]]) -> None:
        """Entries below the head, in order, as the store keeps them."""
        from app.context.ports import NewEntry

        conversation = self._session.conversation
        parent = conversation.chat.head
        new: list[NewEntry] = []
        for origin, parts in said:
            new.append(NewEntry(id=EntryId(new_id("e")), parent_id=parent, origin=origin, parts=parts))
            parent = new[-1].id
        for entry in await self._application.store.append(conversation.id, new) if new else ():
            conversation.add(entry)


REPLAY = Command(
    name="replay",
    help="Play a recorded conversation against an endpoint, a line per request.",
    add_arguments=_arguments,
    run=_replay,
)
