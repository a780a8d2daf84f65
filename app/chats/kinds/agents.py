"""Sessions of agents on the command line, a record a line: Claude Code, Codex, Copilot, Kimi, pi; and Gemini's."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pydantic import JsonValue

from app.chats.faults import Fault, FaultKind
from app.chats.kinds.blocks import Blocks
from app.chats.kinds.kind import File, Format, Imported, first_time, time_of
from app.chats.kinds.tree import Node, Speech, made, row
from app.chats.messages import ORIGINS, JsonObject
from app.core.entries import Origin
from app.core.ids import ModelId
from app.core.parts import OpaquePart, Part, ThinkingPart, clean_text


def _records(value: JsonValue) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _detects(fits: Callable[[JsonObject], bool]) -> Callable[[JsonValue], bool]:
    """Whether any of the first records is one of this program's."""
    return lambda value: any(fits(record) for record in _records(value)[:50])


def _model(provider: str, name: JsonValue) -> ModelId | None:
    if not isinstance(name, str) or not name or name.startswith("<"):
        return None
    return ModelId(clean_text(name if "/" in name else f"{provider}/{name}"))


def _fields(record: JsonObject, name: str) -> JsonObject:
    held = record.get(name)
    return held if isinstance(held, dict) else {}


# ---- Claude Code: lines that name their parents; a side chain is a sub-agent's chat


def _is_claude_code(record: JsonObject) -> bool:
    return record.get("type") in ("user", "assistant") and isinstance(record.get("message"), dict)


def _read_claude_code(file: File) -> Iterator[Imported]:
    yield from _claude_code(file, _records(file.json))


def _claude_code(file: File, records: list[JsonObject]) -> Iterator[Imported]:
    summaries = (record.get("summary") for record in records if record.get("type") == "summary")
    title = next((text for text in summaries if isinstance(text, str) and text), "")
    main = [record for record in records if record.get("isSidechain") is not True]
    side = [record for record in records if record.get("isSidechain") is True]
    for n, lines in enumerate((main, *_by_start(side))):
        if lines or not n:
            yield _session(file, lines, title if not n else f"{title} · {n}".strip(" ·"))


def _by_start(records: list[JsonObject]) -> list[list[JsonObject]]:
    """Side chains: each begins with a line that names no parent."""
    found: list[list[JsonObject]] = []
    for record in records:
        if not found or record.get("parentUuid") is None:
            found.append([])
        found[-1].append(record)
    return found


@dataclass(kw_only=True)
class _Lines:
    """Lines as nodes: those of one message joined, since each of its blocks is a line of its own."""

    blocks: Blocks = field(default_factory=Blocks)
    nodes: list[Node] = field(default_factory=list[Node])
    same: dict[str, str] = field(default_factory=dict[str, str])
    """Keys of lines that were joined to another."""
    last: str | None = None
    message_id: str = ""

    def take(self, n: int, record: JsonObject) -> None:
        self.blocks.n = n
        message = record.get("message")
        key, parent = str(record.get("uuid") or n), record.get("parentUuid")
        if record.get("type") not in ("user", "assistant"):
            # What hangs on an attachment or a note of the program hangs on what came before that.
            above = self.same.get(parent, parent) if isinstance(parent, str) else None
            if isinstance(above, str) and "uuid" in record:
                self.same[key] = above
            return
        if not isinstance(message, dict):
            self.blocks.faults.append(Fault(kind=FaultKind.NOT_A_MESSAGE, n=n))
            return
        origin = ORIGINS.get(str(message.get("role")), Origin.USER)
        if record.get("isMeta") is True or record.get("isCompactSummary") is True:
            origin = Origin.SYSTEM if origin is Origin.USER else origin
        speeches = self.blocks.speeches(
            origin,
            message.get("content"),
            created_at=first_time(record),
            model=_model("anthropic", message.get("model")),
        )
        above = self.same.get(parent, parent) if isinstance(parent, str) else self.last
        if self._goes_on(message, origin):
            before = self.nodes[-1]
            self.nodes[-1] = Node(
                key=before.key, parent=before.parent, speeches=_joined(before.speeches + speeches)
            )
            self.same[key] = before.key
            return
        self.message_id = str(message.get("id") or "")
        known = {node.key for node in self.nodes} if above not in (None, self.last) else ()
        self.nodes.append(Node(key=key, parent=above if above in known else self.last, speeches=speeches))
        self.last = key

    def _goes_on(self, message: JsonObject, origin: Origin) -> bool:
        return bool(
            origin is Origin.ASSISTANT
            and self.nodes
            and self.message_id
            and message.get("id") == self.message_id
        )


