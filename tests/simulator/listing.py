"""`GET /v1/models`, in OpenAI's or in Anthropic's shape."""

from __future__ import annotations

from tests.simulator.models import MODELS, Family, Model

_CREATED = 1_735_689_600  # 2025-01-01: a date that never changes


def model_list(extra: tuple[Model, ...], *, anthropic: bool) -> dict[str, object]:
    """The models that speak the asked form, each once."""
    rows = [model for model in (*extra, *MODELS) if (model.family is Family.ANTHROPIC) == anthropic]
    names = list(dict.fromkeys(name for model in rows for name in model.listed))
    if not anthropic:
        owned = {name: model.family.value for model in reversed(rows) for name in model.listed}
        data = [
            {"id": name, "object": "model", "created": _CREATED, "owned_by": owned[name]} for name in names
        ]
        return {"object": "list", "data": data}
    entries = [
        {
            "type": "model",
            "id": name,
            "display_name": name.replace("-", " ").title(),
            "created_at": "2025-01-01T00:00:00Z",
        }
        for name in names
    ]
    return {"data": entries, "has_more": False, "first_id": names[0], "last_id": names[-1]}
