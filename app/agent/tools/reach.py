"""What a tool asks of the web; the adapter is in `app.providers`."""

from collections.abc import Sequence
from typing import Protocol


class FoundPage(Protocol):
    @property
    def url(self) -> str: ...
    @property
    def text(self) -> str: ...


class FoundHit(Protocol):
    @property
    def title(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def excerpt(self) -> str: ...


class Web(Protocol):
    async def fetch(self, url: str) -> FoundPage:
        """
        Raises:
            AppError: told to the model.
        """
        ...

    async def find(self, query: str) -> Sequence[FoundHit]:
        """By the engine that the person set up. Raises: as `fetch`."""
        ...
