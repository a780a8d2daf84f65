"""`compress` in this process, and what it wrote; shared by the tests of the command line."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.cli import main
from app.vault.address import find_addresses
from tests.app.chats.reading import conversation

FAMILIES = ("openai", "anthropic", "deepseek", "gemini", "qwen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compressed:
    code: int
    out: dict[str, Any]
    folder: Path
    """Its data folder."""

    @property
    def report(self) -> dict[str, Any]:
        return self.out["report"]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.out["messages"]

    @property
    def addresses(self) -> list[str]:
        """All that the messages name, each once."""
        found = find_addresses(json.dumps(self.messages, ensure_ascii=False).replace("\\n", "\n"))
        return list(dict.fromkeys(str(address).rstrip("/") for address in found))


def compressed(name: str | Path, folder: Path, *options: str | int) -> Compressed:
    """Args: `name`: of one of the recorded conversations, or any file; `folder`: where OUT and data go."""
    file = name if isinstance(name, Path) else conversation(name)
    out, data = folder / "out.json", folder / "run"
    code = main(["compress", str(file), *map(str, options), "--out", str(out), "--vault", str(data)])
    return Compressed(code=code, out=json.loads(out.read_text("utf-8")), folder=data)
