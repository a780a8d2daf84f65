"""Forms of frameworks and data sets: LangGraph, Inspect, SWE-agent, ShareGPT, logs of requests, recorded streams."""

import json
from collections.abc import Iterator

from pydantic import JsonValue

from app.chats.kinds.blocks import Blocks
from app.chats.kinds.kind import File, Format, Imported, first_time
from app.chats.kinds.ours import chat_form, is_list
from app.chats.kinds.tree import Speech, made, row
from app.chats.messages import ORIGINS, JsonObject
from app.core.entries import Origin

_SPEAKERS = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "bing": "assistant",
    "bard": "assistant",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
    "observation": "tool",
    "function_call": "assistant",
}
"""What others call them, in our form's words."""


def _dicts(value: JsonValue) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _form(file: File, messages: list[JsonValue], title: str = "") -> Imported:
    """Messages that were brought into the chat-completions form; what is exported is our own form."""
    plain = File(name=title or file.name, json=None, style=None, faults=file.faults)
    return chat_form(plain, messages, envelope=None)


# ---- LangGraph and LangChain: messages with a type


def _thread_messages(value: JsonValue) -> list[JsonObject]:
    if isinstance(value, dict):
        held = value.get("values")
        value = held.get("messages") if isinstance(held, dict) else value.get("messages")
    return _dicts(value)


def _is_thread(value: JsonValue) -> bool:
    types = ("human", "ai", "tool", "system")
    return any(
        item.get("type") in types and "content" in item and "role" not in item
        for item in _thread_messages(value)
    )


def _read_thread(file: File) -> Iterator[Imported]:
    title = ""
    if isinstance(file.json, dict):
        values = file.json.get("values")
        found = values.get("title") if isinstance(values, dict) else file.json.get("title")
        title = found if isinstance(found, str) else ""
    messages: list[JsonValue] = [_from_thread(item) for item in _thread_messages(file.json)]
    yield _form(file, messages, title)


def _from_thread(item: JsonObject) -> JsonObject:
    role = _SPEAKERS.get(str(item.get("type")), str(item.get("type")))
    message: JsonObject = {"role": role, "content": item.get("content")}
    more = item.get("additional_kwargs")
    thought = more.get("reasoning_content") if isinstance(more, dict) else None
    if isinstance(thought, str) and thought:
        message["reasoning_content"] = thought
    calls: list[JsonValue] = [
        {
            "id": call.get("id"),
            "type": "function",
            "function": {"name": call.get("name"), "arguments": call.get("args", {})},
        }
        for call in _dicts(item.get("tool_calls"))
    ]
    if calls:
        message["tool_calls"] = calls
    if role == "tool":
        message |= {"tool_call_id": item.get("tool_call_id"), "name": item.get("name")}
    return message


# ---- Inspect: a log of many samples, each a conversation


def _is_inspect(value: JsonValue) -> bool:
    return isinstance(value, dict) and "eval" in value and isinstance(value.get("samples"), list)


def _read_inspect(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, dict)  # as detected
    task = file.json["eval"]
    name = task.get("task") if isinstance(task, dict) else None
    for sample in _dicts(file.json["samples"]):
        messages = [_from_inspect(message) for message in _dicts(sample.get("messages"))]
        title = f"{name if isinstance(name, str) else file.name} · {sample.get('id')}"
        yield _form(file, list(messages), title)


def _from_inspect(message: JsonObject) -> JsonObject:
    """Its calls hold `function` and `arguments` side by side."""
    calls = _dicts(message.get("tool_calls"))
    if not any(isinstance(call.get("function"), str) for call in calls):
        return message
    written: list[JsonValue] = [
        {
            "id": call.get("id"),
            "type": "function",
            "function": {"name": call.get("function"), "arguments": call.get("arguments")},
        }
        for call in calls
    ]
    return {**message, "tool_calls": written}


# ---- SWE-agent: `history`, in which a result names its calls in a list


def _is_sweagent(value: JsonValue) -> bool:
    return isinstance(value, dict) and is_list(value.get("history"))


def _read_sweagent(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, dict)  # as detected
    messages: list[JsonValue] = []
    for message in _dicts(file.json["history"]):
        ids = message.get("tool_call_ids")
        if message.get("role") == "tool" and isinstance(ids, list) and ids:
            message = message | {"tool_call_id": ids[0]}
        messages.append(message)
    yield _form(file, messages)


# ---- ShareGPT: `from` and `value`