def _joined(speeches: tuple[Speech, ...]) -> tuple[Speech, ...]:
    first = speeches[0] if speeches else None
    if first is None or any(speech.origin is not Origin.ASSISTANT for speech in speeches):
        return speeches
    parts = tuple(part for speech in speeches for part in speech.parts)
    return (Speech(origin=first.origin, parts=parts, created_at=first.created_at, model=first.model),)


def _session(file: File, records: list[JsonObject], title: str) -> Imported:
    lines = _Lines()
    for n, record in enumerate(records, 1):
        lines.take(n, record)
    return made(
        file,
        lines.nodes,
        title=title,
        originals=lines.blocks.originals,
        faults=lines.blocks.faults,
        current=lines.last,
    )


def _is_web_session(value: JsonValue) -> bool:
    return isinstance(value, dict) and any(map(_is_claude_code, _records(value.get("loglines"))))


def _read_web_session(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, dict)  # as detected
    yield from _claude_code(file, _records(file.json["loglines"]))


# ---- the others: a row of records, each of which says something or nothing


@dataclass(kw_only=True)
class _Row:
    """What a row of records says; pieces of one answer are put together until somebody else speaks."""

    provider: str
    blocks: Blocks = field(default_factory=Blocks)
    speeches: list[Speech] = field(default_factory=list[Speech])
    model: ModelId | None = None

    def add(self, origin: Origin, parts: list[Part], record: JsonObject, *, goes_on: bool = False) -> None:
        new = self.blocks.said(origin, parts, created_at=first_time(record), model=self.model)
        last = self.speeches[-1] if self.speeches else None
        if goes_on and last and new and last.origin is new[0].origin is Origin.ASSISTANT:
            self.speeches.pop()
            new = (*_joined((last, new[0])), *new[1:])
        self.speeches.extend(new)


Take = Callable[[_Row, JsonObject], None]


def _reader(provider: str, take: Take) -> Callable[[File], Iterator[Imported]]:
    def read(file: File) -> Iterator[Imported]:
        at = _Row(provider=provider)
        for n, record in enumerate(_records(file.json), 1):
            at.blocks.n = n
            take(at, record)
        yield made(
            file,
            row(at.speeches),
            title="",
            originals=at.blocks.originals,
            faults=at.blocks.faults,
        )

    return read


def _take_codex(at: _Row, record: JsonObject) -> None:
    held = _fields(record, "payload")
    if record.get("type") == "turn_context":
        at.model = _model("openai", held.get("model")) or at.model
    item = (
        held if record.get("type") == "response_item" else record
    )  # older sessions hold the items themselves
    kind = item.get("type")
    stamp = {"timestamp": record.get("timestamp")}
    if kind == "message":
        origin = ORIGINS.get(str(item.get("role")))
        if origin:
            parts = at.blocks.parts(item.get("content"))
            at.add(origin, parts, stamp, goes_on=_only_thoughts(at.speeches))
    elif kind in ("reasoning", "function_call", "custom_tool_call", "local_shell_call"):
        at.add(Origin.ASSISTANT, at.blocks.parts(_as_call(item)), stamp, goes_on=_no_results(at.speeches))
    elif kind in ("function_call_output", "custom_tool_call_output"):
        at.add(Origin.TOOL, at.blocks.parts(item), stamp)
    elif kind in ("web_search_call", "tool_search_call", "image_generation_call"):
        at.add(Origin.ASSISTANT, [at.blocks.opaque(str(kind), item)], stamp)


def _as_call(item: JsonObject) -> JsonObject:
    if item.get("type") != "local_shell_call":
        return item
    return {
        "type": "function_call",
        "call_id": item.get("call_id"),
        "name": "shell",
        "input": item.get("action"),
    }


