"""Answers on their way to the client: whole, streamed, or broken as a fault asks."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import TYPE_CHECKING

from aiohttp import web

from tests.simulator.faults import Fault, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.simulator.answering import Frame
    from tests.simulator.log import RequestRecord

_STALLS = {Kind.STALL_FIRST, Kind.STALL_MID}
_CUTS = {Kind.CUT, Kind.CUT_UTF8, Kind.CUT_CLEAN, Kind.STALL_MID, Kind.ERROR_EVENT}


async def send_whole(
    request: web.Request, record: RequestRecord, body: bytes, fault: Fault | None
) -> web.StreamResponse:
    """An answer in one piece; a cut ends it half-way, a stall waits before it."""
    kind = fault.kind if fault else None
    if fault and kind in _STALLS:
        await asyncio.sleep(fault.seconds)
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **request_id(record)}
    response = web.StreamResponse(status=200, headers=headers)
    await response.prepare(request)
    if kind in {Kind.CUT, Kind.CUT_UTF8, Kind.CUT_CLEAN}:
        await response.write(body[: len(body) // 2])
        return _hang_up(request, response)
    if kind is Kind.INVALID_JSON:
        body = body[: len(body) // 2].ljust(len(body))
    await response.write(body)
    await response.write_eof()
    record.finished = True
    return response


async def send_stream(
    request: web.Request,
    record: RequestRecord,
    frames: Iterable[Frame],
    *,
    fault: Fault | None,
    error: Frame,
    tokens_per_s: float | None,
) -> web.StreamResponse:
    """Events one after another, at a pace, until the end or until the fault strikes."""
    headers = {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-cache",
        **request_id(record),
    }
    response = web.StreamResponse(status=200, headers=headers)
    await response.prepare(request)
    kind = fault.kind if fault else None
    if fault and kind is Kind.STALL_FIRST:
        await asyncio.sleep(fault.seconds)
    left = fault.after_pieces if fault and kind in _CUTS else -1
    for frame in frames:
        data = _encode(frame, kind)
        strikes = left == 0 if kind is not Kind.CUT_UTF8 else not data.isascii()
        if fault and strikes and frame.tokens and fault.kind in _CUTS:
            left = -1
            if fault.kind is not Kind.STALL_MID:
                return await _break_off(request, response, data, fault.kind, _encode(error, None))
            await asyncio.sleep(fault.seconds)
        await _write(response, data, in_bits=kind is Kind.SPLIT_BYTES)
        record.streamed_tokens += frame.tokens
        left -= bool(frame.tokens)
        if tokens_per_s and frame.tokens:
            await asyncio.sleep(frame.tokens / tokens_per_s)
    await response.write_eof()
    record.finished = True
    return response


def reset(request: web.Request) -> web.StreamResponse:
    """Close the connection with a TCP reset, before any header."""
    if request.transport is not None:
        connection: socket.socket | None = request.transport.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        request.transport.abort()
    return web.Response()


def request_id(record: RequestRecord) -> dict[str, str]:
    """Both providers' names for it."""
    identity = f"req_sim{record.number:06d}"
    return {"x-request-id": identity, "request-id": identity}


async def _break_off(
    request: web.Request, response: web.StreamResponse, data: bytes, kind: Kind, error: bytes
) -> web.StreamResponse:
    match kind:
        case Kind.ERROR_EVENT:
            await response.write(error)
            await response.write_eof()
        case Kind.CUT_CLEAN:
            await response.write_eof()
        case Kind.CUT_UTF8:
            inside = next(at for at, byte in enumerate(data) if byte >= 0x80) + 1
            await response.write(data[:inside])
            return _hang_up(request, response)
        case _:
            await response.write(data[: len(data) // 2])
            return _hang_up(request, response)
    return response


def _hang_up(request: web.Request, response: web.StreamResponse) -> web.StreamResponse:
    """Send what is buffered and close, without the end that HTTP demands."""
    if request.transport is not None:
        request.transport.close()
    return response


async def _write(response: web.StreamResponse, data: bytes, *, in_bits: bool) -> None:
    if not in_bits:
        await response.write(data)
        return
    inside = next((at + 1 for at, byte in enumerate(data) if byte >= 0x80), len(data) // 2)
    await response.write(data[:inside])
    await asyncio.sleep(0)
    await response.write(data[inside:])


def _encode(frame: Frame, kind: Kind | None) -> bytes:
    lines = [f"event: {frame.event}"] if frame.event else []
    if kind is Kind.TWO_DATA_LINES and frame.data.startswith("{"):
        lines += ["data: {", f"data: {frame.data[1:]}"]
    else:
        lines.append(f"data: {frame.data}")
    if kind is Kind.COMMENTS:
        lines.insert(0, ": keep-alive")
    end = "\r\n" if kind is Kind.CRLF else "\n"
    return (end.join(lines) + end * 2).encode(errors="replace")
