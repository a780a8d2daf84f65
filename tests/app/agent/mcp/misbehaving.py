"""A server of tools in nothing but the standard library, which does wrong what it is told to.

`python misbehaving.py [HOW]`: `dies-first`, `mute`, `chatters`, or empty for a server whose tools misbehave one by one.
Every message that it gets is written to the file named by `SEEN`, where that is set.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

TOOLS = {
    "echo": {"readOnlyHint": True},
    "add": {},
    "die": {},
    "hang": {},
    "wrong-id": {},
    "flood": {},
    "large": {},
    "endless-line": {},
    "progress": {},
    "fails": {},
    "refuses": {},
    "pictures": {},
    "structured": {},
    "nonsense": {},
    "wipe": {"destructiveHint": True},
    "grow": {},
    "env": {},
}

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


def send(message: dict[str, Any]) -> None:
    line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
    sys.stdout.write(line)
    sys.stdout.flush()


def text(value: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value}]}


def listed() -> list[dict[str, Any]]:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    return [
        {"name": name, "description": f"Does {name}.", "inputSchema": schema, "annotations": hints}
        for name, hints in TOOLS.items()
    ]


def call(number: int, name: str, arguments: Any, meta: Any) -> None:  # noqa: C901  # a table
    match name:
        case "echo":
            send({"id": number, "result": text(str(arguments.get("text", "")))})
        case "die":
            sys.stderr.write("out of luck\n")
            sys.stderr.flush()
            os._exit(3)
        case "hang":
            pass
        case "wrong-id":
            send({"id": 987654, "result": text("for somebody else")})
            send({"id": "x", "result": text("for nobody")})
        case "flood":
            for _ in range(2_000):
                sys.stderr.write("noise " * 1_000 + "\n")
            sys.stderr.flush()
            send({"id": number, "result": text("after the flood")})
        case "large":
            send({"id": number, "result": text("0123456789" * 1_000_000)})
        case "endless-line":
            for _ in range(400):
                sys.stdout.write("x" * 100_000)
            sys.stdout.flush()
        case "progress":
            for n in range(4):
                params = {
                    "progressToken": meta.get("progressToken"),
                    "progress": n,
                    "total": 4,
                    "message": f"step {n}",
                }
                send({"method": "notifications/progress", "params": params})
                time.sleep(0.4)
            send({"id": number, "result": text("done")})
        case "fails":
            send({"id": number, "result": {**text("it did not work"), "isError": True}})
        case "refuses":
            send({"id": number, "error": {"code": -32602, "message": "not like this"}})
        case "pictures":
            content = [
                {"type": "image", "data": PNG, "mimeType": "image/png"},
                {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
                {"type": "image", "data": "aGVsbG8=", "mimeType": "image/tiff"},
                {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "in a file"}},
                {"type": "resource_link", "uri": "file:///b.txt", "name": "b"},
            ]
            send({"id": number, "result": {"content": content}})
        case "structured":
            send({"id": number, "result": {"content": [], "structuredContent": {"a": 1}}})
        case "nonsense":
            sys.stdout.write(
                'no JSON at all\n[1,2]\n{"jsonrpc": "2.0"}\n\udcff\x00\n'.replace("\udcff", "\x7f")
            )
            send({"id": number, "result": {"content": "not a list"}})
        case "grow":
            TOOLS["grown"] = {}
            send({"method": "notifications/tools/list_changed"})
            send({"id": number, "result": text("grown")})
        case "env":
            send({"id": number, "result": text(json.dumps(dict(os.environ)))})
        case _:
            send({"id": number, "error": {"code": -32601, "message": f"no tool {name}"}})


def answer(message: dict[str, Any]) -> None:
    number: Any = message.get("id")
    params: dict[str, Any] = message.get("params") or {}
    match message.get("method"):
        case "initialize":
            capabilities = {"tools": {"listChanged": True}}
            info = {"name": "misbehaving", "version": "1"}
            version = params["protocolVersion"]
            result = {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}
            send({"id": number, "result": result})
        case "tools/list":
            send({"id": number, "result": {"tools": listed()}})
        case "tools/call":
            given: tuple[Any, ...] = (number, params["name"], params.get("arguments"), params.get("_meta"))
            Thread(target=call, args=given, daemon=True).start()
        case _ if number is not None:
            send({"id": number, "error": {"code": -32601, "message": "no such method"}})
        case _:
            pass


def main() -> None:
    how = sys.argv[1] if len(sys.argv) > 1 else ""
    if how == "dies-first":
        sys.stderr.write("no such configuration\n")
        sys.exit(7)
    if how == "chatters":
        while True:
            sys.stdout.write("Welcome to the server!\n")
            sys.stdout.flush()
    if how == "stays":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    seen = os.environ.get("SEEN")
    for line in sys.stdin:
        if seen:
            with Path(seen).open("a", encoding="utf-8") as file:
                file.write(line)
        if how != "mute":
            answer(json.loads(line))
    while how == "stays":
        time.sleep(1)


if __name__ == "__main__":
    main()