def _only_thoughts(speeches: list[Speech]) -> bool:
    """Whether the last entry is the reasoning of an answer that still has to come."""
    return bool(speeches) and all(isinstance(part, ThinkingPart) for part in speeches[-1].parts)


def _no_results(speeches: list[Speech]) -> bool:
    return bool(speeches) and speeches[-1].origin is Origin.ASSISTANT


def _is_codex(record: JsonObject) -> bool:
    kinds = ("response_item", "session_meta", "turn_context")
    return record.get("type") in kinds and isinstance(record.get("payload"), dict)


def _take_copilot(at: _Row, record: JsonObject) -> None:
    held = _fields(record, "data")
    content = held.get("content")
    match record.get("type"):
        case "user.message":
            at.add(Origin.USER, at.blocks.parts(content), record)
        case "system.message":
            at.add(Origin.SYSTEM, at.blocks.parts(content), record)
        case "assistant.reasoning" if isinstance(content, str) and content:
            at.add(Origin.ASSISTANT, [ThinkingPart(text=at.blocks.body(content))], record)
        case "assistant.message":
            at.model = _model("github", held.get("model"))
            thought = held.get("reasoningText")
            parts: list[Part] = []
            if isinstance(thought, str) and thought:
                parts.append(ThinkingPart(text=at.blocks.body(thought)))
            parts += at.blocks.parts(content)
            calls = held.get("toolRequests")
            for call in calls if isinstance(calls, list) else ():
                if isinstance(call, dict):
                    parts.append(
                        at.blocks.call(call.get("toolCallId"), call.get("name"), call.get("arguments"))
                    )
            at.add(Origin.ASSISTANT, parts, record, goes_on=_only_thoughts(at.speeches))
        case "tool.execution_complete":
            result = held.get("result", held.get("error"))
            is_error = held.get("success") is False
            text = result.get("message", result.get("content")) if isinstance(result, dict) else result
            at.add(Origin.TOOL, at.blocks.result(held.get("toolCallId"), text, is_error=is_error), record)
        case _:
            pass  # what the program noted of itself


def _is_copilot(record: JsonObject) -> bool:
    kind = record.get("type")
    return isinstance(kind, str) and kind.startswith(("session.", "assistant.", "user.")) and "data" in record


def _take_kimi(at: _Row, record: JsonObject) -> None:
    match record.get("type"):
        case "config.update" if record.get("systemPrompt"):
            is_new = not any(speech.origin is Origin.SYSTEM for speech in at.speeches)
            if is_new:
                at.add(Origin.SYSTEM, at.blocks.parts(record["systemPrompt"]), record)
        case "llm.request":
            at.model = _model("moonshot", record.get("modelAlias") or record.get("model"))
        case "context.append_message":
            message = _fields(record, "message")
            is_ours = _fields(message, "origin").get("kind") not in (None, "user")
            origin = Origin.SYSTEM if is_ours else ORIGINS.get(str(message.get("role")), Origin.USER)
            at.add(origin, at.blocks.parts(message.get("content")), record)
        case "context.append_loop_event":
            _take_kimi_event(at, _fields(record, "event"), record)
        case _:
            pass  # settings, tools, permissions


def _take_kimi_event(at: _Row, event: JsonObject, record: JsonObject) -> None:
    match event.get("type"):
        case "content.part":
            at.add(Origin.ASSISTANT, at.blocks.parts(event.get("part")), record, goes_on=True)
        case "tool.call":
            call = at.blocks.call(event.get("toolCallId"), event.get("name"), event.get("args"))
            at.add(Origin.ASSISTANT, [call], record, goes_on=True)
        case "tool.result":
            result = _fields(event, "result")
            is_error = result.get("isError") is True
            held = result if "output" in result else event.get("result")
            at.add(Origin.TOOL, at.blocks.result(event.get("toolCallId"), held, is_error=is_error), record)
        case _:
            pass  # the beginning and the end of a step


def _is_kimi(record: JsonObject) -> bool:
    return record.get("type") in ("context.append_message", "context.append_loop_event")


