"""`python -m tests.simulator`: the provider simulator by hand, to try the app without a provider."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys

from tests.simulator.server import Simulator

_HOW = """\
Try it with the app:
  1. Start it:  python -m tests.simulator --port 8801
  2. In the app's settings add a provider:
       OpenAI-compatible, base URL http://127.0.0.1:8801/v1, any key, model gpt-4o, deepseek-reasoner,
       gemini-3-pro-preview, qwen-plus or openai-small (a window of 8,192 tokens), or
       Anthropic, base URL http://127.0.0.1:8801, any key, model claude-sonnet-4-5 or claude-small.
     A key with the word "invalid" in it is refused.
  3. Write. Every request is kept:  curl http://127.0.0.1:8801/_log
  4. Let something go wrong at the next request:
       curl -d '{"faults": [{"status": 429, "retry_after_s": 2}]}' http://127.0.0.1:8801/_faults
       curl -d '{"faults": [{"kind": "cut_mid_token"}]}'           http://127.0.0.1:8801/_faults
     Put words into the model's mouth, or let it call a tool:
       curl -d '{"turns": [{"text": "Hello", "tool_calls": [{"name": "ls", "arguments": {"path": "."}}]}]}' \\
            http://127.0.0.1:8801/_script
     Let cached prompts grow old:  curl -d '{"advance": 301}' http://127.0.0.1:8801/_clock
     Start over:                   curl -X POST http://127.0.0.1:8801/_reset
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulator",
        description="A local server that answers, caches, counts and refuses as OpenAI, Anthropic, DeepSeek, Gemini "
        "and Qwen do.",
        epilog=_HOW,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=8801, help="0 takes a free one (default 8801)")
    parser.add_argument("--count-factor", type=float, default=1.14, help="tokens per token of the vocabulary")
    parser.add_argument(
        "--vocabulary", default="p50k_base", choices=["p50k_base", "cl100k_base", "o200k_base"]
    )
    parser.add_argument(
        "--rate", type=float, default=40.0, help="tokens per second (0 = full speed, default 40)"
    )
    parser.add_argument(
        "--fail-rate", type=float, default=0.0, help="share of requests that fail by chance, 0 to 1"
    )
    parser.add_argument("--seed", type=int, default=0, help="which requests fail")
    parser.add_argument(
        "--window",
        action="append",
        default=[],
        metavar="MODEL=TOKENS",
        help="another window, e.g. gpt-4o=8000",
    )
    given = parser.parse_args()
    windows = {name: int(tokens) for name, _, tokens in (item.partition("=") for item in given.window)}
    simulator = Simulator(
        count_factor=given.count_factor, vocabulary=given.vocabulary, tokens_per_s=given.rate or None,
        fail_rate=given.fail_rate, seed=given.seed, windows=windows, port=given.port,
    )  # fmt: skip
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(simulator))
    return 0


async def _serve(simulator: Simulator) -> None:
    async with simulator:
        print(f"OpenAI form: {simulator.openai_url}   Anthropic form: {simulator.base_url}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    sys.exit(main())
