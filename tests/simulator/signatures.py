"""Signatures that the simulator gives to reasoning and later knows again, byte for byte."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

_KEY = b"palimpsest provider simulator"


def sign(text: str) -> str:
    """The signature of a thinking text or of a call (base64, as long as a short real one)."""
    return base64.b64encode(hmac.digest(_KEY, text.encode(errors="surrogatepass"), hashlib.sha384)).decode()


def is_signed(text: str, signature: str) -> bool:
    return hmac.compare_digest(sign(text).encode(), signature.encode(errors="surrogatepass"))


def split_binding(signature: str) -> tuple[str, str]:
    """A signature or sealed data, and what binds it to what stood before it; empty: nothing does."""
    found = re.fullmatch(r"(.+?)((?:\.[0-9a-f]{32}\.(?:[0-9a-f]{12})?)?)", signature, re.DOTALL)
    return (found[1], found[2]) if found else (signature, "")


def seal(text: str) -> str:
    """The opaque `data` of a redacted thinking block."""
    payload = base64.b64encode(text.encode(errors="surrogatepass")).decode()
    return f"{payload}.{sign(payload)}"


def is_sealed(data: str) -> bool:
    payload, _, signature = data.partition(".")
    return is_signed(payload, signature)
