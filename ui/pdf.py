"""The child process that prints: HTML in, a PDF at a path. Laying out a long chat takes seconds of one thread.

It reads nothing but what it is sent: no file and no address that a page names is opened.
"""

import asyncio
import os
from pathlib import Path

from PySide6.QtCore import QMarginsF, QUrl
from PySide6.QtGui import QGuiApplication, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from app.processes import ParentPipe

_MARGIN_MM = 18.0
_DOTS_PER_INCH = 300


class _Page(QTextDocument):
    def loadResource(self, kind: int, name: QUrl | str) -> object:  # Qt's name
        url = name if isinstance(name, QUrl) else QUrl(name)
        return super().loadResource(kind, url) if url.scheme() == "data" else None


def print_page(html: str, path: Path) -> bool:
    """Needs a QGuiApplication. Pages are A4 with a number each. Returns: False where the disk refused."""
    page = _Page()
    page.setHtml(html)
    writer = QPdfWriter(str(path))
    writer.setResolution(_DOTS_PER_INCH)
    writer.setCreator("Palimpsest")
    writer.setTitle(page.metaInformation(QTextDocument.MetaInformation.DocumentTitle))
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    layout = QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, margins)
    layout.setUnits(QPageLayout.Unit.Millimeter)
    writer.setPageLayout(layout)
    page.print_(writer)
    return path.is_file() and path.stat().st_size > 0


async def _serve() -> None:
    pipe = ParentPipe()
    async for message, payload in pipe.frames():
        pipe.send({"is_written": print_page(payload.decode(), Path(str(message["path"])))})


def main() -> int:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # it draws on paper only
    application = QGuiApplication([])
    asyncio.run(_serve())
    del application
    return 0
