"""Where the registry of models lies on disk; the bytes are read by whoever asks."""

import importlib.util
from pathlib import Path


def registry_path() -> Path | None:
    """LiteLLM's registry, found without importing LiteLLM (that takes seconds); None: it is not installed."""
    spec = importlib.util.find_spec("litellm")
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) / "model_prices_and_context_window_backup.json" if places else None
