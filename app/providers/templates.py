"""The providers that can be set up (A2), one row each, and how each one wants to be spoken to."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.settings import Endpoint


class Form(StrEnum):
    """The wire form that messages are written in."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    """Also what LiteLLM makes of it for clouds that resell such models."""
    OURS = "ours"
    """No wire: a model inside this program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A kind of endpoint.

    Most speak OpenAI's form and go through LiteLLM's `openai/` route with their own address: it sends the
    body as it is given, while LiteLLM's own routes for them flatten, strip and add.
    """

    id: str
    name: str
    base_url: str = ""
    form: Form = Form.OPENAI
    prefix: str = "openai"
    """LiteLLM's route."""
    needs_key: bool = True
    key_url: str = ""
    """Where a person gets a key; empty: nowhere."""
    is_local: bool = False
    ports: tuple[int, ...] = ()
    """Where a local server listens unless told otherwise."""
    takes_cache_key: bool = False
    """Routes by `prompt_cache_key`."""
    narrows_tools: bool = False
    """Takes a list of those tools that may be called, which leaves the prompt as it is (P1)."""
    probe: str = ""
    """Has no list of models; a call of this path tells whether address and key are right."""
    is_tried: bool = True
    """False: "not tried live"; only its request bodies are tested."""


TEMPLATES: tuple[Template, ...] = (
    Template(
        id="openai",
        name="OpenAI",
        base_url="https://api.openai.com/v1",
        key_url="https://platform.openai.com/api-keys",
        takes_cache_key=True,
        narrows_tools=True,
        is_tried=False,
    ),
    Template(
        id="anthropic",
        name="Anthropic",
        base_url="https://api.anthropic.com",
        form=Form.ANTHROPIC,
        prefix="anthropic",
        key_url="https://console.anthropic.com/settings/keys",
        is_tried=False,
    ),
    Template(
        id="gemini",
        name="Google Gemini",
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        key_url="https://aistudio.google.com/apikey",
        is_tried=False,
    ),
    Template(
        id="deepseek",
        name="DeepSeek",
        base_url="https://api.deepseek.com/v1",
        key_url="https://platform.deepseek.com/api_keys",
        is_tried=False,
    ),
    Template(
        id="moonshot",
        name="Moonshot Kimi",
        base_url="https://api.moonshot.cn/v1",
        key_url="https://platform.moonshot.cn/console/api-keys",
        is_tried=False,
    ),
    Template(
        id="dashscope",
        name="Qwen (DashScope)",
        base_url="https://dashscope.aliyuncs.com/compatible-mode/v1",
        key_url="https://bailian.console.aliyun.com/?tab=model#/api-key",
        is_tried=False,
    ),
    Template(
        id="zai",
        name="Zhipu GLM",
        base_url="https://open.bigmodel.cn/api/paas/v4",
        key_url="https://open.bigmodel.cn/usercenter/apikeys",
        is_tried=False,
    ),
    Template(
        id="minimax",
        name="MiniMax",
        base_url="https://api.minimaxi.com/v1",
        key_url="https://platform.minimaxi.com/user-center/basic-information/interface-key",
        is_tried=False,
    ),
    Template(
        id="xai",
        name="xAI",
        base_url="https://api.x.ai/v1",
        key_url="https://console.x.ai",
        is_tried=False,
    ),
    Template(
        id="mistral",
        name="Mistral",
        base_url="https://api.mistral.ai/v1",
        key_url="https://console.mistral.ai/api-keys",
        is_tried=False,
    ),
    Template(
        id="groq",
        name="Groq",
        base_url="https://api.groq.com/openai/v1",
        key_url="https://console.groq.com/keys",
        is_tried=False,
    ),
    Template(
        id="openrouter",
        name="OpenRouter",
        base_url="https://openrouter.ai/api/v1",
        key_url="https://openrouter.ai/settings/keys",
        is_tried=False,
    ),
    Template(
        id="azure",
        name="Azure OpenAI",
        prefix="azure",
        probe="/openai/deployments/none/chat/completions?api-version=2024-10-21",
        key_url="https://portal.azure.com",
        is_tried=False,
    ),
    Template(
        id="bedrock",
        name="Amazon Bedrock",
        base_url="https://bedrock-runtime.us-east-1.amazonaws.com",
        form=Form.ANTHROPIC,
        prefix="bedrock",
        probe="/model/none/converse",
        key_url="https://console.aws.amazon.com/bedrock/home#/api-keys",
        is_tried=False,
    ),
    Template(
        id="vertex",
        # Its OpenAI form, `https://…-aiplatform.googleapis.com/v1/projects/…/endpoints/openapi`, with an access
        # token as the key: LiteLLM's own route would need Google's libraries.
        name="Google Vertex AI",
        key_url="https://console.cloud.google.com/apis/credentials",
        probe="/chat/completions",
        is_tried=False,
    ),
    Template(id="compatible", name="OpenAI-compatible server"),
    Template(
        id="ollama",
        name="Ollama",
        base_url="http://127.0.0.1:11434/v1",
        needs_key=False,
        is_local=True,
        ports=(11434,),
    ),
    Template(
        id="lmstudio",
        name="LM Studio",
        base_url="http://127.0.0.1:1234/v1",
        needs_key=False,
        is_local=True,
        ports=(1234,),
    ),
    Template(
        id="llamacpp",
        name="llama.cpp",
        base_url="http://127.0.0.1:8080/v1",
        needs_key=False,
        is_local=True,
        ports=(8080,),
    ),
    Template(
        id="vllm",
        name="vLLM",
        base_url="http://127.0.0.1:8000/v1",
        needs_key=False,
        is_local=True,
        ports=(8000,),
    ),
    Template(
        id="jan",
        name="Jan",
        base_url="http://127.0.0.1:1337/v1",
        needs_key=False,
        is_local=True,
        ports=(1337,),
    ),
    Template(id="embedded", name="Embedded model", form=Form.OURS, needs_key=False),
    Template(id="builtin", name="Built-in responder", form=Form.OURS, needs_key=False),
)

_BY_ID: Mapping[str, Template] = {template.id: template for template in TEMPLATES}


def template_of(endpoint: Endpoint) -> Template:
    """The row of `endpoint`'s kind; an unknown kind is spoken to like any compatible server."""
    return _BY_ID.get(endpoint.kind, _BY_ID["compatible"])


EMBEDDED = Endpoint(
    id="embedded", kind="embedded", name="Embedded model", needs_key=False, models=("smollm2-135m",)
)
BUILTIN = Endpoint(
    id="builtin", kind="builtin", name="Built-in responder", needs_key=False, models=("extractive",)
)
BUILTIN_ENDPOINTS: tuple[Endpoint, ...] = (EMBEDDED, BUILTIN)
"""What answers with no key and no network (A3, Q1); the embedded one only where its packages are."""
