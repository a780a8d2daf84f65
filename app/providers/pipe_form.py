"""Calls, events and faults as the two processes hand them to each other: short JSON, an event's kind first."""

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from pydantic import JsonValue

from app.core.entries import Finish
from app.core.events import (
    Accepted,
    Finished,
    GatewayEvent,
    Rate,
    ReasoningArrived,
    TextArrived,
    ToolCallArrived,
    UsageReported,
)
from app.core.usage import Usage
from app.providers.errors import Fault
from app.providers.ways import Way


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request as the worker gets it, through the pipe only: it holds the key."""

    arguments: dict[str, JsonValue]
    """LiteLLM's, but for those that follow."""
    base_url: str
    key: str
    headers: Mapping[str, str]
    proxy: str
    ca_file: str
    connect_s: float
    read_s: float

    @property
    def way(self) -> Way:
        return Way(proxy=self.proxy, ca_file=self.ca_file)

    @property
    def secrets(self) -> tuple[str, ...]:
        return tuple(value for value in (self.key, *self.headers.values()) if value)

    def to_bytes(self) -> bytes:
        """In pieces of one message each, so that a thread that encodes them lets others run between."""
        return b"".join(self._pieces())

    def _pieces(self) -> Iterator[bytes]:
        rest = {name: getattr(self, name) for name in Call.__slots__ if name != "arguments"}
        yield json.dumps(rest)[:-1].encode()
        yield b', "arguments": {'
        for place, (name, value) in enumerate(self.arguments.items()):
            yield f"{', ' if place else ''}{json.dumps(name)}: ".encode()
            if isinstance(value, list):
                yield b"[" + b",".join(json.dumps(item).encode() for item in value) + b"]"
            else:
                yield json.dumps(value).encode()
        yield b"}}"

    @classmethod
    def from_bytes(cls, data: bytes) -> "Call":
        return cls(**json.loads(data))


def to_row(event: GatewayEvent) -> list[JsonValue]:
    match event:
        case Accepted(rates=rates):
            return ["accepted", *([rate.of, rate.most, rate.left, rate.period_s] for rate in rates)]
        case TextArrived(text=text):
            return ["text", text]
        case ReasoningArrived(text=text, signature=signature, redacted=redacted):
            return ["reasoning", text, signature, redacted]
        case ToolCallArrived():
            return [
                "call",
                event.index,
                event.call_id,
                event.name,
                event.arguments,
                event.provider_fields,
            ]
        case UsageReported(usage=usage):
            return [
                "usage",
                usage.prompt_tokens,
                usage.completion_tokens,
                usage.cached_tokens,
                usage.cache_write_tokens,
                usage.cache_write_1h_tokens,
                usage.reasoning_tokens,
            ]
        case Finished(finish=finish, provider_fields=fields):
            return ["finished", finish.value, fields]
        case _:
            assert_never(event)


def from_row(row: JsonValue) -> GatewayEvent:
    match row:
        case ["text", str(text)]:
            return TextArrived(text=text)
        case ["reasoning", str(text), str() | None as signature, bool(redacted)]:
            return ReasoningArrived(text=text, signature=signature, redacted=redacted)
        case ["call", int(index), str(call_id), str(name), str(arguments), str(fields)]:
            return ToolCallArrived(
                index=index, call_id=call_id, name=name, arguments=arguments, provider_fields=fields
            )
        case ["usage", int(prompt), int(completion), int(cached), int(written), int(long), int(reasoning)]:
            usage = Usage(
                prompt_tokens=prompt,
                completion_tokens=completion,
                cached_tokens=cached,
                cache_write_tokens=written,
                cache_write_1h_tokens=long,
                reasoning_tokens=reasoning,
            )
            return UsageReported(usage=usage)
        case ["finished", str(finish), str(fields)]:
            return Finished(finish=Finish(finish), provider_fields=fields)
        case ["accepted", *rates]:
            return Accepted(rates=tuple(map(_rate, rates)))
        case _:
            raise ValueError(f"No event: {row!r}")


def _rate(row: JsonValue) -> Rate:
    match row:
        case ["requests" | "tokens" as of, int(most), int(left), int() | float() as period_s]:
            return Rate(of=of, most=most, left=left, period_s=period_s)
        case _:
            raise ValueError(f"No rate: {row!r}")


def merged(events: Iterable[GatewayEvent]) -> list[GatewayEvent]:
    """The same events with neighbouring pieces of one text or call joined: many small deltas make one."""
    result: list[GatewayEvent] = []
    for kind, group in itertools.groupby(events, _joinable):
        match kind:
            case "text":
                result.append(TextArrived(text="".join(_texts(group))))
            case "reasoning":
                result.append(ReasoningArrived(text="".join(_texts(group))))
            case "":
                result += group
            case _:
                result.append(_call([event for event in group if isinstance(event, ToolCallArrived)]))
    return result


def _call(pieces: list[ToolCallArrived]) -> ToolCallArrived:
    return ToolCallArrived(
        index=pieces[0].index,
        call_id=next((piece.call_id for piece in pieces if piece.call_id), ""),
        name=next((piece.name for piece in pieces if piece.name), ""),
        arguments="".join(piece.arguments for piece in pieces),
        provider_fields=next((piece.provider_fields for piece in pieces if piece.provider_fields), ""),
    )


def _joinable(event: GatewayEvent) -> str:
    match event:
        case TextArrived():
            return "text"
        case ReasoningArrived(signature=None, redacted=False):
            return "reasoning"
        case ToolCallArrived(index=index):
            return f"call {index}"
        case _:
            return ""


def _texts(events: Iterable[GatewayEvent]) -> Iterator[str]:
    return (event.text for event in events if isinstance(event, TextArrived | ReasoningArrived))


def fault_to_row(fault: Fault) -> JsonValue:
    return {"code": fault.code, "detail": fault.detail, "facts": dict(fault.facts)}


def fault_from_row(row: JsonValue) -> Fault:
    match row:
        case {"code": str(code), "detail": str(detail), "facts": dict(facts)}:
            plain = {name: value for name, value in facts.items() if isinstance(value, str | int | float)}
            return Fault(code=code, detail=detail, facts=plain)
        case _:
            raise ValueError(f"No fault: {row!r}")