def _is_sharegpt(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    held = value.get("conversations") or value.get("conversation") or value.get("items")
    return any("from" in item and "value" in item for item in _dicts(held))


def _read_sharegpt(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, dict)  # as detected
    held = file.json.get("conversations") or file.json.get("conversation") or file.json.get("items")
    said: list[JsonValue] = []
    if isinstance(system := file.json.get("system"), str) and system:
        said.append({"role": "system", "content": system})
    for item in held if isinstance(held, list) else ():
        if isinstance(item, dict):
            speaker = str(item.get("from"))
            said.append({"role": _SPEAKERS.get(speaker, speaker), "content": item.get("value")})
        else:
            said.append(item)
    title = file.json.get("title") or file.json.get("id")
    yield _form(file, said, title if isinstance(title, str) else "")


# ---- what went over the wire: a request and its answer


def _is_request_log(value: JsonValue) -> bool:
    return isinstance(value, dict) and is_list(value.get("messages")) and bool(_answer(value.get("response")))


def _read_request_log(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, dict)  # as detected
    messages = file.json["messages"]
    assert isinstance(messages, list)
    yield _form(file, [*messages, *_answer(file.json.get("response"))])


def _answer(response: JsonValue) -> list[JsonObject]:
    """The message of a response, whole or put together from the chunks of a stream."""
    if not isinstance(response, dict):
        return []
    messages = (choice.get("message") for choice in _dicts(response.get("choices"))[:1])
    return [message for message in messages if isinstance(message, dict)]


def _is_cassette(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    return any("request" in item and "response" in item for item in _dicts(value.get("interactions")))


def _read_cassette(file: File) -> Iterator[Imported]:
    """A recorded session: each request holds all before it, so the longest says everything but the last answer."""
    assert isinstance(file.json, dict)  # as detected
    best: list[JsonValue] = []
    for item in _dicts(file.json["interactions"]):
        asked, got = _body(item.get("request")), item.get("response")
        messages = asked.get("messages")
        if isinstance(messages, list):
            found: list[JsonValue] = [*messages, *(_answer(_body(got)) or _streamed(_raw(got)))]
            best = found if len(found) > len(best) else best
    yield _form(file, best)


def _body(side: JsonValue) -> JsonObject:
    if not isinstance(side, dict):
        return {}
    parsed = side.get("parsed_body")
    if isinstance(parsed, dict):
        return parsed
    try:
        found: JsonValue = json.loads(_raw(side))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _raw(side: JsonValue) -> str:
    body = side.get("body") if isinstance(side, dict) else None
    held = body.get("string") if isinstance(body, dict) else body
    return held if isinstance(held, str) else ""


def _streamed(text: str) -> list[JsonObject]:
    chunks: list[JsonValue] = []
    for line in text.splitlines():
        try:
            chunks.append(json.loads(line.removeprefix("data:")))
        except (ValueError, RecursionError):
            continue  # "[DONE]", a blank line, a comment
    return _from_chunks(chunks)


def _is_chunk(value: JsonValue) -> bool:
    return isinstance(value, dict) and value.get("object") == "chat.completion.chunk"


def _are_chunks(value: JsonValue) -> bool:
    return isinstance(value, list) and any(map(_is_chunk, value[:10]))


def _read_chunks(file: File) -> Iterator[Imported]:
    assert isinstance(file.json, list)  # as detected
    yield _form(file, list(_from_chunks(file.json)))


def _from_chunks(chunks: list[JsonValue]) -> list[JsonObject]:
    """One message from the deltas of a stream; empty: none held any."""
    texts: dict[str, list[str]] = {"content": [], "reasoning_content": []}
    calls: dict[int, JsonObject] = {}
    for chunk in _dicts(chunks):
        for choice in _dicts(chunk.get("choices"))[:1]:
            delta = choice.get("delta")
            if isinstance(delta, dict):
                for name, found in texts.items():
                    if isinstance(piece := delta.get(name), str):
                        found.append(piece)
                for call in _dicts(delta.get("tool_calls")):
                    _add_call(calls, call)
    said = {name: "".join(found) for name, found in texts.items() if any(found)}
    if not said and not calls:
        return []
    message: JsonObject = {"role": "assistant", "content": said.get("content", "")}
    if thought := said.get("reasoning_content"):
        message["reasoning_content"] = thought
    if calls:
        message["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {key: call[key] for key in ("name", "arguments")},
            }
            for call in calls.values()
        ]
    return [message]


def _add_call(calls: dict[int, JsonObject], delta: JsonObject) -> None:
    index, function = delta.get("index"), delta.get("function")
    place = index if isinstance(index, int) else len(calls)
    held = calls.setdefault(place, {"id": "", "name": "", "arguments": ""})
    if isinstance(delta.get("id"), str):
        held["id"] = delta["id"]
    if isinstance(function, dict):
        for name in ("name", "arguments"):
            if isinstance(piece := function.get(name), str):
                held[name] = f"{held[name]}{piece}"


# ---- messages of Anthropic's form: blocks of results in the person's


def _is_anthropic(value: JsonValue) -> bool:
    messages = value.get("messages") if isinstance(value, dict) else value
    kinds = ("tool_use", "tool_result", "thinking")
    return any(
        block.get("type") in kinds
        for message in _dicts(messages)
        if "role" in message
        for block in _dicts(message.get("content"))
    )


def _read_anthropic(file: File) -> Iterator[Imported]:
    messages = file.json.get("messages") if isinstance(file.json, dict) else file.json
    blocks = Blocks()
    speeches: list[Speech] = []
    if isinstance(file.json, dict) and (parts := blocks.parts(file.json.get("system"))):
        speeches.append(Speech(origin=Origin.SYSTEM, parts=tuple(parts)))
    for n, message in enumerate(_dicts(messages), 1):
        blocks.n = n
        origin = ORIGINS.get(str(message.get("role")), Origin.USER)
        speeches += blocks.speeches(origin, message.get("content"), created_at=first_time(message))
    yield made(file, row(speeches), title=file.name, originals=blocks.originals, faults=blocks.faults)


THREADS: tuple[Format, ...] = (
    Format(id="langgraph", detect=_is_thread, read=_read_thread),
    Format(id="inspect", detect=_is_inspect, read=_read_inspect),
    Format(id="swe-agent", detect=_is_sweagent, read=_read_sweagent),
    Format(id="sharegpt", detect=_is_sharegpt, read=_read_sharegpt),
    Format(id="request-log", detect=_is_request_log, read=_read_request_log),
    Format(id="cassette", detect=_is_cassette, read=_read_cassette),
    Format(id="stream", detect=_are_chunks, read=_read_chunks),
    Format(id="anthropic", detect=_is_anthropic, read=_read_anthropic),
)
