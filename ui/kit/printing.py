"""A page of HTML as a PDF, printed by a child process while the window goes on."""

import sys
from pathlib import Path

from app.core.errors import AppError
from app.processes import ChildProcess


async def print_pdf(html: str, path: Path) -> None:
    """
    Raises:
        AppError: it can't be written; the file that was there before still is.
    """
    part = path.with_name(path.name + ".part")
    try:
        child = await ChildProcess.spawn("pdf", command=_command())
        try:
            await child.send({"path": str(part)}, html.encode())
            is_written = False
            async for message in child:
                is_written = message.get("is_written") is True
                break
        finally:
            await child.aclose()
        if not is_written:
            raise OSError("the printing process wrote nothing")  # noqa: TRY301 - told as the others are
        part.replace(path)
    except OSError as error:
        raise AppError(
            f"The file {path.name!r} can't be written.", detail=str(error), file=path.name
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, "--worker", "pdf"]
    return [sys.executable, "-P", "-m", "ui", "--worker", "pdf"]
