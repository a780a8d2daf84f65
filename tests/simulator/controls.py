"""The simulator's own routes: how another process reads its log and tells it what to do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from aiohttp import web

from tests.simulator.faults import faults_from_json
from tests.simulator.script import turns_from_json
from tests.simulator.wire import Body, integer, mapping

if TYPE_CHECKING:
    from tests.simulator.server import Simulator


def add_routes(app: web.Application, simulator: Simulator) -> None:
    """`GET /_log?since=NUMBER`, `POST /_faults | /_script | /_clock | /_reset`."""

    async def log(request: web.Request) -> web.Response:
        since = int(request.query.get("since", "0"))
        return web.json_response([record.to_json() for record in simulator.requests if record.number > since])

    async def faults(request: web.Request) -> web.Response:
        body = await _body(request)
        try:
            simulator.faults.push(*faults_from_json(body.get("faults")))
        except ValueError as error:
            return web.json_response({"error": str(error)}, status=400)
        if "rate" in body:
            rate = body["rate"]
            simulator.faults.shuffle(
                rate=float(rate) if isinstance(rate, int | float) else 0.0,
                seed=integer(body.get("seed")) or 0,
            )
        return web.json_response({"queued": len(simulator.faults)})

    async def script(request: web.Request) -> web.Response:
        simulator.script.say(*turns_from_json((await _body(request)).get("turns")))
        return web.json_response({"queued": len(simulator.script)})

    async def clock(request: web.Request) -> web.Response:
        seconds = (await _body(request)).get("advance")
        simulator.clock.advance(float(seconds) if isinstance(seconds, int | float) else 0.0)
        return web.json_response({"now": simulator.clock.now()})

    async def reset(_: web.Request) -> web.Response:
        simulator.reset()
        return web.json_response({"ok": True})

    app.router.add_get("/_log", log)
    app.router.add_post("/_faults", faults)
    app.router.add_post("/_script", script)
    app.router.add_post("/_clock", clock)
    app.router.add_post("/_reset", reset)


async def _body(request: web.Request) -> Body:
    raw = await request.read()
    return mapping(json.loads(raw)) if raw else {}
