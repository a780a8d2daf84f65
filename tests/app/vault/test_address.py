"""Addresses name originals and nothing else: no path, no scheme, no trick of letters leads out (C26, case B67)."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.vault.address import Address, address, find_addresses, parse, safe_name

HASH = "0123456789ab" * 5 + "cdef"
_names = st.text(st.characters(exclude_categories=["Cs"]), max_size=120)


@given(_names)
def test_an_address_is_read_back_as_it_was_made_wherever_it_stands(name: str) -> None:
    made = address(HASH, name)

    assert parse(str(made)) == made
    assert find_addresses(f"[whole: {made}]") == (made,)
    assert find_addresses(f"see {made}.") == (made,)
    assert find_addresses(f"原文在{made}。然后继续") == (made,)
    assert len(made.name) <= 60


@given(_names)
def test_a_name_never_holds_what_a_path_is_made_of(name: str) -> None:
    safe = safe_name(name)

    assert safe
    assert safe not in (".", "..")
    assert not set(safe) & set('/\\:*?"<>|\x00\n\r\t %')


@pytest.mark.parametrize(
    "text",
    [
        "vault://../../../../etc/passwd",
        "vault://0123456789ab/../x",
        "vault://0123456789ab/..",
        "vault://0123456789ab/%2e%2e",
        "vault://0123456789ab/%2E%2E%2Fetc%2Fpasswd",
        "vault://0123456789ab/a%2Fb",
        "vault://0123456789ab/a%5Cb",
        "vault://0123456789ab/a\\b",
        "vault://0123456789ab/a b",
        "vault://0123456789ab/%00",
        "vault://0123456789ab/．．",
        "vault://0123456789ab/a∕b",
        "vault://0123456789ab/a%EF%BC%8Fb",
        "vault://0123456789AB/x",
        "vault://０123456789ab/x",
        "vault://0123456789ab",
        "vault://0123456789a/x",
        "vault:/0123456789ab/x",
        "VAULT://0123456789ab/x",
        "file://0123456789ab/x",
        "http://vault://0123456789ab/x",
        f"vault://{'a' * 65}/x",
        "",
    ],
)
def test_what_is_written_otherwise_is_no_address(text: str) -> None:
    found = parse(text)

    if text == "vault://0123456789ab":
        assert found == Address(hash="0123456789ab")  # a name is for people; the hash alone says which
    else:
        assert found is None


@given(st.text(max_size=80), st.booleans())
def test_whatever_is_read_as_an_address_has_a_plain_name(tail: str, is_encoded: bool) -> None:
    found = parse(f"vault://{HASH[:12]}/{quote(tail, errors='replace') if is_encoded else tail}")

    if found is not None:
        assert found.hash == HASH[:12]
        assert found.name.strip(".") or not found.name
        assert not set(found.name) & set("/\\%\x00 ∕／．")


def test_the_whole_hash_tells_apart_what_begins_alike() -> None:
    one, other = "a" * 64, "a" * 12 + "b" * 52

    assert address(one, "x").names(other)
    assert not Address(hash=one).names(other)
