"""What comes with the program as files."""

from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[2] / "resources"


def shipped_prompts() -> dict[str, str]:
    """Texts of `resources/prompts/`, by path without its ending."""
    folder = RESOURCES / "prompts"
    paths = sorted(folder.rglob("*.md"))
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
        for path in paths
    }
