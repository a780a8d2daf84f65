"""The simulator: a local HTTP server that behaves as the providers do, and keeps what it was sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from email.utils import formatdate
from typing import TYPE_CHECKING, Self

from aiohttp import web

from tests.simulator import controls, embeddings, provider_errors
from tests.simulator.answering import Answer, Form, prepare
from tests.simulator.anthropic_blocks import thinking_signatures
from tests.simulator.anthropic_form import AnthropicForm, answer_blocks
from tests.simulator.cache import PromptCache
from tests.simulator.clock import Clock
from tests.simulator.counting import Counter
from tests.simulator.faults import Fault, Faults, Kind
from tests.simulator.listing import model_list
from tests.simulator.log import RequestRecord, masked
from tests.simulator.models import Family, Model, find_model
from tests.simulator.openai_form import OpenAIForm
from tests.simulator.prompt import Asked
from tests.simulator.script import Script
from tests.simulator.sending import request_id, reset, send_stream, send_whole
from tests.simulator.wire import Body, Refusal, dumps, mapping, string

if TYPE_CHECKING:
    from types import TracebackType

_MAX_BODY_BYTES = 32 * 1024 * 1024  # Anthropic's limit; more is 413
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Simulator:
    """Runs in the current loop: `async with Simulator() as sim: … sim.base_url …`.

    Args:
        count_factor: How much more (or less) than its vocabulary says the provider counts.
        vocabulary: One that ships inside litellm: p50k_base, cl100k_base, o200k_base.
        tokens_per_s: Pace of streams; None means as fast as they are read.
        fail_rate: Share of requests that fail by chance (0–1), the same ones for the same `seed`.
        models: Rows that go before the table's.
        windows: Other windows by model name, for tests that must not need 128,000 tokens.
        keys: The valid API keys; None takes any that doesn't hold the word "invalid".
        keep_requests: How many of the newest requests are kept, for sessions whose memory is measured; None
            keeps all.
    """

    def __init__(
        self,
        *,
        count_factor: float = 1.14,
        vocabulary: str = "p50k_base",
        tokens_per_s: float | None = None,
        fail_rate: float = 0.0,
        seed: int = 0,
        models: tuple[Model, ...] = (),
        windows: Mapping[str, int] | None = None,
        keys: frozenset[str] | None = None,
        keep_requests: int | None = None,
        port: int = 0,
    ) -> None:
        self.clock = Clock()
        self.counter = Counter(count_factor, vocabulary)
        self.script = Script()
        self.faults = Faults(rate=fail_rate, seed=seed)
        self.cache = PromptCache(self.clock)
        self.requests: list[RequestRecord] = []
        self.tokens_per_s = tokens_per_s
        self.limits: dict[str, str] = {}
        """Headers that go with each answer: what a provider says of its limits."""
        self._models, self._windows, self._keys = models, dict(windows or {}), keys
        self._port, self._keep, self._n_requests = port, keep_requests, 0
        self._thinking_of: dict[str, tuple[str, ...]] = {}
        self._runner: web.AppRunner | None = None

    @property
    def base_url(self) -> str:
        """Root, without "/v1": what an Anthropic client wants; see `openai_url` for the others."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def openai_url(self) -> str:
        return f"{self.base_url}/v1"

    @property
    def chats(self) -> list[RequestRecord]:
        """The requests for an answer, without lists, counts and embeddings."""
        return [
            record for record in self.requests if record.path.endswith(("/chat/completions", "/messages"))
        ]

    async def start(self) -> None:
        app = web.Application(client_max_size=_MAX_BODY_BYTES * 2)
        for prefix in ("", "/v1"):
            app.router.add_post(f"{prefix}/chat/completions", self._chat(OpenAIForm()))
            app.router.add_post(f"{prefix}/embeddings", self._embeddings)
            app.router.add_get(f"{prefix}/models", self._list)
        app.router.add_post("/v1/messages", self._chat(AnthropicForm()))
        app.router.add_post("/v1/messages/count_tokens", self._count)
        controls.add_routes(app, self)
        app.on_response_prepare.append(self._tell_limits)
        # A client that goes away cancels its handler at once: that is how a stop is seen here.
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]

    async def _tell_limits(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(self.limits)

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def reset(self) -> None:
        """Forget requests, scripts, faults and caches; the clock goes on."""
        for part in (self.requests, self.script, self.faults, self.cache):
            part.clear()
        self.limits = {}

    # --- handlers ---

    def _chat(self, form: Form) -> _Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            record = await self._record(request)
            try:
                return await self._answer(request, record, form)
            except (asyncio.CancelledError, ConnectionError) as error:
                record.client_disconnected = self._runner is not None and not record.finished
                if isinstance(error, asyncio.CancelledError):
                    raise
                raise asyncio.CancelledError from error  # a client that went away is no fault to be logged

        return handle

    async def _answer(self, request: web.Request, record: RequestRecord, form: Form) -> web.StreamResponse:
        anthropic = isinstance(form, AnthropicForm)
        model = find_model(record.model, extra=self._models, windows=self._windows)
        if model and (model.family is Family.ANTHROPIC) != anthropic:
            model = None
        family = model.family if model else Family.ANTHROPIC if anthropic else Family.OPENAI
        fault = self.faults.next("chat")
        if fault:
            record.verdict = f"fault:{fault.kind}"
            if response := await self._fail_early(request, record, form, family, fault):
                return response
        refusal = self._door(request, record, family)
        if refusal is None and model is None:
            refusal = provider_errors.unknown_model(family, record.model)
        if refusal is None and model is not None:
            asked = self._ask(record, form, model)
            refusal = form.refusal(asked)
            if refusal is None:
                answer = self._prepare(request, record, form, asked)
                return await self._send(request, record, form, answer, fault)
        assert refusal is not None
        return self._refuse(record, form, family, refusal)

    def _ask(self, record: RequestRecord, form: Form, model: Model) -> Asked:
        prompt = form.prompt(record.body, model, self.counter)
        record.prompt_tokens = prompt.tokens
        return Asked(
            body=record.body, name=record.model, model=model, prompt=prompt, thinking_of=self._thinking_of
        )

    def _prepare(self, request: web.Request, record: RequestRecord, form: Form, asked: Asked) -> Answer:
        use = self.cache.look(
            asked.prompt, asked.model, owner=_key(request), name=asked.name,
            route=string(record.body.get("prompt_cache_key")),
        )  # fmt: skip
        turn = self.script.next(record.body)
        answer = prepare(
            turn, form=form, asked=asked, use=use, number=record.number, created=int(self.clock.now())
        )
        signatures = thinking_signatures(answer_blocks(answer))
        self._thinking_of.update({call.id: signatures for call in answer.turn.tool_calls if call.id})
        record.remark = form.remark(asked)
        record.usage = form.usage(answer)
        return answer

    async def _send(
        self, request: web.Request, record: RequestRecord, form: Form, answer: Answer, fault: Fault | None
    ) -> web.StreamResponse:
        kind = fault.kind if fault else None
        record.status = 200
        record.verdict = record.verdict if fault else "answered"
        self.cache.commit(answer.use)
        if record.body.get("stream") is True and kind is not Kind.INVALID_JSON:
            return await send_stream(
                request, record, form.frames(_with_wide_text(answer, kind), kind), fault=fault,
                error=form.error_frame(), tokens_per_s=self.tokens_per_s,
            )  # fmt: skip
        record.streamed_tokens = answer.output_tokens
        return await send_whole(
            request, record, dumps(form.whole(answer, kind)).encode(errors="replace"), fault
        )

    async def _fail_early(
        self, request: web.Request, record: RequestRecord, form: Form, family: Family, fault: Fault
    ) -> web.StreamResponse | None:
        match fault.kind:
            case Kind.RESET:
                return reset(request)
            case Kind.SLOW_HEADERS:
                await asyncio.sleep(fault.seconds)
                return None
            case Kind.HTML:
                record.status = 502
                page = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
                return web.Response(status=502, text=page, content_type="text/html")
            case Kind.STATUS:
                words = provider_errors.status_words(family, fault.status, fault.message)
                return self._refuse(record, form, family, words, headers=self._retry_after(fault))
            case Kind.QUOTA:
                return self._refuse(record, form, family, provider_errors.quota(family))
            case _:
                return None

    def _retry_after(self, fault: Fault) -> dict[str, str]:
        if fault.retry_after_s is None:
            return {}
        if fault.retry_after_date:
            return {"Retry-After": formatdate(self.clock.now() + fault.retry_after_s, usegmt=True)}
        return {"Retry-After": f"{fault.retry_after_s:g}"}

    def _refuse(
        self,
        record: RequestRecord,
        form: Form,
        family: Family,
        refusal: Refusal,
        *,
        headers: Mapping[str, str] | None = None,
    ) -> web.Response:
        record.status, record.refusal = refusal.status, refusal.message
        record.verdict = "refused" if record.verdict == "pending" else record.verdict
        return web.Response(
            status=refusal.status, text=dumps(form.error(refusal, family)), content_type="application/json",
            headers={**request_id(record), **(headers or {})},
        )  # fmt: skip

    def _door(self, request: web.Request, record: RequestRecord, family: Family) -> Refusal | None:
        """Key, size and JSON, in the order in which a gateway looks."""
        key = _key(request)
        if not key:
            return provider_errors.missing_key(family)
        if (key not in self._keys) if self._keys is not None else "invalid" in key:
            return provider_errors.invalid_key(family, key)
        if len(record.raw) > _MAX_BODY_BYTES:
            return provider_errors.status_words(family, 413)
        if not record.body:
            return provider_errors.status_words(family, 400)
        if family is Family.ANTHROPIC and "anthropic-version" not in record.headers:
            return Refusal(status=400, message="anthropic-version: header is required")
        return None

    async def _record(self, request: web.Request) -> RequestRecord:
        raw = await request.read()
        try:
            body: Body = mapping(json.loads(raw)) if raw else {}
        except ValueError:
            body = {}
        self._n_requests += 1
        record = RequestRecord(
            number=self._n_requests, at=self.clock.now(), method=request.method, path=request.path,
            headers=masked(request.headers), raw=raw, body=body,
        )  # fmt: skip
        self.requests.append(record)
        if self._keep is not None:
            del self.requests[: -self._keep]
        return record

    async def _count(self, request: web.Request) -> web.Response:
        record, form = await self._record(request), AnthropicForm()
        refusal = self._door(request, record, Family.ANTHROPIC)
        model = find_model(record.model, extra=self._models, windows=self._windows)
        if refusal is None and (model is None or model.family is not Family.ANTHROPIC):
            refusal = provider_errors.unknown_model(Family.ANTHROPIC, record.model)
        if refusal is not None or model is None:
            assert refusal is not None
            return self._refuse(record, form, Family.ANTHROPIC, refusal)
        record.verdict, record.status = "answered", 200
        return web.json_response({"input_tokens": self._ask(record, form, model).prompt.tokens})

    async def _embeddings(self, request: web.Request) -> web.Response:
        record = await self._record(request)
        found = self._door(request, record, Family.OPENAI) or embeddings.answer(record.body, self.counter)
        if isinstance(found, Refusal):
            return self._refuse(record, OpenAIForm(), Family.OPENAI, found)
        record.verdict, record.status, record.usage = "answered", 200, mapping(found["usage"])
        return web.json_response(found)

    async def _list(self, request: web.Request) -> web.StreamResponse:
        record = await self._record(request)
        anthropic = "anthropic-version" in record.headers
        family, form = (Family.ANTHROPIC, AnthropicForm()) if anthropic else (Family.OPENAI, OpenAIForm())
        if fault := self.faults.next("models"):
            record.verdict = f"fault:{fault.kind}"
            if response := await self._fail_early(request, record, form, family, fault):
                return response
        if not _key(request):
            return self._refuse(record, form, family, provider_errors.missing_key(family))
        record.verdict, record.status = record.verdict.replace("pending", "answered"), 200
        return web.json_response(model_list(self._models, anthropic=anthropic))


def _key(request: web.Request) -> str:
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    return request.headers.get("x-api-key", "") or bearer


def _with_wide_text(answer: Answer, kind: Kind | None) -> Answer:
    """A cut inside a character needs a character of several bytes."""
    if kind is not Kind.CUT_UTF8:
        return answer
    return replace(answer, turn=replace(answer.turn, text=f"文字 {answer.turn.text}"))
