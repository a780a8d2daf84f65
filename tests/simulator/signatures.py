"""Signatures that the simulator gives to reasoning and later knows again, byte for byte."""

from __future__ import annotations

import base64
import hashlib
import hmac

_KEY = b"palimpsest provider simulator"


def sign(text: str) -> str:
    """The signature of a thinking text or of a call (base64, as long as a short real one)."""
    return base64.b64encode(hmac.digest(_KEY, text.encode(errors="surrogatepass"), hashlib.sha384)).decode()


def is_signed(text: str, signature: str) -> bool:
    return hmac.compare_digest(sign(text).encode(), signature.encode(errors="surrogatepass"))


def seal(text: str) -> str:
    """The opaque `data` of a redacted thinking block."""
    payload = base64.b64encode(text.encode(errors="surrogatepass")).decode()
    return f"{payload}.{sign(payload)}"


def is_sealed(data: str) -> bool:
    payload, _, signature = data.partition(".")
    return is_signed(payload, signature)
