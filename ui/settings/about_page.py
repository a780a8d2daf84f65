"""The page of what this program is, and what it is built of."""

from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QGridLayout

from ui.settings.rows import FieldRow, Page, label, section

PARTS = (
    ("PySide6-Essentials", "LGPL-3.0"),
    ("litellm", "MIT"),
    ("httpx", "BSD-3-Clause"),
    ("sqlmodel", "MIT"),
    ("SQLAlchemy", "MIT"),
    ("alembic", "MIT"),
    ("pydantic", "MIT"),
    ("keyring", "MIT"),
    ("cryptography", "Apache-2.0 OR BSD-3-Clause"),
    ("tiktoken", "MIT"),
    ("tokenizers", "Apache-2.0"),
    ("pyqtgraph", "MIT"),
    ("numpy", "BSD-3-Clause"),
    ("markdown-it-py", "MIT"),
    ("Pygments", "BSD-2-Clause"),
    ("qasync", "BSD-2-Clause"),
    ("zstandard", "BSD-3-Clause"),
)
"""Packages with the licence that each is used under."""


class AboutPage(Page):
    def __init__(self) -> None:
        super().__init__()
        self.set_title(
            self.tr("About"),
            self.tr("A palimpsest is a parchment on which the older text can still be read."),
        )
        own = label(_version("palimpsest") or self.tr("run from its sources"))
        self.add_row(FieldRow(self.tr("Version"), own))
        self.add_row(FieldRow(self.tr("Licence"), label("Apache-2.0")))
        self.add_row(FieldRow(self.tr("Privacy"), label(self.tr("No telemetry, no account, no phone-home."))))
        self.column.addWidget(section(self.tr("BUILT WITH")))
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setColumnStretch(3, 1)
        grid.addWidget(label("Qt"), 0, 0)
        grid.addWidget(label(qVersion() or "", "small"), 0, 1)
        grid.addWidget(label("LGPL-3.0", "small"), 0, 2)
        for row, (name, licence) in enumerate(PARTS, start=1):
            grid.addWidget(label(name), row, 0, Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(label(_version(name), "small"), row, 1)
            grid.addWidget(label(licence, "small"), row, 2)
        self.column.addLayout(grid)
        self.column.addStretch()


def _version(package: str) -> str:
    """As installed; empty where the program runs from its sources."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
