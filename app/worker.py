"""The program as its own child process: `--worker text` counts and parses, `--worker llm` talks to providers."""

import argparse
import asyncio
import signal
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until the parent closes our input."""
    parser = argparse.ArgumentParser(prog="app.worker")
    parser.add_argument("--worker", choices=("text",), required=True)
    parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal reaches us too; the parent ends us
    from app.tokens.text_work import serve

    asyncio.run(serve())


if __name__ == "__main__":
    main()
