"""Endpoints asked for what they are: real small servers, as each kind answers."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from app.core.errors import ProviderError
from app.models.registry import ModelFacts
from app.models.window import Window, WindowSource
from app.providers import endpoints
from app.providers.catalogue import found, offered
from app.providers.endpoints import ListedModel, find_local, list_models, normalised_url, window_of
from app.providers.templates import TEMPLATES
from app.settings import Endpoint, ModelOverride
from tests.simulator import Simulator


@asynccontextmanager
async def serving(
    answers: Mapping[str, object], *, seen: list[web.Request] | None = None
) -> AsyncGenerator[int, None]:
    """A server that answers each path with its JSON, or with that status; its port."""

    def answer(value: object) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def handle(request: web.Request) -> web.Response:
            if seen is not None:
                seen.append(request)
            return web.Response(status=value) if isinstance(value, int) else web.json_response(value)

        return handle

    app = web.Application()
    for path, value in answers.items():
        app.router.add_route("*", path, answer(value))
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def endpoint(kind: str, url: str, **more: object) -> Endpoint:
    return Endpoint.model_validate(
        {"id": "e", "kind": kind, "name": "Mine", "base_url": url, "needs_key": False, **more}
    )


def listing(**fields: object) -> dict[str, object]:
    return {"object": "list", "data": [{"id": "m", **fields}]}


# ---- windows and names (C1 rank 2)


@pytest.mark.parametrize(
    ("kind", "fields", "window"),
    [
        ("vllm", {"max_model_len": 32_768}, 32_768),
        ("openrouter", {"context_length": 131_072}, 131_072),
        ("groq", {"context_window": 8192}, 8192),
        ("mistral", {"max_context_length": 128_000}, 128_000),
        ("llamacpp", {"meta": {"n_ctx": 4096, "n_ctx_train": 131_072}}, 4096),
        ("compatible", {}, None),
    ],
)
async def test_a_models_window_is_what_its_server_says(
    kind: str, fields: dict[str, object], window: int | None
) -> None:
    async with serving({"/v1/models": listing(**fields), "/v1/key": {}}) as port:
        models = await list_models(endpoint(kind, f"http://127.0.0.1:{port}/v1"))

    assert models == (ListedModel(name="m", window_tokens=window),)


async def test_llama_cpp_tells_its_window_beside_the_list() -> None:
    props = {"default_generation_settings": {"n_ctx": 2048}}
    async with serving({"/v1/models": listing(), "/props": props}) as port:
        window = await window_of(endpoint("llamacpp", f"http://127.0.0.1:{port}/v1"), "", "m")

    assert window == 2048


async def test_ollamas_window_is_the_loaded_one_or_the_one_set() -> None:
    """C1: what a model could take says nothing of what it was loaded with."""
    answers = {
        "/api/tags": {"models": [{"name": "a:1b"}, {"name": "b:2b"}]},
        "/api/ps": {"models": [{"name": "a:1b", "context_length": 4096}]},
        "/api/show": {
            "parameters": "num_ctx    16384\nstop  x",
            "model_info": {"llama.context_length": 131_072},
        },
    }
    async with serving(answers) as port:
        models = await list_models(endpoint("ollama", f"http://127.0.0.1:{port}/v1"))

    assert models == (
        ListedModel(name="a:1b", window_tokens=4096),
        ListedModel(name="b:2b", window_tokens=16_384),
    )


async def test_lm_studio_tells_the_loaded_window_and_no_embedding_models() -> None:
    rows = [
        {"id": "m", "type": "llm", "loaded_context_length": 8192, "max_context_length": 131_072},
        {"id": "nomic", "type": "embeddings"},
    ]
    async with serving({"/api/v0/models": {"data": rows}}) as port:
        models = await list_models(endpoint("lmstudio", f"http://127.0.0.1:{port}/v1"))

    assert models == (ListedModel(name="m", window_tokens=8192),)


@pytest.mark.asyncio(loop_scope="session")
async def test_anthropics_list_is_asked_for_with_its_own_headers(simulator: Simulator) -> None:
    models = await list_models(endpoint("anthropic", simulator.base_url, needs_key=True), "sk-ant-1")

    assert "claude-sonnet-4-5" in [model.name for model in models]


async def test_geminis_names_come_without_their_prefix() -> None:
    async with serving({"/v1/models": {"data": [{"id": "models/gemini-2.5-flash"}]}}) as port:
        models = await list_models(endpoint("gemini", f"http://127.0.0.1:{port}/v1"))

    assert models == (ListedModel(name="gemini-2.5-flash"),)


async def test_what_is_no_list_is_told_as_unreadable() -> None:
    async with serving({"/v1/models": {"hello": "world"}}) as port:
        with pytest.raises(ProviderError) as caught:
            await list_models(endpoint("compatible", f"http://127.0.0.1:{port}/v1"))

    assert caught.value.code == "garbage"


async def test_a_key_is_never_sent_on_to_where_a_server_points() -> None:
    seen: list[web.Request] = []
    async with serving({"/v1/models": {}}, seen=seen) as elsewhere:

        async def redirect(request: web.Request) -> web.Response:
            raise web.HTTPFound(f"http://127.0.0.1:{elsewhere}/v1/models")

        app = web.Application()
        app.router.add_get("/v1/models", redirect)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        with pytest.raises(ProviderError) as caught:
            await list_models(endpoint("compatible", url), "sk-CANARY-1")
        await runner.cleanup()

    assert (seen, caught.value.code) == ([], "garbage")


# ---- the test of a connection (TS6)


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/v1/chat/completions", "/v1/models"])
async def test_an_address_works_with_and_without_its_path_and_the_final_one_is_shown(
    path: str,
) -> None:
    async with serving({"/v1/models": listing()}) as port:
        report = await endpoints.test_connection(endpoint("compatible", f"http://127.0.0.1:{port}{path}"), "")

    assert report.error is None
    assert report.endpoint.base_url == f"http://127.0.0.1:{port}/v1"
    assert report.endpoint.models == ("m",)
    assert report.sentence == f"http://127.0.0.1:{port}/v1 answered in {report.latency_ms} ms with 1 models."


async def test_a_server_that_needs_no_v1_is_found_without_it() -> None:
    async with serving({"/models": listing()}) as port:
        report = await endpoints.test_connection(endpoint("compatible", f"http://127.0.0.1:{port}/v1"), "")

    assert report.endpoint.base_url == f"http://127.0.0.1:{port}"


@pytest.mark.parametrize(
    ("answer", "code"),
    [(401, "key_wrong"), (403, "forbidden"), (429, "rate_limited"), (500, "server_error"), (404, "garbage")],
)
async def test_a_failed_test_says_why_in_words(answer: int, code: str) -> None:
    async with serving({"/v1/models": answer}) as port:
        report = await endpoints.test_connection(endpoint("compatible", f"http://127.0.0.1:{port}/v1"), "k")

    assert report.error
    assert report.error.code == code
    assert report.sentence == report.error.message


async def test_a_public_list_does_not_hide_a_wrong_key() -> None:
    async with serving({"/v1/models": listing(), "/v1/key": 401}) as port:
        report = await endpoints.test_connection(endpoint("openrouter", f"http://127.0.0.1:{port}/v1"), "bad")

    assert report.error
    assert report.error.code == "key_wrong"


async def test_a_missing_key_is_told_before_anything_is_sent(unused_tcp_port: int) -> None:
    report = await endpoints.test_connection(
        endpoint("openai", f"http://127.0.0.1:{unused_tcp_port}/v1", needs_key=True), ""
    )

    assert report.error
    assert report.error.code == "key_missing"


@pytest.mark.parametrize("key", ["键", "sk-1\nsk-2"])
async def test_a_key_that_fits_no_header_is_told_as_wrong(key: str) -> None:
    report = await endpoints.test_connection(endpoint("openai", "http://127.0.0.1:9/v1", needs_key=True), key)

    assert report.error
    assert report.error.code == "key_wrong"


async def test_half_an_address_is_told() -> None:
    report = await endpoints.test_connection(endpoint("compatible", "http://[::"), "")

    assert report.error
    assert report.error.code == "unreachable"


async def test_nothing_at_an_address_is_told(unused_tcp_port: int) -> None:
    report = await endpoints.test_connection(
        endpoint("compatible", f"http://127.0.0.1:{unused_tcp_port}"), ""
    )

    assert report.error
    assert report.error.code == "refused"


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        (" api.example.org/v1/ ", "https://api.example.org/v1"),
        ("localhost:8080", "http://localhost:8080"),
        ("192.168.1.4:11434/v1", "http://192.168.1.4:11434/v1"),
        ("http://x/v1/chat/completions", "http://x/v1"),
        ("[::", "https://[::"),
        ("", ""),
    ],
)
def test_an_address_may_be_typed_as_people_type(typed: str, url: str) -> None:
    assert normalised_url(typed) == url


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("azure", "/openai/deployments/none/chat/completions"),
        ("bedrock", "/model/none/converse"),
        ("vertex", "/v1/chat/completions"),
        ("compatible", "/v1/chat/completions"),
    ],
)
@pytest.mark.parametrize(("answer", "code"), [(400, ""), (401, "key_wrong"), (500, "server_error")])
async def test_where_no_list_is_the_key_is_tried_all_the_same(
    kind: str, path: str, answer: int, code: str
) -> None:
    root = "" if kind in {"azure", "bedrock"} else "/v1"
    async with serving({path: answer}) as port:
        report = await endpoints.test_connection(endpoint(kind, f"http://127.0.0.1:{port}{root}"), "k")

    assert (report.error.code if report.error else "") == code
    assert code or "have to be typed" in report.sentence


# ---- servers on this machine


async def test_local_servers_are_found_all_at_once(unused_tcp_port: int) -> None:
    tags: dict[str, object] = {
        "/api/tags": {"models": [{"name": "a"}]},
        "/api/ps": {"models": []},
        "/api/show": {},
    }
    async with serving(tags) as ollama, serving({"/v1/models": listing()}) as vllm, serving({}) as other:
        ports = {"ollama": (ollama,), "vllm": (vllm,), "llamacpp": (other,), "jan": (unused_tcp_port,)}
        reports = await find_local(ports)

    assert [(report.endpoint.kind, report.endpoint.models) for report in reports] == [
        ("ollama", ("a",)),
        ("vllm", ("m",)),
    ]
    assert not any(report.endpoint.needs_key for report in reports)


async def test_a_port_that_accepts_and_says_nothing_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    monkeypatch.setattr(endpoints, "PATIENCE_S", 0.1)
    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    async with server:
        reports = await find_local({"jan": (server.sockets[0].getsockname()[1],)})

    assert reports == ()


def test_every_provider_of_the_specification_has_a_row() -> None:
    """A2."""
    names = {template.id for template in TEMPLATES}

    assert names >= {
        *("openai", "anthropic", "gemini", "deepseek", "moonshot", "dashscope", "zai", "minimax", "xai"),
        *("mistral", "groq", "openrouter", "azure", "bedrock", "vertex", "compatible"),
        *("ollama", "lmstudio", "llamacpp", "vllm", "jan", "embedded", "builtin"),
    }
    assert all(
        template.key_url for template in TEMPLATES if template.needs_key and template.id != "compatible"
    )
    assert all(template.ports for template in TEMPLATES if template.is_local)


# ---- the catalogue


class KnownFacts:
    async def facts(self, kind: str, names: Iterable[str]) -> dict[str, ModelFacts]:
        return {name: ModelFacts(name=name, window_tokens=1000) for name in names}


async def test_the_catalogue_joins_what_is_listed_typed_known_and_set() -> None:
    mine = endpoint("vllm", "http://x/v1", models=("typed", "m"))
    listed = (ListedModel(name="m", window_tokens=500), ListedModel(name="n"))

    models = await offered(
        mine, KnownFacts(), listed=listed, overrides={"e/typed": ModelOverride(window_tokens=300)}
    )

    assert [(model.id, model.window) for model in models] == [
        ("e/m", Window(tokens=500, source=WindowSource.SERVER)),
        ("e/n", Window(tokens=1000, source=WindowSource.REGISTRY)),
        ("e/typed", Window(tokens=300, source=WindowSource.YOU)),
    ]
    assert [model.name for model in found(models, "MINE typ")] == ["typed"]
