"""From stored values to settings, whatever an older or newer version stored."""

import logging

from pydantic import JsonValue, ValidationError

from app.settings import Settings

log = logging.getLogger(__name__)


def readable(values: dict[str, JsonValue]) -> Settings:
    """Settings from stored values; one that no longer fits gives way to its default and never stops the start."""
    known = {name: value for name, value in values.items() if name in Settings.model_fields}
    try:
        return Settings.model_validate(known)
    except ValidationError as error:
        wrong = {str(item["loc"][0]) for item in error.errors()}
        log.warning("Stored settings that cannot be used: %s", ", ".join(sorted(wrong)))
        return Settings.model_validate({name: value for name, value in known.items() if name not in wrong})
