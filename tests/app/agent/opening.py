"""A session on a real store, with a scripted model and a clock that the test moves."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType

from pydantic import JsonValue

from app.agent.asides import AsidePorts
from app.agent.breakers import Breakers
from app.agent.calling import Tools
from app.agent.commission import Commission
from app.agent.desk import DeskPorts
from app.agent.execution import ChatAgentExecutionCache, Execution, ExecutionPorts
from app.agent.ports import Gateway, Target
from app.agent.rates import Rates
from app.agent.session import ChatSession, SessionPorts
from app.agent.toolbox import ToolBox
from app.agent.tools.skills import Skill
from app.agent.tools.tool import Reply, Tool
from app.agent.tools.workspace import NoFiles
from app.agent.turns import TurnPorts
from app.agent.warmth import Attention, WarmthPorts
from app.agent.writer import WriterPorts, writer_for
from app.bootstrap.shipped import shipped_noise
from app.context.conversation import Conversation
from app.context.counting import Counter
from app.context.engine import Engine
from app.context.ports import StepPorts, Store, Vault, Writer
from app.core.entries import Chat, Entry, Origin
from app.core.errors import StoreError
from app.core.events import RetryScheduled, TurnCompleted, TurnEvent, TurnFailed, TurnPaused, TurnStopped
from app.core.ids import ChatId, EntryId
from app.core.parts import Blob
from app.core.records import Changes, Fact, RequestKind, RequestRecord
from app.core.requests import Message, Role
from app.filters.filter import InPlaceFilters
from app.models.registry import ModelFacts, Prices
from app.settings import Endpoint, Settings
from tests.fakes import FakeClock, ScriptedGateway, until

CHAT = ChatId("chat")
HERE = Endpoint(id="here", kind="compatible", name="Here", base_url="http://here.example", models=("m", "n"))
FACTS = ModelFacts(window_tokens=100_000, prices=Prices(input_usd=0.001, output_usd=0.002))
ENDS = TurnCompleted | TurnFailed | TurnStopped | TurnPaused


class CountsByLength:
    """`TextWork` without a vocabulary."""

    async def count(self, texts: Sequence[str], tokenizer: str) -> tuple[int, ...]:
        return tuple(len(text) // 4 + 1 for text in texts)

    async def call(self, op: str, arguments: Mapping[str, JsonValue], payload: bytes = b"") -> JsonValue:
        raise AssertionError(op)


class NoVault:
    async def put(self, data: bytes, *, mime: str, name: str) -> Blob:
        raise AssertionError

    async def get(self, blob: Blob) -> bytes:
        raise AssertionError


async def no_titles(execution: Execution) -> Target | None:
    return None


def no_reply(answer_id: EntryId, index: int, reply: Reply) -> None:
    raise AssertionError


async def titles_by_n(execution: Execution) -> Target | None:
    return Target(endpoint=HERE, name="n")


@dataclass(slots=True, kw_only=True)
class Opened:
    """A chat that is open, and all that it told."""

    session: ChatSession
    store: Store
    gateway: ScriptedGateway
    clock: FakeClock
    attention: Attention
    breakers: Breakers
    settings: list[Settings]
    """The last one holds."""
    events: list[TurnEvent] = field(default_factory=list[TurnEvent])
    errors: list[BaseException] = field(default_factory=list[BaseException])
    changes: list[Changes] = field(default_factory=list[Changes])

    @property
    def said(self) -> list[str]:
        """The shown branch, as `origin: text`."""
        return [f"{entry.origin}: {entry.text}" for entry in self.session.conversation.path]

    @property
    def ends(self) -> list[TurnEvent]:
        return [event for event in self.events if isinstance(event, ENDS)]

    def last(self, origin: Origin = Origin.ASSISTANT) -> EntryId:
        path = self.session.conversation.path
        return next(entry.id for entry in reversed(path) if entry.origin is origin)

    async def ask(self, text: str) -> TurnEvent:
        """Send, and wait for the end of the turn."""
        await self.session.send(text)
        return await self.end()

    async def end(self, n: int | None = None) -> TurnEvent:
        """The end of the running turn, or of the `n`th."""
        if n is None:
            await self.session.settled()
        else:
            await until(lambda: len(self.ends) >= n and not self.session.is_running)
        return self.ends[-1]

    async def hears(self, kind: type[object]) -> None:
        """Wait until an event of this kind was told."""
        await until(lambda: any(isinstance(event, kind) for event in self.events))

    async def pass_the_retry(self) -> None:
        """Wait until the request waits to be sent again, and let that time pass."""
        await self.hears(RetryScheduled)
        wait_s = next(event.in_s for event in reversed(self.events) if isinstance(event, RetryScheduled))
        await until(lambda: wait_s in self.clock.slept)
        self.clock.advance(wait_s)

    async def records(self) -> tuple[RequestRecord, ...]:
        return await self.store.requests(CHAT)

    async def stored(self) -> tuple[Entry, ...]:
        return (await self.store.load(CHAT)).entries

    def model_saw(self, n: int = -1) -> list[str]:
        """The messages of the `n`th request, as `role: text`."""
        return [told(message) for message in self.gateway.requests[n].messages]


def told(message: Message) -> str:
    words = " ".join(str(getattr(part, "text", part)) for part in message.parts)
    return f"{Role(message.role)}: {words}"


async def opened(
    store: Store,
    *,
    settings: Settings | None = None,
    titles: Callable[[Execution], Awaitable[Target | None]] = no_titles,
    lite: Callable[[Execution], Awaitable[Target | None]] = no_titles,
    prompts: Mapping[str, str] = MappingProxyType({}),
    title: str = "Given",
    chat_id: ChatId = CHAT,
    wire: Gateway | None = None,
    facts: ModelFacts | None = None,
    vault: Vault | None = None,
    tools: Tools | None = None,
    offers: Sequence[Tool] = (),
    skills: Sequence[Skill] = (),
) -> Opened:
    """The chat, made where it is not there yet; as after a restart where it is.

    Args:
        wire: A real gateway instead of the scripted one, whose prompts are kept warm.
        vault: None: it needs none.
        offers: As it is when a turn begins, so that a test may change it.
    """
    scripted, clock = ScriptedGateway(), FakeClock()
    gateway = wire or scripted
    held = [settings or Settings(endpoints=(HERE,), model="here/m")]
    errors: list[BaseException] = []
    changes: list[Changes] = []
    executions = ChatAgentExecutionCache(execution_ports(store, held, facts, offers, skills))
    breakers = Breakers(
        store, clock, changed=lambda: changes.append(Changes(facts=frozenset({Fact.SETTINGS})))
    )
    await breakers.load()

    async def title_target(execution: Execution) -> tuple[Target, ModelFacts] | None:
        target = await titles(execution)
        return (target, FACTS) if target else None

    async def writer(commission: Commission) -> Writer | None:
        ports = WriterPorts(
            asides=AsidePorts(store=store, gateway=gateway, clock=clock),
            breakers=breakers,
            lite=lite,
            known=lambda target: executions.known(target, held[-1]),
        )
        return await writer_for(commission, ports)

    attention = Attention(clock, returned=lambda: session.take_up())

    async def spent() -> float:
        made = await store.requests_since(clock.now() - timedelta(days=1))
        return sum(item.cost_usd or 0.0 for item in made if item.kind is RequestKind.PROBE)

    ports = SessionPorts(
        turn=TurnPorts(
            store=store,
            gateway=gateway,
            clock=clock,
            execution=executions.of,
            tools=tools,
            rates=Rates(clock),
        ),
        publish=changes.append,
        on_error=errors.append,
        desk=DeskPorts(
            store=store,
            clock=clock,
            executions=executions,
            compresses=lambda: held[-1].compresses,
            writer=writer,
            breakers=lambda: breakers.states,
        ),
        title_target=title_target,
        warmth=WarmthPorts(
            asides=AsidePorts(store=store, gateway=gateway, clock=clock),
            executions=executions,
            settings=lambda: held[-1] if wire else held[-1].model_copy(update={"cache_mode": "off"}),
            attention=attention,
            spent_today_usd=spent,
        ),
        noise=shipped_noise,
        reply=tools.reply if isinstance(tools, ToolBox) else no_reply,
    )
    try:
        await store.chat(chat_id)
    except StoreError:
        now = clock.now()
        await store.create_chat(
            Chat(id=chat_id, title=title, created_at=now, updated_at=now, rev=0, head=None)
        )
    conversation = Conversation(await store.load(chat_id), await store.requests(chat_id))
    counter = Counter(chat_id, store=store, work=CountsByLength(), vault=vault or NoVault())
    step_ports = StepPorts(
        vault=vault or NoVault(),
        text=CountsByLength(),
        filters=InPlaceFilters(),
        files=NoFiles(),
        clock=clock,
        prompts=prompts,
    )
    engine = Engine(conversation, store=store, ports=step_ports)
    session = ChatSession(conversation, await store.draft(chat_id), counter, engine, ports)
    found = Opened(
        session=session,
        store=store,
        gateway=scripted,
        clock=clock,
        attention=attention,
        breakers=breakers,
        settings=held,
        errors=errors,
        changes=changes,
    )
    session.watch(found.events.append)
    return found


def execution_ports(
    store: Store,
    held: list[Settings],
    known: ModelFacts | None = None,
    offers: Sequence[Tool] = (),
    skills: Sequence[Skill] = (),
) -> ExecutionPorts:
    async def found(settings: Settings) -> tuple[Skill, ...]:
        return tuple(skills)

    async def tools(settings: Settings) -> tuple[Tool, ...]:
        return tuple(offers)

    async def facts(kind: str, name: str) -> ModelFacts:
        return known or FACTS

    return ExecutionPorts(
        settings=lambda: held[-1],
        chat_settings=store.chat_settings,
        save_chat_setting=store.save_chat_setting,
        facts=facts,
        built_in=(Endpoint(id="builtin", kind="builtin", name="Built in", models=("extractive",)),),
        prompts={"naked.en": "Be brief.", "naked.zh": "请简短。", "sections/identity.en": "Be lean."},
        language=lambda: "en",
        tools=tools,
        skills=found,
    )
