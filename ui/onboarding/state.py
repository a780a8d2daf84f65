"""What the first run draws: what answers on this computer, what can be connected, and what was chosen."""

from dataclasses import dataclass, field, replace
from typing import Literal

from app.core.errors import AppError
from app.providers.endpoints import ConnectionReport, normalised_url
from app.providers.templates import TEMPLATES
from app.settings import Endpoint, Settings
from app.store.secrets import SecretsState
from ui.kit.links import is_web_address

OFFERED = ("openai", "anthropic", "gemini", "deepseek", "dashscope", "moonshot", "openrouter", "compatible")
"""Ids of the templates on the first page; the settings have all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One thing that can be chosen; its id is its endpoint's."""

    kind: Literal["server", "built_in", "provider"]
    endpoint: Endpoint
    key_url: str = ""

    @property
    def id(self) -> str:
        return self.endpoint.id


@dataclass(frozen=True, slots=True, kw_only=True)
class OnboardingState:
    settings: Settings
    sources: tuple[Source, ...] = ()
    is_looking: bool = True
    """Local servers are being looked for."""
    chosen: str = ""
    address: str = ""
    """As typed, for any other server."""
    key: str = ""
    is_testing: bool = False
    report: ConnectionReport | None = None
    model: str = ""
    """The name chosen of `models`."""
    secrets: SecretsState = field(default_factory=SecretsState)
    error: AppError | None = None
    """Why a key or a passphrase was not taken."""

    @property
    def source(self) -> Source | None:
        return next((item for item in self.sources if item.id == self.chosen), None)

    @property
    def models(self) -> tuple[str, ...]:
        """Names that can be talked to, as far as they are known."""
        if self.source is None:
            return ()
        if self.source.kind != "provider":
            return self.source.endpoint.models
        return self.report.endpoint.models if self.report and not self.report.error else ()

    @property
    def needs_address(self) -> bool:
        return (
            self.source is not None and self.source.kind == "provider" and not self.source.endpoint.base_url
        )

    @property
    def can_test(self) -> bool:
        """Whether what was typed is enough to ask the provider."""
        if self.source is None or self.source.kind != "provider":
            return False
        return is_web_address(normalised_url(self.address)) if self.needs_address else bool(self.key)

    @property
    def can_start(self) -> bool:
        return bool(self.models) or self.can_test

    @property
    def endpoint(self) -> Endpoint | None:
        """The chosen one, with the address as typed where it has none."""
        if self.source is None or not self.needs_address:
            return self.source.endpoint if self.source else None
        address = normalised_url(self.address)
        name = address.split("://")[-1].partition("/")[0]
        update = {"base_url": address, "name": name, "needs_key": bool(self.key)}
        return self.source.endpoint.model_copy(update=update)


def first_state(settings: Settings, built_in: tuple[Endpoint, ...]) -> OnboardingState:
    """What answers without anything comes first, and is chosen."""
    by_id = {row.id: row for row in TEMPLATES}
    providers = tuple(
        Source(
            kind="provider",
            endpoint=Endpoint(
                id=name,
                kind=name,
                name=by_id[name].name,
                base_url=by_id[name].base_url,
                needs_key=by_id[name].needs_key,
            ),
            key_url=by_id[name].key_url,
        )
        for name in OFFERED
    )
    own = tuple(Source(kind="built_in", endpoint=endpoint) for endpoint in built_in)
    chosen = own[0].id if own else ""
    return with_choice(OnboardingState(settings=settings, sources=(*own, *providers)), chosen)


def with_servers(state: OnboardingState, servers: tuple[Endpoint, ...]) -> OnboardingState:
    """Servers stand first; the first of them is chosen unless the person has chosen already."""
    found = tuple(Source(kind="server", endpoint=item) for item in servers)
    before = state.source
    state = replace(state, sources=(*found, *state.sources), is_looking=False)
    has_chosen = before is not None and before.kind == "provider"
    return state if has_chosen or not found else with_choice(state, found[0].id)


def with_choice(state: OnboardingState, source_id: str) -> OnboardingState:
    """A key typed for one provider is not sent to another."""
    state = replace(
        state, chosen=source_id, key="", address="", report=None, is_testing=False, error=None, model=""
    )
    return _with_likely_model(state)


def with_typed(state: OnboardingState, *, key: str, address: str) -> OnboardingState:
    """What a test of other words found is no longer said."""
    return replace(state, key=key, address=address, report=None, is_testing=False, error=None, model="")


def with_report(state: OnboardingState, report: ConnectionReport) -> OnboardingState:
    return _with_likely_model(replace(state, report=report, is_testing=False))


def _with_likely_model(state: OnboardingState) -> OnboardingState:
    return replace(state, model=state.models[0] if state.models else "")
