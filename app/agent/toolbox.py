"""Carries out the calls of an answer: asks the person where that is due, and stores what each call gave.

Calls that only read run side by side, all others one after another in the order of the answer (A10). Whatever
happens, every call has a result in the end: a failure is told to the model, and so is Stop.
"""

import asyncio
import hashlib
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from app.agent.approvals import Rules, ruling
from app.agent.calling import Called, Carried
from app.agent.guards import (
    LOOP_NOTE,
    Fate,
    Kind,
    Loop,
    Verdict,
    built_in_kind,
    judge,
    loop_verdict,
    rounds_of,
)
from app.agent.hooks import Heard, cut, hear, note
from app.agent.paths import PathRefused, Roots, Use, resolve
from app.agent.reverting import Reverted, changed_files, revert
from app.agent.tools.failing import ToolFailed
from app.agent.tools.reach import Web
from app.agent.tools.roots import roots_of
from app.agent.tools.running import Jobs, Sandbox
from app.agent.tools.seen import SeenFiles
from app.agent.tools.skills import check_allowed, loaded_skill
from app.agent.tools.tool import Arguments, Given, Handover, Picture, Place, Reply, parsed
from app.context.context import Context
from app.context.originals import Originals
from app.context.ports import Clock, NewEntry, Store, Vault
from app.context.reading import Shown
from app.core.approvals import Access, Consent, Ruling, Wish
from app.core.entries import Entry, Origin
from app.core.errors import AppError
from app.core.events import AnswerDropped, CallFinished, CallSaid, CallStarted, PersonAsked, TurnEvent
from app.core.ids import ChatId, EntryId, ModelId, TurnId, new_id
from app.core.parts import Blob, MediaPart, Part, TextPart, ToolCallPart, ToolResultPart, clean_text
from app.core.records import FileChange, ToolRun, ToolRunState
from app.settings import HookEvent, Settings
from app.tasks import uncancelled
from app.vault.images import image_size

_STOPPED = "[stopped by the person before it had finished; it may have run in part]"
_NOT_STARTED = "[stopped by the person before it was started]"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxPorts:
    data: Path
    """Our own folder, which no call touches."""
    store: Store
    vault: Vault
    clock: Clock
    settings: Callable[[ChatId], Awaitable[Settings]]
    """A chat's, as they are at this moment: what was forbidden meanwhile is not done (A8)."""
    grant: Callable[[ChatId, Wish, Consent], Awaitable[None]]
    """Remember what the person allows from now on."""
    delegate: Callable[[Called, int, str, str, Callable[[Wish], Awaitable[Reply]]], Awaitable[Handover]]
    """Have a sub-agent of a call follow a brief, under a title; what it wants is asked through the last one."""
    web: Web
    jobs: Jobs = field(default_factory=Jobs)
    sandbox: Sandbox = field(default_factory=Sandbox)


@dataclass(slots=True)
class _Run:
    """What is known of a chat's running turn, and of its files."""

    seen: SeenFiles = field(default_factory=SeenFiles)
    turn: TurnId | None = None
    n_in_a_row: int = 0
    noted_at: EntryId | None = None

    def enter(self, turn: TurnId) -> None:
        if self.turn != turn:
            self.turn, self.n_in_a_row, self.noted_at = turn, 0, None


