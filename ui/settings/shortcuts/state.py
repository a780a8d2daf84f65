"""Which keys are whose: those that commands come with, and those that the person gave them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """A command as the page of shortcuts shows it."""

    id: str
    section: str
    """In the person's language, like `title`."""
    title: str
    keys: str
    """That it comes with, as Qt's portable text; empty: none."""
    is_fixed: bool = False
    """Its keys are told elsewhere, and stay."""


def keys_of(binding: Binding, own: Mapping[str, str]) -> str:
    return own.get(binding.id, binding.keys)


def holder(bindings: Iterable[Binding], own: Mapping[str, str], key: str, *, but: str) -> Binding | None:
    """The command other than `but` that `key` (one sequence, portable) runs."""
    return next((each for each in bindings if each.id != but and key in _sequences(keys_of(each, own))), None)


def conflicts(bindings: Iterable[Binding], own: Mapping[str, str]) -> Mapping[str, Binding]:
    """Commands that share a key with another, by id, with the first such other."""
    held = tuple(bindings)
    return {
        each.id: other
        for each in held
        for key in _sequences(keys_of(each, own))
        if (other := holder(held, own, key, but=each.id))
    }


def with_keys(
    bindings: Iterable[Binding], own: Mapping[str, str], name: str, keys: str | None
) -> dict[str, str]:
    """The person's keys after `name` got `keys`, which no other command has then.

    Args:
        keys: Empty: none; None: those that it comes with.
    """
    held = tuple(bindings)
    changed = {each: value for each, value in own.items() if each != name}
    if keys is not None:
        changed[name] = keys
    given = _sequences(next(keys_of(each, changed) for each in held if each.id == name))
    for each in held:
        kept = [key for key in _sequences(keys_of(each, changed)) if key not in given]
        if each.id != name and len(kept) < len(_sequences(keys_of(each, changed))):
            changed[each.id] = "; ".join(kept)
    return {each.id: changed[each.id] for each in held if changed.get(each.id, each.keys) != each.keys}


def _sequences(keys: str) -> tuple[str, ...]:
    return tuple(key for key in keys.split("; ") if key)
