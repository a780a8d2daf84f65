"""The ways out of this machine: one HTTP client per proxy and certificate file of an endpoint (TS6, A2)."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.providers.errors import Fault

if TYPE_CHECKING:
    import httpx

DIRECT = "direct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How an endpoint is reached; see `Endpoint.proxy` and `Endpoint.ca_file`."""

    proxy: str = ""
    ca_file: str = ""

    @property
    def proxy_url(self) -> str | None:
        return self.proxy if self.proxy not in {"", DIRECT} else None

    @property
    def trusts_environment(self) -> bool:
        """Whether the system's proxies hold."""
        return not self.proxy

    def blamed(self, fault: Fault) -> Fault:
        """`fault`, told of the proxy where it was the proxy that could not be reached."""
        is_way = self.proxy_url and fault.code in {"refused", "dns", "unreachable"}
        return replace(fault, code="proxy") if is_way else fault

    def tls(self) -> ssl.SSLContext:
        """Reads certificates, some 30 ms.

        Raises:
            ssl.SSLError: the file can't be read as certificates.
        """
        import httpx

        context = httpx.create_ssl_context(trust_env=self.trusts_environment)
        if self.ca_file:
            try:
                context.load_verify_locations(self.ca_file)
            except OSError as error:  # a missing file, and SSLError too
                raise ssl.SSLError(f"The CA file {self.ca_file!r} cannot be read: {error}") from error
        return context


def client_for(way: Way, *, timeout_s: float = 30.0) -> httpx.AsyncClient:
    """A client that goes that way. Imports httpx, 0.2 s at first: never on the window's thread.

    Raises:
        ssl.SSLError: see `Way.tls`.
    """
    import httpx

    return httpx.AsyncClient(
        proxy=way.proxy_url,
        trust_env=way.trusts_environment,
        verify=way.tls(),
        timeout=timeout_s,
        follow_redirects=False,  # neither a key nor a conversation goes where a server points
    )


def http_errors() -> tuple[type[Exception], ...]:
    """What such a client raises; asked for after one was made."""
    import httpx

    return (httpx.HTTPError, httpx.InvalidURL)
