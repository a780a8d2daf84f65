"""The folders that a chat may touch, from its settings (A13)."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from app.agent.paths import Roots
from app.settings import Settings


def roots_of(settings: Settings, data: Path) -> Roots:
    """Folders that are not there any more are left out: nothing in them may be touched.

    Args:
        data: Our own, where other chats lie, and what the person allows: in no root.
    """
    return Roots(
        workspace=next(_there([settings.workspace]), None),
        inputs=tuple(_there(settings.input_folders)),
        outputs=tuple(_there(settings.output_folders)),
        closed=(data.resolve(),),
    )


def _there(names: Iterable[str]) -> Iterator[Path]:
    return (path.resolve() for name in names if name and (path := Path(name).expanduser()).is_dir())
