"""What endpoints say of themselves: are they there, which models, what windows (A2, C1, TS6).

Small calls by httpx alone, so that settings work before LiteLLM is loaded.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from pydantic import JsonValue

from app.core.errors import ProviderError
from app.providers.errors import Failed, Fault, to_error
from app.providers.faults import fault_of, fault_of_status, usable_key
from app.providers.templates import TEMPLATES, Form, template_of
from app.providers.ways import DIRECT, Way, client_for, http_errors
from app.settings import Endpoint

if TYPE_CHECKING:
    import httpx

PATIENCE_S = 10.0
PROBE_S = 0.5
"""A local server answers within this, or is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedModel:
    name: str
    window_tokens: int | None = None
    """What the endpoint itself says that it takes (C1 rank 2); None: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionReport:
    """What a test of an endpoint found; `endpoint` has the address that answered, and the models."""

    endpoint: Endpoint
    models: tuple[ListedModel, ...] = ()
    latency_ms: int = 0
    error: ProviderError | None = None

    @property
    def sentence(self) -> str:
        if self.error:
            return self.error.message
        answered = f"{address_of(self.endpoint)} answered in {self.latency_ms} ms"
        if self.models:
            return f"{answered} with {len(self.models)} models."
        return f"{answered}; it lists no models, so their names have to be typed."


def address_of(endpoint: Endpoint) -> str:
    """Where requests to `endpoint` go."""
    return endpoint.base_url or template_of(endpoint).base_url


def normalised_url(typed: str) -> str:
    """An address as a person types or pastes it, with its scheme and without what belongs to single calls."""
    url = typed.strip().rstrip("/")
    if url and "://" not in url:
        # By hand: urlsplit raises on half an address, and this runs at each key typed.
        host = url.partition("/")[0].rpartition("@")[2].partition(":")[0]
        is_near = host == "localhost" or re.fullmatch(r"[\d.]+|.*\.(local|lan)", host)
        url = f"{'http' if is_near else 'https'}://{url}"
    return re.sub(r"/(chat/completions|completions|models|messages|embeddings|responses)$", "", url)


async def test_connection(endpoint: Endpoint, key: str) -> ConnectionReport:
    """Ask `endpoint` for its models at its address, with and without `/v1`, and tell how it went."""
    error: ProviderError | None = None
    for url in _addresses(endpoint):
        tried = endpoint.model_copy(update={"base_url": url})
        begun = time.perf_counter()
        try:
            models = await list_models(tried, key)
        except ProviderError as failed:
            # The first refusal says more than a later one, but for an address where nothing was found.
            error = failed if error is None or error.code == "garbage" else error
            if failed.code == "garbage":
                continue
            break
        names = tuple(model.name for model in models)
        return ConnectionReport(
            endpoint=tried.model_copy(update={"models": names or endpoint.models}),
            models=models,
            latency_ms=round((time.perf_counter() - begun) * 1000),
        )
    return ConnectionReport(endpoint=endpoint, error=error)


def _addresses(endpoint: Endpoint) -> tuple[str, ...]:
    url = normalised_url(address_of(endpoint))
    bare = re.sub(r"/v\d+\w*$", "", url)
    if template_of(endpoint).form is Form.ANTHROPIC:
        return (bare,)  # LiteLLM adds the rest
    return (url, f"{url}/v1") if url == bare else (url, bare)


async def list_models(endpoint: Endpoint, key: str = "") -> tuple[ListedModel, ...]:
    """The models that `endpoint` offers, in its order; empty where it has no list (Azure, some small servers).

    Raises:
        ProviderError: told in words.
    """
    template = template_of(endpoint)
    if template.form is Form.OURS:
        return tuple(ListedModel(name=name) for name in endpoint.models)
    async with _asked(endpoint, key) as ask:
        if template.probe:
            await ask.probe(template.probe)
            return ()
        if template.id == "ollama":
            return await _ollama_models(ask)
        if template.form is Form.ANTHROPIC:
            return _listed(await ask("/v1/models?limit=1000"))
        if template.id == "openrouter":
            await ask("/key")  # its list is public: a wrong key would not be noticed
        if template.id == "lmstudio" and (found := _listed(await ask("/api/v0/models", is_optional=True))):
            return found
        answer = await ask("/models", is_optional=True)
        if answer is None:
            await ask.probe("/chat/completions")
            return ()
        models = _listed(answer)
        if template.id == "llamacpp" and not any(model.window_tokens for model in models):
            n_tokens = _number(await ask("/props", is_optional=True), "default_generation_settings", "n_ctx")
            models = tuple(replace(model, window_tokens=n_tokens) for model in models)
        return models


async def window_of(endpoint: Endpoint, key: str, name: str) -> int | None:
    """The window of model `name` as `endpoint` says it; None: it says nothing, or is not there."""
    try:
        models = await list_models(endpoint, key)
    except ProviderError:
        return None
    return next((model.window_tokens for model in models if model.name == name), None)


async def find_local(ports: Mapping[str, Sequence[int]] | None = None) -> tuple[ConnectionReport, ...]:
    """The servers that listen on this machine, each asked once, all at the same time.

    Args:
        ports: By template id; None: where they listen by default.
    """
    wanted = ports or {template.id: template.ports for template in TEMPLATES if template.is_local}
    names = {template.id: template.name for template in TEMPLATES}
    endpoints = [
        Endpoint(
            id=kind,
            kind=kind,
            name=names[kind],
            base_url=f"http://127.0.0.1:{port}/v1",
            needs_key=False,
            proxy=DIRECT,
        )
        for kind, numbers in wanted.items()
        for port in numbers
    ]
    reports = await asyncio.gather(*(_probe(endpoint) for endpoint in endpoints))
    return tuple(report for report in reports if report)


async def _probe(endpoint: Endpoint) -> ConnectionReport | None:
    port = urlsplit(endpoint.base_url).port
    try:
        async with asyncio.timeout(PROBE_S):  # most are not there: found out without loading httpx
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        async with asyncio.timeout(PATIENCE_S):
            report = await test_connection(endpoint, "")
    except (OSError, TimeoutError):
        return None
    return None if report.error else report


# ---- asking

_NOWHERE = frozenset({404, 405})


class _Ask:
    def __init__(self, client: httpx.AsyncClient, base_url: str, secrets: tuple[str, ...]) -> None:
        self._client = client
        self._base_url = base_url
        self._secrets = secrets

    async def __call__(
        self, path: str, *, json: Mapping[str, str] | None = None, is_optional: bool = False
    ) -> JsonValue:
        """The JSON at `path`; paths of a server's own API stand beside `/v1`. None: not there and optional.

        Raises:
            Failed: any status but 2xx, or no JSON.
        """
        root = re.sub(r"/v1$", "", self._base_url) if path.startswith(("/api/", "/props")) else self._base_url
        response = await self._client.request("POST" if json else "GET", root + path, json=json)
        if response.is_success:
            return cast(JsonValue, response.json())
        if is_optional and response.status_code in _NOWHERE:
            return None
        raise Failed(self._fault(response))

    async def probe(self, path: str) -> None:
        """Call `path` with nothing to do: a refusal of the nothing is a good answer, one of the key is none."""
        response = await self._client.post(self._base_url + path, json={})
        if response.status_code in {401, 402, 403, 429} or response.status_code >= 500:
            raise Failed(self._fault(response))
        if response.is_redirect or (response.status_code in _NOWHERE and "none" not in path):
            raise Failed(Fault(code="garbage"))

    def _fault(self, response: httpx.Response) -> Fault:
        fault = fault_of_status(response.status_code, response.text, response.headers, secrets=self._secrets)
        return replace(fault, code="garbage") if response.status_code in _NOWHERE else fault


@asynccontextmanager
async def _asked(endpoint: Endpoint, key: str) -> AsyncGenerator[_Ask, None]:
    """Calls to `endpoint`, whose failures become errors in words."""
    headers = dict(endpoint.headers)
    try:
        key = usable_key(endpoint, key)
    except Failed as failed:
        raise to_error(failed.fault, endpoint=endpoint, model="") from failed
    if key and template_of(endpoint).form is Form.ANTHROPIC:
        headers |= {"x-api-key": key, "anthropic-version": "2023-06-01"}
    elif key and endpoint.kind == "azure":
        headers |= {"api-key": key}
    elif key:
        headers |= {"Authorization": f"Bearer {key}"}
    secrets = (key, *endpoint.headers.values())
    try:
        way = Way(proxy=endpoint.proxy, ca_file=endpoint.ca_file)
        client = await asyncio.to_thread(client_for, way, timeout_s=PATIENCE_S)
        try:
            async with client:
                client.headers.update(headers)
                yield _Ask(client, address_of(endpoint), secrets)
        except http_errors() as error:
            raise Failed(way.blamed(fault_of(error, secrets=secrets))) from error
    except (OSError, ValueError, ImportError) as error:  # CA file, proxy's address, no SOCKS, no JSON
        raise to_error(fault_of(error, secrets=secrets), endpoint=endpoint, model="") from error
    except Failed as failed:
        raise to_error(failed.fault, endpoint=endpoint, model="") from failed


# ---- reading


async def _ollama_models(ask: _Ask) -> tuple[ListedModel, ...]:
    """With the context that a model is loaded with, or set to be loaded with; its greatest one says nothing."""
    loaded = {_name(row): _number(row, "context_length") for row in _rows(await ask("/api/ps"), "models")}
    names = [_name(row) for row in _rows(await ask("/api/tags"), "models")]
    windows: list[int | None] = []
    for name in names:
        window = loaded.get(name)
        if not window:
            shown = await ask("/api/show", json={"model": name}, is_optional=True)
            said = re.search(r"num_ctx\s+(\d+)", str(_at(shown, "parameters")))
            window = int(said[1]) if said else None
        windows.append(window)
    return tuple(
        ListedModel(name=name, window_tokens=window) for name, window in zip(names, windows, strict=True)
    )


_WINDOWS: tuple[tuple[str, ...], ...] = (
    ("loaded_context_length",),  # LM Studio
    ("max_model_len",),  # vLLM
    ("meta", "n_ctx"),  # llama.cpp
    ("context_length",),  # OpenRouter, Kimi
    ("context_window",),  # Groq
    ("max_context_length",),  # Mistral
    ("max_input_tokens",),  # Anthropic
)


def _listed(answer: JsonValue) -> tuple[ListedModel, ...]:
    rows = [row for row in _rows(answer, "data") if "embed" not in str(_at(row, "type"))]
    return tuple(
        ListedModel(name=_name(row), window_tokens=_first_number(row, _WINDOWS)) for row in rows if _name(row)
    )


def _rows(answer: JsonValue, name: str) -> Iterable[JsonValue]:
    """The list in an answer; some servers send it bare.

    Raises:
        Failed: there is none.
    """
    if answer is None:
        return ()
    rows = answer if isinstance(answer, list) else _at(answer, name)
    if not isinstance(rows, list):
        raise Failed(Fault(code="garbage", detail=str(answer)[:200]))
    return rows


def _name(row: JsonValue) -> str:
    found = _at(row, "id") or _at(row, "name") or _at(row, "model")
    return found.removeprefix("models/") if isinstance(found, str) else ""  # Gemini's prefix


def _first_number(row: JsonValue, places: Iterable[tuple[str, ...]]) -> int | None:
    return next((number for place in places if (number := _number(row, *place))), None)


def _number(value: JsonValue, *place: str) -> int | None:
    for name in place:
        value = _at(value, name)
    return int(value) if isinstance(value, int | float) and value > 0 else None


def _at(value: JsonValue, name: str) -> JsonValue:
    return value.get(name) if isinstance(value, dict) else None
