"""What the providers page draws: endpoints with what is known of them, and the form while one is edited."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Literal

from app.core.errors import AppError
from app.providers.endpoints import ConnectionReport, normalised_url
from app.providers.templates import TEMPLATES, Template
from app.settings import Endpoint
from app.store.secrets import SecretsState
from ui.kit.links import is_web_address
from ui.settings.state import Problem

ProxyMode = Literal["system", "direct", "custom"]
_PROXY = re.compile(r"(https?|socks5h?)://\S+")
_HEADER = re.compile(r"\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*?)\s*")

CONNECTABLE: tuple[Template, ...] = tuple(row for row in TEMPLATES if row.id not in ("embedded", "builtin"))
"""Templates that a person can set up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A test of an endpoint; `report` None: it runs."""

    report: ConnectionReport | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointForm:
    """An endpoint as typed; `id` is empty while it is new, `key` empty for "as stored"."""

    id: str = ""
    kind: str = "compatible"
    name: str = ""
    base_url: str = ""
    key: str = ""
    key_hint: str = ""
    headers: str = ""
    proxy_mode: ProxyMode = "system"
    proxy_url: str = ""
    ca_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvidersState:
    endpoints: tuple[Endpoint, ...] = ()
    key_hints: Mapping[str, str] = field(default_factory=dict[str, str])
    """The last four characters of each stored key, by endpoint."""
    checks: Mapping[str, Check] = field(default_factory=dict[str, Check])
    """By endpoint; the form's is under the empty name."""
    found: tuple[Endpoint, ...] = ()
    """Servers on this computer that aren't set up yet."""
    form: EndpointForm | None = None
    problem: Problem | None = None
    removing: str = ""
    """The endpoint whose removal was asked for and waits for a yes."""
    secrets: SecretsState = field(default_factory=SecretsState)
    secrets_error: AppError | None = None
    """Why a passphrase was not taken."""


def template(kind: str) -> Template:
    return next(
        (row for row in CONNECTABLE if row.id == kind), next(r for r in CONNECTABLE if r.id == "compatible")
    )


def blank_form(kind: str) -> EndpointForm:
    row = template(kind)
    return EndpointForm(kind=kind, name="" if kind == "compatible" else row.name, base_url=row.base_url)


def form_of(endpoint: Endpoint, key_hint: str) -> EndpointForm:
    is_custom = endpoint.proxy not in ("", "direct")
    return EndpointForm(
        id=endpoint.id,
        kind=endpoint.kind,
        name=endpoint.name,
        base_url=endpoint.base_url,
        key_hint=key_hint,
        headers="\n".join(f"{name}: {value}" for name, value in endpoint.headers.items()),
        proxy_mode="custom" if is_custom else "direct" if endpoint.proxy else "system",
        proxy_url=endpoint.proxy if is_custom else "",
        ca_file=endpoint.ca_file,
    )


def problem_in(form: EndpointForm) -> Problem | None:
    """The first thing that keeps `form` from being an endpoint."""
    if not form.name.strip():
        return Problem(field="name", kind="name_missing")
    address = normalised_url(form.base_url)
    if not address and not template(form.kind).base_url and form.kind in ("compatible", "azure"):
        return Problem(field="base_url", kind="address_missing")
    if address and not is_web_address(address):
        return Problem(field="base_url", kind="value_error")
    if form.proxy_mode == "custom" and not _PROXY.fullmatch(form.proxy_url.strip()):
        return Problem(field="proxy", kind="proxy")
    if any(not _HEADER.fullmatch(line) for line in _lines(form.headers)):
        return Problem(field="headers", kind="headers")
    return None


def endpoint_of(form: EndpointForm, endpoints: tuple[Endpoint, ...]) -> Endpoint:
    """The endpoint that `form` describes; only for a form without a problem."""
    known = next((item for item in endpoints if item.id == form.id), None)
    headers = [match.groups() for line in _lines(form.headers) if (match := _HEADER.fullmatch(line))]
    return Endpoint(
        id=form.id or unused_id(form.kind, endpoints),
        kind=form.kind,
        name=form.name.strip(),
        base_url=normalised_url(form.base_url),
        headers={str(name): str(value) for name, value in headers},
        needs_key=template(form.kind).needs_key,
        proxy={"system": "", "direct": "direct", "custom": form.proxy_url.strip()}[form.proxy_mode],
        ca_file=form.ca_file.strip(),
        models=known.models if known else (),
    )


def unused_id(kind: str, endpoints: tuple[Endpoint, ...]) -> str:
    """`kind`, or `kind2`, `kind3` …"""
    taken = {item.id for item in endpoints} | {"embedded", "builtin"}
    return next(name for n in count(1) if (name := kind if n == 1 else f"{kind}{n}") not in taken)


def with_check(state: ProvidersState, endpoint_id: str, check: Check | None) -> ProvidersState:
    checks = {name: held for name, held in state.checks.items() if name != endpoint_id}
    return replace(state, checks=checks | ({endpoint_id: check} if check else {}))


def with_form(state: ProvidersState, form: EndpointForm | None) -> ProvidersState:
    """Open, change or close the form; what was tested or refused before is no longer said."""
    return replace(with_check(state, "", None), form=form, problem=None, removing="")


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]