class ToolBox:
    """`agent.calling.Tools` with what an execution has of them."""

    def __init__(self, ports: BoxPorts) -> None:
        self._ports = ports
        self._runs: dict[ChatId, _Run] = {}
        self._questions: dict[tuple[EntryId, int], asyncio.Future[Reply]] = {}
        self.circles: Counter[tuple[ChatId, ModelId]] = Counter()
        """How often a model of a chat went round in circles, since the program began (C30)."""

    def takes(self, answer: Entry) -> bool:
        """See `Tools`."""
        return bool(answer.calls)

    def reply(self, answer_id: EntryId, index: int, reply: Reply) -> None:
        """What the person says to a call that waits for them; what waits no more hears nothing."""
        question = self._questions.get((answer_id, index))
        if question and not question.done():
            question.set_result(reply)

    def seen(self, chat_id: ChatId) -> SeenFiles:
        """What the model of a chat has read in full since the program began."""
        return self._runs.setdefault(chat_id, _Run()).seen

    async def changed_files(self, chat_id: ChatId) -> Mapping[EntryId, tuple[str, ...]]:
        """What calls of a chat's answers changed, by answer, as long as that was not taken back (A12)."""
        return await changed_files(chat_id, self._ports.store)

    async def revert(self, chat_id: ChatId, answers: Collection[EntryId]) -> Reverted:
        """Take back what calls of these answers changed, in the folders that their chat has now."""
        ports = self._ports
        roots = roots_of(await ports.settings(chat_id), ports.data)
        return await revert(chat_id, answers, roots, store=ports.store, vault=ports.vault, clock=ports.clock)

    async def has_sandbox(self) -> bool:
        return await self._ports.sandbox.is_there()

    async def aclose(self) -> None:
        """End what runs in the background."""
        await self._ports.jobs.aclose()

    async def carry_out(self, called: Called) -> Carried:
        """See `Tools`."""
        run = self._runs.setdefault(called.conversation.id, _Run())
        run.enter(called.turn)
        settings = await self._ports.settings(called.conversation.id)
        round_ = _Round(called, run, roots_of(settings, self._ports.data), self._ports, self._questions)
        verdict = round_.verdict(run.n_in_a_row)
        run.n_in_a_row = verdict.n_in_a_row
        if verdict.fate is Fate.ROLL_BACK:
            await round_.set_aside(verdict.note)
            return Carried.AGAIN
        try:
            await round_.carry_out(verdict)
        except BaseException:
            await uncancelled(round_.close())
            raise
        match loop_verdict(called.conversation.path, writers=round_.wrote, noted_at=run.noted_at):
            case Loop.NOTE:
                run.noted_at = called.answer.id
                self.circles[called.conversation.id, called.execution.model] += 1
                await round_.note(LOOP_NOTE)
            case Loop.STOP:
                return Carried.IN_CIRCLES
            case Loop.NONE:
                pass
        return Carried.ON


