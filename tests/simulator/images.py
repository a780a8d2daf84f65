"""What a provider sees of an image: its kind, size in pixels and price in tokens."""

from __future__ import annotations

import base64
import binascii
import math
import re
import struct
from dataclasses import dataclass

_DATA_URL = re.compile(r"data:(?P<kind>image/[a-z+.-]+);base64,(?P<data>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """`kind` is the MIME type that the bytes show ("" = unknown); `n_encoded` counts base64 characters."""

    kind: str
    width: int
    height: int
    n_encoded: int


def from_base64(data: str) -> Picture:
    """Read the head of an encoded image; what can't be read has no kind and no size."""
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    kind, width, height = _measure(raw)
    return Picture(kind=kind, width=width, height=height, n_encoded=len(data))


def from_url(url: str) -> tuple[str, Picture | None]:
    """The MIME type that a data URL claims, and its picture; a web address has neither."""
    match = _DATA_URL.fullmatch(url)
    return (match["kind"], from_base64(match["data"])) if match else ("", None)


def anthropic_tokens(picture: Picture | None) -> int:
    """Width × height ÷ 750 after shrinking to 1,568 px on the long side, at most 1,600."""
    if picture is None or not picture.width:
        return 1600
    scale = min(1.0, 1568 / max(picture.width, picture.height))
    return min(1600, math.ceil(picture.width * scale * picture.height * scale / 750))


def openai_tokens(picture: Picture | None, *, detail: str) -> int:
    """85, and 170 for each 512 px tile after fitting into 2,048 px and 768 px on the short side."""
    if detail == "low":
        return 85
    if picture is None or not picture.width:
        return 85 + 4 * 170
    scale = min(1.0, 2048 / max(picture.width, picture.height))
    scale *= min(1.0, 768 / (min(picture.width, picture.height) * scale))
    tiles = math.ceil(picture.width * scale / 512) * math.ceil(picture.height * scale / 512)
    return 85 + 170 * tiles


def _measure(raw: bytes) -> tuple[str, int, int]:
    if raw.startswith(b"\x89PNG\r\n\x1a\n") and len(raw) >= 24:
        width, height = struct.unpack(">II", raw[16:24])
        return "image/png", width, height
    if raw[:6] in {b"GIF87a", b"GIF89a"} and len(raw) >= 10:
        width, height = struct.unpack("<HH", raw[6:10])
        return "image/gif", width, height
    if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
        return "image/webp", *_webp_size(raw)
    if raw.startswith(b"\xff\xd8"):
        return "image/jpeg", *_jpeg_size(raw)
    return "", 0, 0


def _webp_size(raw: bytes) -> tuple[int, int]:
    if raw[12:16] == b"VP8X" and len(raw) >= 30:
        return int.from_bytes(raw[24:27], "little") + 1, int.from_bytes(raw[27:30], "little") + 1
    return 0, 0


def _jpeg_size(raw: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(raw) and raw[at] == 0xFF:
        if 0xC0 <= raw[at + 1] <= 0xCF and raw[at + 1] not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack(">HH", raw[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(raw[at + 2 : at + 4], "big")
    return 0, 0
