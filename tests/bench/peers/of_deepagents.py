"""deepagents' `SummarizationMiddleware`, which writes what it takes out into a file that `read_file` opens."""

import importlib
import re
import tempfile
from typing import Any

from tests.bench.peers.of_langchain import counter, wire, writer
from tests.bench.peers.pipe import Asked, Counting, Made, text_of

_messages: Any = importlib.import_module("langchain_core.messages")
_models: Any = importlib.import_module("langchain_core.language_models")
_types: Any = importlib.import_module("langchain.agents.middleware.types")
_backends: Any = importlib.import_module("deepagents.backends")
_summarization: Any = importlib.import_module("deepagents.middleware.summarization")

_HISTORY = re.compile(r"/conversation_history/[\w./-]+\.md")


def summarization(asked: Asked, counting: Counting) -> Made:
    model = _models.FakeListChatModel(responses=["-"])
    room = asked.budget_tokens - counting.of(asked.system)
    keep = ("tokens", max(1, room - asked.summary_tokens))
    system = [_messages.SystemMessage(message["content"]) for message in asked.system]
    seen: list[Any] = []

    def answer(request: Any) -> Any:
        seen.extend(request.messages)
        return _types.ModelResponse(result=[_messages.AIMessage("-")])

    folder = tempfile.TemporaryDirectory()
    backend = _backends.FilesystemBackend(root_dir=folder.name, virtual_mode=True)
    middleware = _summarization.SummarizationMiddleware(
        model=model,
        backend=backend,
        summarizer=writer(asked, counting),
        trigger=("tokens", max(1, room)),
        keep=keep,
        truncate_args_settings={"trigger": ("tokens", max(1, room)), "keep": keep},
        trim_tokens_to_summarize=None,
        token_counter=counter(counting),
    )
    request = _types.ModelRequest(
        model=model,
        messages=_messages.convert_to_messages(asked.spoken),
        system_message=system[0] if system else None,
        state={"messages": []},
    )
    middleware.wrap_model_call(request, answer)
    messages = [*asked.system, *wire(seen)]

    def behind() -> str:
        with folder:
            named = dict.fromkeys(_HISTORY.findall(text_of(messages)))
            files = backend.download_files(list(named))
            return "\n".join(file.content.decode() for file in files if file.content)

    return Made(messages=messages, behind=behind)