class _Round:
    """One answer's calls."""

    def __init__(
        self,
        called: Called,
        run: _Run,
        roots: Roots,
        ports: BoxPorts,
        questions: dict[tuple[EntryId, int], asyncio.Future[Reply]],
    ) -> None:
        self._called = called
        self._run = run
        self._roots = roots
        self._ports = ports
        self._questions = questions
        self._tools = {tool.spec.name: tool for tool in called.execution.tools}
        self._states: dict[int, ToolRunState] = {}
        self._storing = asyncio.Lock()
        self._asking: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        """By call: its sub-agent may want several things at once, and the person answers one."""
        self._heard: list[str] = []
        """From hooks."""
        self.wrote: set[EntryId] = set()
        """This answer, where a call of it changed a file."""

    @property
    def _answer(self) -> Entry:
        return self._called.answer

    def verdict(self, n_in_a_row: int) -> Verdict:
        """What the repeat guard says (C29)."""
        here = self._called.conversation
        path = here.path[: here.n_until(self._answer.id) - 1]
        context = here.context(model=self._called.execution.model, prelude=self._called.execution.prelude)
        return judge(
            path, self._answer.calls, kind_of=self._kind, shown=_whole(context), n_in_a_row=n_in_a_row
        )

    def _kind(self, call: ToolCallPart) -> Kind:
        read_only = {name for name, tool in self._tools.items() if tool.is_read_only}
        return built_in_kind(call, is_unchanged=self._is_unchanged, read_only=read_only - {"file_read"})

    def _is_unchanged(self, name: str) -> bool:
        try:
            return self._run.seen.is_as_known(resolve(self._roots, name, Use.READ))
        except PathRefused:
            return False

    async def set_aside(self, note: str) -> None:
        """Leave the answer beside the path; nothing of it was run."""
        here, parent = self._called.conversation, self._answer.parent_id
        assert parent
        for index, _ in enumerate(self._answer.calls):
            await self._save(index, ToolRunState.FINISHED)
        await self._ports.store.move_head(here.id, parent)
        here.show(parent)
        self._tell(AnswerDropped(turn=self._called.turn, answer_id=self._answer.id, note=note))

    async def carry_out(self, verdict: Verdict) -> None:
        earlier = dict(verdict.earlier) if verdict.fate is Fate.ANSWER else {}
        open_ = self._open()
        for index in (index for index in earlier if index in open_):
            await self._store(index, self._as_then(earlier[index]))
        for batch in self._batches([index for index in open_ if index not in earlier]):
            async with asyncio.TaskGroup() as group:
                for index in batch:
                    group.create_task(self._one(index))
        await note(self._called.conversation, self._ports.store, self._heard)

    async def close(self) -> None:
        """Give each call that has none a result that says so."""
        for index in self._open():
            is_under_way = self._states.get(index) is ToolRunState.STARTED
            text = _STOPPED if is_under_way else _NOT_STARTED
            await self._store(index, Given(text=text, is_error=True))

    async def note(self, text: str) -> None:
        await self._append(Origin.NOTE, TextPart(text=text))

    def _open(self) -> list[int]:
        """Calls without a result, by index."""
        round_ = next(
            item for item in rounds_of(self._called.conversation.path) if item.id == self._answer.id
        )
        return [index for index, answer in enumerate(round_.answers) if answer is None]

    def _batches(self, indices: Sequence[int]) -> Iterator[list[int]]:
        """What runs side by side."""
        batch: list[int] = []
        for index in indices:
            tool = self._tools.get(self._answer.calls[index].name)
            if tool and (tool.is_read_only or tool.is_side_by_side):
                batch.append(index)
                continue
            if batch:
                yield batch
            yield [index]
            batch = []
        if batch:
            yield batch

    async def _one(self, index: int) -> None:
        try:
            given = await self._given(index)
        except AppError as error:
            given = _failed(error.message, error.hint)
        except OSError as error:  # of the files and programs that a tool works on
            given = _failed(f"{error.strerror or error}: {error.filename or ''}".rstrip(": "))
        await uncancelled(self._store(index, given))

    async def _given(self, index: int) -> Given:
        call = self._answer.calls[index]
        tool = self._tools.get(call.name)
        if tool is None:
            raise ToolFailed(
                f"There is no tool {call.name!r} here. There are: {', '.join(sorted(self._tools))}."
            )
        arguments = parsed(await self._text(call.arguments))
        skill = loaded_skill(self._called.conversation.path, self._called.execution.skills)
        check_allowed(skill, call.name, lambda: _is_of_originals(call.name, arguments))
        await self._before(call, arguments)
        place = await self._place(index)
        if wish := await tool.wish(arguments, place):
            await self._allowed(index, wish, place)
        await self._save(index, ToolRunState.STARTED)
        self._tell_started(index)
        given = await tool.run(arguments, place)
        after: dict[str, JsonValue] = {"result": cut(given.text), "is_error": given.is_error}
        await self._hear("after_tool", call, {**arguments}, after)
        return given

    async def _before(self, call: ToolCallPart, arguments: Arguments) -> None:
        """
        Raises:
            ToolFailed: a hook of the person's refuses the call.
        """
        heard = await self._hear("before_tool", call, {**arguments}, {})
        if heard.refusal is not None:
            raise ToolFailed(f"A hook of the person's refuses this call. {heard.refusal}".strip())

    async def _hear(
        self,
        event: HookEvent,
        call: ToolCallPart,
        arguments: dict[str, JsonValue],
        more: Mapping[str, JsonValue],
    ) -> Heard:
        """Run the hooks of an event; what they say waits for the end of the round, after all results (C31)."""
        execution, told = self._called.execution, {"tool": call.name, "arguments": arguments, **more}
        chat_id = self._called.conversation.id
        heard = await hear(execution.hooks, event, chat_id, told, cwd=execution.folder)
        for failed in heard.told(self._called.turn):
            self._tell(failed)
        self._heard.extend(heard.texts)
        return heard

    async def _allowed(self, index: int, wish: Wish, place: Place) -> None:
        """
        Raises:
            ToolFailed: it is not.
        """
        said = ruling(wish, rules_of(place.settings))
        if said is Ruling.REFUSE:
            raise ToolFailed(wish.refusal or "The settings of this chat do not allow this.")
        if said is Ruling.ASK:
            reply = await self._ask(index, wish)
            if reply.consent is Consent.REFUSED:
                why = f" They say: {reply.text}" if reply.text else ""
                raise ToolFailed(f"The person does not allow this.{why}")
            if reply.consent in (Consent.CHAT, Consent.ALWAYS):
                await self._ports.grant(self._called.conversation.id, wish, reply.consent)
        await self._save(index, ToolRunState.APPROVED)

    async def _ask(self, index: int, wish: Wish, *, is_at_work: bool = False) -> Reply:
        key = (self._answer.id, index)
        async with self._asking[index]:
            self._questions[key] = asyncio.get_running_loop().create_future()
            self._tell(PersonAsked(turn=self._called.turn, answer_id=key[0], index=index, wish=wish))
            try:
                return await self._questions[key]
            finally:
                del self._questions[key]
                if is_at_work:  # it goes on, also where a sub-agent was answered in its own chat
                    self._tell_started(index)

    async def _place(self, index: int) -> Place:
        here = self._called.conversation
        settings = await self._ports.settings(here.id)
        entries = here.transcript

        def originals() -> Originals:
            return Originals({entry.id: entry for entry in entries}, entries.path, here.folds, here.deletions)

        def say(text: str) -> None:
            self._tell(CallSaid(turn=self._called.turn, answer_id=self._answer.id, index=index, text=text))

        async def ask(wish: Wish) -> Reply:
            return await self._ask(index, wish, is_at_work=True)

        async def delegate(title: str, brief: str) -> Handover:
            return await self._ports.delegate(self._called, index, title, brief, ask)

        async def journal(path: Path, before: bytes | None, after: bytes) -> None:
            await self._journal(index, path, before, after)

        return Place(
            chat_id=here.id,
            answer_id=self._answer.id,
            index=index,
            settings=settings,
            roots=roots_of(settings, self._ports.data),
            originals=originals,
            vault=self._ports.vault,
            seen=self._run.seen,
            clock=self._ports.clock,
            say=say,
            ask=ask,
            journal=journal,
            jobs=self._ports.jobs,
            sandbox=self._ports.sandbox,
            path=lambda: here.path,
            web=self._ports.web,
            delegate=delegate,
        )

    async def _journal(self, index: int, path: Path, before: bytes | None, after: bytes) -> None:
        """Written down first, so that nothing is ever changed that can't be taken back."""
        held = (
            await self._ports.vault.put(before, mime="text/plain", name=path.name)
            if before is not None
            else None
        )
        change = FileChange(
            id=new_id("f"),
            chat_id=self._called.conversation.id,
            entry_id=self._answer.id,
            call_index=index,
            path=str(path),
            before=held,
            after_sha256=hashlib.sha256(after).hexdigest(),
            created_at=self._ports.clock.now(),
        )
        await self._ports.store.save_file_change(change)
        self.wrote.add(self._answer.id)

    def _as_then(self, entry_id: EntryId) -> Given | ToolResultPart:
        return self._called.conversation.transcript[entry_id].results[0]

    async def _store(self, index: int, given: Given | ToolResultPart) -> None:
        call = self._answer.calls[index]
        text = clean_text(given.text) if isinstance(given.text, str) else given.text
        part = ToolResultPart(call_id=call.call_id, name=call.name, text=text, is_error=given.is_error)
        pictures = given.pictures if isinstance(given, Given) else ()
        entry = await self._append(Origin.TOOL, part, *[await self._kept(each) for each in pictures])
        await self._save(index, ToolRunState.FINISHED)
        self._tell(CallFinished(turn=self._called.turn, answer_id=self._answer.id, index=index, result=entry))

    async def _kept(self, picture: Picture) -> Part:
        """As it is shown to models that take images (S11); what only says that it is one is named."""
        width, height = image_size(picture.data)
        if not width or not height:
            return TextPart(text=f"[no image: {picture.mime}]")
        name = f"picture.{picture.mime.rpartition('/')[2]}"
        blob = await self._ports.vault.put(picture.data, mime=picture.mime, name=name)
        return MediaPart(source=blob, mime=picture.mime, width_px=width, height_px=height)

    async def _append(self, origin: Origin, *parts: Part) -> Entry:
        here = self._called.conversation
        async with self._storing:  # each follows the one stored before it
            new = NewEntry(id=EntryId(new_id("e")), parent_id=here.chat.head, origin=origin, parts=parts)
            (entry,) = await self._ports.store.append(here.id, [new])
            here.add(entry)
        return entry

    async def _text(self, body: str | Blob) -> str:
        return (await self._ports.vault.get(body)).decode() if isinstance(body, Blob) else body

    async def _save(self, index: int, state: ToolRunState) -> None:
        self._states[index] = state
        await self._ports.store.save_tool_run(
            ToolRun(entry_id=self._answer.id, call_index=index, state=state)
        )

    def _tell_started(self, index: int) -> None:
        self._tell(CallStarted(turn=self._called.turn, answer_id=self._answer.id, index=index))

    def _tell(self, event: TurnEvent) -> None:
        self._called.tell(event)


def rules_of(settings: Settings) -> Rules:
    """What the person allows, or forbids, without being asked."""
    return Rules(
        allowed=frozenset((*settings.allowed_always, *settings.allowed_here)),
        servers=frozenset(server.rule for server in settings.mcp_servers if server.approval == "allow"),
        by_access={Access(name): Ruling(value) for name, value in settings.access.items()},
    )


def _is_of_originals(name: str, arguments: Arguments) -> bool:
    paths = arguments.get("paths")
    return name == "file_read" and isinstance(paths, list) and all(_is_address(path) for path in paths)


def _is_address(path: JsonValue) -> bool:
    return isinstance(path, str) and path.strip().startswith("vault:")


def _failed(*sentences: str) -> Given:
    return Given(text="[error] " + "\n".join(filter(None, sentences)), is_error=True)


def _whole(context: Context) -> frozenset[EntryId]:
    """Entries of the running turn that the model sees as they are."""
    found: set[EntryId] = set()
    for item in reversed(context.items):
        if isinstance(item, Shown):
            found.update(
                entry.id
                for entry, parts in zip(item.entries, item.parts, strict=True)
                if parts == entry.parts
            )
            if item.entries[0].origin is Origin.USER:
                break
    return frozenset(found)