def _take_pi(at: _Row, record: JsonObject) -> None:
    message = _fields(record, "message")
    match record.get("type"), message.get("role"):
        case "message", "toolResult":
            is_error = message.get("isError") is True
            parts = at.blocks.result(
                message.get("toolCallId"),
                message.get("content"),
                name=message.get("toolName"),
                is_error=is_error,
            )
            at.add(Origin.TOOL, parts, record)
        case "message", str(role) if role in ORIGINS:
            at.model = _model(str(message.get("provider") or "pi"), message.get("model"))
            at.add(ORIGINS[role], at.blocks.parts(message.get("content")), record)
        case "compaction", _ if record.get("summary"):
            at.add(Origin.SYSTEM, at.blocks.parts(record["summary"]), record)
        case "message", role:
            at.blocks.faults.append(
                Fault(kind=FaultKind.UNKNOWN_ROLE, n=at.blocks.n, detail=clean_text(str(role)))
            )
        case _:
            pass  # changes of settings


def _is_pi(record: JsonObject) -> bool:
    return record.get("type") == "message" and "role" in _fields(record, "message")


# ---- Gemini: one object; each call stands beside its result


def _is_gemini(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    kinds = ("user", "gemini", "model")
    return any(
        record.get("type") in kinds and ("content" in record or "parts" in record)
        for record in _records(value.get("messages"))[:50]
    )


def _read_gemini(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, dict)  # as detected
    at = _Row(provider="gemini")
    for n, record in enumerate(_records(file.json["messages"]), 1):
        at.blocks.n = n
        kind = record.get("type")
        said = at.blocks.parts(record.get("content") or record.get("parts"))
        if kind == "user":
            at.add(Origin.USER, said, record)
        elif kind in ("gemini", "model"):
            at.model = _model("gemini", record.get("model"))
            calls, results = _gemini_calls(at.blocks, record.get("toolCalls"))
            at.add(Origin.ASSISTANT, [*_gemini_thoughts(at.blocks, record), *said, *calls], record)
            at.add(Origin.TOOL, results, record)
        elif said:
            at.add(Origin.SYSTEM, said, record)
    yield made(
        file,
        row(at.speeches),
        title="",
        originals=at.blocks.originals,
        faults=at.blocks.faults,
        created_at=time_of(file.json.get("startTime")),
    )


def _gemini_thoughts(blocks: Blocks, record: JsonObject) -> Iterator[Part]:
    for thought in _records(record.get("thoughts")):
        texts = [thought.get(name) for name in ("subject", "description")]
        held = "\n\n".join(text for text in texts if isinstance(text, str) and text)
        if held:
            yield ThinkingPart(text=blocks.body(held))


def _gemini_calls(blocks: Blocks, calls: JsonValue) -> tuple[list[Part], list[Part]]:
    made_calls: list[Part] = []
    results: list[Part] = []
    for call in _records(calls):
        made_calls.append(blocks.call(call.get("id"), call.get("name"), call.get("args")))
    for call in _records(calls):
        held = [part for part in _records(call.get("result")) if "functionResponse" in part]
        response = _fields(held[0], "functionResponse").get("response") if held else call.get("resultDisplay")
        is_error = call.get("status") in ("error", "cancelled")
        if response is not None or is_error:
            results += blocks.result(call.get("id"), response or "", name=call.get("name"), is_error=is_error)
    return made_calls, [part for part in results if not isinstance(part, OpaquePart)]


AGENTS: tuple[Format, ...] = (
    Format(id="gemini", detect=_is_gemini, read=_read_gemini),
    Format(id="claude-web-session", detect=_is_web_session, read=_read_web_session),
    Format(id="codex", detect=_detects(_is_codex), read=_reader("openai", _take_codex)),
    Format(id="kimi", detect=_detects(_is_kimi), read=_reader("moonshot", _take_kimi)),
    Format(id="copilot", detect=_detects(_is_copilot), read=_reader("github", _take_copilot)),
    Format(id="pi", detect=_detects(_is_pi), read=_reader("pi", _take_pi)),
    Format(id="claude-code", detect=_detects(_is_claude_code), read=_read_claude_code),
)
