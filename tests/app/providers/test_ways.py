"""The way to a provider: whose fault it is that nothing is reached, and which proxies hold."""

import pytest

from app.providers.errors import Fault
from app.providers.ways import DIRECT, Way

PROXY = "http://proxy.example:3128"


@pytest.mark.parametrize(
    ("proxy", "code", "told"),
    [
        (PROXY, "refused", "proxy"),
        (PROXY, "dns", "proxy"),
        (PROXY, "unreachable", "proxy"),
        (PROXY, "timeout", "timeout"),
        (PROXY, "key_wrong", "key_wrong"),
        ("", "refused", "refused"),
        (DIRECT, "refused", "refused"),
    ],
)
def test_behind_a_proxy_what_is_not_reached_is_the_proxy(proxy: str, code: str, told: str) -> None:
    fault = Way(proxy=proxy).blamed(Fault(code=code, detail="its words"))

    assert fault == Fault(code=told, detail="its words")


def test_the_systems_proxies_hold_unless_something_else_was_said() -> None:
    ways = (Way(), Way(proxy=DIRECT), Way(proxy=PROXY))

    assert [(way.proxy_url, way.trusts_environment) for way in ways] == [
        (None, True),
        (None, False),
        (PROXY, False),
    ]
