"""What comes with the program as files."""

import re
from pathlib import Path
from typing import cast

RESOURCES = Path(__file__).resolve().parents[2] / "resources"


def shipped_prompts() -> dict[str, str]:
    """Texts of `resources/prompts/`, by path without its ending."""
    folder = RESOURCES / "prompts"
    paths = sorted(folder.rglob("*.md"))
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
        for path in paths
    }


def shipped_noise() -> re.Pattern[str]:
    """Lines that tell nothing, of `resources/health/noise.yaml`."""
    import yaml  # no start waits for it

    from app.health.information import noise_of

    text = (RESOURCES / "health" / "noise.yaml").read_text(encoding="utf-8")
    return noise_of(cast("list[str]", yaml.safe_load(text)))
