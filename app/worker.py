"""The program as its own child process: `--worker text` counts and parses, `llm` talks to providers.

`local` is a model, `mcp` talks to servers of tools.
"""

import argparse
import asyncio
import signal
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until the parent closes our input."""
    parser = argparse.ArgumentParser(prog="app.worker")
    parser.add_argument("--worker", choices=("text", "llm", "local", "mcp"), required=True)
    worker: str = parser.parse_args(arguments).worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal reaches us too; the parent ends us
    serve = {"text": _serve_texts, "llm": _serve_requests, "local": _serve_model, "mcp": _serve_tools}[worker]
    asyncio.run(serve())


async def _serve_texts() -> None:
    from app.filters.work import filter_operation, readable_operation
    from app.models.files import registry_path
    from app.models.registry import facts_operation
    from app.tokens.exact import Vocabularies, vocabulary_folder
    from app.tokens.text_work import count_operation, serve

    registry = registry_path()
    vocabularies = Vocabularies(vocabulary_folder() or Path())
    await serve(
        {
            "count": count_operation(vocabularies),
            "filter": filter_operation(_filter_rules, vocabularies.count),
            "readable": readable_operation,
            "model_facts": facts_operation(lambda: registry.read_bytes() if registry else b""),
        }
    )


def _filter_rules() -> dict[str, str]:
    folder = Path(__file__).resolve().parents[1] / "resources" / "filters"
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.yaml")}


async def _serve_requests() -> None:
    from app.providers.llm_work import serve

    await serve()


async def _serve_model() -> None:
    from app.providers.local_server import serve

    await serve()


async def _serve_tools() -> None:
    from app.agent.mcp.mcp_work import serve

    await serve()


if __name__ == "__main__":
    main()
