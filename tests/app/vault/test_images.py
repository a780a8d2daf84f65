import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageWriter

from app.vault.images import image_size

_WEBP = {
    "lossy": b"VP8 " + bytes(10) + struct.pack("<HH", 640, 480),
    "lossless": b"VP8L" + bytes(4) + b"\x2f" + struct.pack("<I", 639 | 479 << 14) + bytes(8),
    "extended": b"VP8X" + bytes(8) + (639).to_bytes(3, "little") + (479).to_bytes(3, "little"),
}


@pytest.mark.parametrize("kind", [b"PNG", b"JPG"])
@pytest.mark.parametrize("size", [(1, 1), (640, 480), (3, 2000)])
def test_a_picture_that_another_program_wrote_has_its_size(kind: bytes, size: tuple[int, int]) -> None:
    image = QImage(*size, QImage.Format.Format_RGB32)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, kind).write(image)

    assert image_size(bytes(data.data())) == size


def test_a_gif_has_the_size_of_its_screen() -> None:
    assert image_size(b"GIF89a" + struct.pack("<HH", 640, 480) + bytes(3)) == (640, 480)


@pytest.mark.parametrize("kind", _WEBP)
def test_each_kind_of_webp_has_its_size(kind: str) -> None:
    assert image_size(b"RIFF" + bytes(4) + b"WEBP" + _WEBP[kind] + bytes(8)) == (640, 480)


@given(
    st.sampled_from(
        [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF0000WEBPVP8X", b"RIFF0000WEBP", b"\xff\xd8\xff\xc0"]
    ),
    st.binary(max_size=40),
)
def test_a_torn_file_never_raises(start: bytes, rest: bytes) -> None:
    width, height = image_size(start + rest)

    assert width >= 0
    assert height >= 0
