from pathlib import Path

import pytest

from app.core.errors import AppError
from ui.kit.printing import print_pdf


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_a_page_becomes_a_pdf_and_opens_no_file_that_it_names(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"\x89PNG")
    path = tmp_path / "chat.pdf"

    await print_pdf(f'<h1>Title</h1><p>Words</p><img src="{secret.as_uri()}">', path)

    assert path.read_bytes().startswith(b"%PDF-")
    assert _names(tmp_path) == ["chat.pdf", "secret.png"]


async def test_a_pdf_that_can_not_be_written_is_told_in_words(tmp_path: Path) -> None:
    with pytest.raises(AppError, match=r"'chat\.pdf' can't be written"):
        await print_pdf("<p>x</p>", tmp_path / "none" / "chat.pdf")

    assert _names(tmp_path) == []
